"""Protocols: lines in, lines out. They know what engines have in common, and no engine."""
