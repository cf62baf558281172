"""Games of the engine against itself: positions that are quiet, scores that are White's, and a run that is resumed."""

import contextlib
import dataclasses
import signal
from pathlib import Path

import chess
import numpy as np
import pytest
from click.testing import CliRunner

from ox88.apps.match.openings import OpeningFile
from ox88.convert import from_chess_board, to_chess_board
from ox88.engines.modern.driver import PositionHistory
from ox88.engines.modern.network.file import write_network
from ox88.types import format_uci
from tests.apps.inline import InlineWorkers
from tests.engines.modern.network.naive import random_network
from tests.processes import PATIENCE, python
from tests.tools import naive
from tests.tools.conftest import JOBS, NODES, boards, calm_positions, fen_of, make_folder, make_job
from tools.datagen import __main__ as command
from tools.datagen import job as job_module
from tools.datagen.job import play_job
from tools.games import GameFolder, Games, read_positions
from tools.packing import Packed
from tools.playing import LOSS, WIN
from tools.selfplay import HARD_FACTOR, Player, rules_of

GAMES = JOBS * job_module.GAMES_A_JOB
HANDCRAFTED = ("--evaluation", "handcrafted")
COMMAND = ("-m", "tools.datagen", "--games", str(GAMES), "--nodes", str(NODES), "--concurrency", "1", *HANDCRAFTED)


def test_the_positions_are_legal_quiet_and_not_decided(played: Packed) -> None:
    assert len(played) > 20 * GAMES
    assert len({board.fen() for board in boards(played)}) > 0.9 * len(played)
    for board in boards(played[::5]):
        assert board.is_valid()
        assert not board.is_check()
        assert any(not board.is_capture(move) and not move.promotion for move in board.legal_moves)
    assert abs(played["score"]).max() <= job_module.KNOWN
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


def test_a_job_is_the_same_again_and_no_other_one(jobs_done: list[Games]) -> None:
    assert same(play_job(make_job(0)), jobs_done[0])
    assert not same(play_job(dataclasses.replace(make_job(0), seed=2)), jobs_done[0])


def same(one: Games, other: Games) -> bool:
    return all(map(np.array_equal, one, other))


def test_openings_are_the_start_position_and_the_books_alternately(tmp_path: Path) -> None:
    books = []
    for name in "ab":
        path = tmp_path / f"{name}.epd"
        path.write_text(f"{chess.STARTING_BOARD_FEN} {name.replace('a', 'w')} - - 0 1\n")
        books.append(OpeningFile(path, 1))
    assert [opening.fen.split()[1:2] for opening in command.openings_of(5, books)] == [[], ["w"], [], ["b"]] * 8
    assert {opening.fen for opening in command.openings_of(5, [])} == {""}
    of_books = command.openings_of(5, books, only_openings=True)
    assert [opening.fen.split()[1] for opening in of_books] == ["w", "b"] * 16


def test_the_command_of_joined_folders_names_those_of_each() -> None:
    settings = {"openings": ["a.pgn"], "nodes": 5, "random_plies": [6, 9], "seed": 1}
    other = settings | {"seed": 2, "network": "0123456789abcdef"}
    third = {"only_openings": True, **settings}
    joined = {
        "sources": [{"settings": each, "jobs": jobs} for each, jobs in ((settings, 2), (other, 1), (third, 1))],
        "seed": 7,
    }
    begin, plan = "python -m tools.datagen --openings a.pgn", "--nodes 5 --random-plies 6 9"
    assert command.command(joined, 3, Path("both")).split("; ") == [
        f"{begin} --games 64 {plan} --seed 1 --evaluation handcrafted part-1",
        f"{begin} --games 32 {plan} --seed 2 --evaluation 01234567.npz part-2",
        f"{begin} --only-openings --games 32 {plan} --seed 1 --evaluation handcrafted part-3",
        "python -m tools.games part-1 part-2 part-3 -o both --seed 7",
    ]


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> InlineWorkers:
    inline = InlineWorkers(job_module.Job)
    monkeypatch.setattr(command, "make_workers", lambda *_: inline)
    return inline


# The command, which is killed as soon as the journal has the first job.
KILLED = """
import os, signal
from tools.datagen.__main__ import main
from tools.games import GameFolder

def killed(*arguments):
    add(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)

add, GameFolder.add = GameFolder.add, killed
main()
"""


@pytest.mark.posix("signals")
def test_a_run_that_is_killed_or_stopped_goes_on(
    played: Packed,
    jobs_done: list[Games],
    tmp_path: Path,
    workers: InlineWorkers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "games"
    with python("-c", KILLED, *COMMAND[2:], path) as process:
        assert process.wait(PATIENCE) == -signal.SIGKILL
    add = GameFolder.add

    def interrupted(folder: GameFolder, number: int, done: Games) -> None:
        add(folder, number, done)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(GameFolder, "add", interrupted)
        stopped = CliRunner().invoke(command.main, [*COMMAND[2:], str(path)])
    assert stopped.exit_code == 130
    assert "the same command resumes from there" in stopped.stderr
    workers.jobs.clear()
    finished = CliRunner().invoke(command.main, [*COMMAND[2:], str(path)])
    assert finished.exit_code == 0
    assert finished.stderr == f"resuming after {GAMES - len(workers.jobs) * GAMES // JOBS} games\n"
    assert finished.stdout.startswith(f"{GAMES} of {GAMES} games, {sum(len(job.moves) for job in jobs_done):,} moves, ")
    assert len(workers.jobs) < JOBS - 1
    assert np.array_equal(read_positions(path).records, played)
    assert [found.name for found in path.iterdir()] == ["part-00000.parquet"]


def test_a_full_disk_and_a_torn_part(
    played: Packed, tmp_path: Path, workers: InlineWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "positions"

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("ox88.apps.dataset.parts.os.fsync", fail)
        told = CliRunner().invoke(command.main, [*COMMAND[2:], str(path)])
    assert told.exit_code != 0
    assert f"{path} cannot be written: No space left on device" in told.stderr
    workers.jobs.clear()
    told = CliRunner().invoke(command.main, [*COMMAND[2:], str(path)])
    resumed = f"resuming after {GAMES} games\n"  # All were in the journal.
    assert (told.exit_code, told.stderr, workers.jobs) == (0, resumed, [])
    assert np.array_equal(read_positions(path).records, played)

    part = path / "part-00000.parquet"
    part.write_bytes(part.read_bytes()[:-100])
    told = CliRunner().invoke(command.main, [*COMMAND[2:], str(path)])
    assert told.exit_code != 0
    assert "part-00000.parquet is not part of a data set that ox88 has made" in told.stderr
    assert workers.jobs == []


def test_the_evaluation_plays_and_is_named(tmp_path: Path, workers: InlineWorkers) -> None:
    """A folder has the positions of one evaluation. A folder from before there were networks can go on."""
    network, arguments = random_network(), ["--games", "8", "--nodes", "20", str(tmp_path / "positions")]
    file = tmp_path / "network.npz"
    write_network(file, network)
    run = CliRunner().invoke(command.main, [*HANDCRAFTED, *arguments])
    assert run.exit_code == 0, run.stderr
    by_hand = read_positions(tmp_path / "positions")
    assert set(by_hand.settings) == {"openings", "identities", "nodes", "random_plies", "seed", "rules"}
    refused = CliRunner().invoke(command.main, ["--evaluation", str(file), *arguments])
    assert (refused.exit_code, "network" in refused.stderr) == (2, True)

    arguments[-1] = str(tmp_path / "others")
    run = CliRunner().invoke(command.main, ["--evaluation", str(file), *arguments])
    assert run.exit_code == 0, run.stderr
    others = read_positions(tmp_path / "others")
    assert others.settings == {**by_hand.settings, "network": network.checksum}
    assert not np.array_equal(others.records["score"][:100], by_hand.records["score"][:100])
    assert [job.evaluation.checksum for job in workers.jobs] == ["", network.checksum]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--evaluation", "missing.npz", "file"), "missing.npz: No such file or directory"),
        (("--openings", "missing.pgn", "file"), "'missing.pgn' cannot be opened: No such file or directory"),
        (("nowhere/file",), "nowhere/file cannot be written"),
        (("--games", "0", "file"), "--games"),
        (("--random-plies", "9", "6", "file"), "--random-plies 9 6: the smaller comes first"),
        (("--only-openings", "file"), "--only-openings: there are none; name a file with --openings"),
        ((), "FOLDER"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    with contextlib.chdir(tmp_path):
        told = CliRunner().invoke(command.main, arguments)
    assert (told.exit_code, told.stdout) == (2, "")
    assert reason in told.stderr
    assert not list(tmp_path.iterdir())


def naive_job(job: job_module.Job) -> list[tuple[str, int, int]]:
    """(FEN, score for White, result) of the positions of a job: the games once more, a move at a time in Python."""
    rules = rules_of(job_module.LATE, job.nodes, job.nodes * HARD_FACTOR)
    search = naive.search_of(Player(job.evaluation, job_module.HASH), rules)
    found: list[tuple[str, int, int]] = []
    for opening, attempts in zip(job.openings, job_module.dice_of(job), strict=True):
        for dice in attempts.tolist():
            game = PositionHistory()
            game.set_position(from_chess_board(opening.board()))
            for number in dice[1 : dice[0] + 1]:
                if moves := game.legal_moves():
                    game.push(moves[number % len(moves)])
            game.keys.clear()
            board = to_chess_board(game.setup)
            if naive.ending(board, [], job_module.LATE) is None and abs(search(game)[0]) <= job_module.BALANCED:
                result, numbers, scores = naive.play(game, search, search, job_module.LATE)
                start = board.copy()
                played = [board.push_uci(format_uci(number)) for number in numbers]
                found += calm_positions(start, played, scores, result, job_module.KNOWN)
                break
    return found


def test_the_kernel_plays_as_the_naive_twin_does(tmp_path: Path) -> None:
    job = dataclasses.replace(make_job(1), openings=make_job(1).openings[:6], nodes=20)
    make_folder(tmp_path, [play_job(job)])
    records = read_positions(tmp_path).records
    rows = zip(map(fen_of, boards(records)), records["score"].tolist(), records["result"].tolist(), strict=True)
    assert list(rows) == naive_job(job)
    assert len(set(records["result"].tolist())) > 1
