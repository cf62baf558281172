"""Bitboard chess: 64-bit sets of squares, one for each kind of piece and each colour.

After the page on bitboards in the seeds (a position record; leaper tables from step lists; updates by one XOR), with
two ways to find the attacks of sliding pieces: rotated bitboards, as on that page, and magic multiplication.

    bits        words of 64 squares
    records     POSITION, UNDO, MOVE_LIST
    leapers     knights, kings, pawns: tables from step lists
    lines       rays, the squares between two squares, the line through them
    magic       attacks of sliders by magic multiplication; magic_numbers are its data, found by tools/find_magics.py
    rotated     attacks of sliders by rotated bitboards, and the record of those boards
    tables      all of this filled once a process
    attacks     attackers_to, checkers, pinned
    position    Setup to POSITION and back
    moves       do_move, undo_move
    movegen     legal moves as a list: all, captures, quiets; rotated_movegen, on rotated bitboards
    counting    the number of legal moves without a list
    legality    pseudo_legal, is_legal, gives_check for a single move
    material    whether what is on the board is enough to mate
    validity    whether a position breaks a rule of Setup.check
    see         static exchange evaluation
    warmup      compiling ahead
    perft       counting move sequences, on magic and on rotated bitboards, over threads and with a hash table
"""
