"""`ox88 dataset`: games as a table of positions."""
