"""`ox88 games`: games of PGN files that fulfil conditions, written as they are."""
