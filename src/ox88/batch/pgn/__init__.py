"""PGN files in bulk: arrays of moves, clocks, evaluations and tags, out of main lines alone.

reading      read_pgn and iter_pgn: text to pieces, pieces to Games by threads
games        Games, the face of it all
"""
