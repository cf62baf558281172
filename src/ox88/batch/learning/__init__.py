"""Inputs and targets of networks, and what the engine says."""
