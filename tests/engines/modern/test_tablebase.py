"""Syzygy tables at the root: which moves are kept, and what happens if tables are missing or damaged."""

import os
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import chess.syzygy
import pytest

from ox88.convert import from_chess_move
from ox88.engines.base import Clock, EngineError, Limit, Score
from ox88.engines.modern import tablebase
from ox88.engines.modern.driver import Modern
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


def kept(tables: Tablebase, fen: str) -> tuple[set[str], int]:
    board = chess.Board(fen)
    moves = [from_chess_move(move, board) for move in board.legal_moves]
    looked = tables.look_up(parse_fen(fen), moves)
    return {format_uci(move) for move in looked.moves}, looked.hits


def every(fen: str) -> set[str]:
    return {move.uci() for move in chess.Board(fen).legal_moves}


def last_move(board: chess.Board) -> str:
    return board.peek().uci()


def test_moves_that_keep_the_win_and_make_the_most_progress(made: Any) -> None:
    tables = made(
        lambda board: -2 if last_move(board)[0] == "a" else 0,
        lambda board: -10 if last_move(board) in ("a1a7", "a1b1") else -20,
    )
    assert kept(tables, ROOKS) == ({"a1a7", "a1b1"}, len(every(ROOKS)))


def test_a_win_beats_a_cursed_win_beats_a_draw_beats_a_loss(made: Any) -> None:
    results = {"a1a2": -2, "a1a3": -1, "a1a4": 0, "a1a5": 1, "a1a6": 2}
    for best in results:
        worse = {move: result for move, result in results.items() if result >= results[best]}
        tables = made(lambda board, worse=worse: worse.get(last_move(board), 2), lambda _: 7)
        assert best in kept(tables, ROOKS)[0]
        assert not {move for move in results if results[move] > results[best]} & kept(tables, ROOKS)[0]


def test_a_lost_side_resists_as_long_as_it_can(made: Any) -> None:
    tables = made(lambda _: 2, lambda board: 30 if last_move(board) == "e1e2" else 12)
    assert kept(tables, ROOKS)[0] == {"e1e2"}


def test_a_pawn_s_move_or_mate_is_the_greatest_progress(made: Any) -> None:
    tables = made(lambda _: -2, lambda _: -1)
    assert kept(tables, "7k/8/8/4P3/4K3/8/8/8 w - - 5 40")[0] == {"e5e6"}
    assert kept(tables, "7k/8/6K1/8/8/8/8/R7 w - - 5 40")[0] == {"a1a8"}


RESULTS = {"a1a2": (-2, 9), "a1a3": (-2, 3), "a1a4": (-1, 40), "a1a5": (0, 0), "a1a6": (1, 7), "a1a7": (2, 4)}
ORDER = "a1a3", "a1a2", "a1a4", "a1a5", "a1a6"  # All others lose as a1a7 does.


def ranking(made: Any) -> Tablebase:
    return made(*((lambda board, i=i: RESULTS.get(last_move(board), (2, 4))[i]) for i in range(2)))  # type: ignore[no-any-return]


@pytest.mark.parametrize("wanted", [1, 2, 5, 6, 30])
def test_as_many_moves_as_are_wanted_are_ranked_by_result_and_progress(made: Any, wanted: int) -> None:
    board = chess.Board(ROOKS)
    moves = [from_chess_move(move, board) for move in board.legal_moves]
    looked = ranking(made).look_up(parse_fen(ROOKS), moves, wanted=wanted)
    names = [format_uci(move) for move in looked.moves]
    assert names[:5] == list(ORDER[:wanted])
    assert len(names) == (wanted if wanted <= 5 else len(moves))
    ranks = [looked.ranks[move] for move in looked.moves]
    assert ranks[:5] == list(range(len(names)))[:5]
    assert set(ranks[5:]) <= {5}
    results = [looked.results[move] for move in looked.moves]
    assert results == [1, 1, 0, 0, 0, *[-1] * 20][: len(names)]


def test_moves_that_are_ranked_too_late_keep_their_result(made: Any) -> None:
    board, calls = chess.Board(ROOKS), []  # type: ignore[var-annotated]
    moves = [from_chess_move(move, board) for move in board.legal_moves]
    tables = made(lambda board: RESULTS.get(last_move(board), (2, 4))[0], slow(lambda _: 5, calls))
    looked = tables.look_up(parse_fen(ROOKS), moves, SLOW_PROBE + 0.015, 30)
    assert sorted(looked.moves) == sorted(moves)
    assert {format_uci(move) for move in looked.moves[:2]} == {"a1a2", "a1a3"}
    assert format_uci(looked.moves[2]) == "a1a4"
    assert len(calls) < 5


@pytest.mark.parametrize(("asked", "lines"), [((), 30), (("a1a7", "a1a5", "a1a2"), 3), (("a1a7", "a1a5"), 1)])
def test_no_line_vanishes_where_tables_rank_them(asked: tuple[str, ...], lines: int, made: Any, tmp_path: Path) -> None:
    ranking(made)
    engine, board = Modern(), chess.Board(ROOKS)
    engine.set_option("SyzygyPath", str(tmp_path))
    engine.set_option("MultiPV", lines)
    engine.set_position(parse_fen(ROOKS))
    moves = tuple(from_chess_move(chess.Move.from_uci(name), board) for name in asked)
    infos = [info for info in engine.search(Limit(depth=4, moves=moves)) if info.depth == 4][:-1]
    expected = [name for name in ORDER if name in asked or not asked]
    shown = [format_uci(info.best_move) for info in infos]
    assert shown[: len(expected)] == expected[:lines]
    assert set(shown) == (set(asked) or every(ROOKS) if lines > 1 else set(expected[:1]))
    assert [info.multipv for info in infos] == list(range(1, len(shown) + 1))
    known = {"a1a2": "win", "a1a3": "win", "a1a4": "draw", "a1a5": "draw", "a1a6": "draw"}
    assert [str(info.score) for info in infos] == [f"tablebase {known.get(name, 'loss')}" for name in shown]


@pytest.mark.parametrize("nodes", [300, 1000, 3000])
def test_better_ranks_come_first_in_a_search_that_is_stopped(nodes: int, made: Any, tmp_path: Path) -> None:
    ranking(made)
    engine = Modern()
    engine.set_option("SyzygyPath", str(tmp_path))
    engine.set_option("MultiPV", 7)
    engine.set_position(parse_fen(ROOKS))
    *infos, last = engine.search(Limit(nodes=nodes))
    assert format_uci(last.best_move) == ORDER[0]
    depths = sorted({info.depth for info in infos})
    for depth in depths:
        shown = [format_uci(info.best_move) for info in infos if info.depth == depth]
        assert shown[:5] == list(ORDER[: len(shown)])
        assert len(set(shown)) == 7 or depth == depths[-1]
    final = {info.multipv: format_uci(info.best_move) for info in infos}
    assert [final[number] for number in range(1, 6)] == list(ORDER)
    assert len(set(final.values())) == 7


def test_all_draws_are_kept(made: Any) -> None:
    assert kept(made(drawn), ROOKS)[0] == every(ROOKS)


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


def slow(answer: Probe, calls: list[str]) -> Probe:
    """Takes a hundredth of a second each time. calls: gets the moves that were asked for."""

    def probe(board: chess.Board) -> int:
        calls.append(last_move(board))
        time.sleep(0.01)
        return answer(board)

    return probe


def test_what_is_not_found_in_time(made: Any) -> None:
    setup, moves = (
        parse_fen(ROOKS),
        [from_chess_move(move, chess.Board(ROOKS)) for move in chess.Board(ROOKS).legal_moves],
    )
    calls: list[str] = []
    looked = made(slow(lambda _: -2, calls)).look_up(setup, moves, SLOW_PROBE + 0.03)
    assert looked == (tuple(moves), 0, {}, {})
    assert 3 <= len(calls) <= 4
    calls = []
    tables = made(lambda board: -2 if last_move(board)[0] == "a" else 0, slow(lambda _: 7, calls))
    looked = tables.look_up(setup, moves, SLOW_PROBE + 0.03)
    assert {format_uci(move)[0] for move in looked.moves} == {"a"}
    assert (looked.hits, looked.results) == (len(moves), {})
    assert 3 <= len(calls) <= 4
    calls.clear()
    looked = made(slow(lambda _: -2, calls)).look_up(setup, moves, SLOW_PROBE - 0.001)  # Too little for one.
    assert (looked, calls) == ((tuple(moves), 0, {}, {}), [])


def test_the_time_of_tables_is_that_of_the_move(made: Any, tmp_path: Path) -> None:
    calls: list[str] = []
    made(slow(lambda _: -2, calls))
    engine = Modern()
    engine.set_option("SyzygyPath", str(tmp_path))
    engine.set_position(parse_fen(ROOKS))
    list(engine.search(Limit(depth=1)))  # Compiled, or loaded; without a clock all is looked up.
    assert len(calls) == len(every(ROOKS))
    calls.clear()
    started = time.perf_counter()
    list(engine.search(Limit(clock=Clock(0.2, 0.0))))
    assert len(calls) <= 4
    assert time.perf_counter() - started < 0.2


def test_the_engine_searches_what_is_kept_and_tells_the_hits(made: Any, tmp_path: Path) -> None:
    made(lambda board: -2 if last_move(board) == "a1a2" else 0)
    engine = Modern()
    engine.set_option("SyzygyPath", str(tmp_path))
    engine.set_position(parse_fen(ROOKS))
    last = list(engine.search(Limit(depth=4)))[-1]
    assert (format_uci(last.best_move), last.tablebase_hits) == ("a1a2", len(every(ROOKS)))
    engine.set_option("SyzygyPath", "<empty>")
    assert list(engine.search(Limit(depth=4)))[-1].tablebase_hits == 0


@pytest.mark.parametrize(
    ("result", "distance", "score", "outcomes"),
    [
        (-2, 10, "tablebase win", (1000, 0, 0)),
        (0, 10, "tablebase draw", (0, 1000, 0)),
        (2, 10, "tablebase loss", (0, 0, 1000)),
        (-1, 10, "tablebase draw", (0, 1000, 0)),  # Won, but not within fifty moves.
        (1, 10, "tablebase draw", (0, 1000, 0)),
    ],
)
def test_what_the_tables_know_is_the_score(
    result: int, distance: int, score: str, outcomes: tuple[int, int, int], made: Any, tmp_path: Path
) -> None:
    made(lambda _: result, lambda _: distance)
    engine = Modern()
    engine.set_option("SyzygyPath", str(tmp_path))
    engine.set_position(parse_fen(PAWN))
    infos = list(engine.search(Limit(depth=3)))
    assert {str(info.score) for info in infos} == {score}
    assert {info.outcomes for info in infos} == {outcomes}
    assert all(abs(info.score.centipawns or 0) < 10_000 for info in infos)


@pytest.mark.parametrize(("clock", "is_promised"), [(3, True), (4, False)])
def test_a_win_that_may_come_too_late_is_not_promised(clock: int, is_promised: bool, made: Any, tmp_path: Path) -> None:
    """The move at the root counts too: the capture or pawn move must be the hundredth ply at the latest."""
    made(lambda _: -2, lambda _: -96)
    engine = Modern()
    engine.set_option("SyzygyPath", str(tmp_path))
    engine.set_position(parse_fen(f"7k/8/8/8/8/8/8/R3K3 w - - {clock} 40"))
    assert {bool(info.score.tablebase) for info in engine.search(Limit(depth=3))} == {is_promised}


def test_a_mate_is_shown_rather_than_a_tablebase_win(made: Any, tmp_path: Path) -> None:
    made(lambda _: -2, lambda _: -1)
    engine = Modern()
    engine.set_option("SyzygyPath", str(tmp_path))
    engine.set_position(parse_fen("7k/8/6K1/8/8/8/8/R7 w - - 5 40"))
    assert list(engine.search(Limit(depth=3)))[-1].score == Score(mate=1)


# --- Folders and files ------------------------------------------------------------------------------------------------


def test_a_wrong_path_is_refused_and_the_engine_goes_on(tmp_path: Path) -> None:
    engine = Modern()
    missing = str(tmp_path / "missing")
    with pytest.raises(EngineError, match=r"no folder '.*missing'") as raised:
        engine.set_option("SyzygyPath", missing)
    assert isinstance(raised.value, FileNotFoundError)
    with pytest.raises(EngineError, match="no Syzygy tables"):
        engine.set_option("SyzygyPath", str(tmp_path))
    with pytest.raises(EngineError, match=r"no folder '.*missing'"):
        engine.set_option("SyzygyPath", os.pathsep.join((str(tmp_path), missing)))
    with pytest.raises(EngineError, match=r"SyzygyPath: 'x+' "):
        engine.set_option("SyzygyPath", "x" * 5000)
    assert list(engine.search(Limit(depth=3)))[-1].tablebase_hits == 0


def test_a_folder_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object, path: str) -> int:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(CheckedTablebase, "add_directory", refuse)
    with pytest.raises(EngineError, match="cannot be read: Permission denied; the tables stay as they are"):
        Modern().set_option("SyzygyPath", str(tmp_path))


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
