"""How the engine of people's moves is trained and measured."""
