"""The engines, and what they have in common."""
