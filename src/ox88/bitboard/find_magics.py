"""Finds the magic numbers and prints the file that holds them: python -m ox88.bitboard.find_magics

A magic number is found by trying sparse random ones: three random words, ANDed, have about eight bits set.
(The method is Tord Romstad's.)
"""

import sys

import numpy as np

from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.lines import BISHOP_STEPS, ROOK_STEPS
from ox88.bitboard.magic import blocker_mask, walked_attacks
from ox88.jit import kernel, popcount

SEED = 0x88
MAX_ATTACKS = 4096

SEARCH = np.dtype(
    [
        ("occupied", np.uint64, MAX_ATTACKS),
        ("attacks", np.uint64, MAX_ATTACKS),
        ("found", np.uint64, MAX_ATTACKS),  # By index: the attacks that an earlier set of pieces put there.
        ("state", np.uint64),
    ],
    align=True,
)


@kernel
def _random(search):
    """Xorshift64* (Sebastiano Vigna, 2014)."""
    state = search.state
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    state ^= state >> np.uint64(27)
    search.state = state
    return state * np.uint64(0x2545F4914F6CDD1D)


@kernel
def _is_magic(search, factor, shift, size):
    """Whether no two sets of pieces with different attacks come to the same index."""
    for index in range(size):
        search.found[index] = NO_SQUARES
    for number in range(size):
        index = search.occupied[number] * factor >> shift
        if search.found[index] == NO_SQUARES:
            search.found[index] = search.attacks[number]
        elif search.found[index] != search.attacks[number]:
            return False
    return True


@kernel
def find_magic(search, square, blockers, straight):
    """A magic number of a square, for the sets of pieces within `blockers`."""
    size = np.int64(0)
    occupied = NO_SQUARES
    while True:
        search.occupied[size] = occupied
        search.attacks[size] = walked_attacks(square, occupied, straight)
        size += 1
        occupied = (occupied - blockers) & blockers
        if occupied == NO_SQUARES:
            break
    shift = np.uint64(64 - popcount(blockers))
    while True:
        factor = _random(search) & _random(search) & _random(search)
        # A good number brings enough bits to the top.
        if popcount(blockers * factor >> np.uint64(56)) >= 6 and _is_magic(search, factor, shift, size):
            return factor


def main() -> None:
    search = np.zeros(1, SEARCH).view(np.recarray)[0]
    search.state = SEED
    write = sys.stdout.write
    write('"""Magic numbers by square, a1 first: data, printed by find_magics.py."""\n')
    for name, steps, straight in (("ROOK_MAGICS", ROOK_STEPS, True), ("BISHOP_MAGICS", BISHOP_STEPS, False)):
        write(f"\n{name} = (\n")
        for square in range(64):
            factor = find_magic(search, np.int64(square), np.uint64(blocker_mask(square, steps)), straight)
            write(f"    0x{factor:016X},\n")
        write(")\n")


if __name__ == "__main__":
    main()
