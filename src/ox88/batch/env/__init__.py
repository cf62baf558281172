"""Many games at once, for learning by reinforcement: a step plays a move in each of them."""
