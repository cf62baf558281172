"""A second process that helps to compile when the cache is empty.

Numba compiles in one thread. Two processes that begin with different kernels use each other's results from the cache,
and never compile the same kernel. On two idle cores the strong engine is ready after 11 s instead of 15 s.
"""

import contextlib
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from ox88.jit.bits import is_compiled
from ox88.jit.folders import cache_root, use_cache_root

Part = Callable[[], object]  # A function of a module, which calls kernels.

_HELPER: Final = (
    "import sys, json; path, *rest = json.loads(sys.argv[1]); sys.path[:] = path; "
    "from ox88.jit import sharing; sharing.help_along(*rest)"
)


@contextlib.contextmanager
def sharing_the_work(kernels: Iterable[Any], parts: Iterable[Part]) -> Iterator[bool]:
    """While the body compiles kernels, another process compiles some of their callees.

    kernels: those that the body compiles. Yields True if all are in the cache; then no process is started.
    parts: functions for the other process to call in turn. They should compile what the body needs last.
    The body also works if the other process fails. The other process is ended with the body.
    """
    kernels = list(kernels)
    can_share = all(hasattr(kernel, "is_kept") for kernel in kernels)  # Numba's own compiler has no locks for it.
    is_kept = not is_compiled() or (can_share and all(kernel.is_kept for kernel in kernels))
    with contextlib.ExitStack() as stack:
        if not is_kept and can_share and _can_start():
            with contextlib.suppress(OSError):  # Too many processes, say.
                stack.callback(_end, _start(parts))
        yield is_kept


def _can_start() -> bool:
    """False if Python is embedded in another program, or there is one core."""
    has_python = bool(sys.executable) and not getattr(sys, "frozen", False)
    return has_python and (os.cpu_count() or 1) > 1


def _start(parts: Iterable[Part]) -> "subprocess.Popen[bytes]":
    names = [(part.__module__, part.__qualname__) for part in parts]
    return subprocess.Popen(  # noqa: S603  # This very Python.
        [sys.executable, "-P", "-c", _HELPER, json.dumps([sys.path, str(cache_root()), names])],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the process in the middle of its work. The system releases its locks."""
    process.terminate()
    process.wait()


def help_along(root: str, names: list[tuple[str, str]]) -> None:
    """In the other process: call the parts."""
    use_cache_root(root)
    for module, name in names:
        getattr(importlib.import_module(module), name)()
