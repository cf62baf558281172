"""Pictures of what the boards hold, read from live records: as text for a terminal, and as SVG.

picture        Cell, Grid, Picture: what is to be seen, as data
shades         the colours of cells, and the marks that stand for them in plain text
mailbox_views  the 0x88 board, the table of differences
micromax_views micro-Max's board, its lists of steps
bitboard_views the board, attacks, bitboards, rotated bitboards
expression     the names of bitboards, and expressions of them
views          all views by name
text, svg      a Picture as terminal text and as SVG; figures has the outlines of the pieces
"""
