"""Bitboard chess: 64-bit sets of squares, one for each kind of piece and each colour.

The attacks of sliding pieces are found in two ways: by magic multiplication and by rotated bitboards. docs/bitboards.md
explains the ideas and names their sources.

    bits        words of 64 squares
    records     POSITION, UNDO, MOVE_LIST
    steps       attacks of knights, kings and pawns; rays, the squares between two squares, the line through them
    magic       attacks of sliders by magic multiplication; magic_numbers are its data, found by tools/find_magics.py
    rotated     attacks of sliders and legal moves by rotated bitboards, and the record of the rotated boards
    cuckoo      finds a reversible move by its change of the key
    tables      the TABLES record, filled once a process
    attacks     attackers_to, checkers, pinned, the pawns that may capture en passant
    position    Setup to POSITION and back, the rules of Setup.check, insufficient material
    moves       do_move, undo_move
    movegen     legal moves as a list: all, captures, quiets
    counting    the number of legal moves without a list
    legality    pseudo_legal, is_legal, is_capture, is_en_passant, gives_check for a single move
    see         static exchange evaluation
    perft       counting move sequences, on magic and on rotated bitboards; compiling ahead
"""
