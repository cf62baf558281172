"""Chess in bulk: arrays in, arrays out, one compiled call for millions of positions.

`positions.Positions` is the public face; each of its methods calls a function in one of the modules beside it. An
operation is a kernel that loops over POSITION records and writes to an array, and a function that allocates the array
and passes slices of it to `chunks.in_chunks`, which runs them in threads.
"""
