"""Annotated games: the accuracy of each move, the errors, and better moves."""
