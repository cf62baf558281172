"""Puzzles: arrays of them, the open set, and puzzles made of games."""
