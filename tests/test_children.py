"""Child processes of Ox88 import nothing from the working folder, where the user's files may bear any name."""

import ast
import functools
import re
import shutil
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import RunPython

ROOT: Final = Path(__file__).parents[1]
# Names that users give to files, of libraries and of modules that Python itself needs to start a worker.
HOSTILE: Final = ("chess", "numpy", "numba", "psutil", "rich", "pickle", "queue", "random", "socket", "struct")
# Files that start processes. Before you add one, make sure that each Python of ours that it starts gets -P.
STARTING: Final = {
    "scripts/__main__.py": "programs of .venv, in the checkout",
    "src/ox88/apps/bench/cli.py": "Ox88",
    "src/ox88/apps/bench/network.py": "the C compiler and what it has compiled",
    "src/ox88/apps/bench/perft.py": "Stockfish",
    "src/ox88/apps/jobs.py": "workers, with PYTHONSAFEPATH",
    "src/ox88/apps/match/engine_process.py": "engines; participant.py has their command lines",
    "src/ox88/apps/web/chessground.py": "npm",
    "src/ox88/jit/beside.py": "the second process that compiles",
    "tools/installed.py": "Ox88 as its users start it",
    "tools/web_pictures.py": "Ox88",
}
STARTERS: Final = {
    "subprocess": {"Popen", "call", "check_call", "check_output", "getoutput", "run"},
    "os": {
        "execl", "execv", "execve", "execvp", "fork", "popen", "posix_spawn", "spawnl", "spawnv", "startfile", "system",
    },
    "multiprocessing": {"Manager", "Pool", "Process", "get_context"},
    "asyncio": {"create_subprocess_exec", "create_subprocess_shell"},
}  # fmt: skip
ANYWHERE: Final = {"ProcessPoolExecutor", "popen", "popen_uci", "popen_xboard", "subprocess_exec", "subprocess_shell"}


_PERHAPS: Final = re.compile(rb"process|popen|executable|\bos *\. *(exec|fork|posix|spawn|start|system)|from os import")


@functools.cache
def sources() -> dict[str, ast.AST]:
    """The parsed files that may start processes, by path."""
    paths = [path for folder in ("src", "tools", "scripts") for path in (ROOT / folder).rglob("*.py")]
    texts = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in (*paths, ROOT / "hatch_build.py")}
    return {path: ast.parse(text) for path, text in texts.items() if _PERHAPS.search(text)}


def starts_processes(tree: ast.AST) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            module = node.value.id if isinstance(node.value, ast.Name) else ""
            found = node.attr in STARTERS.get(module, ()) or node.attr in ANYWHERE
        elif isinstance(node, ast.ImportFrom):
            found = bool(STARTERS.get(node.module or "", set()) & {alias.name for alias in node.names})
        else:
            found = isinstance(node, ast.Name) and node.id in ANYWHERE
        if found:
            return True
    return False


def unsafe_pythons(tree: ast.AST) -> Iterator[int]:
    """The lines with a command line of this Python that lacks -P, or with what may become one."""
    safe: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.List, ast.Tuple)):
            for element, option in zip(node.elts, node.elts[1:], strict=False):
                if isinstance(option, ast.Constant) and option.value == "-P":
                    safe.add(element)
        elif isinstance(node, ast.BoolOp):  # Whether there is a Python.
            safe.update(node.values)
        elif isinstance(node, ast.Attribute) and node.attr == "executable" and node not in safe:
            yield node.lineno


def test_every_place_that_starts_processes_is_known_and_leaves_the_working_folder_out() -> None:
    assert {path for path, tree in sources().items() if starts_processes(tree)} == set(STARTING)
    unsafe = {path: list(unsafe_pythons(tree)) for path, tree in sources().items()}
    assert [path for path, lines in unsafe.items() if lines] == ["tools/installed.py"]  # It starts Ox88 as users do.
    assert len(unsafe["tools/installed.py"]) == 1


@pytest.fixture
def hostile_folder(tmp_path: Path) -> Path:
    """A folder with files that leave a mark, and raise, when they are imported."""
    for name in HOSTILE:
        mark = tmp_path / f"{name} was imported"
        (tmp_path / f"{name}.py").write_text(f"open({str(mark)!r}, 'w').close()\nraise ImportError({name!r})\n")
    return tmp_path


def marks(folder: Path) -> list[str]:
    return [path.name for path in folder.glob("* was imported")]


def test_the_folder_is_hostile(hostile_folder: Path, run_python: RunPython) -> None:
    for name in HOSTILE:
        run_python("-c", f"import {name}", cwd=hostile_folder)
    assert len(marks(hostile_folder)) == len(HOSTILE)


@pytest.mark.slow
def test_a_match(hostile_folder: Path, run_python: RunPython) -> None:
    """The match, its workers, and the engines that they start."""
    script = shutil.which("ox88", path=sysconfig.get_path("scripts"))
    assert script is not None
    options = ("--games", "1", "--nodes", "100", "--concurrency", "1")
    process = run_python(script, "match", "Ox88", "micro-Max", *options, cwd=hostile_folder)
    assert (process.returncode, process.stderr, marks(hostile_folder)) == (0, "", [])
    assert "1 of 1 games" in process.stdout
    assert " by crash" not in process.stdout


def test_a_command_by_module(hostile_folder: Path, run_python: RunPython) -> None:
    """`python -m` makes Python look for modules in this folder; Ox88's first line ends that."""
    process = run_python("-m", "ox88", "perft", "startpos", "3", cwd=hostile_folder)
    assert (process.returncode, process.stderr, marks(hostile_folder)) == (0, "", [])


def test_the_second_process_that_compiles(hostile_folder: Path, run_python: RunPython) -> None:
    """It is waited for here, and would else be ended with the first one."""
    code = """
import sys
del sys.path[0]
import ox88.jit.beside as beside
beside.cores, beside._end = lambda: 2, lambda process: process.wait()
beside.compile_beside("ox88.zobrist")
beside.start_beside()
"""
    process = run_python("-c", code, cwd=hostile_folder)
    assert (process.returncode, process.stderr, marks(hostile_folder)) == (0, "", [])
