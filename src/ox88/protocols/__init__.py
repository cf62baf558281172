"""Protocols: lines in, lines out. A protocol knows what engines have in common, and no single engine."""
