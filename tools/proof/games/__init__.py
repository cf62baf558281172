"""The campaign games: whole games at a quick clock, with no illegal move, crash, stall or loss on time."""
