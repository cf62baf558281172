"""Training, without any interface: puzzles, answers, when a puzzle comes back, a person's rating."""
