"""The random numbers for micro-Max's hash keys: glibc's random() with its default seed.

glibc's generator is an additive feedback generator, r[i] = r[i-3] + r[i-31] modulo 2**32, initialised by a linear
congruential one. The first 310 numbers are discarded; each later one is shifted right by one bit
(Peter Selinger, "The GLIBC random number generator", 2007).
"""

import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

KEY_BYTES = 1035
FIRST_RANDOM = 0x88  # The bytes before it stay 0, so that an empty square changes no key.
_DEGREE = 31
_SEPARATION = 3
_DISCARDED = 310


def glibc_random(seed: int = 1) -> Iterator[int]:
    """The numbers that glibc's random() returns after srandom(seed)."""
    state = [seed]
    for _ in range(_DEGREE - 1):
        state.append(16807 * state[-1] % 0x7FFFFFFF)
    state += state[:_SEPARATION]
    for number in itertools.count():
        state = [*state[1:], (state[-_SEPARATION] + state[-_DEGREE]) & 0xFFFFFFFF]
        if number >= _DISCARDED:
            yield state[-1] >> 1


def key_bytes() -> bytes:
    """The listing's T: zeros, then random bytes from FIRST_RANDOM on."""
    numbers = glibc_random()
    return bytes(FIRST_RANDOM) + bytes(next(numbers) >> 9 & 0xFF for _ in range(KEY_BYTES - FIRST_RANDOM))


def key_words() -> NDArray[np.int32]:
    """The little-endian 32-bit word at every byte of T, since the listing reads them unaligned."""
    text = np.frombuffer(key_bytes(), np.uint8)
    windows = np.lib.stride_tricks.sliding_window_view(text, 4)
    return np.ascontiguousarray(windows).view("<i4").astype(np.int32).ravel()
