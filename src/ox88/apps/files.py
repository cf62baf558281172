"""Reading and writing the files of commands, with errors that name the file."""

import contextlib
import io
import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Final

from ox88.apps.streams import lenient
from ox88.errors import Ox88Error, unreadable
from ox88.replacing import replaced

STANDARD_OUTPUT: Final = Path("-")


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn an OSError into an Ox88Error that names the file that cannot be written.

    An error of standard output, or of a reader who has left, stays an OSError: all commands end in the same way.
    """
    try:
        yield
    except OSError as error:
        if path == STANDARD_OUTPUT or isinstance(error, BrokenPipeError):
            raise
        raise Ox88Error(f"{path} cannot be written: {error.strerror or error}") from None


def name_of(path: Path) -> str:
    """A path as text that can be written anywhere, whatever bytes it has."""
    return os.fsencode(path).decode("utf-8", "replace")


def read_lines(path: Path) -> list[str]:
    """The lines of a text file. Raises Ox88Error if it cannot be read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise unreadable(str(path), error, "cannot be read") from None
    except ValueError:  # A NUL, or half of a surrogate pair.
        raise Ox88Error(f"{str(path)!a} cannot be read: no file can have this name") from None
    from ox88.batch.pgn.files import HEAD, check_text  # Imports compressions, which would delay the start.

    check_text(data[:HEAD], str(path), "plain text")
    return data.decode("utf-8-sig", "replace").splitlines()


def check_is_text(path: Path) -> None:
    """Raise Ox88Error if a file, or what is packed in it, is not text. Pipes are not looked into."""
    from ox88.batch.pgn.files import HEAD, CutOffError, read_texts

    if _kind(path) != stat.S_IFREG:
        return
    with contextlib.suppress(CutOffError):  # Reading the file will report the error.
        for blocks in read_texts(path, HEAD):
            next(blocks)


def opened(path: Path) -> IO[bytes]:
    """A file to read. Raises Ox88Error if it cannot be opened."""
    try:
        return path.open("rb")
    except OSError as error:
        raise unreadable(name_of(path), error) from None


def check_readable(paths: Iterable[Path]) -> None:
    """Raise Ox88Error if a file cannot be opened, or is not text."""
    for path in paths:
        if not is_special(path):  # The writer of a named pipe would be gone when the pipe is read.
            opened(path).close()
        check_is_text(path)


def beside(path: Path, ending: str) -> Path:
    """The path with an ending appended to the name of the file."""
    return path.with_name(path.name + ending)


def check_distinct(inputs: Sequence[Path], outputs: Sequence[Path], own: Iterable[Path] = ()) -> None:
    """Raise Ox88Error if a file would overwrite another one. own: files that Ox88 itself makes and removes."""
    unfinished = {path.resolve() for path in own}
    for path in (*inputs, *outputs):
        if path.resolve() in unfinished:
            raise Ox88Error(f"{path} cannot be named: Ox88 keeps unfinished work of its own there; name another file")
    read, written = {path.resolve() for path in inputs}, set[Path]()
    for path in outputs:
        if path.resolve() in read:
            raise Ox88Error(f"{path} is both read and written: name another output")
        if path.resolve() in written:
            raise Ox88Error(f"{path} is written twice: each output needs a file of its own")
        written.add(path.resolve())


def write_json(path: Path, data: object) -> None:
    """Write data to a file, or to standard output. Raises Ox88Error if it cannot be written."""
    with text_written_at_once(path) as stream:
        print(json.dumps(data, indent=1), file=stream)


def is_special(path: Path) -> bool:
    """True for a pipe or a device, which is not replaced, and cannot be read twice."""
    return _kind(path) not in (0, stat.S_IFREG, stat.S_IFDIR)


def _kind(path: Path) -> int:
    """The kind of a file, as `stat` has it; 0 where there is none, or its name is too long: opening it reports that."""
    try:
        return stat.S_IFMT(path.stat().st_mode)
    except (OSError, ValueError):
        return 0


def check_writable(path: Path) -> None:
    """Raise Ox88Error if a file cannot be written, before any work is done. It leaves no file."""
    if path == STANDARD_OUTPUT or is_special(path):  # The reader of a pipe would take its closing for the end.
        return
    with explained(path):
        is_new = not path.exists()
        path.open("a").close()
        if is_new:
            path.resolve().unlink()  # The file, if the path is a link to it.


@contextlib.contextmanager
def written_at_once(path: Path) -> Iterator[IO[bytes]]:
    """`replaced`, for bytes. Raises Ox88Error if the file cannot be written."""
    with explained(path), replaced(path) as file:
        yield file


@contextlib.contextmanager
def text_written_at_once(path: Path) -> Iterator[IO[str]]:
    """Give a stream for the text of a file, as `written_at_once` writes it, or of standard output."""
    if path == STANDARD_OUTPUT:
        yield lenient(sys.stdout)
        return
    with written_at_once(path) as file, io.TextIOWrapper(file, "utf-8", newline="\n") as stream:
        yield stream
