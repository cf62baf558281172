"""What a search reports: legal lines, sorted; scores of the right sign; numbers in range."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import chess
import pytest

from ox88.convert import from_chess_board, to_chess_move
from ox88.engines.base import Clock, Info, Limit, get_ready
from ox88.engines.benchmark import MIDDLEGAMES, TACTICS
from ox88.engines.modern import parallel_search
from ox88.engines.modern.driver import Modern
from ox88.engines.modern.parallel_search import ParallelSearch, RootMoves, SearchRequest
from ox88.engines.modern.picker import ALL_MOVES
from ox88.engines.modern.records import MATE
from ox88.engines.modern.thread import DEEPEST, Line, NodePool, SearchThread
from ox88.engines.time_management import Budget
from ox88.setup import parse_fen
from ox88.threads import Background
from ox88.types import format_uci
from tests.engines.modern.roots import picked, set_root
from tests.positions import random_board

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.fixture
def engine() -> Iterator[Modern]:
    made = get_ready(Modern())
    yield made
    made.set_option("Clear Hash")  # Which ends a search that still goes on.


def think(engine: Modern, board: chess.Board, limit: Limit) -> list[Info]:
    engine.set_position(from_chess_board(board))
    return list(engine.search(limit))


def boards(count: int) -> Iterator[chess.Board]:
    for seed in range(count):
        board = random_board(seed, 5 + 7 * seed % 120, seed if seed % 2 else None)
        if any(board.legal_moves):
            yield board


def follow(board: chess.Board, line: tuple[int, ...]) -> chess.Board:
    """The board after a line. Asserts that its moves are legal."""
    end = board.copy()
    for number in line:
        move = to_chess_move(number, end)
        assert end.is_legal(move), (board.fen(), [format_uci(each) for each in line])
        end.push(move)
    return end


def test_every_line_is_legal_and_a_mate_s_line_mates(engine: Modern) -> None:
    mates = 0
    for board in [*boards(30), chess.Board("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1")]:
        for info in think(engine, board, Limit(depth=7)):
            end = follow(board, info.line)
            assert info.line or info.bound == "upper"  # No move has raised alpha.
            if info.score.mate is not None and info.bound == "exact" and end.is_checkmate():
                plies = 2 * info.score.mate - 1 if info.score.mate > 0 else -2 * info.score.mate
                assert len(info.line) == plies
                mates += 1
    assert mates


def test_several_lines_begin_differently_and_are_sorted(engine: Modern) -> None:
    engine.set_option("MultiPV", 4)
    for board in boards(12):
        *infos, last = think(engine, board, Limit(depth=5))
        count = min(4, board.legal_moves.count())
        assert (last.multipv, last.line) == (1, [info for info in infos if info.multipv == 1][-1].line)
        for depth in range(1, 6):
            found = [info for info in infos if info.depth == depth and info.bound == "exact"]
            assert [info.multipv for info in found] == list(range(1, count + 1))
            assert len({info.line[0] for info in found}) == count
            values = [worth(info) for info in found]
            assert values == sorted(values, reverse=True)
        for info in infos:
            follow(board, info.line)


@pytest.mark.parametrize(
    ("fen", "nodes", "lines"),
    [
        ("8/8/8/7p/5p1p/1p1B1P2/ppp5/qkbR3K w - - 0 1", 300, 2),
        ("3r2k1/1R3R1p/5p2/3p2pP/8/7K/PPr5/8 w - - 2 41", 300, 4),
        ("2B2R2/3r2p1/p1kbR3/8/3p1B2/8/PPP5/2K5 b - - 8 48", 300, 4),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 300, 4),
    ],
)
def test_lines_of_a_stopped_search_begin_differently(engine: Modern, fen: str, nodes: int, lines: int) -> None:
    engine.set_option("MultiPV", lines)
    infos = think(engine, chess.Board(fen), Limit(nodes=nodes))
    last = {info.multipv: info for info in infos if info.bound == "exact" and not info.current_move}
    assert sorted(last) == list(range(1, lines + 1))
    assert len({info.line[0] for info in last.values()}) == lines
    assert infos[-1].line == last[1].line


def worth(info: Info) -> float:
    if info.score.mate is not None:
        return 100_000 - info.score.mate if info.score.mate > 0 else -100_000 - info.score.mate
    return float(info.score.centipawns or 0)


@pytest.mark.parametrize(
    ("options", "fen", "told"),
    [
        ({"MultiPV": 256}, "7k/8/8/8/8/8/r7/4K3 w - - 0 1", {1, 2}),  # Two moves.
        ({"MultiPV": 2, "UCI_LimitStrength": True, "UCI_Elo": 1000}, KIWIPETE, {1, 2}),  # Chooses among all moves.
    ],
)
def test_no_more_lines_than_moves_or_asked_for(
    engine: Modern, options: dict[str, int], fen: str, told: set[int]
) -> None:
    for name, value in options.items():
        engine.set_option(name, value)
    assert {info.multipv for info in think(engine, chess.Board(fen), Limit(depth=3))} == told


@pytest.mark.parametrize("fen", ["4k3/8/8/8/8/8/3P4/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/3P4/Q3K3 b - - 0 1"])
@pytest.mark.parametrize("is_mirrored", [False, True])
def test_scores_are_the_mover_s(engine: Modern, fen: str, is_mirrored: bool) -> None:
    board = chess.Board(fen).mirror() if is_mirrored else chess.Board(fen)
    sign = 1 if board.turn != is_mirrored else -1
    last = think(engine, board, Limit(depth=6))[-1]
    win, draw, loss = last.outcomes or (0, 0, 0)
    assert sign * worth(last) > 300
    assert (win + draw + loss, sign * win > sign * loss) == (1000, True)


def test_numbers_lie_in_their_range(engine: Modern) -> None:
    engine.set_option("Hash", 1)
    longest = 0
    for fen in (*MIDDLEGAMES[:3], *TACTICS[:3]):
        infos = think(engine, chess.Board(fen), Limit(nodes=60_000))
        assert [info.nodes for info in infos] == sorted(info.nodes for info in infos)
        assert [info.time for info in infos] == sorted(info.time for info in infos)
        exact = [info.depth for info in infos if info.bound == "exact"]
        assert exact == sorted(exact)
        for info in infos:
            assert 0 <= info.hash_full <= 1000
            assert sum(info.outcomes or ()) == 1000
            assert info.selective_depth > 0
            longest = max(longest, info.selective_depth - info.depth)
    assert infos[-1].hash_full > 0
    assert longest > 3


@pytest.mark.parametrize("nodes", [0, 1])
def test_before_the_first_depth_the_evaluation_and_the_picker_s_first_move(engine: Modern, nodes: int) -> None:
    engine.set_option("use_table", 0)
    for board in boards(20):
        moves = list(picked(set_root(SearchThread(), board), 0, ALL_MOVES))
        for asked in (moves, moves[-3:]):
            (last,) = think(engine, board, Limit(nodes=nodes, moves=tuple(asked)))
            assert (last.depth, last.nodes, last.line) == (0, nodes, (asked[0],))
            assert last.score.centipawns == engine._search_value()[0]


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize("nodes", [1, 1000, 20_000])
def test_nodes_are_a_limit_of_all_threads_together(engine: Modern, nodes: int, threads: int) -> None:
    engine.set_option("Threads", threads)
    last = think(engine, chess.Board(KIWIPETE), Limit(nodes=nodes))[-1]
    counts = [thread.nodes for thread in engine.threads]
    at_once = NodePool(nodes, threads).at_once
    assert nodes - (threads - 1) * at_once <= last.nodes == sum(counts) <= nodes
    assert counts[0] >= nodes // threads  # The first thread has its share, however late it starts.


def test_a_thread_that_cannot_start_ends_those_that_have(engine: Modern, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Background[None]] = []

    def start(call: Callable[[], None], stop: Callable[[], None]) -> Background[None]:
        if len(started) == 3:
            raise RuntimeError("can't start new thread")
        started.append(Background(call, stop))
        return started[-1]

    engine.set_option("Threads", 4)
    with monkeypatch.context() as patch:
        patch.setattr(parallel_search, "Background", start)
        with pytest.raises(RuntimeError, match="can't start"):
            engine.search(Limit(depth=60))
    assert [each.wait(0.0) for each in started] == [True] * 3
    assert think(engine, chess.Board(), Limit(depth=5))[-1].depth == 5


def test_a_long_search_tells_where_it_stands(engine: Modern, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_search, "CURRENT_MOVE_AFTER", 0.0)
    monkeypatch.setattr(parallel_search, "CURRENT_MOVE_EVERY", 0.0)
    engine.set_position(parse_fen(KIWIPETE))
    board = chess.Board(KIWIPETE)
    for info in engine.search(Limit(time=math.inf)):
        if info.current_move:
            assert board.is_legal(to_chess_move(info.current_move, board))
            assert 1 <= info.current_move_number <= board.legal_moves.count()
            assert info.line == ()
            assert info.depth > 0
            break


def test_the_current_move_is_told_from_time_to_time(engine: Modern, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_search, "POLL", 0.005)
    monkeypatch.setattr(parallel_search, "CURRENT_MOVE_AFTER", 0.0)
    monkeypatch.setattr(parallel_search, "CURRENT_MOVE_EVERY", 1000.0)
    assert sum(info.current_move != 0 for info in think(engine, chess.Board(KIWIPETE), Limit(time=0.3))) <= 1


def test_bounds_are_told_of_after_a_while(engine: Modern, monkeypatch: pytest.MonkeyPatch) -> None:
    board = chess.Board(KIWIPETE)
    assert {info.bound for info in think(engine, board, Limit(depth=9))} == {"exact"}
    monkeypatch.setattr(parallel_search, "BOUNDS_AFTER", 0.0)
    engine.new_game()
    engine.set_option("aspiration_window", 1)
    bounds = [info for info in think(engine, board, Limit(depth=9)) if info.bound != "exact"]
    assert bounds
    for info in bounds:
        follow(board, info.line)


def test_the_table_is_as_full_and_the_lines_as_long_as_this_search_has_made_them(engine: Modern) -> None:
    """What earlier searches of the game have left does not count."""
    engine.set_option("Hash", 1)
    first, second = (think(engine, chess.Board(KIWIPETE), Limit(nodes=nodes))[-1] for nodes in (30_000, 1))
    assert second.hash_full < 10 < first.hash_full
    assert second.selective_depth < first.selective_depth


def search_of(engine: Modern, **asked: Any) -> ParallelSearch:
    """A search by the engine's threads, without a depth unless one is asked for."""
    request = replace(SearchRequest(RootMoves((1, 2, 3), ranks={2: 1}), depth=0), **asked)
    return ParallelSearch(engine.threads, engine.table, 1, request)


def test_every_second_thread_starts_a_ply_deeper(engine: Modern, monkeypatch: pytest.MonkeyPatch) -> None:
    """All threads but the first go on to the end. Each searches all moves, by the same ranks."""
    asked: dict[int, tuple[object, ...]] = {}

    def deepen(
        thread: SearchThread,
        _: object,
        depths: range,
        moves: list[int],
        lines: int = 1,
        _report: object = None,
        ranks: object = None,
    ) -> list[Line]:
        asked[engine.threads.index(thread)] = depths, moves, lines, ranks
        return [Line(1, 0, (moves[0],))]

    monkeypatch.setattr(SearchThread, "deepen", deepen)
    engine.set_option("Threads", 4)
    list(search_of(engine, depth=5, lines=2).infos())
    rest = [1, 2, 3], 1, {2: 1}
    starts = [(range(1, 6), [1, 2, 3], 2, {2: 1}), *((range(first, DEEPEST + 1), *rest) for first in (2, 1, 2))]
    assert [asked[number] for number in range(4)] == starts


def test_an_error_of_any_thread_is_raised(engine: Modern, monkeypatch: pytest.MonkeyPatch) -> None:
    def deepen(thread: SearchThread, *_: object, **__: object) -> list[Line]:
        if thread is engine.threads[1]:
            raise ValueError("of a helper")
        return [Line(1, 0, (1,))]

    monkeypatch.setattr(SearchThread, "deepen", deepen)
    engine.set_option("Threads", 2)
    with pytest.raises(ValueError, match="of a helper"):
        list(search_of(engine).infos())


@pytest.mark.parametrize("ponder", [False, True])
def test_only_the_first_hit_while_pondering_starts_the_time(engine: Modern, ponder: bool) -> None:
    search = search_of(engine, budget=Budget(1.0, 1e6), ponder=ponder)
    deadlines = [search._deadline]
    for _ in range(2):
        search.ponder_hit()
        deadlines.append(search._deadline)
    assert math.isinf(deadlines[0]) == ponder
    assert math.isfinite(deadlines[1])
    assert deadlines[1] == deadlines[2]
    assert ponder or deadlines[0] == deadlines[1]


def test_the_time_manager_hears_of_the_last_move_and_of_depths_before_a_hit(engine: Modern) -> None:
    search = search_of(engine, budget=Budget(1.0, 2.0), last_value=300, ponder=True)
    assert not search._is_enough(Line(9, 20, (1,)), 1e9)
    assert search._time is not None
    assert search._time._values == [300, 20]


ONE_MOVE = chess.Board("k7/8/8/8/8/8/6r1/7K w - - 0 1")


@pytest.mark.parametrize(
    ("limit", "ends"), [(Limit(time=100, depth=1), False), (Limit(clock=Clock(100), depth=1), True)]
)
def test_a_single_move_saves_time_on_a_clock_alone(engine: Modern, limit: Limit, ends: bool) -> None:
    line = think(engine, ONE_MOVE, limit)[-1].line
    assert engine._search is not None
    assert engine._search._is_enough(Line(1, 0, line), 0.0) == ends


def test_only_the_best_line_ends_a_search(engine: Modern) -> None:
    line = think(engine, ONE_MOVE, Limit(depth=1, mate=3))[-1].line
    assert engine._search is not None
    stopped = []
    for number in (2, 1):
        engine.threads[0]._stop[0] = 0
        engine._search._report(Line(5, MATE - 1, line, number=number))
        stopped.append(engine.threads[0].is_stopped)
    assert stopped == [False, True]
