"""Bit instructions: one instruction each in a kernel, and the same functions in plain Python."""

from typing import Any

import llvmlite
import numba
from numba import types
from numba.extending import intrinsic


def is_compiled() -> bool:
    """False if NUMBA_DISABLE_JIT makes every kernel a plain Python function."""
    return not numba.config.DISABLE_JIT


if is_compiled():

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped.
    def popcount(_context: Any, _bits: Any) -> Any:
        """Number of set bits of a uint64, as int64: one instruction."""
        return types.int64(types.uint64), lambda _, builder, __, args: builder.ctpop(args[0])

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped.
    def lowest_bit(_context: Any, _bits: Any) -> Any:
        """Index of the lowest set bit of a uint64, as int64; 64 if no bit is set: one instruction."""

        def generate(_: Any, builder: Any, __: Any, args: Any) -> Any:
            return builder.cttz(args[0], llvmlite.ir.Constant(llvmlite.ir.IntType(1), 0))

        return types.int64(types.uint64), generate

else:

    def popcount(bits: int) -> int:
        return int(bits).bit_count()

    def lowest_bit(bits: int) -> int:
        bits = int(bits)
        return (bits & -bits).bit_length() - 1 if bits else 64
