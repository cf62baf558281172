"""Games of the engine against itself: positions that are quiet, scores that are White's, and a run that is resumed."""

import contextlib
import dataclasses
from pathlib import Path

import chess
import numpy as np
import pytest
from click.testing import CliRunner

from ox88.apps.match.openings import Book
from ox88.bitboard.position import to_setup
from ox88.convert import to_chess_board
from tests.apps.inline import InlineWorkers
from tests.processes import end, python, wait_for_journal
from tests.tools.conftest import JOBS, NODES, make_job
from tools.datagen import __main__ as command
from tools.datagen import games
from tools.datagen.games import play_job
from tools.packing import Packed, unpack
from tools.positions import PositionFolder, read_positions
from tools.selfplay import LOSS, WIN

GAMES = JOBS * 8
COMMAND = ("-m", "tools.datagen", "--games", str(GAMES), "--nodes", str(NODES), "--concurrency", "1")


def boards(records: Packed) -> list[chess.Board]:
    return [to_chess_board(to_setup(position)) for position in unpack(records)]


def test_the_positions_are_legal_quiet_and_not_decided(played: Packed) -> None:
    assert len(played) > 20 * GAMES
    assert len({board.fen() for board in boards(played)}) > 0.9 * len(played)
    for board in boards(played[::5]):
        assert board.is_valid()
        assert not board.is_check()
        assert any(not board.is_capture(move) and not move.promotion for move in board.legal_moves)
    assert abs(played["score"]).max() <= games.KNOWN
    assert set(played["turn"]) == {0, 1}


def test_scores_and_results_are_white_s(played: Packed) -> None:
    ahead = played[abs(played["score"]) > 400]
    values = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
    for turn in (0, 1):
        some = ahead[ahead["turn"] == turn]
        balance = [
            sum(values[piece.piece_type] * (1 if piece.color else -1) for piece in board.piece_map().values())
            for board in boards(some)
        ]
        assert np.mean(np.sign(balance) == np.sign(some["score"])) > 0.8
        assert np.mean(some["result"] == np.where(some["score"] > 0, WIN, LOSS)) > 0.7


def test_a_job_is_the_same_again_and_no_other_one(played: Packed) -> None:
    again = play_job(make_job(0))
    assert np.array_equal(again, played[: len(again)])
    other = play_job(dataclasses.replace(make_job(0), seed=2))
    assert not np.array_equal(again, other)


def test_openings_are_the_start_position_and_the_books_alternately(tmp_path: Path) -> None:
    books = []
    for name in "ab":
        path = tmp_path / f"{name}.epd"
        path.write_text(f"{chess.STARTING_BOARD_FEN} {name.replace('a', 'w')} - - 0 1\n")
        books.append(Book(path, 1))
    assert [opening.fen.split()[1:2] for opening in command.openings_of(5, books)] == [[], ["w"], [], ["b"]] * 2
    assert {opening.fen for opening in command.openings_of(5, [])} == {""}


def test_the_command_of_joined_folders_names_those_of_each() -> None:
    settings = {"openings": ["a.pgn"], "nodes": 5, "random_plies": [6, 9], "seed": 1}
    joined = {
        "sources": [{"settings": settings, "jobs": 2}, {"settings": settings | {"seed": 2}, "jobs": 1}],
        "seed": 7,
    }
    assert command.command(joined, 3, Path("both")).split("; ") == [
        "python -m tools.datagen --openings a.pgn --games 16 --nodes 5 --random-plies 6 9 --seed 1 part-1",
        "python -m tools.datagen --openings a.pgn --games 8 --nodes 5 --random-plies 6 9 --seed 2 part-2",
        "python -m tools.positions part-1 part-2 -o both --seed 7",
    ]


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> InlineWorkers:
    inline = InlineWorkers(games.Job)
    monkeypatch.setattr(command, "make_workers", lambda *_: inline)
    return inline


def test_a_run_that_is_killed_or_stopped_goes_on(
    played: Packed, tmp_path: Path, workers: InlineWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "positions"
    with python(*COMMAND, path) as process:
        wait_for_journal(path / ".unfinished" / "done", process, 30_000)  # A job, and the tables of the journal.
        end(process, "SIGKILL")
    add = PositionFolder.add

    def interrupted(folder: PositionFolder, number: int, records: Packed) -> None:
        add(folder, number, records)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(PositionFolder, "add", interrupted)
        stopped = CliRunner().invoke(command.main, [*COMMAND[2:], str(path)])
    assert stopped.exit_code == 130
    assert "the same command resumes from there" in stopped.stderr
    workers.jobs.clear()
    finished = CliRunner().invoke(command.main, [*COMMAND[2:], str(path)])
    assert (finished.exit_code, finished.stderr) == (0, "")
    assert finished.stdout.startswith(f"{GAMES} of {GAMES} games, {len(played):,} positions, ")
    assert len(workers.jobs) < JOBS - 1
    assert np.array_equal(read_positions(path).records, played)
    assert [found.name for found in path.iterdir()] == ["part-00000.parquet"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--openings", "missing.pgn", "file"), "missing.pgn cannot be read"),
        (("nowhere/file",), "nowhere/file cannot be written"),
        (("--games", "0", "file"), "--games"),
        (("--random-plies", "9", "6", "file"), "--random-plies 9 6: the smaller comes first"),
        ((), "FOLDER"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    with contextlib.chdir(tmp_path):
        told = CliRunner().invoke(command.main, arguments)
    assert (told.exit_code, told.stdout) == (2, "")
    assert reason in told.stderr
    assert not list(tmp_path.iterdir())
