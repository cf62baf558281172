"""Chess on the 0x88 board: 16 files of 8 ranks, of which the left half is the chess board.

A square is rank x 16 + file, so that one test, `square & 0x88`, sees every step over the edge, and the difference of
two squares says how they lie to each other: one table, indexed by it, knows which pieces could get from the one to the
other and by which step. Rays are walked square by square until a blocker. (Bruce Moreland, "0x88 Move Generation";
H.G. Muller's micro-Max for the zero-terminated lists of steps and the wish for a piece list, which stands here.)

steps.py       the steps of each piece                  position.py    Setup to POSITION and back, do and undo
difference.py  the table of differences                 attacks.py     attacks, checkers and pins by that table
records.py     POSITION, UNDO and TABLES      movegen.py     all legal moves;  perft.py counts them
"""
