"""Files that a command writes at its end."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from ox88.types import Ox88Error


def check_writable(path: Path) -> None:
    """Raise Ox88Error now, not after an hour's work, where a file cannot be written. Leaves nothing behind."""
    is_new = not path.exists()
    try:
        path.open("a").close()
        if is_new:
            path.unlink()
    except OSError as error:
        raise Ox88Error(f"{path} cannot be written: {error.strerror or error}") from None


@contextlib.contextmanager
def written_at_once(path: Path) -> Iterator[Path]:
    """A path to write to, which takes the place of the file when all is well; else the file stays as it was.

    Raises Ox88Error where it cannot be written.
    """
    target = path.resolve()
    temporary = target.with_name(f"{target.name}.tmp")
    try:
        yield temporary
        os.replace(temporary, target)  # noqa: PTH105 - At once or not at all.
    except OSError as error:
        raise Ox88Error(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
