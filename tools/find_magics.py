"""Finds the magic numbers and prints the file that holds them: python tools/find_magics.py

A magic number is found by trying sparse random ones: three random words, ANDed, have about eight bits set.
(The method is Tord Romstad's.)
"""

import sys

import numpy as np

from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.magic import blocker_mask, subsets, walked_attacks
from ox88.bitboard.records import make_record
from ox88.bitboard.steps import BISHOP_STEPS, ROOK_STEPS
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
def _random(search):  # type: ignore[no-untyped-def]  # A kernel.
    """Xorshift64* (Sebastiano Vigna, 2014)."""
    state = search.state
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    state ^= state >> np.uint64(27)
    search.state = state
    return state * np.uint64(0x2545F4914F6CDD1D)


@kernel
def _is_magic(search, factor, shift, size):  # type: ignore[no-untyped-def]  # A kernel.
    """True if no two sets of pieces with different attacks have the same index."""
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
def find_magic(search, blockers):  # type: ignore[no-untyped-def]  # A kernel.
    """A magic number for the subsets of `blockers`, which search.occupied and search.attacks list."""
    bits = popcount(blockers)
    while True:
        factor = _random(search) & _random(search) & _random(search)
        # A good number moves enough bits to the top.
        good = popcount(blockers * factor >> np.uint64(56)) >= 6
        if good and _is_magic(search, factor, np.uint64(64 - bits), 1 << bits):
            return factor


def main() -> None:
    search = make_record(SEARCH)
    search.state = SEED
    write = sys.stdout.write
    write('"""Magic numbers by square, a1 first: data, printed by tools/find_magics.py."""\n\n# fmt: off\n')
    for name, steps in (("ROOK_MAGICS", ROOK_STEPS), ("BISHOP_MAGICS", BISHOP_STEPS)):
        write(f"\n{name} = (\n")
        for square in range(64):
            blockers = blocker_mask(square, steps)
            occupied = subsets(blockers)
            search.occupied[: len(occupied)] = occupied
            search.attacks[: len(occupied)] = walked_attacks(square, steps, occupied)
            write(f"{' ' if square % 4 else '    '}0x{find_magic(search, np.uint64(blockers)):016X},")
            write("\n" if square % 4 == 3 else "")
        write(")\n")


if __name__ == "__main__":
    main()
