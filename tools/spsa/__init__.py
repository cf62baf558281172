"""Tuning numbers of the search by games, with simultaneous perturbation stochastic approximation (SPSA)."""
