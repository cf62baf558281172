"""Chess in bulk: arrays in, arrays out, one compiled call for millions of positions.

`positions.Positions` is the public class; each of its methods calls a function in another module of this package. That
function allocates an array for the results, and calls `chunks.in_chunks`, which cuts the rows into chunks and runs a
kernel on them in threads. The kernel loops over POSITION records and writes the results.
"""
