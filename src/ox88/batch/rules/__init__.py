"""What the rules of chess say of many positions. `methods` are the methods of Positions; the rest is what they call."""
