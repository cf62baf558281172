"""Positions to learn from, with moves, scores and results: the formats of programs that train networks."""
