"""The one package that knows the compiler: Numba, its decorator, its cache and its bit instructions.

A kernel is a function over records, arrays and integers, compiled once and kept in the user's cache folder. Numba
itself would notice edits only in the kernel's own file; here the folder's name carries a hash of all the sources that
the kernel's module reaches by import, so that an edit in any of them compiles anew. Of several processes that find the
cache empty one compiles a kernel, and the others wait for its result or compile another.
"""

from collections.abc import Callable
from typing import Any, Final, cast

from ox88.jit.announcing import Progress, progress
from ox88.jit.bits import is_compiled, lowest_bit, popcount
from ox88.jit.compiler import Kernel
from ox88.jit.folders import KEPT_FOLDERS, reached_sources
from ox88.jit.sharing import sharing_the_work

__all__ = [
    "KEPT_FOLDERS",
    "KERNELS",
    "Progress",
    "is_compiled",
    "kernel",
    "lowest_bit",
    "popcount",
    "prepare",
    "prepare_entry",
    "progress",
    "reached_sources",
    "sharing_the_work",
]

KERNELS: Final[list[Any]] = []  # Every kernel of the process, in the order of definition.


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function at its first call, with one signature, without the GIL; load it from the cache if it is there.

    With NUMBA_DISABLE_JIT=1 it stays the plain Python function.
    """
    if not is_compiled():
        return function
    compiled = Kernel(function)
    KERNELS.append(compiled)
    return cast(Callable[..., Any], compiled)


def prepare(function: Callable[..., Any], *arguments: Any) -> None:
    """Compile a kernel for kernels that call it with arguments of these types, without calling it.

    That is less work than to call it from Python, which needs machine code.
    """
    if isinstance(function, Kernel):
        function.code(tuple(function.typeof_pyval(argument) for argument in arguments))


def prepare_entry(function: Callable[..., Any], *arguments: Any) -> None:
    """Compile a kernel for Python, or load it from the cache, without calling it."""
    if isinstance(function, Kernel):
        function.compile(tuple(function.typeof_pyval(argument) for argument in arguments))
