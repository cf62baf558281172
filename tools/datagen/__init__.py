"""Games that Ox88 plays against itself, for tuning and training."""
