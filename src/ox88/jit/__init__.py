"""The only package that imports Numba: the decorator `kernel`, the compiler, its cache and some instructions.

A kernel is a function over records, arrays and integers, compiled once and kept in the user's cache folder. Numba
itself notices edits only in the kernel's own file. Here the folder's name holds a hash of all sources that the kernel's
module reaches by import, so an edit in any of them compiles the kernel again.

compiler.py compiles three times faster than Numba does, with the help of Numba's internals. Where these may have
changed, or with OX88_PLAIN_JIT=1, plain.py uses Numba's own compiler instead.
"""

from collections.abc import Callable
from typing import Any, Final, cast

from ox88.jit.announcing import progress
from ox88.jit.beside import compile_beside
from ox88.jit.bits import fetch_subtract, is_compiled, lowest_bit, popcount, prefetch, rarely_called
from ox88.jit.plain import announce_compiling, make_kernel, reason_for_plain

__all__ = [
    "KERNELS",
    "compile_beside",
    "fetch_subtract",
    "is_compiled",
    "kernel",
    "lowest_bit",
    "popcount",
    "prefetch",
    "prepare",
    "progress",
    "rarely_called",
]

KERNELS: Final[list[Any]] = []  # Every kernel of the process, in the order of definition.

_plain_reason: Final = reason_for_plain() if is_compiled() else None
if _plain_reason is not None:
    announce_compiling(_plain_reason, KERNELS)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function at its first call, with one signature, without the GIL; load it from the cache if it is there.

    With NUMBA_DISABLE_JIT=1 it stays the plain Python function.
    """
    if not is_compiled():
        return function
    if _plain_reason is None:
        from ox88.jit.compiler import Kernel  # Needs internals that other releases of Numba may lack.

        compiled: Any = Kernel(function)
    else:
        compiled = make_kernel(function)
    KERNELS.append(compiled)
    return cast(Callable[..., Any], compiled)


def prepare(function: Callable[..., Any], *arguments: object) -> None:
    """Compile a kernel for arguments of these types, and store the code in the cache for the kernels that call it.

    Where Numba's own compiler is used (plain.py), there is no such code, and this does nothing.
    """
    if is_compiled() and _plain_reason is None:
        cast(Any, function).prepare(arguments)
