"""Syzygy tables at the root: which moves are kept, and what happens if tables are missing or damaged."""

import os
import struct
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import chess.syzygy
import pytest

from ox88.convert import from_chess_move
from ox88.engines.base import Clock, EngineError, Limit
from ox88.engines.modern import driver, tablebase
from ox88.engines.modern.driver import Modern
from ox88.engines.modern.parallel_search import RootMoves
from ox88.engines.modern.tablebase import SLOW_PROBE, CheckedTablebase, Tablebase
from ox88.setup import parse_fen
from ox88.types import format_uci

ROOKS = "7k/8/8/8/8/8/8/R3K3 w - - 5 40"
PAWN = "7k/8/4K3/4P3/8/8/8/8 w - - 5 40"
Probe = Callable[[chess.Board], int]


def drawn(_: chess.Board) -> int:
    return 0


class FakeTables:
    """Replaces python-chess's tables: of three pieces, with results set by the test."""

    wdl: dict[str, Any] = {"KRvK": None, "KPvK": None}  # noqa: RUF012  # As python-chess has it.
    probe_wdl: Probe
    probe_dtz: Probe

    def add_directory(self, _: str) -> int:
        return len(self.wdl)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Probe, Probe], Tablebase]:
    """Make a Tablebase from functions of the position after a move: result for its side to move, plies to zeroing."""

    def make(wdl: Probe, dtz: Probe = drawn) -> Tablebase:
        monkeypatch.setattr(FakeTables, "probe_wdl", staticmethod(wdl), raising=False)
        monkeypatch.setattr(FakeTables, "probe_dtz", staticmethod(dtz), raising=False)
        monkeypatch.setattr(tablebase, "CheckedTablebase", FakeTables)
        return Tablebase(str(tmp_path))

    return make


def moves_of(fen: str) -> list[int]:
    board = chess.Board(fen)
    return [from_chess_move(move, board) for move in board.legal_moves]


def every(fen: str) -> set[str]:
    return set(map(format_uci, moves_of(fen)))


def kept(tables: Tablebase, fen: str) -> tuple[set[str], int]:
    looked = tables.look_up(parse_fen(fen), moves_of(fen))
    return {format_uci(move) for move in looked.moves}, looked.hits


def last_move(board: chess.Board) -> str:
    return board.peek().uci()


@pytest.fixture
def engine_with(made: Any, tmp_path: Path) -> Callable[..., Modern]:
    """Make an engine at a position, with tables of two functions as `made` takes them."""

    def make(fen: str, wdl: Probe, dtz: Probe = drawn, **options: int) -> Modern:
        made(wdl, dtz)
        engine = Modern()
        engine.set_option("SyzygyPath", str(tmp_path))
        for name, value in options.items():
            engine.set_option(name, value)
        engine.set_position(parse_fen(fen))
        return engine

    return make


def test_moves_that_keep_the_win_and_make_the_most_progress(made: Any) -> None:
    tables = made(
        lambda board: -2 if last_move(board)[0] == "a" else 0,
        lambda board: -10 if last_move(board) in ("a1a7", "a1b1") else -20,
    )
    assert kept(tables, ROOKS) == ({"a1a7", "a1b1"}, len(every(ROOKS)))
    assert kept(made(drawn), ROOKS)[0] == every(ROOKS)


def test_a_lost_side_resists_as_long_as_it_can(made: Any) -> None:
    tables = made(lambda _: 2, lambda board: 30 if last_move(board) == "e1e2" else 12)
    assert kept(tables, ROOKS)[0] == {"e1e2"}


def test_a_pawn_s_move_or_mate_is_the_greatest_progress(made: Any) -> None:
    tables = made(lambda _: -2, lambda _: -1)
    assert kept(tables, "7k/8/8/4P3/4K3/8/8/8 w - - 5 40")[0] == {"e5e6"}
    assert kept(tables, "7k/8/6K1/8/8/8/8/R7 w - - 5 40")[0] == {"a1a8"}


RESULTS = {"a1a2": (-2, 9), "a1a3": (-2, 3), "a1a4": (-1, 40), "a1a5": (0, 0), "a1a6": (1, 7), "a1a7": (2, 4)}
ORDER = "a1a3", "a1a2", "a1a4", "a1a5", "a1a6"  # All others lose as a1a7 does.


def result(board: chess.Board) -> int:
    return RESULTS.get(last_move(board), (2, 4))[0]


def progress(board: chess.Board) -> int:
    return RESULTS.get(last_move(board), (2, 4))[1]


@pytest.mark.parametrize("wanted", [1, 2, 5, 6, 30])
def test_as_many_moves_as_are_wanted_are_ranked_by_result_and_progress(made: Any, wanted: int) -> None:
    moves = moves_of(ROOKS)
    looked = made(result, progress).look_up(parse_fen(ROOKS), moves, wanted=wanted)
    names = [format_uci(move) for move in looked.moves]
    assert names[:5] == list(ORDER[:wanted])
    assert len(names) == (wanted if wanted <= 5 else len(moves))
    ranks = [looked.ranks[move] for move in looked.moves]
    assert ranks[:5] == list(range(len(names)))[:5]
    assert set(ranks[5:]) <= {5}
    results = [looked.results[move] for move in looked.moves]
    assert results == [1, 1, 0, 0, 0, *[-1] * 20][: len(names)]


@pytest.mark.parametrize(("asked", "lines"), [((), 30), (("a1a7", "a1a5", "a1a2"), 3), (("a1a7", "a1a5"), 1)])
def test_no_line_vanishes_where_tables_rank_them(asked: tuple[str, ...], lines: int, engine_with: Any) -> None:
    engine = engine_with(ROOKS, result, progress, MultiPV=lines)
    moves = tuple(move for move in moves_of(ROOKS) if format_uci(move) in asked)
    infos = [info for info in engine.search(Limit(depth=4, moves=moves)) if info.depth == 4][:-1]
    expected = [name for name in ORDER if name in asked or not asked]
    shown = [format_uci(info.best_move) for info in infos]
    assert shown[: len(expected)] == expected[:lines]
    assert set(shown) == (set(asked) or every(ROOKS) if lines > 1 else set(expected[:1]))
    assert [info.multipv for info in infos] == list(range(1, len(shown) + 1))
    known = {"a1a2": "win", "a1a3": "win", "a1a4": "draw", "a1a5": "draw", "a1a6": "draw"}
    assert [str(info.score) for info in infos] == [f"tablebase {known.get(name, 'loss')}" for name in shown]


@pytest.mark.parametrize("nodes", [300, 1000, 3000])
def test_better_ranks_come_first_in_a_search_that_is_stopped(nodes: int, engine_with: Any) -> None:
    *infos, last = engine_with(ROOKS, result, progress, MultiPV=7).search(Limit(nodes=nodes))
    assert format_uci(last.best_move) == ORDER[0]
    depths = sorted({info.depth for info in infos})
    for depth in depths:
        shown = [format_uci(info.best_move) for info in infos if info.depth == depth]
        assert shown[:5] == list(ORDER[: len(shown)])
        assert len(set(shown)) == 7 or depth == depths[-1]
    final = {info.multipv: format_uci(info.best_move) for info in infos}
    assert [final[number] for number in range(1, 6)] == list(ORDER)
    assert len(set(final.values())) == 7


@pytest.mark.parametrize("fen", ["6nk/8/8/8/8/8/8/R3K3 w - - 5 40", "7k/8/8/8/8/8/8/R3K3 w Q - 5 40"])
def test_too_many_pieces_or_castling_are_not_looked_up(made: Any, fen: str) -> None:
    assert kept(made(lambda _: 1 // 0), fen) == (every(fen), 0)


@pytest.mark.parametrize(
    "error",
    [
        chess.syzygy.MissingTableError("KRvK"),
        OSError("bad magic"),
        struct.error("short"),
        IndexError,
        OverflowError,
        RecursionError,
    ],
)
def test_a_table_that_is_missing_or_damaged_is_done_without(made: Any, error: Exception) -> None:
    def raise_it(_: chess.Board) -> int:
        raise error

    assert kept(made(raise_it), ROOKS) == (every(ROOKS), 0)
    assert kept(made(lambda _: -2, raise_it), ROOKS) == (every(ROOKS), 0)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The moves that `slow` tables were asked for. Each question takes a hundredth of a second."""
    calls: list[str] = []
    clock = SimpleNamespace(perf_counter=lambda: 0.01 * len(calls))
    for module in (tablebase, driver):
        monkeypatch.setattr(module, "time", clock)
    return calls


def slow(answer: Probe, calls: list[str]) -> Probe:
    def probe(board: chess.Board) -> int:
        calls.append(last_move(board))
        return answer(board)

    return probe


@pytest.mark.parametrize(("seconds", "count"), [(0.025, 3), (-0.001, 0)])
def test_results_that_are_not_found_in_time(seconds: float, count: int, made: Any, calls: list[str]) -> None:
    looked = made(slow(lambda _: -2, calls)).look_up(parse_fen(ROOKS), moves_of(ROOKS), SLOW_PROBE + seconds)
    assert (looked, len(calls)) == (RootMoves(tuple(moves_of(ROOKS))), count)


def test_moves_whose_progress_is_not_found_in_time_keep_their_result(made: Any, calls: list[str]) -> None:
    """The fifty-move rule may take their wins. All moves are ranked, and moves of equal result alike."""
    moves = moves_of(ROOKS)
    looked = made(result, slow(progress, calls)).look_up(parse_fen(ROOKS), moves, SLOW_PROBE + 0.005, 30)
    names = {rank: {format_uci(move) for move in moves if looked.ranks[move] == rank} for rank in looked.ranks.values()}
    others = every(ROOKS) - {"a1a2", "a1a3", "a1a4", "a1a5", "a1a6"}
    assert names == {0: {"a1a2", "a1a3"}, 2: {"a1a4"}, 3: {"a1a5"}, 4: {"a1a6"}, 5: others}
    assert {format_uci(move): found for move, found in looked.results.items()} == dict.fromkeys(
        ("a1a4", "a1a5", "a1a6"), 0
    )
    assert (looked.hits, len(calls)) == (len(moves), 1)


def test_the_time_of_tables_is_that_of_the_move(engine_with: Any, calls: list[str]) -> None:
    engine = engine_with(ROOKS, slow(lambda _: -2, calls))
    list(engine.search(Limit(depth=1)))
    assert len(calls) == len(every(ROOKS))  # Without a clock all is looked up.
    calls.clear()
    list(engine.search(Limit(clock=Clock(0.2, 0.0))))
    assert len(calls) <= 4


def test_the_engine_searches_what_is_kept_and_tells_the_hits(engine_with: Any) -> None:
    engine = engine_with(ROOKS, lambda board: -2 if last_move(board) == "a1a2" else 0)
    last = list(engine.search(Limit(depth=4)))[-1]
    assert (format_uci(last.best_move), last.tablebase_hits) == ("a1a2", len(every(ROOKS)))
    engine.set_option("SyzygyPath", "<empty>")
    assert list(engine.search(Limit(depth=4)))[-1].tablebase_hits == 0


@pytest.mark.parametrize(
    ("result", "score", "outcomes"),
    [
        (-2, "tablebase win", (1000, 0, 0)),
        (0, "tablebase draw", (0, 1000, 0)),
        (2, "tablebase loss", (0, 0, 1000)),
        (-1, "tablebase draw", (0, 1000, 0)),  # Won, but not within fifty moves.
        (1, "tablebase draw", (0, 1000, 0)),
    ],
)
def test_what_the_tables_know_is_the_score(
    result: int, score: str, outcomes: tuple[int, int, int], engine_with: Any
) -> None:
    infos = list(engine_with(PAWN, lambda _: result, lambda _: 10).search(Limit(depth=3)))
    assert {str(info.score) for info in infos} == {score}
    assert {info.outcomes for info in infos} == {outcomes}
    assert all(abs(info.score.centipawns or 0) < 10_000 for info in infos)


@pytest.mark.parametrize(("clock", "is_promised"), [(3, True), (4, False)])
def test_a_win_that_may_come_too_late_is_not_promised(clock: int, is_promised: bool, engine_with: Any) -> None:
    """The move at the root counts too: the capture or pawn move must be the hundredth ply at the latest."""
    engine = engine_with(f"7k/8/8/8/8/8/8/R3K3 w - - {clock} 40", lambda _: -2, lambda _: -96)
    assert {bool(info.score.tablebase) for info in engine.search(Limit(depth=3))} == {is_promised}


@pytest.mark.parametrize(("result", "score"), [(-2, "#2"), (0, "tablebase draw")])
def test_a_mate_is_shown_rather_than_a_tablebase_win(result: int, score: str, engine_with: Any) -> None:
    """But not where the tables know a draw."""
    engine = engine_with("k7/8/2K5/8/8/8/8/7R w - - 5 40", lambda _: result, lambda _: -1)
    assert str(list(engine.search(Limit(depth=6)))[-1].score) == score


# --- Folders and files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("{0}/missing", "no folder '.*missing'"),
        ("{0}", "no Syzygy tables"),
        (os.pathsep.join(("{0}", "{0}/missing")), "no folder '.*missing'"),
        ("x" * 5000, "SyzygyPath: 'x+' "),
    ],
)
def test_a_wrong_path_is_refused(path: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=reason) as raised:
        Tablebase(path.format(tmp_path))
    assert isinstance(raised.value, FileNotFoundError) == ("folder" in reason)


def test_a_folder_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object, path: str) -> int:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(CheckedTablebase, "add_directory", refuse)
    with pytest.raises(EngineError, match="cannot be read: Permission denied; the tables stay as they are"):
        Tablebase(str(tmp_path))


def table(pieces: bytes, value: int = 4) -> bytes:
    """A table of results that is the same for all positions. pieces: as in the file, for both sides to move."""
    head = b"\x71\xe8\x23\x5d" + bytes((0, 0)) + pieces
    return (head + bytes(len(head) % 2) + bytes((0x80, value))).ljust(16 + 64, b"\0")


def test_a_table_of_one_result(tmp_path: Path) -> None:
    (tmp_path / "KRvK.rtbw").write_bytes(table(bytes((0x66, 0x44, 0xEE))))
    looked = CheckedTablebase()
    looked.add_directory(str(tmp_path))
    assert looked.probe_wdl(chess.Board(ROOKS)) == 2


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x71\xe8\x23\x5d",
        b"nonsense" * 10,
        b"\x71\xe8\x23\x5d" + bytes(12 + 64),
        table(bytes((0x66, 0x55, 0xEE))),  # A queen; there is none on the board, and python-chess looks for ever.
        table(bytes((0x66, 0x54, 0xEE))),  # For one side to move.
    ],
)
def test_a_damaged_file_is_no_hindrance(content: bytes, tmp_path: Path) -> None:
    for name in ("KRvK.rtbw", "KRvK.rtbz"):
        (tmp_path / name).write_bytes(content)
    engine = Modern()
    engine.set_option("SyzygyPath", str(tmp_path))
    engine.set_position(parse_fen(ROOKS))
    last = list(engine.search(Limit(depth=5)))[-1]
    assert last.line
    assert last.tablebase_hits == 0
