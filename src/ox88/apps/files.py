"""Files that a command writes at its end."""

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
