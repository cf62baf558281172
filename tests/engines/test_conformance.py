"""What every engine must do: play legal moves, keep limits, stop at once, search the same nodes for the same limit."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.convert import from_chess_board, to_chess_move
from ox88.engines.base import Clock, Engine, EngineEntry, EngineError, Info, Limit, Option, OptionValue, get_ready
from ox88.engines.registry import ENGINES
from ox88.setup import parse_fen, parse_uci
from ox88.types import NO_MOVE, format_uci
from tests.conftest import RunPython
from tests.positions import FENS, random_board
from tests.processes import PATIENCE

KIWIPETE = parse_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
BACK_RANK = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"  # Ra8 mates.


@pytest.fixture(scope="module", params=ENGINES, ids=[entry.name for entry in ENGINES])
def entry(request: pytest.FixtureRequest) -> EngineEntry:
    made: EngineEntry = request.param
    return made


@pytest.fixture(scope="module")
def engine(entry: EngineEntry) -> Engine:
    return get_ready(entry.make())


def start(engine: Engine, limit: Limit, fen: str = KIWIPETE.fen) -> Iterator[Info]:
    engine.set_position(parse_fen(fen))
    engine.new_game()
    return engine.search(limit)


def search(engine: Engine, limit: Limit, fen: str = KIWIPETE.fen) -> list[Info]:
    return list(start(engine, limit, fen))


@settings(max_examples=30)
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
    first, second = (search(engine, Limit(nodes=50_000)) for _ in range(2))
    assert [replace(info, time=0.0) for info in first] == [replace(info, time=0.0) for info in second]
    assert first[-1].nodes >= 50_000


@pytest.mark.parametrize("limit", [Limit(depth=3), Limit(nodes=1 << 40, time=1000.0, depth=3)])
def test_the_first_limit_ends_it(engine: Engine, limit: Limit) -> None:
    assert search(engine, limit)[-1].depth == 3


@pytest.mark.parametrize(("limit", "seconds"), [(Limit(time=0.3), 2), (Limit(clock=Clock(4.0, 0.1)), 4)])
def test_time_is_kept(engine: Engine, limit: Limit, seconds: float) -> None:
    """seconds: of the processor, for which a busy machine does not count; far above what the search takes."""
    started = time.process_time()
    assert search(engine, limit)[-1].line
    assert time.process_time() - started < seconds


SPENT = (Clock(0.0), Clock(-3.0, 0.0, 1), Clock(0.001, 1000.0), Clock(1.0, 0.01, 0))


@pytest.mark.parametrize(
    "limit", [Limit(nodes=0), Limit(time=0.0), Limit(depth=0), *(Limit(clock=clock) for clock in SPENT)]
)
def test_no_time_at_all_still_gives_a_legal_move(engine: Engine, limit: Limit) -> None:
    board = chess.Board(KIWIPETE.fen)
    assert board.is_legal(to_chess_move(search(engine, limit)[-1].best_move, board))


@pytest.mark.parametrize(
    "limit",
    [Limit(time=1000.0), Limit(nodes=10**30, time=math.inf, depth=10**30), Limit(time=0.01, ponder=True)],
    ids=["long", "endless", "pondering"],
)
@pytest.mark.parametrize("seconds", [0.0, 0.2])
def test_any_search_is_stopped_from_another_thread(engine: Engine, limit: Limit, seconds: float) -> None:
    infos = start(engine, limit)
    thread, heard = ended_after(infos, seconds)
    engine.stop()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert heard[-1].line
    assert list(engine.search(Limit(depth=3)))[-1].depth == 3


@pytest.mark.parametrize("act", [Engine.stop, Engine.ponder_hit], ids=["stop", "ponder hit"])
def test_without_a_search_nothing_is_stopped(engine: Engine, act: Callable[[Engine], None]) -> None:
    engine.set_position(KIWIPETE)
    getattr(engine, act.__name__)()
    assert search(engine, Limit(depth=2))[-1].depth == 2


def test_an_abandoned_search_is_no_hindrance(engine: Engine) -> None:
    next(start(engine, Limit(time=1000.0)))
    assert format_uci(search(engine, Limit(depth=4), BACK_RANK)[-1].best_move) == "a1a8"


@pytest.mark.parametrize(
    ("fen", "mate"),
    [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None), ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 0)],
    ids=["stalemate", "mate"],
)
def test_an_ended_game_is_reported_as_such(engine: Engine, fen: str, mate: int | None) -> None:
    (info,) = search(engine, Limit(nodes=1000), fen)
    assert (info.line, info.score.mate) == ((), mate)


def test_moves_are_pushed_and_popped(engine: Engine) -> None:
    setup = parse_fen("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1")
    before = [info.nodes for info in search(engine, Limit(nodes=3000), setup.fen)]
    board = chess.Board(setup.fen)
    for move in board.legal_moves:
        engine.push(parse_uci(board.uci(move), setup))
        assert list(engine.search(Limit(nodes=10)))[-1].line or board.is_checkmate()
        engine.pop()
        assert engine.setup == setup
    engine.new_game()
    assert [info.nodes for info in engine.search(Limit(nodes=3000))] == before


def test_an_illegal_push_is_refused_and_changes_nothing(engine: Engine) -> None:
    engine.set_position(parse_fen("startpos"))
    for move in (parse_uci("e2e5", engine.setup), NO_MOVE):
        with pytest.raises(EngineError, match=f"{format_uci(move)} is not legal"):
            engine.push(move)
    with pytest.raises(EngineError, match="no move to take back"):
        engine.pop()
    engine.push(parse_uci("e2e4", parse_fen("startpos")))


@pytest.mark.parametrize("fen", FENS[:5])
def test_the_setup_is_the_position(engine: Engine, fen: str) -> None:
    engine.set_position(parse_fen(fen))
    assert engine.setup == parse_fen(fen)
    board = chess.Board(fen)
    for _ in range(6):
        move = next(iter(board.legal_moves))
        engine.push(parse_uci(board.uci(move), engine.setup))
        board.push(move)
        engine.new_game()
        assert engine.setup == from_chess_board(board)


@pytest.mark.parametrize(
    "fen", ["4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/QQQQKQQQ w - - 0 1", "4k3/8/8/8/8/8/8/Q3K2R b K - 0 1"]
)
def test_centipawns_stay_below_ten_thousand(engine: Engine, fen: str) -> None:
    """In won endings, where a null move finds a mate long before the mate itself is found."""
    scores = [info.score for info in search(engine, Limit(nodes=400_000), fen)]
    assert all(abs(score.centipawns or 0) < 10_000 for score in scores)


@pytest.mark.parametrize(("fen", "mate"), [(BACK_RANK, 1), ("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", 2)])
def test_a_mate_that_is_short_enough_ends_an_endless_search(engine: Engine, fen: str, mate: int) -> None:
    last = search(engine, Limit(mate=mate, time=math.inf), fen)[-1]
    assert last.line
    assert last.score.mate == mate


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 100), data=st.data())
def test_only_the_moves_asked_for(engine: Engine, seed: int, plies: int, data: st.DataObject) -> None:
    board = random_board(seed, plies)
    engine.set_position(from_chess_board(board))
    moves = [parse_uci(board.uci(move), engine.setup) for move in board.legal_moves]
    if moves:
        some = data.draw(st.lists(st.sampled_from(moves), min_size=1, max_size=3))
        assert list(engine.search(Limit(nodes=200, moves=tuple(some))))[-1].best_move in some
        assert engine.setup == from_chess_board(board)


def test_no_legal_move_among_those_asked_for(engine: Engine) -> None:
    with pytest.raises(EngineError, match="e1e5"):
        search(engine, Limit(nodes=200, moves=(parse_uci("e1e5", KIWIPETE),)))


def ended_after(infos: Iterator[Info], seconds: float) -> tuple[threading.Thread, list[Info]]:
    """Read a search's Infos in a thread for some seconds. Returns the thread and the Infos."""
    heard: list[Info] = []
    thread = threading.Thread(target=lambda: heard.extend(infos))
    thread.start()
    thread.join(seconds)
    return thread, heard


@pytest.mark.parametrize("limit", [Limit(time=0.01, ponder=True), Limit(clock=Clock(0.25), ponder=True)])
def test_time_counts_from_the_ponder_hit(engine: Engine, limit: Limit) -> None:
    thread, heard = ended_after(start(engine, limit), 0.4)
    assert thread.is_alive()
    engine.ponder_hit()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert heard[-1].line


def test_every_option_takes_its_default_in_any_case(entry: EngineEntry, engine: Engine) -> None:
    for option in entry.options:
        if option.kind not in ("button", "string"):
            assert engine.set_option(option.name.upper(), option.default) is None
            assert option.minimum <= int(option.default or 0) <= option.maximum or option.kind != "spin"


@pytest.mark.parametrize("beyond", [-(10**12), 10**12])
def test_numbers_are_clamped(entry: EngineEntry, engine: Engine, beyond: int) -> None:
    for option in entry.options:
        if option.kind == "spin" and option.name not in ("Hash", "Threads"):  # Which take what the clamp leaves them.
            assert option.name in (engine.set_option(option.name, beyond) or "")
            engine.set_option(option.name, option.default)


def wrong_value(option: Option) -> OptionValue:
    return {"spin": "many", "check": "perhaps", "combo": "none of these"}.get(option.kind)


def test_what_is_no_option_is_refused(entry: EngineEntry, engine: Engine) -> None:
    with pytest.raises(EngineError, match="no option 'Nonsense'"):
        engine.set_option("Nonsense", 1)
    for option in entry.options:
        if wrong_value(option) is not None:
            with pytest.raises(EngineError, match=option.name):
                engine.set_option(option.name, wrong_value(option))


def test_an_evaluation_for_people(engine: Engine) -> None:
    engine.set_position(parse_fen("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1"))
    assert engine.evaluation_text().strip()


def test_what_is_known_before_loading_needs_no_compiler(run_python: RunPython) -> None:
    code = "import sys, ox88.engines.registry; print([m for m in ('numba', 'numpy', 'chess') if m in sys.modules])"
    assert run_python("-c", code).stdout.strip() == "[]"
