"""Motifs: the ideas in a forced line of moves, named as Lichess names the themes of its puzzles.

A finder looks at a `Line`, at each move of the solver, or at each of its rounds. Finders know nothing of searches: they
say what a line shows, and whoever asks has to be sure that the line is forced.

    line    Line, Step and Motif; the kinds of finders
    exchanges  which captures win material
    attacks, lures, kings, moves    one file a family. What Lichess means by the themes of indirect tactics is told in
            lichess.org/training/themes and, for its tagger, in lichess-puzzler's `tagger/cook.py`
    find    the finders of all families by theme
"""
