"""Chess in bulk: arrays in, arrays out, one compiled call for millions of positions.

    positions   Positions, the face of everything here: its methods are thin, each calls one of the modules below
    legal_moves the legal moves of every position
    planes      positions as pictures, for convolutional networks; features as lists, for networks like NNUE's
    policy      moves as the numbers of a policy head, and back
    polyglot    the keys of opening books
    evaluation  what the strong engine says without a search; search: and with one
    views       White's or the mover's
    chunks      work on an array shared out to threads, in pieces that Ctrl-C can end

An operation is a module of two parts: a kernel that walks over POSITION records and writes to arrays as long, and a
function that makes those arrays and hands their slices to `chunks.share`. A method of `Positions` calls the function.
"""
