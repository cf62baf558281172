"""The one file that knows the compiler: Numba, its decorator, its cache and its bit instructions.

A kernel is a function over records, arrays and integers, compiled once and kept in the user's cache folder. Numba
itself would notice edits only in the kernel's own file; here the folder's name carries a hash of all the sources that
the kernel's module reaches by import, so that an edit in any of them compiles anew. Of several processes that find the
cache empty one compiles, and the others wait for its result.
"""

import ast
import contextlib
import functools
import getpass
import hashlib
import importlib.util
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, Final, cast

import filelock
import llvmlite
import numba
import platformdirs
from numba.core import caching, types
from numba.extending import intrinsic

KEPT_FOLDERS: Final = 4  # Of each module: this version's, and a few of other checkouts or flags.
_PACKAGE: Final = __name__.partition(".")[0]
_HEARD_STEP: Final = 10  # Kernels compiled between two words to a listener.

KERNELS: Final[list[Any]] = []  # Every kernel of the process, in the order of definition.


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function at its first call, with one signature, without the GIL; load it from the cache if it is there.

    With NUMBA_DISABLE_JIT=1 it stays the plain Python function.
    """
    if not is_compiled():
        return function
    # No kernel is handed over as a C callback, and the wrapper for that is a tenth of the compile time.
    compiled = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)
    compiled._cache = _KernelCache(function)
    KERNELS.append(compiled)
    return cast(Callable[..., Any], compiled)


def is_compiled() -> bool:
    """False where NUMBA_DISABLE_JIT makes every kernel a plain Python function."""
    return not numba.config.DISABLE_JIT


# --- Announcing -------------------------------------------------------------------------------------------------------


def _say_on_stderr(text: str) -> None:
    sys.stderr.write(f"ox88: {text}\n")
    sys.stderr.flush()


class Progress:
    """Says on stderr what the compiler is doing, each thing once a process, and to a terminal how far it has come."""

    def __init__(self) -> None:
        self._said: set[str] = set()
        self._listener: Callable[[str], None] | None = None
        self._compiled = 0

    def listen(self, listener: Callable[[str], None] | None) -> None:
        """Let someone else hear it too, and how many kernels are compiled; None for nobody."""
        self._listener = listener

    def say(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            _say_on_stderr(text)
            if self._listener is not None:
                self._listener(text)

    def compiled(self, is_last: bool) -> None:
        """A kernel is compiled; after the last one the compiler rests."""
        self._compiled += 1
        if self._listener is not None and (is_last or self._compiled % _HEARD_STEP == 0):
            self._listener(f"{self._compiled} kernels are compiled")
        if sys.stderr.isatty():
            sys.stderr.write("\n" if is_last else ".")
            sys.stderr.flush()


progress = Progress()


# --- The cache --------------------------------------------------------------------------------------------------------


class _Locator(caching._CacheLocator):  # type: ignore[misc]  # Numba is untyped.
    """Tells Numba which folder a kernel is cached in. The folder's name says all that its content depends on."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._folder = cache_folder(function.__module__, function.__code__.co_filename)
        self._line = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._folder.name

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, function: Callable[..., Any], _file: str) -> "_Locator":
        return cls(function)


class _KernelCacheImpl(caching.CompileResultCacheImpl):  # type: ignore[misc]  # Numba is untyped.
    _locator_classes: ClassVar = [_Locator]


class _KernelCache(caching.FunctionCache):  # type: ignore[misc]  # Numba is untyped.
    """Numba's cache of a function, which lets one process compile while the others wait.

    Numba asks `load_overload` first and calls `save_overload` after compiling: the lock is held in between. Kernels
    that a kernel calls are compiled inside, in the same thread, which a file lock counts.
    """

    _impl_class = _KernelCacheImpl

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        found = self._try_load(signature, target_context)
        if found is not None:
            return found
        lock = _compile_lock()
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout:
            progress.say("another process is compiling; waiting for its result")
            lock.acquire()
        found = self._try_load(signature, target_context)
        if found is not None:
            lock.release()
            return found
        progress.say("compiling, once after an installation or a change; some seconds")
        return None

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            super().save_overload(signature, data)
        except OSError as error:
            progress.say(f"the compiled kernels cannot be kept for the next start: {error}")
        finally:
            _compile_lock().release()
            progress.compiled(is_last=not _compile_lock().is_locked)

    def _try_load(self, signature: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(signature, target_context)
        except (EOFError, pickle.UnpicklingError, OSError) as error:
            progress.say(f"a damaged cache file is replaced: {error}")
            with contextlib.suppress(OSError):  # A full disk, say: save_overload will tell.
                self.flush()
            return None


@functools.cache
def _compile_lock() -> filelock.BaseFileLock:
    return filelock.FileLock(cache_root() / "compile.lock")


@functools.cache
def cache_root() -> Path:
    """The folder of all compiled kernels: NUMBA_CACHE_DIR if set, the user's cache folder, or a temporary one."""
    candidates = [Path(numba.config.CACHE_DIR) / "ox88"] if numba.config.CACHE_DIR else []
    candidates.append(_user_cache_folder())
    for candidate in candidates:
        if _is_usable(candidate):
            return candidate
    return _temporary_root()


def _user_cache_folder() -> Path:
    return Path(platformdirs.user_cache_dir("ox88", appauthor=False)) / "kernels"


def _is_usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except (OSError, RuntimeError):  # RuntimeError: there is no home folder.
        return False
    return True


def _temporary_root() -> Path:
    """A folder that lasts between processes, if it is this user's alone: what lies in it is run. Else a new one."""
    folder = Path(tempfile.gettempdir()) / f"ox88-kernels-{_user_name()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.stat(follow_symlinks=False)
        is_own = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
    except OSError:
        is_own = False
    if is_own and _is_usable(folder):
        return folder
    return Path(tempfile.mkdtemp(prefix="ox88-kernels-"))


def _user_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return str(os.getuid()) if hasattr(os, "getuid") else "user"


@functools.cache
def cache_folder(module: str, file: str) -> Path:
    """The folder for the kernels of a module, made and marked as used; older ones of the module are deleted."""
    folder = cache_root() / f"{module}-{_fingerprint(module, file)}"
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    _delete_stale(folder.parent, module)
    return folder


def _delete_stale(root: Path, module: str) -> None:
    siblings = [path for path in root.glob(f"{module}-*") if path.is_dir()]
    by_last_use = sorted(siblings, key=_modified, reverse=True)
    for path in by_last_use[KEPT_FOLDERS:]:
        shutil.rmtree(path, ignore_errors=True)


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # Another process has just deleted it.
        return 0.0


def _fingerprint(module: str, file: str) -> str:
    digest = hashlib.sha256()
    flags = (numba.__version__, llvmlite.__version__, sys.version, numba.config.OPT, numba.config.BOUNDSCHECK)
    digest.update(repr(flags).encode())
    for name, path in sorted(reached_sources(module, Path(file)).items()):
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def reached_sources(module: str, file: Path) -> dict[str, Path]:
    """Module name to file of a module and all that it reaches by import inside its package and this one."""
    packages = {module.partition(".")[0], _PACKAGE}
    reached: dict[str, Path] = {}
    waiting = [(module, file)]
    while waiting:
        name, path = waiting.pop()
        if name not in reached:
            reached[name] = path
            waiting += _package_modules(_imported_names(name, path), packages)
    return reached


def _package_modules(names: Iterable[str], packages: set[str]) -> Iterator[tuple[str, Path]]:
    for name in names:
        if name.partition(".")[0] in packages and (path := _source_of(name)) is not None:
            yield name, path


@functools.cache
def _source_of(name: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:  # `from module import name`: the name may be a function of the module.
        return None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None


@functools.cache
def _imported_names(module: str, path: Path) -> tuple[str, ...]:
    """Every dotted name that a source imports, and for `from a import b` both `a` and `a.b`."""
    parent = module if path.name == "__init__.py" else module.rpartition(".")[0]
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            relative = "." * node.level + (node.module or "")
            base = importlib.util.resolve_name(relative, parent) if node.level else node.module or ""
            names += (base, *(f"{base}.{alias.name}" for alias in node.names))
    return tuple(names)


# --- Bit instructions -------------------------------------------------------------------------------------------------


def _popcount(bits: int) -> int:
    return int(bits).bit_count()


def _lowest_bit(bits: int) -> int:
    bits = int(bits)
    return (bits & -bits).bit_length() - 1 if bits else 64


if is_compiled():

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped.
    def popcount(_context: Any, _bits: Any) -> Any:
        """Number of set bits of a uint64, as int64: one instruction."""
        return types.int64(types.uint64), lambda _, builder, __, args: builder.ctpop(args[0])

    @intrinsic  # type: ignore[untyped-decorator]  # Numba is untyped.
    def lowest_bit(_context: Any, _bits: Any) -> Any:
        """Index of the lowest set bit of a uint64, as int64; 64 where there is none: one instruction."""

        def generate(_: Any, builder: Any, __: Any, args: Any) -> Any:
            return builder.cttz(args[0], llvmlite.ir.Constant(llvmlite.ir.IntType(1), 0))

        return types.int64(types.uint64), generate

else:
    popcount = _popcount
    lowest_bit = _lowest_bit
