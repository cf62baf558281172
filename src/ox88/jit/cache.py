"""Numba's cache files for the code and the entry of a kernel, in our folders, and a lock for each kernel."""

import contextlib
import pickle
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Final, cast

import filelock
from numba.core import caching, compiler

from ox88.jit.announcing import progress
from ox88.jit.folders import cache_folder
from ox88.jit.libraries import CodeLibrary
from ox88.jit.ownership import make_folder


class _Locator(caching._CacheLocator):  # type: ignore[misc]  # Numba is untyped.
    """Tells Numba the cache folder of a kernel. The folder's name is a hash of all that its content depends on."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._folder = cache_folder(function.__module__, function.__code__.co_filename)
        self._line = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        make_folder(self._folder)

    def get_source_stamp(self) -> str:
        return self._folder.name

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, function: Callable[..., Any], _file: str) -> "_Locator":
        return cls(function)


class _EntryImpl(caching.CompileResultCacheImpl):  # type: ignore[misc]  # Numba is untyped.
    _locator_classes: ClassVar = [_Locator]


class _CodeImpl(_EntryImpl):
    """Keeps the optimised code of a kernel, and what is needed to compile its callers."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return f"{super().get_filename_base(fullname, abiflags)}-code"

    def check_cachable(self, code: Any) -> bool:
        """A kernel that is defined inside a function cannot be found by name."""
        is_found = all("<" not in callee.source[1] for callee in code.library.callees)
        return is_found and bool(super().check_cachable(code))

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


_known_kernels: Final[dict[tuple[str, str], Any]] = {}


def make_known(module: str, name: str, kernel: Any) -> None:
    """Register a kernel for the cached code of its callers: under its name the module may have another object."""
    _known_kernels[module, name] = kernel


class StaleCodeError(Exception):
    """Cached code calls a kernel by the symbol of an earlier compilation, which has been deleted."""


def _library_of(module: str, name: str, arguments: Any, symbol: str) -> CodeLibrary:
    library = cast(CodeLibrary, _known_kernels[module, name].code(arguments).library)
    if library.symbol != symbol:
        raise StaleCodeError
    return library


_CHECKSUM: Final = 4  # Bytes.


class _CheckedFiles(caching.IndexDataCacheFile):  # type: ignore[misc]  # Numba is untyped.
    """Numba's files, with a checksum at the end: one wrong bit could change what a kernel computes."""

    def _load_index(self) -> dict[Any, str]:
        try:
            version, stamp, overloads = _read(self._index_path)
        except FileNotFoundError:
            return {}
        return cast(dict[Any, str], overloads) if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return _read(self._data_path(name))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _write(self, path: str, data: Any) -> None:
        content = self._dump(data)
        with self._open_for_write(path) as file:
            file.write(content)
            file.write(_checksum(content))


def _read(path: str) -> Any:
    """What a file holds. Raises ValueError if the checksum is wrong."""
    content = Path(path).read_bytes()
    if _checksum(content[:-_CHECKSUM]) != content[-_CHECKSUM:]:
        raise ValueError(f"the checksum of {Path(path).name} is wrong")
    return pickle.loads(content[:-_CHECKSUM])  # noqa: S301 - The folder is the user's own.


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(_CHECKSUM, "big")


# Raised by a damaged file, one that cannot be read, or one whose content has another shape, as after an edit of the
# sources while the process that wrote it ran.
_DAMAGED_FILE: Final = (EOFError, pickle.UnpicklingError, OSError, TypeError, ValueError)


class EntryCache(caching.FunctionCache):  # type: ignore[misc]  # Numba is untyped.
    """Replaces damaged files. A file that cannot be written means that the next process compiles again."""

    _impl_class: ClassVar[type] = _EntryImpl

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _CheckedFiles(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(signature, target_context)
        except (StaleCodeError, *_DAMAGED_FILE) as error:
            if not isinstance(error, StaleCodeError):
                progress.say(f"replacing a damaged cache file: {error}")
            with contextlib.suppress(OSError):  # save_overload reports a full disk.
                self.flush()
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            super().save_overload(signature, data)
        except OSError as error:
            progress.say(f"compiled kernels cannot be written to the cache: {error}")


class CodeCache(EntryCache):
    _impl_class = _CodeImpl


def kernel_lock(function: Callable[..., Any]) -> filelock.BaseFileLock:
    """The lock file of a kernel, which a process holds while it compiles the kernel."""
    folder = cache_folder(function.__module__, function.__code__.co_filename)
    return filelock.FileLock(folder / f"{function.__qualname__}-{function.__code__.co_firstlineno}.lock")
