"""Chess in bulk: arrays in, arrays out, one compiled call for millions of positions.

The folders from the top down; each imports only from those below it:

    pgn         read_pgn and Games: games as arrays
    positions   Positions, an array; its conversions; the methods of its other base classes are in rules and learning
    learning    planes, features and policy targets of networks; evaluations and searches of the strong engine
    rules       legal moves, moves played, checks, ends of games
    text        kernels for bytes, FENs, SAN and UCI's notation: the reader and the writer of each
    rows        arguments that name rows, chunks of rows in threads, results of different lengths

A function allocates an array for the results, and calls `rows.chunks.in_chunks`, which cuts the rows into chunks and
runs a kernel on them in threads. The kernel loops over POSITION records and writes the results. Results of different
lengths are `rows.ragged`. `rules.moves` reads the argument `moves`: numbers, texts or all legal moves.
"""
