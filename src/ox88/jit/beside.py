"""A second process that compiles beside this one. This process finds the compiled code in the cache."""

import atexit
import subprocess
import sys
from typing import Final

from ox88.cores import cores

_modules: Final[list[str]] = []


def compile_beside(module: str) -> None:
    """Let a second process run a module as soon as this one has to compile a kernel.

    The module compiles what this process needs later. Two processes never compile the same kernel: each has a lock.
    """
    if module not in _modules and cores() > 1 and sys.executable:
        _modules.append(module)


def start_beside() -> None:
    """Start the second process of each module. It ends with this process, if not before.

    As all children of Ox88 it imports nothing from the working folder (-P), where files of the user may bear any name.
    """
    while _modules:
        process = subprocess.Popen(  # noqa: S603 - It runs a module of Ox88.
            [sys.executable, "-P", "-m", _modules.pop()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        atexit.register(_end, process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()
