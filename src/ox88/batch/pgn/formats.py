"""Tells a text from what is none, by its first bytes, and names the formats that people take for a PGN."""

from typing import Final

from ox88.errors import Ox88Error

HEAD: Final = 8000  # Bytes that are looked at.
SKIPPABLE_FRAMES: Final = tuple(bytes([0x50 + number, 0x2A, 0x4D, 0x18]) for number in range(16))
ZSTANDARD: Final = (
    b"\x28\xb5\x2f\xfd",
    *SKIPPABLE_FRAMES,
)  # What its frames begin with (RFC 8878, sections 3.1.1, 3.1.2).
GZIP: Final = (b"\x1f\x8b",)
BZIP2: Final = (b"BZh",)
ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
LONGEST_MAGIC: Final = 4  # Bytes, of the formats above, which can be unpacked.

_FORMATS: Final[dict[str, tuple[bytes, ...]]] = {
    "Zstandard": ZSTANDARD,
    "Zstandard before 1.0": tuple(bytes([number, 0xB5, 0x2F, 0xFD]) for number in range(0x22, 0x28)),
    "gzip": GZIP,
    "bzip2": tuple(b"BZh%d1AY&SY" % level for level in range(1, 10)),  # BZh alone can begin a text.
    "zip": (*ZIP, b"PK\x07\x08"),
    "xz": (b"\xfd7zXZ\0",),
    "LZMA": (b"\x5d\0\0",),
    "lzip": (b"LZIP\1",),
    "LZ4": (b"\x04\x22\x4d\x18",),
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
}
_TAR: Final = (257, b"ustar")
_CONTROLS: Final = bytes([*range(9), *range(14, 26), 27, 127])  # Without white space, and the end mark of DOS.
_FEW: Final = 8  # Control characters that a damaged text may have, and their share of it.
_SHARE: Final = 0.05


def check_text(head: bytes, name: str, expected: str) -> None:
    """Raise Ox88Error, which names the format, if the first bytes of a file are not those of a text."""
    if (found := _format_of(head)) is not None:
        but = f" but {found}" if found else ""
        raise Ox88Error(f"{name} is not text{but}: {expected} is expected")


def _format_of(head: bytes) -> str | None:
    """None if the bytes are text; else the name of their format, or "" if it is unknown."""
    for name, magics in _FORMATS.items():
        if head.startswith(magics):
            return name
    place, magic = _TAR
    if head.startswith(magic, place):
        return "tar"
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if controls < _FEW or controls < _SHARE * len(head):
        return None
    zeros = head[::2].count(0), head[1::2].count(0)
    is_wide = max(zeros) > 0.3 * len(head) and min(zeros) < 0.05 * len(head)
    return "UTF-16 without a byte order mark" if is_wide else ""
