"""Parquet files put together of row groups that were each written as a file of its own.

A Parquet file is the data of its row groups one behind another, then a footer that says where each of them lies. So a
group can be copied as it is, if the places in the footer are moved with it.
(https://github.com/apache/parquet-format, parquet.thrift)
"""

from collections.abc import Sequence
from typing import Any, Final

from ox88.apps.dataset.thrift import I16, I64, LIST, STRUCT, read_struct, write_struct

MAGIC: Final = b"PAR1"
_LENGTH_BYTES: Final = 4

# Numbers of fields.
_FILE_ROWS, _FILE_GROUPS = 3, 4
_GROUP_COLUMNS, _GROUP_OFFSET, _GROUP_ORDINAL = 1, 5, 7
_COLUMN_OFFSET, _COLUMN_DATA = 2, 3
_DATA_OFFSETS: Final = (9, 10, 11)  # Of data, index and dictionary pages.
_MOST_ORDINALS: Final = 1 << 15  # It is an int16, and may be left out.


def split(file: bytes | memoryview) -> tuple[bytes | memoryview, bytes]:
    """(the data, the footer) of a whole file."""
    end = len(file) - len(MAGIC) - _LENGTH_BYTES
    footer = end - int.from_bytes(file[end : end + _LENGTH_BYTES], "little")
    return file[len(MAGIC) : footer], bytes(file[footer:end])


def join(empty: bytes, rows: int, groups: Sequence[bytes]) -> bytes:
    """The end of a file. empty: a footer without groups; rows: of all groups; groups: as from `moved`."""
    footer = read_struct(empty)
    footer[_FILE_ROWS] = (I64, rows)
    footer[_FILE_GROUPS] = (LIST, (STRUCT, groups))
    data = write_struct(footer)
    return data + len(data).to_bytes(_LENGTH_BYTES, "little") + MAGIC


def moved(footer: bytes, place: int, number: int) -> bytes:
    """What the footer of a file with one group says of it, as for another file where its data begins at a place."""
    by = place - len(MAGIC)
    (group,) = read_struct(footer)[_FILE_GROUPS][1][1]
    _move(group, _GROUP_OFFSET, by)
    for column in group[_GROUP_COLUMNS][1][1]:
        _move(column, _COLUMN_OFFSET, by)
        for field in _DATA_OFFSETS:
            _move(column[_COLUMN_DATA][1], field, by)
    group.pop(_GROUP_ORDINAL, None)
    if number < _MOST_ORDINALS:
        group[_GROUP_ORDINAL] = (I16, number)
    return write_struct(group)


def _move(struct: dict[int, tuple[int, Any]], field: int, by: int) -> None:
    """An offset of 0 says that there is none."""
    kind, offset = struct.get(field, (I64, 0))
    if offset:
        struct[field] = (kind, offset + by)
