"""The folders of compiled kernels: one for each module, named by a hash of all that its content depends on.

Code in the cache is run, so nobody else may be able to write there. Permissions on Windows are of another kind than on
POSIX, and are not read: there, only the user's own folder and all that lies in it count as closed to others.
"""

import ast
import contextlib
import functools
import hashlib
import importlib.util
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import llvmlite
import numba
import platformdirs

from ox88.jit.announcing import progress

KEPT_FOLDERS: Final = 4  # For each module: one for this version, others for checkouts or flags.
_PACKAGE: Final = __name__.partition(".")[0]
_ROOT: Final = 0  # The user id of root, who can do all that this user can.
_SEARCH_BITS: Final = stat.S_IXGRP | stat.S_IXOTH


@functools.cache
def cache_root() -> Path:
    """The folder of all compiled kernels: in NUMBA_CACHE_DIR if set, the user's cache folder, or a temporary one.

    The code in it is run, so a folder that others own or can write to is not used, whoever has chosen it.
    """
    candidates = [Path(numba.config.CACHE_DIR) / "ox88"] if numba.config.CACHE_DIR else []
    candidates.append(Path(platformdirs.user_cache_dir("ox88", appauthor=False)) / "kernels")
    candidates.append(Path(tempfile.gettempdir()) / f"ox88-kernels-{_user()}")
    usable = filter(None, map(_usable, candidates))
    return next(usable, None) or Path(tempfile.mkdtemp(prefix="ox88-kernels-"))  # This process alone uses it.


def _user() -> int | str:
    return os.getuid() if hasattr(os, "getuid") else "user"  # On Windows each user has a temporary folder anyway.


def _usable(candidate: Path) -> Path | None:
    """The folder, made if it is missing, without symbolic links; None if it cannot be used."""
    try:
        make_folder(candidate)
        folder = candidate.resolve()
        access = others_access(folder)
        if access is None:
            tempfile.TemporaryFile(dir=folder).close()
            return folder
    except (OSError, RuntimeError):  # RuntimeError: there is no home folder.
        return None
    progress.say(f"compiled kernels are not kept in {candidate}: {access}")
    return None


@functools.cache
def cache_folder(module: str, file: str) -> Path:
    """Make the folder for the kernels of a module and mark it as used; delete old folders of the module."""
    folder = cache_root() / f"{module}-{_fingerprint(module, file)}"
    make_folder(folder)
    if not is_own(folder):
        folder = _replaced(folder)
    os.utime(folder)
    _delete_stale(folder.parent, module)
    return folder


def _replaced(folder: Path) -> Path:
    """Replace a folder that others have written to by an empty one; if that fails, a folder of this process alone."""
    progress.say(f"compiled kernels in {folder} may come from somebody else: they are deleted")
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
        return folder
    return Path(tempfile.mkdtemp(prefix=f"{folder.name}-", dir=folder.parent))


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


# --- What a folder's name depends on ----------------------------------------------------------------------------------


def _fingerprint(module: str, file: str) -> str:
    digest = hashlib.sha256()
    flags = (numba.__version__, llvmlite.__version__, sys.version, numba.config.OPT, numba.config.BOUNDSCHECK)
    digest.update(repr(flags).encode())
    for name, path in sorted(reached_sources(module, Path(file)).items()):
        digest.update(name.encode() + b"\0" + _digest_of(path))
    return digest.hexdigest()[:16]


@functools.cache
def _digest_of(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


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
    """The file of a module, or None, as for `from module import name`, where the name is no module."""
    package, _, rest = name.partition(".")
    for folder in _folders_of(package):
        path = folder.joinpath(*rest.split(".")) if rest else folder
        for source in (path / "__init__.py", path.with_suffix(".py")):
            if source.is_file():
                return source
    return None


@functools.cache
def _folders_of(package: str) -> tuple[Path, ...]:
    spec = importlib.util.find_spec(package)
    return tuple(map(Path, spec.submodule_search_locations or ())) if spec is not None else ()


@functools.cache
def _imported_names(module: str, path: Path) -> tuple[str, ...]:
    """Every dotted name that a source imports; for `from a import b` both `a` and `a.b`."""
    parent = module if path.name == "__init__.py" else module.rpartition(".")[0]
    names: list[str] = []
    for node in _statements_run(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            relative = "." * node.level + (node.module or "")
            base = importlib.util.resolve_name(relative, parent) if node.level else node.module or ""
            names += (base, *(f"{base}.{alias.name}" for alias in node.names))
    return tuple(names)


def _statements_run(tree: ast.Module) -> Iterator[ast.AST]:
    """All statements of a source, except under `if TYPE_CHECKING`, where they never run."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        is_typing = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for field in ("orelse",) if is_typing else ("body", "orelse", "handlers", "finalbody", "cases"):
            waiting += getattr(node, field, ())


# --- Whose a folder is ------------------------------------------------------------------------------------------------


def make_folder(folder: Path) -> None:
    """Make a folder, and missing folders around it, for this user alone. Raises OSError."""
    for path in (*reversed(folder.parents), folder):
        path.mkdir(mode=0o700, exist_ok=True)


def others_access(folder: Path) -> str | None:
    """How others could put something into a folder; None if they cannot. Raises OSError.

    Args:
        folder: its path, without symbolic links. Folders around it count too: who can write to one of them can put
            another folder in the place of this one. But in a folder with the sticky bit, such as /tmp, nobody can
            replace what belongs to another user.
    """
    if not hasattr(os, "getuid"):
        own = Path.home().resolve()
        return None if folder.is_relative_to(own) else f"it is not in your own folder, {own}"
    if folder.stat().st_uid != os.getuid():
        return f"{folder} belongs to another user"
    if _others_can_write(folder.stat()):
        return f"others can write to {folder}, which `chmod go-w` ends"
    for parent in folder.parents:
        status = parent.stat()
        if status.st_uid not in (_ROOT, os.getuid()):
            return f"{parent} belongs to another user"
        if _others_can_write(status) and not status.st_mode & stat.S_ISVTX:
            return f"others can replace what is in {parent}, which `chmod go-w` ends, and `chmod +t` too"
    return None


def is_own(folder: Path) -> bool:
    """True if a folder and all that is in it come from this user. Raises OSError.

    Others may once have been able to write to the folder, and the files that they left belong to them. A file that
    others may write to does no harm in a folder that they cannot enter.
    """
    return not hasattr(os, "getuid") or _is_own(folder, is_closed=False)


def _is_own(path: Path, is_closed: bool) -> bool:
    """`is_own` for a folder or a file. is_closed: nobody else can enter a folder around it."""
    try:
        status = path.stat(follow_symlinks=False)
    except FileNotFoundError:  # Another process of this user has just deleted or renamed it.
        return True
    if status.st_uid != os.getuid() or (not is_closed and _others_can_write(status)):
        return False
    if stat.S_ISDIR(status.st_mode):
        is_closed |= not status.st_mode & _SEARCH_BITS
        return all(_is_own(entry, is_closed) for entry in path.iterdir())
    return stat.S_ISREG(status.st_mode)


def _others_can_write(status: os.stat_result) -> bool:
    if status.st_mode & stat.S_IWOTH:
        return True
    return bool(status.st_mode & stat.S_IWGRP) and not _is_private(status.st_gid)


def _is_private(group: int) -> bool:
    """True if a group is this user's alone. Many systems give each user such a group, which may write by default."""
    import grp
    import pwd

    try:
        user, members = pwd.getpwuid(os.getuid()), grp.getgrgid(group).gr_mem
    except KeyError:  # The system does not know the user or the group.
        return False
    others = [other for other in pwd.getpwall() if other.pw_gid == group and other.pw_uid != user.pw_uid]
    return user.pw_gid == group and not others and set(members) <= {user.pw_name}
