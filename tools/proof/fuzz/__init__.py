"""The campaign fuzz: inputs of all kinds, and what must hold for each."""
