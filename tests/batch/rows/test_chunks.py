"""Work in threads: each row is done once, the first error is raised, Ctrl-C ends the work."""

import signal
import threading
import time
from collections.abc import Iterator

import pytest

import ox88
from ox88.batch.rows.chunks import MAX_THREADS, MIN_CHUNK, count_threads, in_chunks, in_order
from tests.processes import PATIENCE, interrupt_when_waiting


@pytest.mark.parametrize("threads", [None, 1, 2, 7])
def test_each_item_once(threads: int | None) -> None:
    for count in (0, 1, 5, 6, 11):
        found: list[int] = []
        in_chunks(lambda rows: found.extend(range(rows.start, rows.stop)), count, threads, 3)  # noqa: B023
        assert sorted(found) == list(range(count))


def test_few_rows_are_done_at_once_in_the_thread_that_asks() -> None:
    found: list[tuple[slice, int]] = []
    for count, threads in ((MIN_CHUNK, None), (MIN_CHUNK, 7), (0, None)):
        in_chunks(lambda rows: found.append((rows, threading.get_ident())), count, threads)
    assert found == [(slice(0, MIN_CHUNK), threading.get_ident())] * 2


def test_an_error_in_one_thread_ends_the_others() -> None:
    def work(rows: slice) -> None:
        if rows.start == 0:
            raise LookupError
        time.sleep(0.001)

    with pytest.raises(LookupError):
        in_chunks(work, 1 << 40, 2, 1)


def test_an_error_stops_what_takes_long() -> None:
    stopped = threading.Event()

    def work(rows: slice) -> None:
        if rows.start == 0:
            raise LookupError
        assert stopped.wait(PATIENCE)

    with pytest.raises(LookupError):
        in_chunks(work, 2, 2, 1, stopped.set)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 40])
def test_a_stream_is_done_in_order_and_read_little_in_advance(count: int, threads: int) -> None:
    read: list[int] = []
    found: list[int] = []

    def items() -> Iterator[int]:
        for item in range(count):
            read.append(item)
            yield item

    for result in in_order(abs, items(), threads):
        found.append(result)
        assert len(read) <= len(found) + threads
    assert found == list(range(count))


def test_numbers_of_threads() -> None:
    assert count_threads(None) >= 1
    assert count_threads(MAX_THREADS) == MAX_THREADS
    for wrong in (0, -1, MAX_THREADS + 1):
        with pytest.raises(ox88.Ox88Error, match=f"work on {wrong} threads: 1 to 256"):
            ox88.Positions().legal_moves(threads=wrong)
    for kind in (1.5, "2", True):
        with pytest.raises(TypeError, match="a whole number or None"):
            ox88.Positions().legal_moves(threads=kind)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_long_count(threads: int) -> None:
    positions = ox88.Positions.from_fens([ox88.STARTPOS] * 8)
    positions.perft(2)
    interrupt_when_waiting(0.2)
    with pytest.raises(KeyboardInterrupt):
        positions.perft(9, threads=threads)  # It would take hours.


def test_ctrl_c_between_chunks() -> None:
    def work(rows: slice) -> None:
        time.sleep(0.01)
        if rows.start == 3:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        in_chunks(work, 1 << 40, 1, 1)
