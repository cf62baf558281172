"""`ox88 bench`: speed, measured on fixed work."""
