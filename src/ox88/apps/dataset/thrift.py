"""Thrift's compact protocol, in which the footer of a Parquet file is written: bytes to structs and back.

A struct is a dict of its fields, each by its number a pair of type and value, so that what is not understood stays as
it is. (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md)
"""

from collections.abc import Iterable
from typing import Any, Final

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, _MAP, STRUCT = range(1, 13)
_INTEGERS: Final = (I16, I32, I64)
_DOUBLE_BYTES: Final = 8
_LONG_LIST: Final = 15  # From so many elements on, their number stands behind the type.
_LONG_STEP: Final = 15  # Up to here, the step from one field's number to the next stands before the type.

Struct = dict[int, tuple[int, Any]]


def read_struct(data: bytes) -> Struct:
    return _Reader(data).struct()


def write_struct(struct: Struct | bytes) -> bytes:
    """A struct within another one may be written already."""
    if isinstance(struct, bytes):
        return struct
    return b"".join(_struct(struct))


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def struct(self) -> Struct:
        fields: Struct = {}
        number = 0
        while head := self._byte():
            kind = head & 15
            number = number + (head >> 4) if head >> 4 else self._integer()
            fields[number] = (kind, self._value(kind))
        return fields

    def _value(self, kind: int) -> Any:
        if kind in (TRUE, FALSE):
            return kind == TRUE
        return self._element(kind)

    def _element(self, kind: int) -> Any:
        if kind in (TRUE, FALSE, BYTE):
            return self._byte()
        if kind in _INTEGERS:
            return self._integer()
        if kind == DOUBLE:
            return self._bytes(_DOUBLE_BYTES)
        if kind == BINARY:
            return self._bytes(self._varint())
        if kind in (LIST, SET):
            return self._list()
        if kind == STRUCT:
            return self.struct()
        raise ValueError(f"type {kind} at byte {self._at}: no footer of a Parquet file has it")

    def _list(self) -> tuple[int, list[Any]]:
        head = self._byte()
        size = head >> 4 if head >> 4 < _LONG_LIST else self._varint()
        return head & 15, [self._element(head & 15) for _ in range(size)]

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _bytes(self, size: int) -> bytes:
        self._at += size
        return self._data[self._at - size : self._at]

    def _varint(self) -> int:
        value = shift = 0
        while (byte := self._byte()) > 127:
            value |= (byte & 127) << shift
            shift += 7
        return value | byte << shift

    def _integer(self) -> int:
        zigzag = self._varint()
        return zigzag >> 1 ^ -(zigzag & 1)


def _struct(struct: Struct) -> Iterable[bytes]:
    before = 0
    for number, (kind, value) in sorted(struct.items()):
        if kind in (TRUE, FALSE):
            kind = TRUE if value else FALSE
        if number - before <= _LONG_STEP:
            yield bytes([number - before << 4 | kind])
        else:
            yield bytes([kind]) + _integer(number)
        if kind not in (TRUE, FALSE):
            yield from _element(kind, value)
        before = number
    yield b"\0"


def _element(kind: int, value: Any) -> Iterable[bytes]:
    if kind in (TRUE, FALSE, BYTE):
        yield bytes([value])
    elif kind in _INTEGERS:
        yield _integer(value)
    elif kind == DOUBLE:
        yield value
    elif kind == BINARY:
        yield _varint(len(value)) + value
    elif kind == STRUCT:
        yield write_struct(value)
    else:
        of, elements = value
        size = len(elements)
        yield bytes([size << 4 | of]) if size < _LONG_LIST else bytes([_LONG_LIST << 4 | of]) + _varint(size)
        for element in elements:
            yield from _element(of, element)


def _integer(value: int) -> bytes:
    return _varint(value << 1 if value >= 0 else (-value << 1) - 1)


def _varint(value: int) -> bytes:
    parts = []
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])
