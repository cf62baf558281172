"""Numba's cache files of both products of a kernel, in our folders, and the lock that goes with them."""

import contextlib
import pickle
import sys
from collections.abc import Callable
from typing import Any, ClassVar

import filelock
from numba.core import caching, compiler

from ox88.jit.announcing import progress
from ox88.jit.folders import cache_folder
from ox88.jit.libraries import CodeLibrary


class _Locator(caching._CacheLocator):  # type: ignore[misc]  # Numba is untyped.
    """Tells Numba which folder a kernel is cached in. The folder's name says all that its content depends on."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._folder = cache_folder(function.__module__, function.__code__.co_filename)
        self._line = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)

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
    """Keeps the optimised code of a kernel, and what a caller's compilation asks about it."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return f"{super().get_filename_base(fullname, abiflags)}-code"

    def reduce(self, code: Any) -> Any:
        code.fndesc.typemap = code.fndesc.calltypes = None  # Large, and of no use any more.
        library = code.library
        callees = [callee.kernel for callee in library.callees]
        return library.name, library.kernel, library.as_bitcode(), callees, code.fndesc, code.environment, code.signature

    def rebuild(self, target: Any, data: Any) -> Any:
        name, kernel, bitcode, callees, description, environment, signature = data
        libraries = [code_of(callee) for callee in callees]
        library = CodeLibrary.from_bitcode(target.codegen(), name, bitcode, libraries)
        library.kernel = kernel
        return compiler.compile_result(
            library=library,
            fndesc=description,
            environment=environment,
            signature=signature,
            objectmode=False,
            target_context=target,
        )


def code_of(kernel: Any) -> Any:
    module, name, arguments = kernel
    return getattr(sys.modules[module], name).code(arguments).library


class EntryCache(caching.FunctionCache):  # type: ignore[misc]  # Numba is untyped.
    """Files that are damaged are replaced; files that cannot be written cost the next start, not this one."""

    _impl_class: ClassVar[type] = _EntryImpl

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(signature, target_context)
        except (EOFError, pickle.UnpicklingError, OSError) as error:
            progress.say(f"a damaged cache file is replaced: {error}")
            with contextlib.suppress(OSError):  # A full disk, say: save_overload will tell.
                self.flush()
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            super().save_overload(signature, data)
        except OSError as error:
            progress.say(f"the compiled kernels cannot be kept for the next start: {error}")



class CodeCache(EntryCache):
    _impl_class = _CodeImpl


def kernel_lock(function: Callable[..., Any]) -> filelock.BaseFileLock:
    """The lock that a process holds while it compiles a kernel, beside the kernel's files."""
    folder = cache_folder(function.__module__, function.__code__.co_filename)
    return filelock.FileLock(folder / f"{function.__qualname__}-{function.__code__.co_firstlineno}.lock")
