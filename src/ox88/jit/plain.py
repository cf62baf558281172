"""Kernels made by Numba's own compiler and cache: slower to compile, but on Numba's public interface alone.

Used with OX88_PLAIN_JIT=1, and where `reason_for_plain` finds that the faster compiler of this package may not work.
"""

import importlib
import os
import threading
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

import numba

from ox88.jit.announcing import progress
from ox88.jit.folders import cache_folder

# The releases of Numba with which the faster compiler was tested.
TRIED_VERSIONS: Final = ("0.61", "0.62", "0.63", "0.64", "0.65", "0.66", "0.67", "0.68")

# The methods of Numba that the faster compiler calls or replaces. What else it needs of Numba its modules import.
_METHODS: Final = {
    "numba.core.codegen": (
        "JITCodeLibrary._finalize_dynamic_globals",
        "JITCodeLibrary._finalize_final_module",
        "JITCodeLibrary._optimize_final_module",
        "JITCodeLibrary.add_linking_library",
        "JITCodeLibrary.enable_object_caching",
    ),
    "numba.core.compiler": ("CompileResult._rebuild", "CompileResult._reduce"),
    "numba.core.cpu": ("CPUContext.create_cpython_wrapper", "CPUContext.get_executable"),
    "numba.core.registry": ("CPUDispatcher.add_overload", "CPUDispatcher.typeof_pyval"),
    "numba.core.types": ("BaseFunction.get_call_type",),
    "numba.np.arrayobj": ("fix_integer_index",),
}

_lock: Final = threading.Lock()


def reason_for_plain() -> str | None:
    """Why Numba's own compiler must be used; None if the faster compiler works."""
    version = numba.__version__
    if os.environ.get("OX88_PLAIN_JIT", "0") not in ("", "0"):
        return "OX88_PLAIN_JIT is set"
    if ".".join(version.split(".")[:2]) not in TRIED_VERSIONS:
        return f"Ox88 has not been tested with Numba {version}"
    try:
        for module, names in _METHODS.items():
            attrgetter(*names)(importlib.import_module(module))
        importlib.import_module("ox88.jit.compiler")
    except (ImportError, AttributeError) as error:
        return f"Numba {version} has changed inside: {error}"
    return None


def make_kernel(function: Callable[..., Any]) -> Any:
    """Numba's dispatcher of a function, with its cache in our folder for the function's module."""
    folder = cache_folder(function.__module__, function.__code__.co_filename) / "plain"
    with _lock:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            return numba.njit(cache=True, nogil=True, error_model="numpy")(function)
        finally:
            numba.config.CACHE_DIR = before


def announce_compiling(reason: str, kernels: list[Any]) -> None:
    """Have `progress` say when one of the kernels is compiled, which takes long."""
    try:
        from numba.core import event
    except ImportError:
        return

    class Listener(event.Listener):  # type: ignore[misc]  # Numba is untyped.
        depth = 0  # A kernel is compiled while its caller is being compiled.

        def on_start(self, started: Any) -> None:
            self.depth += 1
            if started.data["dispatcher"] in kernels:
                progress.say(f"compiling once, slowly, with Numba's own compiler ({reason}); up to some minutes")

        def on_end(self, _: Any) -> None:
            self.depth -= 1
            progress.compiled()
            if self.depth == 0:
                progress.finished()

    event.register("numba:compile", Listener())
