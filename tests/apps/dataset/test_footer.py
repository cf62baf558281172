"""Parquet's footers taken apart and put together."""

import io
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.apps.dataset import footer, thrift

INTEGERS = st.integers(-(2**63), 2**63 - 1)
VALUES = st.one_of(
    st.tuples(st.just(thrift.TRUE), st.booleans()).map(
        lambda pair: (thrift.TRUE if pair[1] else thrift.FALSE, pair[1])
    ),
    st.tuples(st.just(thrift.BYTE), st.integers(0, 255)),
    st.tuples(st.sampled_from([thrift.I16, thrift.I32, thrift.I64]), INTEGERS),
    st.tuples(st.just(thrift.DOUBLE), st.binary(min_size=8, max_size=8)),
    st.tuples(st.just(thrift.BINARY), st.binary(max_size=200)),
    st.tuples(st.just(thrift.LIST), st.tuples(st.just(thrift.I64), st.lists(INTEGERS, max_size=40))),
)
STRUCTS = st.recursive(
    st.dictionaries(st.integers(1, 300), VALUES, max_size=5),
    lambda inner: st.dictionaries(
        st.integers(1, 40),
        st.one_of(
            st.tuples(st.just(thrift.STRUCT), inner),
            st.tuples(st.just(thrift.LIST), st.tuples(st.just(thrift.STRUCT), st.lists(inner, max_size=20))),
        ),
        max_size=3,
    ),
)


@given(STRUCTS)
def test_structs_come_back(struct: Any) -> None:
    assert thrift.read_struct(thrift.write_struct(struct)) == struct


def whole_file(table: Any, **options: Any) -> bytes:
    stream = io.BytesIO()
    pyarrow.parquet.write_table(table, stream, **options)
    return stream.getvalue()


@pytest.fixture
def tables() -> list[Any]:
    return [
        pyarrow.table(
            {
                "text": [f"text {row % 7}" if row % 3 else None for row in range(begin, end)],
                "number": [row * 0.5 for row in range(begin, end)],
                "blob": [bytes([row % 256]) * 40 for row in range(begin, end)],
            }
        )
        for begin, end in ((0, 1000), (1000, 1001), (1001, 5000))
    ]


def test_a_footer_is_written_as_it_was_read(tables: list[Any]) -> None:
    for table in tables:
        _, own = footer.split(whole_file(table))
        assert thrift.write_struct(thrift.read_struct(own)) == own


@pytest.mark.parametrize("compression", ["none", "lz4", "zstd", "snappy"])
def test_groups_put_together(tables: list[Any], compression: str) -> None:
    empty = footer.split(whole_file(tables[0].slice(0, 0)))[1]
    file = footer.MAGIC
    groups: list[bytes] = []
    for table in tables:
        data, own = footer.split(whole_file(table, compression=compression))
        groups.append(footer.moved(own, len(file), len(groups)))
        file += data
    found = pyarrow.parquet.ParquetFile(io.BytesIO(file + footer.join(empty, 5000, groups)))
    assert found.read() == pyarrow.concat_tables(tables)
    assert found.metadata.num_rows == 5000
    for number, table in enumerate(tables):
        assert found.read_row_group(number) == table


def test_a_file_without_groups(tables: list[Any]) -> None:
    empty = footer.split(whole_file(tables[0].slice(0, 0)))[1]
    found = pyarrow.parquet.read_table(io.BytesIO(footer.MAGIC + footer.join(empty, 0, [])))
    assert found.schema == tables[0].schema
    assert len(found) == 0
