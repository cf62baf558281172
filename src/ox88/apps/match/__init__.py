"""Engine against engine: games by many workers, refereed, recorded, and what they say about strength."""
