"""Files that commands write."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from ox88.types import Ox88Error


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """An OSError becomes an Ox88Error that names the file."""
    try:
        yield
    except OSError as error:
        raise Ox88Error(f"{path} cannot be written: {error.strerror or error}") from None


def beside(path: Path, ending: str) -> Path:
    """A file of the same name with something behind it."""
    return path.with_name(path.name + ending)


def check_writable(path: Path) -> None:
    """Raise Ox88Error now, not after an hour's work, where a file cannot be written. Leaves nothing behind."""
    is_new = not path.exists()
    with explained(path):
        path.open("a").close()
        if is_new:
            path.resolve().unlink()  # Not a link that leads there.


@contextlib.contextmanager
def written_at_once(path: Path) -> Iterator[Path]:
    """A path to write to, which takes the place of the file when all is well; else the file stays as it was.

    Raises Ox88Error where it cannot be written.
    """
    target = path.resolve()
    temporary = beside(target, ".tmp")
    try:
        with explained(path):
            yield temporary
            temporary.replace(target)  # At once or not at all.
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
