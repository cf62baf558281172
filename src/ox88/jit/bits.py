"""Single instructions of the processor for kernels, and what stands for them in plain Python."""

import ctypes
import threading
from typing import Any

import llvmlite
import numba
from numba import types
from numba.extending import intrinsic


def is_compiled() -> bool:
    """False if NUMBA_DISABLE_JIT makes every kernel a plain Python function."""
    return not numba.config.DISABLE_JIT


_INT32 = llvmlite.ir.IntType(32)
_INT64_POINTER = llvmlite.ir.IntType(64).as_pointer()
_BYTE_POINTER = llvmlite.ir.IntType(8).as_pointer()
_PREFETCH = (0, 3, 1)  # Arguments of llvm.prefetch: for reading, into all levels of the cache, data and not code.


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

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped.
    def rarely_called(_context: Any) -> Any:
        """Keep the code of the kernel that calls this from being inlined, so that it costs its callers nothing."""

        def generate(context: Any, builder: Any, _: Any, __: Any) -> Any:
            builder.function.attributes.add("noinline")
            builder.function.attributes.add("cold")
            return context.get_dummy_value()

        return types.void(), generate

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped.
    def fetch_subtract(_context: Any, _address: Any, _number: Any) -> Any:
        """Subtract from the int64 at an address, and return its value before, in one step that no thread can divide."""

        def generate(_: Any, builder: Any, __: Any, args: Any) -> Any:
            return builder.atomic_rmw("sub", builder.inttoptr(args[0], _INT64_POINTER), args[1], "monotonic")

        return types.int64(types.int64, types.int64), generate

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped.
    def prefetch(_context: Any, array: Any, _index: Any) -> Any:
        """Begin to load the cache line of an array's item, so that it is there when it is read later."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            pointer = builder.bitcast(builder.gep(data, [args[1]]), _BYTE_POINTER)
            function_type = llvmlite.ir.FunctionType(llvmlite.ir.VoidType(), [_BYTE_POINTER, *[_INT32] * 3])
            function = builder.module.declare_intrinsic("llvm.prefetch", [_BYTE_POINTER], function_type)
            builder.call(function, [pointer, *(llvmlite.ir.Constant(_INT32, word) for word in _PREFETCH)])
            return context.get_dummy_value()

        return types.void(array, types.int64), generate

else:
    _lock = threading.Lock()

    def popcount(bits: int) -> int:
        return int(bits).bit_count()

    def lowest_bit(bits: int) -> int:
        bits = int(bits)
        return (bits & -bits).bit_length() - 1 if bits else 64

    def rarely_called() -> None:
        """There is nothing to do."""

    def fetch_subtract(address: int, number: int) -> int:
        with _lock:
            value = ctypes.c_int64.from_address(int(address))
            before = value.value
            value.value -= int(number)
            return before

    def prefetch(array: Any, index: int) -> None:
        """There is nothing to do."""
