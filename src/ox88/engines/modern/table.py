"""The transposition table: results of searches by position, shared by all threads without a lock.

An entry is two words of 64 bits, key ^ data and data. Two threads that write at once may leave one word from each; such
an entry matches no key. (Robert Hyatt and Timothy Mann, "A lock-less transposition table implementation for parallel
search", ICGA Journal 25/1, 2002.) Four entries make a bucket, which fills one cache line.

The data, from the lowest bit on: 16 bits for the move, 16 for the value, 16 for the static evaluation, 8 for the depth,
2 for the bound, 5 for the generation. The last bit is set if the position is or was on a principal variation.
"""

import numpy as np
from numpy.typing import NDArray

from ox88.bitboard.records import make_buffer
from ox88.engines.modern.records import MATE_BOUND
from ox88.jit import kernel

UPPER = np.int64(1)  # The true value is at most the entry's value.
LOWER = np.int64(2)
EXACT = np.int64(3)

BUCKET_WORDS = np.int64(8)
GENERATIONS = np.int64(32)
NO_ENTRY = np.uint64(0)
DEPTH_OFFSET = np.int64(8)  # Depths may be negative, and the field may not.
VALUE_OFFSET = np.int64(1 << 15)
AGE_WEIGHT = np.int64(4)  # Each generation of age counts like a depth that is this many plies less.
KEEP_DEPTH = np.int64(3)  # A bound does not replace an entry of its position that is more than this many plies deeper.

Table = NDArray[np.uint64]


def make_table(megabytes: int) -> Table:
    """An empty table: uint64[8 x buckets], aligned to cache lines. Raises MemoryError."""
    return make_buffer(megabytes << 20).view(np.uint64)


@kernel
def bucket_of(table, key):
    """Index of the first word of a key's bucket: the upper half of the key, scaled to the number of buckets."""
    buckets = np.uint64(len(table)) >> np.uint64(3)
    return np.int64((key >> np.uint64(32)) * buckets >> np.uint64(32)) * BUCKET_WORDS


@kernel
def probe(table, key):
    """The data of a position's entry, or NO_ENTRY."""
    first = bucket_of(table, key)
    for word in range(first, first + BUCKET_WORDS, 2):
        data = table[np.uint64(word + 1)]
        if table[np.uint64(word)] ^ data == key:
            return data
    return NO_ENTRY


@kernel
def entry_move(data):
    return np.int64(data & np.uint64(0xFFFF))


@kernel
def entry_value(data, ply):
    """The value at a ply. Mates are stored as distances from the position, not from the root."""
    value = np.int64(data >> np.uint64(16) & np.uint64(0xFFFF)) - VALUE_OFFSET
    if value > MATE_BOUND:
        return value - ply
    return value + ply if value < -MATE_BOUND else value


@kernel
def entry_eval(data):
    return np.int64(data >> np.uint64(32) & np.uint64(0xFFFF)) - VALUE_OFFSET


@kernel
def entry_depth(data):
    return np.int64(data >> np.uint64(48) & np.uint64(0xFF)) - DEPTH_OFFSET


@kernel
def entry_bound(data):
    return np.int64(data >> np.uint64(56) & np.uint64(3))


@kernel
def entry_generation(data):
    return np.int64(data >> np.uint64(58) & np.uint64(GENERATIONS - 1))


@kernel
def entry_was_pv(data):
    """True if the position was on a principal variation in the search that stored the entry, or in an earlier one."""
    return data >> np.uint64(63) != np.uint64(0)


@kernel
def store(table, key, generation, ply, move, value, static_eval, depth, bound, was_pv):
    """Store a search's result. It replaces the least useful entry of the bucket.

    depth: plies. was_pv: 1 if the position is or was on a principal variation, else 0.
    """
    # Step 1. Find the position's own entry, else an empty one, else the one of least depth and greatest age.
    first = bucket_of(table, key)
    slot = first
    worst = np.int64(1 << 20)
    for word in range(first, first + BUCKET_WORDS, 2):
        data = table[np.uint64(word + 1)]
        if table[np.uint64(word)] ^ data == key:
            slot = word
            # Step 2. Keep the old move if there is no new one. Keep a much deeper entry of this search.
            if move == 0:
                move = entry_move(data)
            is_current = entry_generation(data) == generation
            if bound != EXACT and is_current and entry_depth(data) > depth + KEEP_DEPTH:
                return
            break
        if data == NO_ENTRY:
            slot = word
            break
        age = (generation - entry_generation(data)) & (GENERATIONS - 1)
        usefulness = entry_depth(data) - AGE_WEIGHT * age
        if usefulness < worst:
            worst = usefulness
            slot = word

    # Step 3. Write it.
    if value > MATE_BOUND:
        value += ply
    elif value < -MATE_BOUND:
        value -= ply
    data = (
        np.uint64(move)
        | np.uint64(value + VALUE_OFFSET) << np.uint64(16)
        | np.uint64(static_eval + VALUE_OFFSET) << np.uint64(32)
        | np.uint64(depth + DEPTH_OFFSET) << np.uint64(48)
        | np.uint64(bound | generation << 2 | was_pv << 7) << np.uint64(56)
    )
    table[np.uint64(slot)] = key ^ data
    table[np.uint64(slot + 1)] = data


def hash_full(table: Table, generation: int) -> int:
    """Share of the table with entries of this generation, in thousandths, estimated from the first thousand entries."""
    data = table[1:2000:2]
    used = (data != 0) & (data >> np.uint64(58) & np.uint64(GENERATIONS - 1) == np.uint64(generation))
    return int(used.sum()) * 1000 // len(data)
