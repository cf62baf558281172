"""The compiler's rules, proved: one signature a kernel, a cache that sees every edit, one process that compiles."""

import _thread
import contextlib
import functools
import itertools
import json
import os
import re
import shutil
import signal
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import filelock
import numpy as np
import pytest
from numba import njit

from ox88 import fen, jit
from ox88.jit import beside, compiler, folders, kernel
from ox88.jit.announcing import Progress
from tests.conftest import Process, RunPython
from tests.processes import PATIENCE, python

CALLEE = """
from ox88.jit import kernel

@kernel
def callee(x):
    return x + {number}
"""
CALLER = """
from {package}.callee import callee
from ox88.jit import kernel

@kernel
def caller(x):
    return 10 * callee(x)
"""


COUNT_SIGNATURES = """
import importlib, json, pkgutil, ox88
from ox88.jit import beside
beside.cores = lambda: 1  # No second process helps: what it compiles has no signature here.
from ox88 import fen, jit
from ox88.jit import beside, folders
from ox88.apps.warmup import warm_up

for module in pkgutil.walk_packages(ox88.__path__, "ox88."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
warm_up()
print(json.dumps({f"{kernel.__module__}.{kernel.__qualname__}": len(kernel.signatures) for kernel in jit.KERNELS}))
"""


@pytest.mark.slow
def test_every_kernel_has_one_signature(run_python: RunPython, tmp_path: Path) -> None:
    # An empty cache: a kernel loaded from it brings those that it calls along without their signatures.
    process = run_python("-c", COUNT_SIGNATURES, env={"NUMBA_CACHE_DIR": str(tmp_path)})
    assert process.returncode == 0, process.stderr
    counts = json.loads(process.stdout)
    assert len(counts) > 10
    assert {name: count for name, count in counts.items() if count != 1} == {}


@jit.kernel
def instructions(bits, address, numbers, index):  # type: ignore[no-untyped-def]  # A kernel.
    jit.prefetch(numbers, index)
    jit.prefetch(numbers, index + 1_000_000_000)  # An address outside of memory is no error.
    return jit.popcount(bits), jit.lowest_bit(bits), jit.fetch_subtract(address, 7), numbers[index]


def results_of_instructions() -> list[list[int]]:
    numbers, results = np.arange(104) * 100, []
    chosen = np.random.default_rng(88).integers(0, 1 << 64, 100, np.uint64, endpoint=False)
    for index, bits in enumerate([0, 1, 1 << 63, (1 << 64) - 1, *map(int, chosen)]):
        address = np.int64(numbers.ctypes.data + 8 * index)
        results.append([bits, *map(int, instructions(np.uint64(bits), address, numbers, np.int64(index)))])
    return results


def test_instructions_compiled_and_in_plain_python(run_python: RunPython) -> None:
    code = "import json; from tests.jit import test_jit; print(json.dumps(test_jit.results_of_instructions()))"
    plain = run_python("-c", code, env={"NUMBA_DISABLE_JIT": "1"})
    assert results_of_instructions() == json.loads(plain.stdout), plain.stderr
    for index, (bits, count, lowest, before, after) in enumerate(results_of_instructions()):
        digits = f"1{bits:064b}"
        assert (count, lowest) == (bits.bit_count(), len(digits) - 1 - digits.rindex("1") if bits else 64)
        assert (before, after) == (100 * index, 100 * index - 7)


def test_threads_that_subtract_at_once_lose_nothing() -> None:
    @jit.kernel
    def subtract_often(address, times):  # type: ignore[no-untyped-def]  # A kernel.
        for _ in range(times):
            jit.fetch_subtract(address, 3)

    left = np.array([0])
    call = functools.partial(subtract_often, np.int64(left.ctypes.data), np.int64(300_000))
    call()
    with ThreadPoolExecutor(4) as pool:
        for each in [pool.submit(call) for _ in range(4)]:
            each.result()
    assert left[0] == -3 * 300_000 * 5


def test_an_index_is_taken_as_it_is_in_our_code_alone() -> None:
    def read(numbers, index):  # type: ignore[no-untyped-def]  # A kernel.
        return numbers[index]

    numbers, ours = np.arange(100), jit.kernel(read)
    assert [int(ours(numbers[50:], np.int64(index))) for index in (-3, 0, 3)] == [47, 50, 53]
    assert njit(read)(numbers, -1) == 99


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "callee.py").write_text(CALLEE.format(number=1))
    (folder / "caller.py").write_text(CALLER.format(package="demo"))
    return folder


CALL = "from demo.caller import caller; print(caller(1))"


def environment(package: Path) -> dict[str, str]:
    """Where the package is, where this process may have found Ox88, and a cache."""
    paths = filter(None, [str(package.parent), os.environ.get("PYTHONPATH")])
    return {"PYTHONPATH": os.pathsep.join(paths), "NUMBA_CACHE_DIR": str(package / "cache")}


def run(run_python: RunPython, package: Path, code: str = CALL, **env: str) -> Process:
    # Python itself takes a source of the same second and size for unchanged: without its bytecode files it looks again.
    process = run_python("-B", "-W", "error", "-c", code, env=environment(package) | env)
    assert process.returncode == 0, process.stderr
    return process


def cache_of(package: Path) -> Path:
    return package / "cache" / "ox88"


def call(run_python: RunPython, package: Path, code: str = CALL, **env: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", run(run_python, package, code, **env).stdout)]


@pytest.mark.slow
@pytest.mark.parametrize("plain", ["0", "1"])
def test_an_edit_in_another_file_is_seen(plain: str, package: Path, run_python: RunPython) -> None:
    """And what was compiled before an edit that is taken back is still there."""
    for number, result, is_compiled in ((1, "20\n", True), (1, "20\n", False), (2, "30\n", True), (1, "20\n", False)):
        (package / "callee.py").write_text(CALLEE.format(number=number))
        process = run(run_python, package, OX88_PLAIN_JIT=plain)
        assert (process.stdout, "compiling" in process.stderr) == (result, is_compiled)
    assert len(list(cache_of(package).glob("demo.caller-*/plain"))) == (2 if plain == "1" else 0)


INTERRUPTED = """
import signal
from llvmlite.binding import ExecutionEngine
from demo.caller import caller
from ox88.jit.libraries import EntryLibrary

begin, find, interrupts = EntryLibrary.add_code, ExecutionEngine._find_module_ptr, []

def begin_and_interrupt(library, code):
    begin(library, code)
    interrupts.append(signal.SIGINT)

def find_interrupted(engine, module):  # LLVM calls this.
    while interrupts:
        signal.raise_signal(interrupts.pop())
    return find(engine, module)

EntryLibrary.add_code, ExecutionEngine._find_module_ptr = begin_and_interrupt, find_interrupted
try:
    caller(1)
except KeyboardInterrupt:
    EntryLibrary.add_code = begin
    print(caller(1))
"""


def test_ctrl_c_while_llvm_calls_back_is_not_lost(package: Path, run_python: RunPython) -> None:
    process = run(run_python, package, INTERRUPTED)
    assert process.stdout == "20\n"
    assert "Traceback" not in process.stderr


INTERRUPTED_LOADING = """
import signal
from numba.core.codegen import JitEngine
from demo.caller import caller

find, interrupts = JitEngine._load_defined_symbols, [signal.SIGINT]

class Interrupting:
    def __del__(self):
        signal.raise_signal(interrupts.pop())

def find_interrupted(engine, module):
    if interrupts:
        Interrupting()
    find(engine, module)

JitEngine._load_defined_symbols = find_interrupted
try:
    print(caller(1))
except KeyboardInterrupt:
    print("interrupted,", caller(1))
"""


@pytest.mark.slow
def test_ctrl_c_while_a_kernel_is_loaded_is_not_lost(package: Path, run_python: RunPython) -> None:
    """Numba drops objects that have a `__del__`, and Python loses an exception that is raised in it."""
    run(run_python, package)
    process = run(run_python, package, INTERRUPTED_LOADING)
    assert (process.stdout, process.stderr) == ("interrupted, 20\n", "")


def new_kernel() -> Any:
    @kernel
    def doubled(number):  # type: ignore[no-untyped-def]
        return number + number

    return doubled


def test_ctrl_c_is_raised_once_before_the_next_kernel() -> None:
    handler, doubled = signal.getsignal(signal.SIGINT), new_kernel()
    noted = []

    def prepare_interrupted() -> None:
        with compiler._session:
            signal.raise_signal(signal.SIGINT)
            noted.append(signal.SIGINT)
            doubled.prepare((np.int64(1),))

    with pytest.raises(KeyboardInterrupt):
        prepare_interrupted()
    assert noted
    assert not doubled.overloads
    assert signal.getsignal(signal.SIGINT) is handler
    assert doubled(np.int64(44)) == 88


def test_ctrl_c_ends_the_wait_for_another_process() -> None:
    doubled = new_kernel()
    Path(doubled._lock.lock_file).parent.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(doubled._lock.lock_file, thread_local=False) as another:
        timers = [threading.Timer(0.5, _thread.interrupt_main), threading.Timer(60, another.release)]
        for timer in timers:
            timer.start()
        with pytest.raises(KeyboardInterrupt):
            doubled(np.int64(44))
        assert another.is_locked
        for timer in timers:
            timer.cancel()
    assert doubled(np.int64(44)) == 88


@pytest.mark.parametrize(
    "what", ["numba.__version__", "llvmlite.__version__", "sys.version", "numba.config.OPT", "numba.config.BOUNDSCHECK"]
)
def test_a_folder_s_name_depends_on_releases_and_flags(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = folders._fingerprint("ox88.fen", fen.__file__)
    monkeypatch.setattr(f"ox88.jit.folders.{what}", "another")
    assert folders._fingerprint("ox88.fen", fen.__file__) != before


def test_of_old_folders_those_are_kept_that_were_used_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(folders.KEPT_FOLDERS):
        (tmp_path / f"demo-{number}").mkdir(mode=0o700)
        os.utime(tmp_path / f"demo-{number}", (number, number))
    monkeypatch.setattr(folders, "cache_root", lambda: tmp_path)
    for used in ("0", "new"):
        monkeypatch.setattr(folders, "_fingerprint", lambda *_, used=used: used)
        folders.cache_folder.__wrapped__("demo", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["demo-0", "demo-2", "demo-3", "demo-new"]


DEEP = """
from ox88.jit import kernel

@kernel
def deep(x):  # Recursive, so that its callers take in no copy.
    return x if x < 1 else deep(x - 1) + 2
"""

CALLS_DEEP = """
from demo.deep import deep
from ox88.jit import kernel

@kernel
def calls_deep(x):
    return deep(x) + 10
"""


@pytest.mark.slow
def test_code_whose_callee_was_compiled_anew_is_compiled_again(package: Path, run_python: RunPython) -> None:
    (package / "deep.py").write_text(DEEP)
    (package / "calls_deep.py").write_text(CALLS_DEEP)
    code = "from demo.calls_deep import calls_deep; print(calls_deep(1))"
    assert call(run_python, package, code) == [12]
    cache = cache_of(package)
    for folder in cache.glob("demo.deep-*"):
        shutil.rmtree(folder)
    # Another kernel comes first, so that this one's symbol is not the same as before.
    assert call(run_python, package, f"{CALL}; from demo.deep import deep; print(deep(1))") == [20, 2]
    for entry in cache.glob("demo.calls_deep-*/*.entry"):
        entry.unlink()
    assert call(run_python, package, code) == [12]


@pytest.mark.slow
@pytest.mark.parametrize("is_cut", [False, True])
def test_a_damaged_cache_is_replaced(package: Path, run_python: RunPython, is_cut: bool) -> None:
    """One wrong bit in each file, or only the beginning of it."""
    call(run_python, package)
    files = sorted(cache_of(package).glob("demo.*/*[ey]"))
    assert [path.suffix for path in files] == [".code", ".code", ".entry"]  # The entry is of what Python has called.
    for number, path in enumerate(files):
        content = bytearray(path.read_bytes())
        place = len(content) * number // len(files)
        content[place] ^= 1 << number % 8
        path.write_bytes(content[:place] if is_cut else content)
    process = run(run_python, package, CALL)
    assert process.stdout.split() == ["20"]
    assert "replacing a damaged cache file: the checksum of " in process.stderr
    assert "replacing" not in run(run_python, package, CALL).stderr


def test_a_disk_that_takes_no_lock_does_no_harm(package: Path, run_python: RunPython) -> None:
    lock = "filelock.FileLock(ox88.__file__ + '/lock')"
    replaced = f"import filelock, ox88; lock = {lock}; filelock.FileLock = lambda _: lock"
    assert call(run_python, package, f"{replaced}; {CALL}") == [20]
    with pytest.raises(AssertionError, match="lock"):
        run(run_python, package, f"import filelock, ox88; {lock}.acquire()")


def test_relative_imports_and_packages_are_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "relative" / "inner"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder.parent / "outer.py").write_text("import os\n\npath = os.path\n")
    (folder / "__init__.py").write_text("from . import sibling\n")
    (folder / "sibling.py").write_text("from ..outer import path\n")
    only_for_types = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import ox88.cores\n"
    in_a_handler = "try:\n    import missing\nexcept ImportError:\n    import ox88.fen\n"
    (folder / "start.py").write_text(
        f"from .sibling import path\nimport relative.inner\n{in_a_handler}{only_for_types}"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    reached = folders.reached_sources("relative.inner.start", folder / "start.py")
    assert set(reached) == {
        "relative.inner.start", "relative.inner.sibling", "relative.inner", "relative.outer", "ox88.fen",
        "ox88.types", "ox88.errors",
    }  # fmt: skip


@pytest.mark.slow
def test_an_unwritable_home_falls_back_to_a_private_folder(
    package: Path, run_python: RunPython, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    env = {
        "HOME": str(blocked), "XDG_CACHE_HOME": str(blocked), "WIN_PD_OVERRIDE_LOCAL_APPDATA": str(blocked),
        "NUMBA_CACHE_DIR": "", "TMPDIR": str(temporary), "TEMP": str(temporary), "TMP": str(temporary),
    }  # fmt: skip
    if sys.platform == "darwin":  # platformdirs asks HOME there.
        env.pop("XDG_CACHE_HOME")
    assert call(run_python, package, **env) == [20]
    folders = list(temporary.glob("ox88-kernels-*"))
    assert len(folders) == 1
    if os.name == "posix":
        assert folders[0].stat().st_mode & 0o077 == 0
        folders[0].chmod(0o777)  # Now anyone may have put something there.
        assert call(run_python, package, **env) == [20]
        assert len(list(temporary.glob("ox88-kernels-*"))) == 2


FORK = """
import os
from demo.caller import caller

child = os.fork()
if child == 0:
    print(caller(1), flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.posix("forks")
def test_a_process_that_was_forked_compiles(package: Path, run_python: RunPython) -> None:
    """As torch's workers do."""
    assert run(run_python, package, FORK).stdout == "20\n"


@pytest.mark.slow
@pytest.mark.posix("permissions")
def test_a_cache_that_others_can_write_to_is_neither_read_nor_written(package: Path, run_python: RunPython) -> None:
    run(run_python, package)
    cache, other = cache_of(package), package / "other"
    before = {path: path.stat().st_mtime_ns for path in cache.rglob("*")}
    cache.chmod(0o777)
    process = run(run_python, package, XDG_CACHE_HOME=str(other), HOME=str(other))
    assert process.stdout == "20\n"
    assert f"compiled kernels are not kept in {cache}: others can write to {cache.resolve()}, which" in process.stderr
    assert "compiling, once" in process.stderr
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*")} == before
    assert list(other.rglob("*.entry"))


@pytest.mark.slow
@pytest.mark.posix("permissions")
@pytest.mark.parametrize("plain", ["0", "1"])
def test_files_that_others_may_have_written_are_replaced(plain: str, package: Path, run_python: RunPython) -> None:
    run(run_python, package, OX88_PLAIN_JIT=plain)
    (entry,) = cache_of(package).glob("demo.caller-*/**/*.nbi" if plain == "1" else "demo.caller-*/*.entry")
    folder = next(parent for parent in entry.parents if parent.parent == cache_of(package))
    for inner in (folder, entry.parent):
        inner.chmod(0o755)
    entry.chmod(0o666)
    process = run(run_python, package, OX88_PLAIN_JIT=plain)
    assert process.stdout == "20\n"
    assert (
        f"ox88: compiled kernels in {folder.resolve()} may come from somebody else: they are deleted" in process.stderr
    )
    assert "compiling" in process.stderr
    assert run(run_python, package, OX88_PLAIN_JIT=plain).stderr == ""


@pytest.mark.slow
@pytest.mark.posix("links")
def test_a_link_in_the_place_of_a_modules_folder_is_not_followed(package: Path, run_python: RunPython) -> None:
    run(run_python, package)
    (folder,) = cache_of(package).glob("demo.caller-*")
    folder.rename(package / "theirs")
    folder.symlink_to(package / "theirs")
    for _ in range(2):  # The link cannot be replaced, and so each process compiles.
        process = run(run_python, package)
        assert process.stdout == "20\n"
        assert "compiling, once" in process.stderr


@pytest.mark.parametrize("plain", ["0", pytest.param("1", marks=pytest.mark.slow)])
def test_a_second_process_compiles_nothing_and_the_cache_is_its_users_alone(
    plain: str, package: Path, run_python: RunPython
) -> None:
    """Whatever the umask."""
    env, options = environment(package) | {"OX88_PLAIN_JIT": plain}, {"umask": 0} if os.name == "posix" else {}
    first, second = (run_python("-W", "error", "-c", CALL, env=env, **options) for _ in range(2))
    assert (first.stdout, second.stdout, second.stderr) == ("20\n", "20\n", "")
    assert "compiling" in first.stderr
    if os.name == "posix":
        folders = [cache_of(package), *cache_of(package).glob("*")]
        assert {folder.stat().st_mode & 0o777 for folder in folders} == {0o700}


KERNELS = """
from ox88.jit import kernel

@kernel
def leaf(x):
    return x + 1

@kernel
def left(x):
    return leaf(x) * 2

@kernel
def right(x):
    return leaf(x) * 3

@kernel
def top(x):
    return left(x) + right(x)
"""
TELL_WHAT_IS_COMPILED = """
import sys
from numba.core import event
from demo import kernels

class Listener(event.Listener):
    def on_start(self, started):
        print(started.data["dispatcher"].__name__)

    def on_end(self, ended):
        pass

event.register("numba:compile", Listener())
for name in sys.argv[1:]:
    value = getattr(kernels, name)(1)
print(value)
"""


def run_at_once(package: Path, *commands: tuple[str, ...]) -> list[tuple[str, str]]:
    """Start Python with each of these arguments; returns stdout and stderr of each."""
    env = os.environ | environment(package)
    with contextlib.ExitStack() as stack:
        processes = [stack.enter_context(python(*command, env=env)) for command in commands]
        return [process.communicate(timeout=PATIENCE) for process in processes]


@pytest.mark.slow
def test_processes_with_other_orders_compile_each_kernel_once(package: Path) -> None:
    (package / "kernels.py").write_text(KERNELS)
    orders = (("left", "right", "top"), ("right", "left", "top"), ("leaf", "right", "top"), ("top",))
    outputs = run_at_once(package, *[("-c", TELL_WHAT_IS_COMPILED, *order) for order in orders])
    words = [output.split() for output, _ in outputs]
    assert [told.pop() for told in words] == ["10"] * 4, outputs
    assert Counter(itertools.chain(*words)) == Counter(("leaf", "left", "right", "top"))


SECOND = """
from demo.kernels import right
from ox88.jit import prepare

prepare(right, 1)
"""
COMPILE_BESIDE = """
import psutil, sys, time
from pathlib import Path
from ox88.jit import compile_beside
from demo.kernels import left

compile_beside("demo.second")
left(1)
print(len(psutil.Process().children()))
while not list(Path(sys.argv[1]).rglob("right-*.code")):
    time.sleep(0.01)
"""


@pytest.mark.slow
def test_a_second_process_compiles_what_the_first_needs_later(package: Path) -> None:
    """It starts when something has to be compiled, and not before."""
    (package / "kernels.py").write_text(KERNELS)
    (package / "second.py").write_text(SECOND)
    ((output, errors),) = run_at_once(package, ("-W", "error", "-c", COMPILE_BESIDE, str(package)))
    assert (output, "Error" in errors) == ("1\n", False)
    ((output, _),) = run_at_once(package, ("-c", TELL_WHAT_IS_COMPILED, "left", "right"))
    assert output == "6\n"
    ((output, _),) = run_at_once(package, ("-c", COMPILE_BESIDE, str(package)))
    assert output == "0\n"


def test_a_second_process_needs_a_second_core(monkeypatch: pytest.MonkeyPatch) -> None:
    modules: list[str] = []
    monkeypatch.setattr(beside, "_modules", modules)
    for cores, expected in ((1, []), (2, ["demo"])):
        monkeypatch.setattr(beside, "cores", lambda cores=cores: cores)
        for _ in range(2):
            jit.compile_beside("demo")
        assert modules == expected


def test_the_lock_of_a_process_that_dies_is_free(package: Path) -> None:
    env = os.environ | environment(package)
    hold = (
        "import time; from demo.callee import callee; from ox88.jit.cache import kernel_lock;"
        "lock = kernel_lock(callee.py_func); lock.acquire(); print('held', flush=True); time.sleep(600)"
    )
    with python("-c", hold, env=env) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        with python("-c", "from demo.callee import callee; print(callee(1))", env=env) as second:
            assert second.stderr is not None
            assert second.stderr.readline() == "ox88: another process is compiling; waiting for its result\n"
            first.kill()
            assert second.communicate(timeout=PATIENCE)[0] == "2\n"


def test_importing_ox88_imports_neither_numba_nor_chess(run_python: RunPython) -> None:
    code = "import sys, ox88; ox88.parse_fen; print([m for m in ('numba', 'numpy', 'chess') if m in sys.modules])"
    assert run_python("-c", code).stdout.strip() == "[]"


@pytest.mark.parametrize(("count", "told"), [(9, [9]), (10, [10]), (12, [10, 12])])
def test_a_listener_gets_messages_and_progress(count: int, told: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress()
    heard: list[str] = []
    progress.listen(heard.append)
    progress.say("compiling")
    for _ in range(count):
        progress.compiled()
    progress.finished()
    progress.waiting()  # Who has compiled something waits for little.
    progress.listen(None)
    progress.say("something else")
    assert heard == ["compiling", *(f"{number} kernels are compiled" for number in told)]
    assert capsys.readouterr().err == "ox88: compiling\nox88: something else\n"
