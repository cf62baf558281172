"""The strong engine's driver: options, threads, and state between searches."""

import math
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import chess
import numpy as np
import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.bitboard.position import make_position
from ox88.convert import from_chess_board, from_chess_move, to_chess_move
from ox88.engines.base import Clock, EngineError, Limit, OptionValue, get_ready
from ox88.engines.modern import driver
from ox88.engines.modern.driver import TABLE_SHARE, Modern, PositionHistory
from ox88.engines.modern.network.file import NetworkError, write_network
from ox88.engines.modern.options import NUMBERS, SHIPPED_NETWORK, SWITCHED, SWITCHES
from ox88.engines.modern.parallel_search import ParallelSearch, RootMoves, SearchRequest
from ox88.engines.modern.table import Table, make_table
from ox88.engines.modern.thread import DEEPEST, SearchThread
from ox88.engines.time_management import Budget, move_budget
from ox88.errors import IllegalPositionError
from ox88.setup import Setup, parse_fen, parse_uci
from ox88.types import make_move
from tests.engines.modern.network import naive
from tests.engines.modern.network.naive import random_network
from tests.positions import random_board
from tests.processes import PATIENCE, busy_threads

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
    with pytest.raises(
        EngineError, match="Hash: a table of 139 MB is more than the 138 MB of free memory; it stays at 2 MB"
    ):
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
    with pytest.raises(EngineError, match="Hash: there is not enough memory for a table of 64 MB"):
        engine.set_option("Hash", 64)
    assert engine.table.nbytes == 2 << 20
    assert nodes_to(engine, 4)


def test_threads_for_which_there_is_no_memory_are_refused(engine: Modern, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.set_option("Threads", 2)
    made = iter((SearchThread(), SearchThread()))

    def make(_: object) -> SearchThread:
        thread = next(made, None)
        if thread is None:
            raise MemoryError
        return thread

    monkeypatch.setattr(driver, "SearchThread", make)
    with pytest.raises(EngineError, match="Threads: there is not enough memory for 9; there are 2, as before"):
        engine.set_option("Threads", 9)
    assert len(engine.threads) == 2
    assert nodes_to(engine, 4)


def test_the_table_is_emptied_before_the_clock_runs(engine: Modern) -> None:
    """A search with another evaluation does not empty it, since that takes long if it is large."""
    nodes_to(engine, 4)
    engine.set_option("UCI_LimitStrength", True)
    assert not engine.table.any()
    engine.table[:] = 7
    infos = engine.search(Limit(nodes=1))
    assert (engine.table == 7).mean() > 0.9
    list(infos)


def test_what_was_searched_helps_until_a_new_game_or_a_clear_table(engine: Modern) -> None:
    first = nodes_to(engine, 8)
    assert nodes_to(engine, 8) < first
    engine.new_game()
    assert nodes_to(engine, 8) == first
    assert engine.table.any()
    assert engine.set_option("Clear Hash") is None
    assert not engine.table.any()


# --- Threads ----------------------------------------------------------------------------------------------------------


def no_thread_more_than(before: int) -> bool:
    """True if no more threads are busy than before, now or soon."""
    until = time.monotonic() + PATIENCE
    while len(busy_threads()) > before and time.monotonic() < until:
        time.sleep(0.01)
    return len(busy_threads()) <= before


@pytest.mark.parametrize("count", [1, 4])
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


def test_a_new_thread_has_the_numbers_that_were_set(engine: Modern) -> None:
    engine.set_option("reduction_base", 0)
    engine.set_option("use_null_move", 0)
    engine.set_option("Threads", 2)
    first, second = (thread.record for thread in engine.threads)
    assert {int(record.parameters.use_null_move) for record in (first, second)} == {0}
    assert (first.reductions == second.reductions).all()
    assert first.reductions[63, 63] != Modern().threads[0].record.reductions[63, 63]


# --- Other options ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["minimum", "maximum", "default"])
def test_every_number_can_be_set_and_the_search_stands_it(engine: Modern, end: str) -> None:
    for parameter in (*SWITCHES, *NUMBERS):
        value = getattr(parameter, end)
        assert parameter.minimum <= value <= parameter.maximum
        assert engine.set_option(parameter.name, value) is None
        assert engine.threads[0].record.parameters[parameter.name] == value
        assert list(engine.search(Limit(nodes=300)))[-1].line
    assert list(engine.search(Limit(nodes=20_000)))[-1].line


def test_the_evaluation_s_terms_can_be_switched(engine: Modern) -> None:
    engine.set_option("Threads", 2)
    before = engine.threads[0].record.evaluation.weights.copy()
    for switch, fields in SWITCHED.items():
        engine.set_option(switch, 0)
        assert not any(thread.record.evaluation.weights[fields[0]].any() for thread in engine.threads)
        engine.set_option(switch, 1)
        assert all(thread.record.evaluation.weights == before for thread in engine.threads)


# --- The network ------------------------------------------------------------------------------------------------------

# Whatever Ox88 comes with: tests compare with engines that have been told what to use.
BY_HAND: dict[str, OptionValue] = {"Use NNUE": False}


@pytest.fixture
def file(tmp_path: Path) -> str:
    write_network(tmp_path / "first.npz", random_network(1))
    return str(tmp_path / "first.npz")


def made(**options: OptionValue) -> Modern:
    engine = Modern()
    for name, value in options.items():
        engine.set_option(name, value)
    engine.set_position(parse_fen(KIWIPETE))
    return engine


def test_a_network_evaluates_in_all_threads(file: str) -> None:
    engine = made(EvalFile=file, Threads=2)
    engine.set_option("Threads", 3)
    list(engine.search(Limit(depth=6)))
    for thread in engine.threads:
        assert np.array_equal(thread.record.network.input_weights, random_network(1).input_weights)


def test_a_switch_a_file_and_a_level_take_effect_at_once_and_nothing_stale_stays(file: str, tmp_path: Path) -> None:
    """After each change, the engine searches as a new one does. A level plays by hand, as strong as its matches say."""
    second = str(tmp_path / "second.npz")
    write_network(Path(second), random_network(2))
    engine = made(**BY_HAND)
    limited: dict[str, OptionValue] = {"UCI_LimitStrength": True, "UCI_Elo": 1800}
    counts = []
    changes: tuple[tuple[dict[str, OptionValue], dict[str, OptionValue]], ...] = (
        ({}, BY_HAND),
        ({"EvalFile": file, "Use NNUE": True}, {"EvalFile": file}),
        ({"EvalFile": second}, {"EvalFile": second}),
        ({"Skill Level": 15}, BY_HAND | {"Skill Level": 15}),
        ({"Skill Level": 20}, {"EvalFile": second}),
        (limited, BY_HAND | limited),
        ({"UCI_LimitStrength": False, "Use NNUE": False}, BY_HAND),
        ({"Use NNUE": True, "EvalFile": file}, {"EvalFile": file}),
    )
    for change, options in changes:
        for name, value in change.items():
            engine.set_option(name, value)
        counts.append(nodes_to(engine, 6))
        assert counts[-1] == nodes_to(made(**options), 6), options
    assert len(set(counts)) >= 4


def test_what_was_learnt_stays_if_the_evaluation_does(file: str) -> None:
    engine, untouched = made(EvalFile=file), made(EvalFile=file)
    first = nodes_to(engine, 8)
    engine.set_option("Use NNUE", True)
    engine.set_option("MultiPV", 1)
    assert nodes_to(untouched, 8) == first
    assert nodes_to(engine, 8) == nodes_to(untouched, 8) != first


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda path: path.unlink(), "No such file or directory"),
        (lambda path: path.write_bytes(path.read_bytes()[:5000]), "this is no network, or a damaged one"),
        (lambda path: write_network(path, random_network(hidden=64)), "the network 'random 1' has 64 neurons a side"),
    ],
)
def test_a_network_that_cannot_be_used_is_refused_and_the_old_one_stays(
    file: str, tmp_path: Path, damage: Callable[[Path], object], reason: str
) -> None:
    engine, path = made(EvalFile=file), tmp_path / "other.npz"
    before = nodes_to(engine, 6)
    write_network(path, random_network(2))
    damage(path)
    with pytest.raises(
        EngineError, match=f"EvalFile: .*{reason}.*; name another file, or none for the network that Ox88 comes with"
    ):
        engine.set_option("EvalFile", str(path))
    engine.new_game()
    assert nodes_to(engine, 6) == before
    assert "Network random 1:" in engine.evaluation_text()


def test_without_a_network_the_switch_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """GUIs set every option to its default, so the switch means: the network, if there is one."""
    monkeypatch.setattr(driver, "shipped_network", lambda: None)
    for value in (False, True):
        engine = made()
        assert engine.set_option("Use NNUE", value) is None
        assert nodes_to(engine, 6) == nodes_to(made(**BY_HAND), 6)
        assert "The search uses the handcrafted evaluation" in engine.evaluation_text()


def test_the_network_that_ox88_comes_with_is_used_unless_another_is_named(
    monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    monkeypatch.setattr(driver, "shipped_network", lambda: random_network(2))
    engine = made()
    shipped = nodes_to(engine, 6)
    engine.set_option("EvalFile", file)
    assert nodes_to(engine, 6) != shipped
    for name in ("", "<empty>", SHIPPED_NETWORK.name):
        engine.set_option("EvalFile", file)
        engine.set_option("EvalFile", name)
        assert nodes_to(engine, 6) == shipped


def test_no_engine_is_made_with_a_shipped_network_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would play by another evaluation than everybody takes it for."""

    def read() -> NoReturn:
        raise NetworkError("ox88.npz: the checksum is wrong")

    for network, reason in ((read, "the checksum is wrong"), (lambda: random_network(hidden=128), "takes 256")):
        monkeypatch.setattr(driver, "shipped_network", network)
        with pytest.raises(NetworkError, match=reason):
            Modern()


def test_board_and_evaluation_for_people(file: str) -> None:
    engine = made(EvalFile=file)
    assert engine.board_text().splitlines()[0] == "r . . . k . . r"
    engine.set_position(parse_fen("startpos"))
    engine.push(parse_uci("e2e4", engine.setup))
    *_, network, blank, used, _ = engine.evaluation_text().splitlines()
    board = chess.Board()
    board.push_uci("e2e4")
    value = naive.value(random_network(1), board)
    assert network == f"Network random 1: {value / 100:+.2f} for the side to move"
    assert (blank, used) == ("", f"The search uses the network: {network.partition(': ')[2]}")
    for changes in (BY_HAND, {"Use NNUE": True, "Skill Level": 3}):
        for name, setting in changes.items():
            engine.set_option(name, setting)
        *_, used, _ = engine.evaluation_text().splitlines()
        assert used.startswith("The search uses the handcrafted evaluation: ")
        assert used.partition(": ")[2] in engine.evaluation_text().splitlines()[11]


@pytest.mark.parametrize(("elo", "rating"), [(800, 800), (2200, 2200), (3000, 2200)])
def test_what_people_play(elo: int, rating: int) -> None:
    """The five likeliest moves, whether or not the strength is limited, after the moves of the game."""
    engine = made(UCI_Elo=elo)
    engine.set_position(parse_fen("startpos"))
    for move in ("e2e4", "d7d5", "e4d5"):
        engine.push(parse_uci(move, engine.setup))
    told = engine.evaluation_text().splitlines()[-1]
    found = re.fullmatch(rf"At {rating} people play: (.*)", told)
    assert found, told
    moves, shares = zip(*(part.removesuffix(" %").split() for part in found[1].split(", ")), strict=True)
    assert len(moves) == 5
    assert "Qxd5" in moves
    assert [int(share) for share in shares] == sorted(map(int, shares), reverse=True)
    assert 50 < sum(map(int, shares)) <= 102
    engine.set_position(parse_fen("7k/8/8/8/8/8/q7/K7 w - - 0 1"))
    assert engine.evaluation_text().endswith(f"At {rating} people play: Kxa2 100 %\n")
    engine.set_position(parse_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"))
    assert "people play" not in engine.evaluation_text()


def test_what_each_piece_is_worth(file: str) -> None:
    engine = made(EvalFile=file)
    text = engine.evaluation_text()
    lines = text[text.index("What a piece is worth") :].splitlines()[1:17]
    board, network = chess.Board(KIWIPETE), random_network(1)
    whole = naive.value(network, board)
    for square in chess.SQUARES:
        row, column = 2 * (7 - chess.square_rank(square)), slice(7 * chess.square_file(square), None)
        symbol, number = lines[row][column][:7].strip(), lines[row + 1][column][:7].strip()
        piece = board.piece_at(square)
        assert symbol == (piece.symbol() if piece else ".")
        rest = board.copy()
        if piece is None or rest.remove_piece_at(square) == chess.Piece.from_symbol("K") or symbol == "k":
            assert number == ""
        else:
            assert number == f"{(whole - naive.value(network, rest)) / 100:+.2f}"


# --- Games ------------------------------------------------------------------------------------------------------------


def play(engine: Modern, *moves: str) -> None:
    for move in moves:
        engine.push(parse_uci(move, engine.setup))


def test_a_repetition_counts_where_en_passant_would_be_illegal(engine: Modern) -> None:
    """After h7h5 the pawn on g5 is pinned. The king's return makes the position after it for the third time."""
    board = chess.Board("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1")
    engine.set_position(parse_fen(board.fen()))
    for text in ("h7h5", "e6h6", "g7h7", "h6e6", "h7g7", "e6h6", "g7h7", "h6e6"):
        play(engine, text)
        board.push_uci(text)
    last = list(engine.search(Limit(depth=8, moves=(parse_uci("h7g7", engine.setup),))))[-1]
    board.push_uci("h7g7")
    assert board.is_repetition()
    assert last.score.centipawns == 0


def test_a_hit_after_pondering_has_ended_does_not_end_the_next_search(engine: Modern) -> None:
    assert list(engine.search(Limit(time=0.0, depth=3, ponder=True)))[-1].depth == 3
    engine.ponder_hit()
    assert list(engine.search(Limit(depth=7)))[-1].depth == 7


def test_the_value_of_the_own_last_move_is_known_in_the_same_game(
    engine: Modern, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.set_position(parse_fen("startpos"))
    assert engine._last_value() is None
    found = list(engine.search(Limit(depth=4)))[-1].score.centipawns
    play(engine, "e2e4")
    assert engine._last_value() is None  # It is the other side's move.
    play(engine, "e7e5")
    assert engine._last_value() == found
    play(engine, "g1f3", "g8f6")  # A reply that is only expected, and does not come.
    list(engine.search(Limit(depth=4, ponder=True)))
    engine.pop()
    engine.pop()
    requests = requests_of(monkeypatch)
    engine.search(Limit(clock=Clock(9)))
    assert [request.last_value for request in requests] == [found]
    engine.set_position(engine.setup)  # Another game.
    play(engine, "g1f3", "g8f6")
    assert engine._last_value() is None
    engine.new_game()
    assert engine._found is None


LATE = parse_fen("4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 40")


@pytest.mark.parametrize(
    ("limit", "options", "asked"),
    [
        (Limit(depth=1), {}, {"depth": 1, "mate": 0, "budget": None, "last_value": None, "ponder": False, "lines": 1}),
        (Limit(depth=0, mate=3), {}, {"depth": 1, "mate": 3}),
        (Limit(depth=10**6), {}, {"depth": DEEPEST}),
        (Limit(depth=1, ponder=True), {}, {"ponder": True}),
        (Limit(depth=1), {"MultiPV": 3}, {"lines": 3}),
        (Limit(depth=1), {"UCI_LimitStrength": True, "UCI_Elo": 2500, "MultiPV": 3}, {"lines": 3}),
        (Limit(moves=(8 | 16 << 6,)), {}, {"root": RootMoves((8 | 16 << 6,))}),
        (Limit(time=2), {"Move Overhead": 500}, {"budget": Budget(math.inf, 2.0)}),
        (Limit(clock=Clock(9, 1)), {"Move Overhead": 500}, {"budget": move_budget(Limit(clock=Clock(9, 1)), 0.5, 78)}),
    ],
)
def test_what_a_search_is_asked(
    engine: Modern,
    monkeypatch: pytest.MonkeyPatch,
    limit: Limit,
    options: dict[str, OptionValue],
    asked: dict[str, object],
) -> None:
    """Each limit and option reaches the threads."""
    requests = requests_of(monkeypatch)
    engine.set_position(LATE)
    for name, value in options.items():
        engine.set_option(name, value)
    engine.search(limit)
    (request,) = requests
    assert {name: getattr(request, name) for name in asked} == asked


def test_looking_up_takes_its_time_from_the_search(engine: Modern, monkeypatch: pytest.MonkeyPatch) -> None:
    now, given = [0.0], []

    def look_up(_: Setup, moves: tuple[int, ...], seconds: float = math.inf, wanted: int = 1) -> RootMoves:
        assert wanted == 1
        now[0] += 0.25
        given.append(seconds)
        return RootMoves(moves)

    requests = requests_of(monkeypatch)
    monkeypatch.setattr(engine, "_tablebase", SimpleNamespace(look_up=look_up))
    monkeypatch.setattr(driver, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    engine.search(Limit(time=2))
    engine.search(Limit(depth=2))
    assert given == [TABLE_SHARE * 2, math.inf]
    assert [request.budget for request in requests] == [Budget(math.inf, 1.75), None]


def requests_of(monkeypatch: pytest.MonkeyPatch) -> list[SearchRequest]:
    """The requests of all searches from here on, which find nothing."""
    requests: list[SearchRequest] = []

    class Idle(ParallelSearch):
        def __init__(self, threads: list[SearchThread], table: Table, generation: int, request: SearchRequest) -> None:
            requests.append(request)
            super().__init__(threads, table, generation, replace(request, depth=0))

    monkeypatch.setattr(driver, "ParallelSearch", Idle)
    return requests


# --- The game before the root, compared with python-chess -----------------------------------------------------------


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(0, 100), st.one_of(st.none(), st.integers(0, 959)), st.data())
def test_moves_pushed_and_popped(seed: int, plies: int, chess960: int | None, data: st.DataObject) -> None:
    board = random_board(seed, plies, chess960)
    replayed, game = board.root(), PositionHistory()
    game.set_position(from_chess_board(replayed))
    keys = []
    for move in board.move_stack:
        keys.append(int(make_position(from_chess_board(replayed)).key))
        game.push(from_chess_move(move, replayed))
        replayed.push(move)
    assert game.setup == from_chess_board(board)
    assert game.keys == keys
    assert sorted(game.legal_moves()) == sorted(from_chess_move(move, board) for move in board.legal_moves)
    for _ in range(data.draw(st.integers(0, len(keys)))):
        game.pop()
        board.pop()
    assert game.setup == from_chess_board(board)
    assert game.keys == keys[: len(board.move_stack)]


@given(st.integers(0, 2**16 - 1))
def test_what_is_not_legal_is_refused_and_changes_nothing(move: int) -> None:
    game = PositionHistory()
    legal = {from_chess_move(each, chess.Board()) for each in chess.Board().legal_moves}
    if move in legal:
        game.push(move)
        game.pop()
    else:
        with pytest.raises(EngineError, match="is not legal in rnbqkbnr/"):
            game.push(move)
    assert (game.setup, game.keys) == (parse_fen("startpos"), [])


def test_a_new_position_has_no_past() -> None:
    game = PositionHistory()
    game.push(make_move(12, 28))
    game.set_position(parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"))
    assert game.keys == []
    with pytest.raises(EngineError, match="no move to take back"):
        game.pop()


def test_an_illegal_position_is_refused() -> None:
    with pytest.raises(IllegalPositionError, match="king"):
        PositionHistory().set_position(parse_fen("8/8/8/8/8/8/8/K7 w - - 0 1"))
