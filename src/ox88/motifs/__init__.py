"""Motifs: the ideas in a forced line of moves, named as Lichess names the themes of its puzzles.

A finder looks at a `Line` and returns a `Motif`, or None. Finders know nothing of searches: they say what a line shows,
and whoever asks has to be sure that the line is forced.

    line    Line, Step and Motif; what all finders ask about a board
    exchanges  which captures win material
    find    the finders of all families by theme
"""
