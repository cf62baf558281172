"""Compiles a kernel into code for other kernels that call it, and into an entry for Python.

Numba makes both for every function, and machine code of both. But most kernels are called by other kernels only, which
inline their optimised code. So here machine code is made for the kernels that Python calls, and for no others.
"""

import contextlib
import gc
import os
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final

import filelock
import llvmlite.ir
from llvmlite import binding
from numba import typeof
from numba.core import compiler, event, registry, sigutils, types, typing
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, ReconstructSSA, TranslateByteCode
from numba.np import arrayobj

from ox88.jit.announcing import progress
from ox88.jit.beside import start_beside
from ox88.jit.cache import CodeCache, EntryCache, kernel_lock, make_known
from ox88.jit.libraries import CodeLibrary, EntryLibrary

_OPTIONS: Final = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": None,  # NUMBA_BOUNDSCHECK decides.
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "_nrt": False,  # No reference counts for arrays: they cost more than many kernels do.
}


class _Pipeline(compiler.CompilerBase):  # type: ignore[misc]  # Numba is untyped.
    """Numba's passes, but none for closures, objects, array expressions and parallel loops."""

    def define_pipelines(self) -> list[Any]:
        self.state.flags.no_compile = True
        self.state.library = CodeLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        passes = PassManager("kernel")
        for step in (
            TranslateByteCode, FixupArgs, IRProcessing, GenericRewrites, ReconstructSSA, NopythonTypeInference,
            PreLowerStripPhis, IRLegalization, NativeLowering, NoPythonBackend,
        ):  # fmt: skip
            passes.add_pass(step, step.__name__)
        passes.finalize()
        return [passes]


class Kernel(registry.CPUDispatcher):  # type: ignore[misc]  # Numba is untyped.
    """Numba's dispatcher of a function, with another compiler.

    A process that compiles a kernel holds the kernel's lock, and other processes wait for the result. There is no
    deadlock: a process waits only for callees of the kernel that it is compiling, and callees never call back.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function, targetoptions=_OPTIONS, pipeline_class=_Pipeline)
        self._codes: dict[Any, Any] = {}
        self._templates: dict[Any, Any] = {}
        make_known(function.__module__, function.__qualname__, self)
        self._code_cache = CodeCache(function)
        self._entry_cache = EntryCache(function)
        self._lock, self._process = kernel_lock(function), os.getpid()

    def compile(self, signature: Any) -> Any:
        """The compiled function that Python calls for these types of arguments."""
        arguments = tuple(sigutils.normalize_signature(signature)[0])
        with _session:
            found = self.overloads.get(arguments)
            if found is None or found.entry_point is None:
                found = self._load_or_make(self._entry_cache, arguments, self._make_entry)
                self.add_overload(found)
            return found.entry_point

    def code(self, arguments: Any) -> Any:
        """The optimised code for kernels that call this one."""
        with _session:
            if arguments not in self._codes:
                found = self._load_or_make(self._code_cache, arguments, self._make_code)
                self._codes[arguments] = found
                self.overloads.setdefault(arguments, found)
                self.targetctx.insert_user_function(found.library, found.fndesc, [found.library])
            return self._codes[arguments]

    def prepare(self, arguments: tuple[object, ...]) -> None:
        """Compile the code for callers of this kernel with such arguments, and store it in the cache."""
        self.code(tuple(map(typeof, arguments)))

    def get_call_template(self, arguments: Any, keywords: Any) -> Any:
        """Numba calls this when it compiles a call of this kernel."""
        python_signature, arguments = self._compiler.fold_argument_types(arguments, keywords)
        if arguments not in self._templates:
            signatures = [self.code(arguments).signature]
            self._templates[arguments] = typing.make_concrete_template(self.__name__, self.__name__, signatures)
        return self._templates[arguments], python_signature, arguments, {}

    def get_overload(self, arguments: Any) -> Any:
        """The key under which Numba finds this kernel's code when it compiles a call."""
        return self._codes[tuple(arguments)].library

    def _load_or_make(self, cache: EntryCache, arguments: Any, make: Callable[[Any], Any]) -> Any:
        _session.raise_interrupts()
        found = cache.load(arguments, self.targetctx)
        if found is not None:
            return found
        with self._alone():
            found = cache.load(arguments, self.targetctx)
            if found is None:
                progress.compiling()
                start_beside()
                with self._compiling_counter:
                    found = make(arguments)
                cache.save(arguments, self.targetctx, found)
        return found

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(OSError):  # A full disk, or one without locks.
                stack.enter_context(self._acquire())
            yield

    def _acquire(self) -> contextlib.AbstractContextManager[object]:
        """The kernel's lock. While another process has it, Ctrl-C ends the wait."""
        if self._process != os.getpid():  # filelock refuses a lock that was made before a fork.
            self._lock, self._process = kernel_lock(self.py_func), os.getpid()
        seconds = 0.0
        while True:
            try:
                return self._lock.acquire(timeout=seconds, poll_interval=0.01)
            except filelock.Timeout:
                progress.waiting()
                _session.raise_interrupts()
                seconds = 0.1

    def _make_code(self, arguments: Any) -> Any:
        with event.trigger_event("numba:compile", data={"dispatcher": self, "args": arguments, "return_type": None}):
            code = self._compiler.compile(arguments, None)
        code.library.source = (self.__module__, self.__qualname__, arguments)
        code.library.symbol = code.fndesc.mangled_name
        code.library.finalize()
        progress.compiled()
        return code

    def _make_entry(self, arguments: Any) -> Any:
        code = self.code(arguments)
        library = EntryLibrary(self.targetctx.codegen(), code.library.name)
        library.enable_object_caching()
        self.targetctx.create_cpython_wrapper(library, code.fndesc, code.environment, None, release_gil=True)
        library.add_code(code.library)
        function = self.targetctx.get_executable(library, code.fndesc, code.environment)
        progress.finished()
        return code._replace(entry_point=function, library=library)


# --- What is replaced in Numba while a kernel is compiled -------------------------------------------------------------

_functions: Final[Any] = types.BaseFunction
_resolve: Final = _functions.get_call_type
_resolved: Final[dict[Any, Any]] = {}
_tested_index: Final = arrayobj.fix_integer_index

# New objects before a garbage collection. Python's default costs a tenth of the time, and no collection at all 60 MB.
GARBAGE_THRESHOLD: Final = 20_000


def _remembered(function: Any, context: Any, arguments: Any, keywords: Any) -> Any:
    """Numba tries a dozen candidates for each `+`, `==` or `bool` of each kernel: what it finds is remembered."""
    if keywords:
        return _resolve(function, context, arguments, keywords)
    key = (function, context, tuple(arguments))
    if key not in _resolved:
        _resolved[key] = _resolve(function, context, arguments, keywords)
    return _resolved[key]


def _plain_index(context: Any, builder: Any, index_type: Any, index: Any, size: Any) -> Any:
    """An index without Numba's test for a negative one, which means to count from the end.

    No kernel has such indices, and the tests take 3 % of a search's time.
    """
    if isinstance(index, llvmlite.ir.Constant):  # Known now, so that the test costs nothing later.
        return _tested_index(context, builder, index_type, index, size)
    return context.cast(builder, index, index_type, types.intp)


def _fill_registers(by_short_numbers: bool) -> None:
    """How LLVM fills registers in a loop over numbers of 16 and 32 bits: with the long ones, unless it is told else.

    The output of the network is such a loop, and takes half as long again by default.
    """
    binding.set_option("ox88", f"-vectorizer-maximize-bandwidth={str(by_short_numbers).lower()}")


class _Session:
    """One thread compiles at a time, and holds Numba's compiler lock: so no other code is affected.

    LLVM calls functions of Python, and many objects of Numba have a `__del__`: an exception that is raised there is
    lost. So a session notes Ctrl-C, and raises it before the next kernel or at its end.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._garbage = gc.get_threshold()
        self._interrupts: list[int] = []
        self._handler: Any = None  # What Ctrl-C calls outside the session; None where it is not noted.

    def __enter__(self) -> None:
        global_compiler_lock.acquire()
        self._depth += 1
        if self._depth == 1:
            self._note_interrupts()
            self._garbage = gc.get_threshold()
            gc.set_threshold(GARBAGE_THRESHOLD)
            _functions.get_call_type = _remembered
            arrayobj.fix_integer_index = _plain_index
            _fill_registers(True)

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        try:
            if self._depth == 0:
                _fill_registers(False)
                arrayobj.fix_integer_index = _tested_index
                _functions.get_call_type = _resolve
                gc.set_threshold(*self._garbage)
                if self._handler is not None:
                    signal.signal(signal.SIGINT, self._handler)
                self.raise_interrupts()
        finally:
            global_compiler_lock.release()

    def _note_interrupts(self) -> None:
        handler = signal.getsignal(signal.SIGINT)
        if not callable(handler) or threading.current_thread() is not threading.main_thread():
            self._handler = None
        else:
            self._handler = handler
            signal.signal(signal.SIGINT, lambda number, _: self._interrupts.append(number))

    def raise_interrupts(self) -> None:
        """After Ctrl-C, call the handler that the process has for it: by default it raises KeyboardInterrupt."""
        if self._interrupts:
            self._interrupts.clear()
            self._handler(signal.SIGINT, None)


_session: Final = _Session()
