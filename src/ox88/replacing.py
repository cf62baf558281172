"""A file that is written beside the one it replaces, and takes its place at the end."""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO


@contextlib.contextmanager
def replaced(path: Path) -> Iterator[IO[bytes]]:
    """A file to write, which at the end takes the place of the one at a path. After an error that one is unchanged.

    It may be mapped, and a mapped file that becomes shorter kills its process. Pipes and devices are written directly.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    target = Path(os.path.realpath(path))  # The file, if the path is a link to it.
    temporary = target.with_name(f"ox88-{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            yield file
        if target.exists():
            target.open("r+b").close()  # Fails if the file is write-protected.
            shutil.copymode(target, temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
