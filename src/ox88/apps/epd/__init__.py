"""`ox88 epd`: test suites, positions whose best moves are known; how many of these moves an engine finds."""
