"""Reads and writes the bytes of PGN files: paths, open files or bytes, plain or compressed.

The format is recognised by the first bytes of a file, not by its name, since an open file may have no name.
"""

import bz2
import codecs
import contextlib
import functools
import glob
import gzip
import io
import itertools
import lzma
import os
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from ox88.errors import MissingFileError, Ox88Error, unreadable
from ox88.replacing import replaced

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Target = str | os.PathLike[str] | IO[bytes] | IO[str]
Source = Target | bytes | bytearray | memoryview
Sources = Source | Iterable[Source]

_PGN_TEXT: Final = re.compile(r"\n|^\s*(\[|1\.)")  # What paths rarely have.
_OF_A_FOLDER: Final = re.compile(r"\.pgn(\.(gz|bz2|zst|zip))?$", re.IGNORECASE)
_LONGEST_NAME: Final = 100  # Characters of a name that an error quotes.
_WIDE: Final = {  # In this order: the mark of UTF-32 begins with the mark of UTF-16.
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_EXPECTED: Final = "a PGN, plain or packed by gzip, bzip2, Zstandard or zip,"
_BLOCK: Final = 1 << 21  # Bytes.
_PACKED_BYTES: Final = 4096  # Read at a time.
_UNPACKED_BYTES: Final = 1 << 17  # Unpacked at a time, since four bytes of Zstandard can make as many.
_UNPACKING_ERRORS: Final = (
    EOFError,
    OSError,
    RuntimeError,
    ValueError,  # By a damaged directory, a member of a zip archive begins before the file does.
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    zstd.ZstdError,
)
_SKIPPABLE_FRAMES: Final = tuple(bytes([0x50 + number, 0x2A, 0x4D, 0x18]) for number in range(16))
_ZSTANDARD: Final = (b"\x28\xb5\x2f\xfd", *_SKIPPABLE_FRAMES)  # RFC 8878, sections 3.1.1 and 3.1.2.
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_GZIP: Final = b"\x1f\x8b"
_BZIP2: Final = b"BZh"
_LONGEST_MAGIC: Final = 4  # Bytes that tell a format that can be unpacked.


@dataclass(frozen=True, slots=True, eq=False)
class SourceFile:
    """A source of games.

    state: the size and time of its file when it was opened; None if it is no file. letters: the language of the letters
    of pieces.
    """

    source: Source
    is_one_of_several: bool = False
    state: tuple[int, int] | None = None
    letters: str = "English"

    @property
    def name(self) -> str:
        return os.fsdecode(self.source) if isinstance(self.source, (str, os.PathLike)) else ""


def source_files(sources: Sources, letters: str = "English") -> Iterator[SourceFile]:
    """The files of a source, a list of sources, a folder or a pattern. Raises MissingFileError, TypeError."""
    is_one = isinstance(sources, (str, os.PathLike, bytes, bytearray, memoryview)) or hasattr(sources, "read")
    found: list[Any] = [sources] if is_one or not isinstance(sources, Iterable) else list(sources)
    expanded = [source for some in found for source in _expanded(some)]
    for source in expanded:
        yield SourceFile(source, len(expanded) > 1 or expanded != found, _state_of(source), letters)


def _expanded(source: Any) -> list[Any]:
    """The files of a folder or of a pattern, by name; any other source alone."""
    if not isinstance(source, (str, os.PathLike)) or "\n" in (name := os.fsdecode(source)):
        return [source]
    if os.path.isdir(name):  # noqa: PTH112 - A name that no file can have gives False.
        paths = (path for path in Path(name).rglob("*") if _OF_A_FOLDER.search(path.name) and path.is_file())
        files = sorted(map(str, paths))
        what = f"the folder {name_of(source)} has no file .pgn, .pgn.gz, .pgn.bz2, .pgn.zst, .pgn.zip"
    elif glob.has_magic(name) and not os.path.exists(name):  # noqa: PTH110
        files = sorted(glob.glob(name, recursive=True))  # noqa: PTH207
        what = f"no file is named as {name_of(source)}"
    else:
        return [source]
    if not files and not _PGN_TEXT.search(name):
        raise MissingFileError(what)
    return files or [source]


def _state_of(source: Any) -> tuple[int, int] | None:
    try:
        status = os.stat(source) if isinstance(source, (str, os.PathLike)) else None  # noqa: PTH116
    except (OSError, ValueError):  # Opening it tells why.
        return None
    return status and (status.st_size, status.st_mtime_ns)


def read_slices(file: SourceFile, places: Iterable[tuple[int, int]]) -> Iterator[bytes]:
    """The unpacked parts of a file at (start, end); the starts ascend. Raises Ox88Error if the file has changed."""
    if hasattr(file.source, "read"):
        raise Ox88Error("the games come from an open file, which is not read again: read_pgn of its path is expected")
    if (state := _state_of(file.source)) != file.state:
        what = "has changed" if state else "is gone"
        raise Ox88Error(f"{name_of(file.source)} {what} since its games were read: read them again")
    wanted = list(places)
    at = wanted[0][0] if wanted and _is_plain(file.source) else 0
    blocks, text = _blocks_from(file.source, at), bytearray()
    for start, end in wanted:
        while at + len(text) < end and (block := next(blocks, b"")):
            gone = min(start - at, len(text))
            del text[:gone]
            at += gone
            text += block
        yield bytes(text[start - at : end - at])


def _blocks_from(source: Source, at: int) -> Iterator[bytes]:
    """The blocks of a source; of a plain one those from a byte on."""
    if at:
        with ExitStack() as stack:
            stream = _opened(source, stack)
            stream.seek(at)
            yield from iter(lambda: stream.read(_BLOCK), b"")
        return
    with contextlib.suppress(CutOffError):  # The games before have been read.
        for blocks in read_texts(source, _BLOCK):
            yield from filter(None, blocks)


def _is_plain(source: Source) -> bool:
    """True if the bytes of a source are those of its text."""
    with ExitStack() as stack:
        head = _opened(source, stack).read(_LONGEST_MAGIC)
    return not head.startswith((_GZIP, _BZIP2, *_ZSTANDARD, *_ZIP, *_WIDE))


class CutOffError(Exception):
    """A compressed file ends too early, or is damaged, after some text."""


def read_texts(source: Source, size: int, suffixes: Sequence[str] = (".pgn",)) -> Iterator[Iterator[bytes]]:
    """The texts of a source, each in blocks of about `size` bytes.

    Of a zip archive these are the files with the first of the suffixes that any file has, or its only file.
    Raises Ox88Error if no text can be read, or what is read is not text; CutOffError if a text ends too early.
    """
    with ExitStack() as stack:
        stream = _opened(source, stack)
        head = _read(stream, _LONGEST_MAGIC, source)
        if isinstance(head, bytes) and head.startswith(_ZIP):
            yield from _zipped_texts(stream, source, size, suffixes)
        else:
            yield _as_text(_unpacked(head, _StreamWithHead(head, stream), source, size), source)


def write_text(target: Target, parts: Iterable[str] | Iterable[bytes]) -> None:
    """Write to a path, compressed according to its suffix (.gz, .bz2, .zst), or to an open file.

    After an error the file at the path is unchanged.
    """
    if isinstance(target, (str, os.PathLike)):
        try:
            with replaced(Path(target)) as file, _packing(file, Path(target)) as packed:
                _write_to(packed, parts)
        except Ox88Error:  # Of a file that the parts come from.
            raise
        except OSError as error:
            raise Ox88Error(f"{name_of(target)} cannot be written: {error}") from None
    elif hasattr(target, "write"):
        _write_to(target, parts)
    else:
        raise TypeError(f"PGN to {type(target).__name__}: a path or an open file is expected")


def _packing(file: IO[bytes], path: Path) -> Any:
    match path.suffix.lower():
        case ".gz":
            return gzip.GzipFile(path, "wb", fileobj=file)
        case ".bz2":
            return bz2.open(file, "wb")
        case ".zst":
            return zstd.open(file, "wb")
        case ".zip":
            raise Ox88Error(f"{name_of(path)} cannot be written: the suffix .gz, .bz2 or .zst is expected")
    return nullcontext(file)


def _write_to(file: Any, parts: Iterable[str] | Iterable[bytes]) -> None:
    is_text = hasattr(file, "encoding") or isinstance(file, codecs.StreamWriter)  # Wrappers are no io.TextIOBase.
    for part in parts:
        if isinstance(part, str):
            file.write(part if is_text else part.encode())
        else:
            file.write(part.decode("utf-8", "surrogateescape") if is_text else part)


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
        head = self._head if size < 0 else self._head[:size]
        self._head = self._head[len(head) :]
        return head + self._stream.read(size if size < 0 else size - len(head))


def _unpacked(head: bytes | str, stream: Any, source: Source, size: int) -> Iterator[bytes]:
    """The blocks of one text, unpacked."""
    if isinstance(head, str):
        return map(encoded, iter(lambda: _read(stream, size, source), ""))  # type: ignore[arg-type]  # The stream is in text mode.
    if head.startswith(_GZIP):
        return _in_blocks(_small_reads(lambda: gzip.GzipFile(fileobj=stream)), source, size)
    if head.startswith(_BZIP2):
        return _in_blocks(_small_reads(lambda: bz2.BZ2File(stream)), source, size)
    if head.startswith(_ZSTANDARD):
        return _in_blocks(_zstandard(stream), source, size)
    return iter(lambda: _read(stream, size, source), b"")  # type: ignore[arg-type, return-value]  # In binary mode.


def encoded(text: str) -> bytes:
    """The bytes of text from a file in text mode, where surrogates may stand for bytes that are not UTF-8."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _small_reads(opened: Callable[[], Any]) -> Iterator[bytes]:
    """Unpack in small steps, so that nothing before the end of an incomplete file is lost."""
    with opened() as stream:
        while chunk := stream.read1(_UNPACKED_BYTES):
            yield chunk


def _zstandard(stream: Any) -> Iterator[bytes]:
    """Unpack frame by frame, since Zstandard's own reader does not report that the last frame is incomplete."""
    frame: Any = None
    packed = b""
    while packed := packed or stream.read(_PACKED_BYTES):
        frame = frame or zstd.ZstdDecompressor()
        yield frame.decompress(packed, _UNPACKED_BYTES)
        while not (frame.eof or frame.needs_input):
            yield frame.decompress(b"", _UNPACKED_BYTES)
        packed = b""
        if frame.eof:
            frame, packed = None, frame.unused_data
    if frame is not None:
        raise EOFError("the last frame is incomplete")


def _in_blocks(chunks: Iterator[bytes], source: Source, size: int) -> Iterator[bytes]:
    """Unpacked bytes in blocks.

    If unpacking fails, raises CutOffError after the last block that could be read, or Ox88Error if there was none.
    """
    text, total = bytearray(), 0
    try:
        for chunk in chunks:
            text += chunk
            total += len(chunk)
            while len(text) >= size:  # What bzip2 and LZMA unpack from a zip archive has no limit.
                yield bytes(text[:size])
                del text[:size]
    except _UNPACKING_ERRORS as error:
        if not total:
            raise Ox88Error(f"{name_of(source)} cannot be unpacked: {error}") from None
        yield bytes(text)
        raise CutOffError(str(error)) from error
    yield bytes(text)


def _as_text(blocks: Iterator[bytes], source: Source) -> Iterator[bytes]:
    """Check that it is text, and convert UTF-16 and UTF-32, which begin with a byte order mark, to UTF-8."""
    first = next(blocks, b"")
    encoding = next((name for mark, name in _WIDE.items() if first.startswith(mark)), None)
    if encoding is None:
        check_text(first[:HEAD], name_of(source), _EXPECTED)
        yield first
        yield from blocks
    else:
        decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        for block in itertools.chain([first], blocks):
            yield decoder.decode(block).encode("utf-8", "replace")


def _zipped_texts(stream: Any, source: Source, size: int, suffixes: Sequence[str]) -> Iterator[Iterator[bytes]]:
    try:
        stream.seek(-_LONGEST_MAGIC, os.SEEK_CUR)
        archive = zipfile.ZipFile(stream)
    except (OSError, AttributeError, NotImplementedError, zipfile.BadZipFile) as error:
        # The stream cannot seek, or the archive is damaged or of a kind that zipfile does not know.
        raise Ox88Error(f"{name_of(source)} cannot be unpacked: {error}") from None
    with archive:
        names = [name for name in archive.namelist() if not name.endswith("/") and not _is_of_macos(name)]
        of_suffix = ([name for name in names if name.lower().endswith(suffix)] for suffix in suffixes)
        chosen = next(filter(None, of_suffix), names)
        if len(chosen) > 1 and chosen is names:
            raise Ox88Error(f"{name_of(source)} holds {len(names)} files, none of them a {' or '.join(suffixes)}")
        for name in chosen:
            chunks = _small_reads(functools.partial(archive.open, name))
            yield _as_text(_in_blocks(chunks, source, size), source)


def _is_of_macos(name: str) -> bool:
    """True for what macOS packs beside each file: its attributes, under the file's own name or with ._ before it."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2].startswith("._")


# --- What is no text --------------------------------------------------------------------------------------------------


HEAD: Final = 8000  # Bytes of a file that are looked at.
_FORMATS: Final[dict[str, tuple[bytes, ...]]] = {
    "Zstandard": _ZSTANDARD,
    "Zstandard before 1.0": tuple(bytes([number, 0xB5, 0x2F, 0xFD]) for number in range(0x22, 0x28)),
    "gzip": (_GZIP,),
    "bzip2": tuple(b"BZh%d1AY&SY" % level for level in range(1, 10)),  # BZh alone can begin a text.
    "zip": (*_ZIP, b"PK\x07\x08"),
    "xz": (b"\xfd7zXZ\0",),
    "LZMA": (b"\x5d\0\0",),
    "lzip": (b"LZIP\1",),
    "LZ4": (b"\x04\x22\x4d\x18", b"\x02\x21\x4c\x18"),  # The second is of the frames before 1.5.
    "Snappy": (b"\xff\x06\0\0sNaPpY",),
    "compress (.Z)": (b"\x1f\x9d", b"\x1f\xa0"),
    "7-Zip": (b"7z\xbc\xaf\x27\x1c",),
    "RAR": (b"Rar!\x1a\x07",),
    "SQLite": (b"SQLite format 3\0",),
    "Parquet": (b"PAR1",),
    "Arrow": (b"ARROW1\0\0",),
    "a database of Scid": (b"Scid.si\0",),
    "PDF": (b"%PDF-",),
    "RTF": (b"{\\rtf",),
    "Microsoft Office": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",),
    "PNG": (b"\x89PNG\r\n\x1a\n",),
    "JPEG": (b"\xff\xd8\xff",),
    "GIF": (b"GIF87a", b"GIF89a"),
    "UTF-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),  # Its mark begins with that of UTF-16.
    "UTF-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}
_CONTROLS: Final = bytes([*range(9), *range(14, 26), 27, 127])  # Without white space, and the end mark of DOS.
_FEW: Final = 3  # A damaged text may have fewer control characters than this, ...
_SHARE: Final = 0.05  # ... or a smaller share of them.


def check_text(head: bytes, name: str, expected: str) -> None:
    """Raise Ox88Error, which names the format, if the first bytes of a file are not those of a text."""
    found = next((name for name, magics in _FORMATS.items() if head.startswith(magics)), "")
    if not found and head.startswith(b"ustar", 257):
        found = "tar"
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if not found and (controls < _FEW or controls < _SHARE * len(head)):
        return
    zeros = head[::2].count(0), head[1::2].count(0)
    if not found and max(zeros) > 0.3 * len(head) and min(zeros) < 0.05 * len(head):
        found = "UTF-16 without a byte order mark"
    but = f" but {found}" if found else ""
    raise Ox88Error(f"{name} is not text{but}: {expected} is expected")
