"""`ox88 bench`: speed, measured by fixed work."""
