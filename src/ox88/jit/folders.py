"""The folders of compiled kernels: one for each module, named by a hash of all that its content depends on."""

import ast
import functools
import hashlib
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import llvmlite
import numba
import platformdirs

KEPT_FOLDERS: Final = 4  # Of each module: for this version, and for other checkouts or flags.
_PACKAGE: Final = __name__.partition(".")[0]


@functools.cache
def cache_root() -> Path:
    """The folder of all compiled kernels: NUMBA_CACHE_DIR if set, the user's cache folder, or a temporary one."""
    candidates = [Path(numba.config.CACHE_DIR) / "ox88"] if numba.config.CACHE_DIR else []
    candidates.append(Path(platformdirs.user_cache_dir("ox88", appauthor=False)) / "kernels")
    for candidate in candidates:
        if _is_usable(candidate):
            return candidate
    return _temporary_root()


def _is_usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except (OSError, RuntimeError):  # RuntimeError: there is no home folder.
        return False
    return True


def _temporary_root() -> Path:
    """A folder in the system's temporary folder.

    The code in it is run, so a folder that exists is used only if nobody but this user can write to it.
    """
    user = os.getuid() if hasattr(os, "getuid") else "user"  # On Windows each user has a temporary folder anyway.
    folder = Path(tempfile.gettempdir()) / f"ox88-kernels-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.stat(follow_symlinks=False)
        is_own = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
    except OSError:
        is_own = False
    if is_own and _is_usable(folder):
        return folder
    return Path(tempfile.mkdtemp(prefix="ox88-kernels-"))


@functools.cache
def cache_folder(module: str, file: str) -> Path:
    """Make the folder for the kernels of a module and mark it as used; delete old folders of the module."""
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
    """Names and files of a module and of all modules that it imports, from its package and from ox88."""
    packages = {module.partition(".")[0], _PACKAGE}
    reached: dict[str, Path] = {}
    waiting = [(module, file)]
    while waiting:
        name, path = waiting.pop()
        if name not in reached:
            reached[name] = path
            names = {imported for imported in _imported_names(name, path) if imported.partition(".")[0] in packages}
            waiting += [(other, source) for other in names if (source := _source_of(other)) is not None]
    return reached


@functools.cache
def _source_of(name: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, AttributeError):
        # `from module import name`, where the name is no module, or the module needs another release of Numba.
        return None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None


@functools.cache
def _imported_names(module: str, path: Path) -> tuple[str, ...]:
    """Every dotted name that a source imports; for `from a import b` both `a` and `a.b`."""
    parent = module if path.name == "__init__.py" else module.rpartition(".")[0]
    names: list[str] = []
    for node in _nodes_run(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            relative = "." * node.level + (node.module or "")
            base = importlib.util.resolve_name(relative, parent) if node.level else node.module or ""
            names += (base, *(f"{base}.{alias.name}" for alias in node.names))
    return tuple(names)


def _nodes_run(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a source, without those under `if TYPE_CHECKING`, which never run."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
        else:
            waiting += ast.iter_child_nodes(node)
