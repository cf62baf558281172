"""A second process that compiles along where nothing is compiled yet.

Numba compiles in one thread. Two processes that begin at different kernels find each other's results in the cache, and
none compiles what another is compiling.
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
    """While the body compiles, another process compiles some of what it needs.

    kernels: what the body compiles in the end. Gives whether the cache has them all: then no process is started.
    parts: what the other process calls, one after another, from the end of the work that the body reaches last.
    The body does well without the other process, should that fail; at the end of the body it is ended.
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
    """Not where Python is a part of another program, and not on one core."""
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
    """What it is compiling, nobody waits for. Its locks are released by the system."""
    process.terminate()
    process.wait()


def help_along(root: str, names: list[tuple[str, str]]) -> None:
    """The other process: call the parts."""
    use_cache_root(root)
    for module, name in names:
        getattr(importlib.import_module(module), name)()
