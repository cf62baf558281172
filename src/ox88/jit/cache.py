"""The files of compiled kernels, one for the code of a kernel and one for its entry, and a lock for each kernel."""

import contextlib
import errno
import hashlib
import os
import pickle
import uuid
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

import filelock
from numba.core import compiler
from numba.core.serialize import dumps

from ox88.jit.announcing import progress
from ox88.jit.folders import cache_folder, make_folder
from ox88.jit.libraries import CodeLibrary

_CHECKSUM: Final = 4  # Bytes at the end of a file: one wrong bit could change what a kernel computes.

# Raised by a damaged file, one that cannot be read, or one whose content has another shape, as after an edit of the
# sources while the process that wrote it ran.
_DAMAGED_FILE: Final = (EOFError, pickle.UnpicklingError, OSError, TypeError, ValueError)

_known_kernels: Final[dict[tuple[str, str], Any]] = {}


def make_known(module: str, name: str, kernel: Any) -> None:
    """Register a kernel for the cached code of its callers: under its name the module may have another object."""
    _known_kernels[module, name] = kernel


class StaleCodeError(Exception):
    """Cached code calls a kernel by the symbol of an earlier compilation, which has been deleted."""


class EntryCache:
    """The entries of a kernel, by the types of their arguments, in the folder of the kernel's module.

    The folder's name is a hash of the sources. Damaged files are replaced. A file that cannot be written means that the
    next process compiles again. A kernel that is defined inside a function is not kept, as it cannot be found by name.
    """

    ending = "entry"

    def __init__(self, function: Callable[..., Any]) -> None:
        self._start = _start_of_files(function)
        self._is_kept = "<" not in function.__qualname__

    def load(self, arguments: Any, target: Any) -> Any:
        """What `save` has kept; None if there is nothing, or nothing that can be used."""
        target.refresh()  # Else it knows only some of what the code needs.
        try:
            return self.rebuild(target, _read(self._path(arguments, target)))
        except (FileNotFoundError, StaleCodeError):
            return None
        except _DAMAGED_FILE as error:
            if not _is_in_use(error):
                progress.say(f"replacing a damaged cache file: {error}")
            return None

    def save(self, arguments: Any, target: Any, found: Any) -> None:
        if not self._is_kept or found.library.has_dynamic_globals:  # Dynamic globals: addresses of this process.
            return
        content = dumps(self.reduce(found))
        path = self._path(arguments, target)
        unfinished = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
        try:
            make_folder(path.parent)
            unfinished.write_bytes(content + _checksum(content))
            unfinished.replace(path)
        except OSError as error:
            if not _is_in_use(error):
                progress.say(f"compiled kernels cannot be written to the cache: {error}")
            with contextlib.suppress(OSError):
                unfinished.unlink()

    def _path(self, arguments: Any, target: Any) -> Path:
        """The file for arguments of some types, on this kind of processor."""
        digest = hashlib.sha256(repr((arguments, target.codegen().magic_tuple())).encode()).hexdigest()
        return self._start.with_name(f"{self._start.name}-{digest[:16]}.{self.ending}")

    def reduce(self, entry: Any) -> Any:
        return entry._reduce()

    def rebuild(self, target: Any, data: Any) -> Any:
        return compiler.CompileResult._rebuild(target, *data)


class CodeCache(EntryCache):
    """The optimised code of a kernel, and what is needed to compile its callers."""

    ending = "code"

    def reduce(self, code: Any) -> Any:
        code.fndesc.typemap = code.fndesc.calltypes = None  # Large, and not needed any more.
        library = code.library
        callees = [(*callee.source, callee.symbol) for callee in library.callees]
        parts = (library.name, library.source, library.symbol, library.as_bitcode(), callees)
        return parts, code.fndesc, code.environment, code.signature

    def rebuild(self, target: Any, data: Any) -> Any:
        (name, source, symbol, bitcode, callees), description, environment, signature = data
        library = CodeLibrary(target.codegen(), name)
        library.fill(source, symbol, bitcode, [_library_of(*callee) for callee in callees])
        return compiler.compile_result(
            library=library,
            fndesc=description,
            environment=environment,
            signature=signature,
            objectmode=False,
            target_context=target,
            lifted=(),
            reload_init=[],
        )


def _library_of(module: str, name: str, arguments: Any, symbol: str) -> CodeLibrary:
    library = cast(CodeLibrary, _known_kernels[module, name].code(arguments).library)
    if library.symbol != symbol:
        raise StaleCodeError
    return library


def _read(path: Path) -> Any:
    """What a file holds. Raises ValueError if the checksum is wrong."""
    content = path.read_bytes()
    if _checksum(content[:-_CHECKSUM]) != content[-_CHECKSUM:]:
        raise ValueError(f"the checksum of {path.name} is wrong")
    return pickle.loads(content[:-_CHECKSUM])  # noqa: S301 - The folder is the user's own.


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(_CHECKSUM, "big")


def _is_in_use(error: BaseException) -> bool:
    """True if another process has the file open, so that Windows lets nobody else read or replace it."""
    return os.name == "nt" and isinstance(error, OSError) and error.errno == errno.EACCES


def _start_of_files(function: Callable[..., Any]) -> Path:
    """The folder of a kernel's files, and the beginning of their names."""
    folder = cache_folder(function.__module__, function.__code__.co_filename)
    return folder / f"{function.__qualname__}-{function.__code__.co_firstlineno}"


def kernel_lock(function: Callable[..., Any]) -> filelock.BaseFileLock:
    """The lock file of a kernel, which a process holds while it compiles the kernel."""
    start = _start_of_files(function)
    return filelock.FileLock(start.with_name(f"{start.name}.lock"))
