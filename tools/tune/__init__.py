"""Weights of the evaluation fitted to positions with scores and results (Peter Österlund's idea, "Texel's tuning")."""
