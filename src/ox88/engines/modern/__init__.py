"""The strong engine."""
