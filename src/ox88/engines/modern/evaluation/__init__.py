"""The handcrafted evaluation: what a position is worth without searching it."""
