"""Reads and writes the bytes of PGN files: paths, open files or bytes, plain or compressed.

The format is recognised by the first bytes of a file, not by its name, since an open file may have no name.
"""

import bz2
import codecs
import gzip
import io
import lzma
import os
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Final

from ox88.types import Ox88Error, unreadable

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Target = str | os.PathLike[str] | IO[bytes] | IO[str]
Source = Target | bytes | bytearray | memoryview

_PGN_TEXT: Final = re.compile(r"\n|^\s*(\[|1\.)")  # What paths rarely have.
_LONGEST_NAME: Final = 100  # Characters of a name that an error quotes.
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_LONGEST_MAGIC: Final = 4
_UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Bytes passed to Zstandard at a time. The number is small, since four bytes can unpack to 128 KiB.
_ZSTANDARD_BYTES: Final = 4096
_UNPACKED_BYTES: Final = 1 << 17
_UNPACKING_ERRORS: Final = (
    EOFError,
    OSError,
    RuntimeError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zstd.ZstdError,
)


class CutOffError(Exception):
    """A compressed file ends too early, or is damaged, after some text."""


def read_texts(source: Source, size: int) -> Iterator[Iterator[bytes]]:
    """The texts of a source, each in blocks of about `size` bytes. A zip archive may hold several texts.

    Raises Ox88Error if no text can be read, CutOffError if a text ends too early.
    """
    with ExitStack() as stack:
        stream = _opened(source, stack)
        head = _read(stream, _LONGEST_MAGIC, source)
        if isinstance(head, bytes) and head.startswith(_ZIP):
            yield from _zipped_texts(stream, source, size)
        else:
            yield _as_utf_8(_unpacked(head, _StreamWithHead(head, stream), source, size))


def write_text(target: Target, parts: Iterable[str]) -> None:
    """Write to a path, compressed according to its suffix (.gz, .bz2, .zst), or to an open file."""
    if isinstance(target, (str, os.PathLike)):
        try:
            with _opened_to_write(Path(target)) as file:
                _write_to(file, parts)
        except OSError as error:
            raise Ox88Error(f"{name_of(target)} cannot be written: {error}") from None
    elif hasattr(target, "write"):
        _write_to(target, parts)
    else:
        raise TypeError(f"PGN to {type(target).__name__}: a path or an open file is expected")


def _opened_to_write(path: Path) -> Any:
    match path.suffix:
        case ".gz":
            return gzip.open(path, "wb")
        case ".bz2":
            return bz2.open(path, "wb")
        case ".zst":
            return zstd.open(path, "wb")
        case ".zip":
            raise Ox88Error(f"{name_of(path)} cannot be written: the suffix .gz, .bz2 or .zst is expected")
    return path.open("wb")


def _write_to(file: Any, parts: Iterable[str]) -> None:
    is_text = hasattr(file, "encoding") or isinstance(file, codecs.StreamWriter)  # Wrappers are no io.TextIOBase.
    for part in parts:
        file.write(part if is_text else part.encode())


def name_of(source: Source) -> str:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "the PGN"
    name = os.fspath(source) if isinstance(source, (str, os.PathLike)) else getattr(source, "name", "the file")
    return repr(name if not isinstance(name, str) or len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "...")


def _opened(source: Source, stack: ExitStack) -> Any:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return io.BytesIO(source)
    if isinstance(source, (str, os.PathLike)):
        try:
            return stack.enter_context(Path(source).open("rb"))
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have.
            is_text = isinstance(source, str) and _PGN_TEXT.search(source)
            hint = "; read_pgn_text reads the text of a PGN" if is_text else ""
            raise unreadable(name_of(source), error, hint=hint) from None
    if not hasattr(source, "read"):
        raise TypeError(f"a PGN as {type(source).__name__}: a path or an open file is expected, or the bytes of a file")
    return source


def _read(stream: Any, size: int, source: Source) -> bytes | str:
    try:
        block: bytes | str = stream.read(size)
    except UnicodeDecodeError as error:
        raise Ox88Error(f"{name_of(source)} cannot be read as text: {error}; open it in binary mode") from None
    except OSError as error:
        raise unreadable(name_of(source), error, "cannot be read") from None
    return block


class _StreamWithHead:
    """A stream whose first bytes, `head`, have already been read, and are read again from here."""

    def __init__(self, head: Any, stream: Any) -> None:
        self._head = head
        self._stream = stream

    def read(self, size: int = -1) -> Any:
        if not self._head:
            return self._stream.read(size)
        end = len(self._head) if size < 0 else size
        head, self._head = self._head[:end], self._head[end:]
        return head


def _unpacked(head: bytes | str, stream: Any, source: Source, size: int) -> Iterator[bytes]:
    """The blocks of one text, unpacked."""
    if isinstance(head, str):
        return map(_encoded, iter(lambda: _read(stream, size, source), ""))  # type: ignore[arg-type]  # The stream is in text mode.
    for magic, unpack in _COMPRESSIONS:
        if head.startswith(magic):
            return _in_blocks(unpack(stream), source, size)
    return iter(lambda: _read(stream, size, source), b"")  # type: ignore[arg-type, return-value]  # In binary mode.


def _encoded(text: str) -> bytes:
    """The bytes of text from a file in text mode, where surrogates may stand for bytes that are not UTF-8."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _small_reads(stream: Any) -> Iterator[bytes]:
    """Read in small steps, so that nothing before the end of an incomplete file is lost."""
    while chunk := stream.read1(_UNPACKED_BYTES):
        yield chunk


def _zstandard(stream: Any) -> Iterator[bytes]:
    """Unpack frame by frame, since Zstandard's own reader does not report that the last frame is incomplete."""
    frame: Any = None
    packed = b""
    while packed := packed or stream.read(_ZSTANDARD_BYTES):
        frame = frame or zstd.ZstdDecompressor()
        yield frame.decompress(packed)
        packed = b""
        if frame.eof:
            frame, packed = None, frame.unused_data
    if frame is not None:
        raise EOFError("the last frame is incomplete")


_COMPRESSIONS: Final[tuple[tuple[bytes, Callable[[Any], Iterator[bytes]]], ...]] = (
    (b"\x1f\x8b", lambda stream: _small_reads(gzip.GzipFile(fileobj=stream))),
    (b"BZh", lambda stream: _small_reads(bz2.BZ2File(stream))),
    (b"\x28\xb5\x2f\xfd", _zstandard),
)


def _in_blocks(chunks: Iterator[bytes], source: Source, size: int) -> Iterator[bytes]:
    """Unpacked bytes in blocks.

    If unpacking fails, raises CutOffError after the last block that could be read, or Ox88Error if there was none.
    """
    text, total = bytearray(), 0
    try:
        for chunk in chunks:
            text += chunk
            total += len(chunk)
            if len(text) >= size:
                yield bytes(text)
                text.clear()
    except _UNPACKING_ERRORS as error:
        if not total:
            raise Ox88Error(f"{name_of(source)} cannot be unpacked: {error}") from None
        yield bytes(text)
        raise CutOffError(str(error)) from error
    yield bytes(text)


def _as_utf_8(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Convert UTF-16, which begins with a byte order mark, to UTF-8; leave anything else unchanged."""
    decoder = None
    for number, block in enumerate(blocks):
        if number == 0 and block.startswith(_UTF_16):
            decoder = codecs.getincrementaldecoder("utf-16")(errors="replace")
        yield decoder.decode(block).encode("utf-8", "replace") if decoder else block


def _zipped_texts(stream: Any, source: Source, size: int) -> Iterator[Iterator[bytes]]:
    """The texts of the PGN files in a zip archive, or of its only file."""
    try:
        stream.seek(-_LONGEST_MAGIC, os.SEEK_CUR)
        archive = zipfile.ZipFile(stream)
    except (OSError, AttributeError, NotImplementedError, zipfile.BadZipFile) as error:
        # The stream cannot seek, or the archive is damaged or of a kind that zipfile does not know.
        raise Ox88Error(f"{name_of(source)} cannot be unpacked: {error}") from None
    with archive:
        names = [name for name in archive.namelist() if not name.endswith("/") and not _is_of_macos(name)]
        chosen = [name for name in names if name.lower().endswith(".pgn")] or names
        if len(chosen) > 1 and chosen is names:
            raise Ox88Error(f"{name_of(source)} holds {len(names)} files, none of them a .pgn")
        for name in chosen:
            yield _as_utf_8(_in_blocks(_zipped(archive, name), source, size))


def _is_of_macos(name: str) -> bool:
    """True for what macOS packs beside each file: its attributes, under the file's own name or with ._ before it."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2].startswith("._")


def _zipped(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    try:
        member = archive.open(name)
    except ValueError as error:  # By a damaged directory, the member begins before the file does.
        raise zipfile.BadZipFile(str(error)) from None
    with member:
        yield from _small_reads(member)
