"""The transposition table: finding entries, replacing entries, and torn entries."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from ox88.bitboard.records import HUGE_PAGE
from ox88.engines.modern import table as tt
from ox88.engines.modern.records import INFINITY, MATE, MATE_BOUND, NO_VALUE
from ox88.engines.modern.table import EXACT, GENERATIONS, LOWER, NO_ENTRY, UPPER, bucket_of, hash_full, make_table

ROOM = make_table(1)
BUCKET = ROOM[:8]  # A table of one bucket.


class Entry(NamedTuple):
    move: int = 0
    value: int = 0
    static_eval: int = 0
    depth: int = 0
    bound: int = int(EXACT)
    was_pv: int = 0


def store(table: Any, key: int, entry: Entry, generation: int = 1, ply: int = 0) -> None:
    numbers = (generation, ply, *entry)
    tt.store(table, np.uint64(key), *(np.int64(number) for number in numbers))


def probe(table: Any, key: int, ply: int = 0) -> Entry | None:
    data = np.uint64(tt.probe(table, np.uint64(key)))
    if data == NO_ENTRY:
        return None
    return Entry(
        int(tt.entry_move(data)),
        int(tt.entry_value(data, np.int64(ply))),
        int(tt.entry_eval(data)),
        int(tt.entry_depth(data)),
        int(tt.entry_bound(data)),
        int(tt.entry_was_pv(data)),
    )


KEYS = st.integers(0, 2**64 - 1)
GENERATION = st.integers(0, int(GENERATIONS) - 1)
ENTRIES = st.builds(
    Entry,
    st.integers(0, 2**16 - 1),
    st.one_of(st.integers(-MATE_BOUND, MATE_BOUND), st.sampled_from([-INFINITY // 2, 0, INFINITY // 2])),
    st.one_of(st.integers(-MATE_BOUND, MATE_BOUND), st.just(NO_VALUE)),
    st.integers(-8, 247),
    st.sampled_from([int(UPPER), int(LOWER), int(EXACT)]),
    st.integers(0, 1),
)


@given(KEYS, ENTRIES, GENERATION, st.integers(0, 126), st.integers(0, 126))
def test_what_is_stored_is_found(key: int, entry: Entry, generation: int, ply: int, later: int) -> None:
    BUCKET.fill(0)
    store(BUCKET, key, entry, generation, ply)
    assert probe(BUCKET, key, later) == entry
    assert probe(BUCKET, key ^ 1) is None


@given(KEYS, st.integers(0, 126), st.integers(0, 126), st.integers(0, 100), st.sampled_from([-1, 1]))
def test_mates_are_kept_as_distances_from_the_position(key: int, ply: int, later: int, mate: int, sign: int) -> None:
    BUCKET.fill(0)
    store(BUCKET, key, Entry(value=sign * (MATE - ply - mate)), ply=ply)
    assert probe(BUCKET, key, later) == Entry(value=sign * (MATE - later - mate))


@given(KEYS, ENTRIES, ENTRIES, st.sampled_from([1, 2]))
@example(88, Entry(depth=9), Entry(depth=6, bound=int(LOWER)), 1)
def test_a_position_has_one_entry_which_keeps_its_move(key: int, old: Entry, new: Entry, generation: int) -> None:
    BUCKET.fill(0)
    store(BUCKET, key, old)
    store(BUCKET, key, new, generation)
    is_kept = generation == 1 and new.bound != EXACT and old.depth > new.depth + 3
    assert probe(BUCKET, key) == (old if is_kept else new._replace(move=new.move or old.move))
    assert np.count_nonzero(BUCKET[1::2]) == 1


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), min_size=4, max_size=4),
    st.lists(KEYS, min_size=5, max_size=5, unique=True),
)
def test_the_shallowest_for_its_age_makes_room(entries: list[tuple[int, int]], keys: list[int]) -> None:
    worths = [depth - int(tt.AGE_WEIGHT) * (9 - generation) for depth, generation in entries]
    assume(len(set(worths)) == 4)
    BUCKET.fill(0)
    for key, (depth, generation) in zip(keys, sorted(entries, key=lambda entry: entry[1]), strict=False):
        store(BUCKET, key, Entry(depth=depth), generation)
    assume(np.count_nonzero(BUCKET[1::2]) == 4)
    store(BUCKET, keys[4], Entry(depth=1), 9)
    kept = [probe(BUCKET, key) for key in keys]
    lost = [number for number, entry in enumerate(kept) if entry is None]
    by_age = sorted(entries, key=lambda entry: entry[1])
    assert len(lost) == 1
    depth, generation = by_age[lost[0]]
    assert depth - int(tt.AGE_WEIGHT) * (9 - generation) == min(worths)


def test_generations_come_round_again() -> None:
    """Generations count up to 31 and then from 0 again. In generation 0, an entry of 31 is younger than one of 28."""
    BUCKET.fill(0)
    for key, generation in enumerate((31, 28, 31, 30), 1):
        store(BUCKET, key, Entry(depth=9), generation)
    store(BUCKET, 9, Entry(depth=1), 0)
    assert [key for key in (1, 2, 3, 4, 9) if probe(BUCKET, key) is None] == [2]


@given(KEYS, KEYS, ENTRIES, ENTRIES, GENERATION)
def test_half_of_one_entry_beside_half_of_another_is_none(
    key: int, other_key: int, entry: Entry, other: Entry, generation: int
) -> None:
    words = []
    for each, content in ((key, entry), (other_key, other)):
        BUCKET.fill(0)
        store(BUCKET, each, content, generation)
        words.append((int(BUCKET[0]), int(BUCKET[1])))
    (first, data), (other_first, other_data) = words
    assume(data != other_data and first != other_first)
    for torn in ((first, other_data), (other_first, data)):
        BUCKET.fill(0)
        BUCKET[:2] = torn
        assert probe(BUCKET, key) is None
        assert probe(BUCKET, other_key) is None


@given(
    st.integers(1, len(ROOM) // 8), st.one_of(KEYS, st.sampled_from([0, 2**32 - 1, 2**32, 2**63, 2**64 - 2**32 - 1]))
)
def test_every_key_has_a_bucket_inside(buckets: int, key: int) -> None:
    assert bucket_of(ROOM[: 8 * buckets], np.uint64(key)) == (key >> 32) * buckets // 2**32 * 8
    assert bucket_of(ROOM[: 8 * buckets], np.uint64(0)) == 0
    assert bucket_of(ROOM[: 8 * buckets], np.uint64(2**64 - 1)) == 8 * (buckets - 1)


@pytest.mark.parametrize("megabytes", [1, 2, 3, 7, 33])
def test_a_table_has_its_size_and_lies_on_cache_lines(megabytes: int) -> None:
    table = make_table(megabytes)
    assert table.nbytes == megabytes << 20
    assert table.dtype == np.uint64
    assert table.ctypes.data % 64 == 0
    assert make_table(4).ctypes.data % HUGE_PAGE == 0
    assert not table[:: 1 << 12].any()


def test_how_full_it_is() -> None:
    table, choice = make_table(1), np.random.default_rng(88)
    assert hash_full(table, 1) == 0
    for key in choice.integers(0, 2**64, 20_000, np.uint64, endpoint=False):
        store(table, int(key), Entry(move=1), 1 + int(key) % 2)
    data = [int(word) for word in table[1:2000:2]]
    for generation in (1, 2):
        assert hash_full(table, generation) == sum(word >> 58 == generation for word in data if word)
    assert 0 < hash_full(table, 1) < 500
    assert hash_full(table, 3) == 0
    for key in choice.integers(0, 2**64, 20_000, np.uint64, endpoint=False):
        store(table[:2000], int(key), Entry(move=1))
    assert hash_full(table[:2000], 1) == 1000
