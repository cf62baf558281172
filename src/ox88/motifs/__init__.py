"""Motifs: the ideas in a forced line of moves, named as Lichess names the themes of its puzzles.

A finder looks at a `Line` and returns a `Motif`, or None. Finders know nothing of searches: they say what a line shows,
and whoever asks has to be sure that the line is forced.

    line    Line, Step and Motif; what all finders ask about a board
    exchanges  which captures win material
    defenders, sacrifices, tempo, kings    indirect tactics. What Lichess means by their themes is told in
            lichess.org/training/themes and, for its tagger, in lichess-puzzler's `tagger/cook.py`
    find    the finders of all families by theme
"""
