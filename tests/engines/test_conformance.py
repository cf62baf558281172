"""What every engine must do: legal moves, limits kept, stopping at once, the same nodes for the same limit."""

import threading
import time

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.convert import from_chess_board, to_chess_move
from ox88.engines.base import Engine, EngineError, Info, Limit
from ox88.engines.micromax.driver import MicroMax
from ox88.engines.modern.driver import Modern
from ox88.fen import parse_fen
from ox88.types import from_uci, to_uci
from tests.positions import random_board

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.fixture(scope="module", params=[Modern, MicroMax])
def engine(request: pytest.FixtureRequest) -> Engine:
    made: Engine = request.param()
    return made


def search(engine: Engine, fen: str, limit: Limit) -> list[Info]:
    engine.set_position(parse_fen(fen))
    return list(engine.search(limit))


def best(engine: Engine, fen: str, limit: Limit) -> str:
    return to_uci(search(engine, fen, limit)[-1].best_move)


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 150))
def test_a_legal_move_everywhere(engine: Engine, seed: int, plies: int) -> None:
    board = random_board(seed, plies)
    engine.set_position(from_chess_board(board))
    last = list(engine.search(Limit(nodes=200)))[-1]
    if any(board.legal_moves):
        assert board.is_legal(to_chess_move(last.best_move, board))
    else:
        assert last.line == ()
        assert (last.score.mate == 0) == board.is_checkmate()
        assert (last.score.centipawns == 0) == board.is_stalemate()


def test_the_same_nodes_for_the_same_limit(engine: Engine) -> None:
    runs = []
    for _ in range(2):
        engine.new_game()
        runs.append(search(engine, KIWIPETE, Limit(nodes=50_000)))
    assert [(info.depth, info.nodes, info.score, info.line) for info in runs[0]] == [
        (info.depth, info.nodes, info.score, info.line) for info in runs[1]
    ]
    assert runs[0][-1].nodes >= 50_000


def test_depth_limit(engine: Engine) -> None:
    infos = search(engine, KIWIPETE, Limit(depth=3))
    assert [info.depth for info in infos][-1] == 3


def test_time_limit(engine: Engine) -> None:
    started = time.perf_counter()
    infos = search(engine, KIWIPETE, Limit(time=0.3))
    assert time.perf_counter() - started < 2  # Far above what it takes, far below not stopping.
    assert infos[-1].line


def test_the_first_of_several_limits_ends_it(engine: Engine) -> None:
    assert search(engine, KIWIPETE, Limit(nodes=1 << 40, time=1000.0, depth=2))[-1].depth == 2


@pytest.mark.parametrize("limit", [Limit(nodes=0), Limit(time=0.0), Limit(depth=0)])
def test_no_time_at_all_still_moves(engine: Engine, limit: Limit) -> None:
    assert parse_fen(KIWIPETE).board[from_uci(best(engine, KIWIPETE, limit), parse_fen(KIWIPETE)) & 63]


def test_what_is_no_limit() -> None:
    for limits in ({"nodes": -1}, {"time": -0.5}, {"time": float("nan")}, {"depth": -3}):
        with pytest.raises(EngineError, match="not a number from 0 on"):
            Limit(**limits)


def test_limits_beyond_everything(engine: Engine) -> None:
    limit = Limit(nodes=10**30, time=float("inf"), depth=10**30)
    engine.set_position(parse_fen(KIWIPETE))
    infos = engine.search(limit)
    assert next(infos).nodes >= 1
    engine.stop()
    assert list(infos)[-1].line


def test_stop_from_another_thread(engine: Engine) -> None:
    engine.set_position(parse_fen(KIWIPETE))
    infos = engine.search(Limit(time=1000.0))
    stopped = []

    def stop() -> None:
        stopped.append(time.perf_counter())
        engine.stop()

    threading.Timer(0.2, stop).start()
    last = list(infos)[-1]
    assert time.perf_counter() - stopped[0] < 1
    assert last.line


def test_stop_before_the_first_info(engine: Engine) -> None:
    engine.set_position(parse_fen(KIWIPETE))
    infos = engine.search(Limit(time=1000.0))
    engine.stop()
    assert list(infos)[-1].line


def test_stop_without_a_search_does_nothing(engine: Engine) -> None:
    engine.set_position(parse_fen(KIWIPETE))
    engine.stop()
    assert len(list(engine.search(Limit(depth=2)))) >= 2


def test_an_abandoned_search_is_no_hindrance(engine: Engine) -> None:
    engine.set_position(parse_fen(KIWIPETE))
    next(engine.search(Limit(time=1000.0)))
    assert best(engine, "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", Limit(depth=4)) == "a1a8"


def test_mate_is_found_and_counted(engine: Engine) -> None:
    last = search(engine, "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", Limit(depth=4))[-1]
    assert (to_uci(last.best_move), last.score.mate) == ("a1a8", 1)


@pytest.mark.parametrize(
    ("fen", "mate"),
    [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None), ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 0)],
    ids=["stalemate", "mate"],
)
def test_an_ended_game_is_reported_as_such(engine: Engine, fen: str, mate: int | None) -> None:
    (info,) = search(engine, fen, Limit(nodes=1000))
    assert (info.line, info.score.mate) == ((), mate)


def test_moves_are_pushed_and_popped(engine: Engine) -> None:
    setup = parse_fen("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1")
    engine.set_position(setup)
    engine.new_game()
    before = [info.nodes for info in engine.search(Limit(nodes=3000))]
    board = chess.Board("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1")
    for move in board.legal_moves:
        engine.push(from_uci(board.uci(move), setup))
        assert list(engine.search(Limit(nodes=10)))[-1].line or board.is_checkmate()
        engine.pop()
    engine.new_game()
    assert [info.nodes for info in engine.search(Limit(nodes=3000))] == before


def test_an_illegal_push_is_refused_and_changes_nothing(engine: Engine) -> None:
    engine.set_position(parse_fen("startpos"))
    with pytest.raises(EngineError, match="e2e5 is not legal"):
        engine.push(from_uci("e2e5", parse_fen("startpos")))
    with pytest.raises(EngineError, match="no move to take back"):
        engine.pop()
    engine.push(from_uci("e2e4", parse_fen("startpos")))
