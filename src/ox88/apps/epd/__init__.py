"""Test suites in EPD: positions whose good moves are known, and how many of them an engine finds."""
