"""`ox88 show`: pictures of how the boards represent a position, as text and as SVG.

cli             the command
views           all views by name
bitboard_views  the board, attacks, bitboards, rotated bitboards
mailbox_views   the 0x88 board, rays on it, the difference table
micromax_views  micro-Max's board, its lists of steps
search_views    what micro-Max tries, scans, searches and stores
network_views   what pieces are worth to the network, the weights of its neurons
expression      the names of bitboards, and expressions of them
picture         a Picture as data: grids of cells
style           colours, marks and figures of pieces
text, svg       a Picture as text and as SVG
"""
