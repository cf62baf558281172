"""Inputs and targets of networks, and what the engine says. `methods` are the methods of Positions."""
