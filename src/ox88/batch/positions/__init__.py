"""The class Positions, and what it is made of and turned into: FENs, boards, packed records, files and Arrow."""
