"""The handcrafted evaluation: the value of a position without searching it."""
