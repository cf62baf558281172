"""The strong engine's driver: options, threads, and state between searches."""

import time
from types import SimpleNamespace

import chess
import psutil
import pytest

from ox88.convert import to_chess_move
from ox88.engines.base import Clock, EngineError, Limit, get_ready
from ox88.engines.modern import driver
from ox88.engines.modern.driver import Modern
from ox88.engines.modern.options import PARAMETERS, SWITCHED, TERM_SWITCHES
from ox88.engines.modern.table import make_table
from ox88.fen import parse_fen
from ox88.types import from_uci
from tests.processes import busy_threads

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.fixture
def engine() -> Modern:
    made = get_ready(Modern())
    made.set_position(parse_fen(KIWIPETE))
    return made


def nodes_to(engine: Modern, depth: int) -> int:
    return list(engine.search(Limit(depth=depth)))[-1].nodes


# --- Hash -------------------------------------------------------------------------------------------------------------


def test_the_table_has_the_size_asked_for(engine: Modern) -> None:
    for megabytes in (1, 7, 32):
        assert engine.set_option("Hash", megabytes) is None
        assert engine.table.nbytes == megabytes << 20
    assert "Hash 0 is out of range" in (engine.set_option("Hash", 0) or "")
    assert engine.table.nbytes == 1 << 20


def test_a_table_beyond_the_memory_is_refused_and_the_old_one_stays(
    engine: Modern, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.set_option("Hash", 2)
    nodes_to(engine, 4)
    table = engine.table
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=200 << 20))
    with pytest.raises(EngineError, match="139 MB is more than the 138 MB of free memory; it stays at 2 MB"):
        engine.set_option("Hash", 139)
    assert engine.table is table
    engine.set_option("Hash", 138)


def test_memory_that_is_refused_all_the_same(engine: Modern, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.set_option("Hash", 2)

    def make(megabytes: int) -> object:
        if megabytes > 2:
            raise MemoryError
        return make_table(megabytes)

    monkeypatch.setattr(driver, "make_table", make)
    with pytest.raises(EngineError, match="not enough memory for a hash table of 64 MB"):
        engine.set_option("Hash", 64)
    assert engine.table.nbytes == 2 << 20
    assert nodes_to(engine, 4)


def test_a_clear_table_knows_nothing(engine: Modern) -> None:
    nodes_to(engine, 5)
    assert engine.table.any()
    assert engine.set_option("Clear Hash") is None
    assert not engine.table.any()


def test_what_was_searched_helps_until_a_new_game(engine: Modern) -> None:
    first = nodes_to(engine, 8)
    assert nodes_to(engine, 8) < first
    engine.new_game()
    assert nodes_to(engine, 8) == first


# --- Threads ----------------------------------------------------------------------------------------------------------


def no_thread_more_than(before: int) -> bool:
    """True if soon no more threads are busy than before."""
    until = time.monotonic() + 10
    while len(busy_threads()) > before and time.monotonic() < until:
        time.sleep(0.01)
    return len(busy_threads()) <= before


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_threads_search_together_and_end_together(engine: Modern, count: int) -> None:
    before = len(busy_threads())
    engine.set_option("Threads", count)
    board = chess.Board(KIWIPETE)
    for limit in (Limit(depth=5), Limit(nodes=2000), Limit(time=0.05), Limit(clock=Clock(1.0))):
        last = list(engine.search(limit))[-1]
        assert board.is_legal(to_chess_move(last.best_move, board))
    assert no_thread_more_than(before)
    assert [thread.is_stopped for thread in engine.threads] == [True] * count


def test_a_search_left_alone_ends_with_the_next_command(engine: Modern) -> None:
    before = len(busy_threads())
    engine.set_option("Threads", 3)
    for command in (
        engine.new_game,
        lambda: engine.set_position(parse_fen(KIWIPETE)),
        lambda: engine.search(Limit(depth=1)),
    ):
        engine.search(Limit())
        assert len(busy_threads()) > before
        command()
    engine.new_game()
    assert no_thread_more_than(before)


def test_the_nodes_of_all_threads_are_counted(engine: Modern) -> None:
    engine.set_option("Threads", 2)
    last = list(engine.search(Limit(depth=14)))[-1]  # Long enough for the second thread to start.
    assert last.nodes == sum(thread.nodes for thread in engine.threads)
    assert all(thread.nodes for thread in engine.threads)


def test_a_new_thread_has_the_numbers_that_were_set(engine: Modern) -> None:
    engine.set_option("reduction_base", 0)
    engine.set_option("use_null_move", 0)
    engine.set_option("Threads", 2)
    first, second = (thread.record for thread in engine.threads)
    assert {int(record.parameters.use_null_move) for record in (first, second)} == {0}
    assert (first.reductions == second.reductions).all()
    assert first.reductions[63, 63] != Modern().threads[0].record.reductions[63, 63]


# --- Other options ----------------------------------------------------------------------------------------------------


def test_every_number_of_the_search_can_be_set(engine: Modern) -> None:
    for parameter in PARAMETERS:
        for value in (parameter.minimum, parameter.maximum):
            assert engine.set_option(parameter.name, value) is None
            assert engine.threads[0].record.parameters[parameter.name] == value
        assert engine.set_option(parameter.name, parameter.default) is None
        assert parameter.minimum <= int(parameter.default or 0) <= parameter.maximum


@pytest.mark.parametrize("switch", [switch.name for switch in TERM_SWITCHES])
def test_the_evaluation_s_terms_can_be_switched(engine: Modern, switch: str) -> None:
    field = SWITCHED[switch][0]
    before = engine.threads[0].record.evaluation.weights.copy()
    engine.set_option(switch, 0)
    engine.set_option("Threads", 2)
    for thread in engine.threads:
        assert not thread.record.evaluation.weights[field].any()
    engine.set_option(switch, 1)
    for thread in engine.threads:
        assert thread.record.evaluation.weights == before


@pytest.mark.parametrize("end", ["minimum", "maximum"])
def test_the_search_stands_any_number(engine: Modern, end: str) -> None:
    for parameter in PARAMETERS:
        engine.set_option(parameter.name, getattr(parameter, end))
        last = list(engine.search(Limit(nodes=300)))[-1]
        assert last.line
    assert list(engine.search(Limit(nodes=20_000)))[-1].line


# --- Games ------------------------------------------------------------------------------------------------------------


def test_the_past_of_a_game_is_seen(engine: Modern) -> None:
    """The knight's return makes the start position for the third time."""
    engine.set_position(parse_fen("startpos"))
    for _ in range(2):
        for text in ("g1f3", "g8f6", "f3g1", "f6g8"):
            engine.push(from_uci(text, engine.setup))
    engine.pop()
    last = list(engine.search(Limit(depth=4, moves=(from_uci("f6g8", engine.setup),))))[-1]
    assert last.score.centipawns == 0


def test_a_hit_after_pondering_has_ended_does_not_end_the_next_search(engine: Modern) -> None:
    assert list(engine.search(Limit(time=0.0, depth=3, ponder=True)))[-1].depth == 3
    engine.ponder_hit()
    assert list(engine.search(Limit(depth=7)))[-1].depth == 7


def test_pondering_goes_on_beyond_its_time(engine: Modern) -> None:
    infos = engine.search(Limit(time=0.001, ponder=True))
    for info in infos:
        if info.depth == 8:
            break
    engine.ponder_hit()
    assert list(infos)[-1].depth >= 8


def test_the_board_for_people(engine: Modern) -> None:
    assert engine.board_text().splitlines()[0] == "r . . . k . . r"
    assert "For the side to move" in engine.evaluation_text()
