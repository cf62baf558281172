"""What the rules of chess say of many positions."""
