"""Chess in bulk: arrays in, arrays out, one compiled call for millions of positions.

`positions.Positions` is the public class, an array with conversions. What it inherits is in `fields` (the columns),
`playing` (the rules of chess) and `learning` (networks and the engine). Each method calls a function in another module.
That function allocates an array for the results, and calls `chunks.in_chunks`, which cuts the rows into
chunks and runs a kernel on them in threads. The kernel loops over POSITION records and writes the results. Results of
different lengths are `ragged`. `move_arguments` reads the argument `moves`: numbers, texts or all legal moves.
"""
