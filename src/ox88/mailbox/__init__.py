"""Chess on the 0x88 board: 16 files of 8 ranks, of which the left half is the chess board.

A square is rank x 16 + file, so one test, `square & 0x88`, finds every step over the edge. The difference of two
squares shows how they lie to each other: a table indexed by it tells which pieces could move from one to the other, and
by which step. Rays are walked square by square. (Bruce Moreland, "0x88 Move Generation"; the zero-terminated lists of
steps come from H.G. Muller's micro-Max.)

steps.py       the steps of each piece        attacks.py   attacks, checkers and pins by this table, en passant
difference.py  the table of differences       movegen.py   all legal moves
records.py     POSITION, UNDO and TABLES      perft.py     counts them
position.py    Setup to POSITION and back, do and undo
"""
