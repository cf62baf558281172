"""PGN files in bulk: moves, clocks, evaluations and tags of main lines as arrays.

From a file to Games: files (bytes), splitting (chunks of whole games), then in threads tags and movetext_reader
(kernels, with text, san, comments), reading (GameArrays), games. From Games back: replay (positions), writing (PGN).
game_text.split_games splits a PGN into the texts of its games.
"""
