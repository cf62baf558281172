"""Games that the engine played against itself, and their positions."""

import contextlib
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np
import pytest

import ox88
from ox88.apps.journal import Journal
from ox88.bitboard.position import to_setup
from ox88.convert import from_chess_move, to_chess_board
from tools.datagen.__main__ import openings_of
from tools.datagen.job import RULES, Job, play_job
from tools.games import GameFolder, Games, Positions, read_positions
from tools.packing import Packed, unpack

JOBS, NODES = 3, 60
SETTINGS: Final = {"openings": [], "nodes": NODES, "random_plies": [6, 9], "seed": 1, "rules": RULES}


def make_job(number: int) -> Job:
    """As the command makes it without a book."""
    return Job(number, openings_of(number, []), (6, 9), NODES, 1)


@pytest.fixture(scope="session")
def jobs_done() -> list[Games]:
    return [play_job(make_job(number)) for number in range(JOBS)]


Played = tuple[chess.Board, list[chess.Move], list[int], int]  # Start, moves, scores for White, White's half points.


def boards(records: Packed) -> list[chess.Board]:
    return [to_chess_board(to_setup(position)) for position in unpack(records)]


def as_games(played: Sequence[Played]) -> Games:
    lengths = [len(moves) for _, moves, _, _ in played]
    return Games(
        ox88.Positions.from_fens([board.fen() for board, *_ in played]).pack(),
        np.cumsum([0, *lengths]),
        np.array([move for board, moves, _, _ in played for move in _integers(board, moves)], np.uint16),
        np.array([score for _, _, scores, _ in played for score in scores], np.int16),
        np.array([result for *_, result in played], np.uint8),
    )


def _integers(start: chess.Board, moves: Sequence[chess.Move]) -> Iterator[int]:
    board = start.copy()
    for move in moves:
        yield from_chess_move(move, board)
        board.push(move)


def random_moves(chance: random.Random, most: int) -> Iterator[tuple[chess.Board, chess.Move]]:
    """A game of at most so many plies: each position, with the move played in it."""
    board = chess.Board()
    while len(board.move_stack) < most and not board.is_game_over():
        move = chance.choice(list(board.legal_moves))
        yield board.copy(stack=False), move
        board.push(move)


def fen_of(board: chess.Board) -> str:
    """Without the number of the move, which packed positions do not have."""
    return board.fen().rpartition(" ")[0]


def calm_positions(
    start: chess.Board, moves: Sequence[chess.Move], scores: Sequence[int], result: int, known: int
) -> Iterator[tuple[str, int, int]]:
    """(FEN, score, result) of the positions that are kept of a game, by python-chess. known: the largest score."""
    board = start.copy()
    for move, score in zip(moves, scores, strict=True):
        if abs(score) <= known and not board.is_check() and not board.is_capture(move) and not move.promotion:
            yield fen_of(board), score, result
        board.push(move)


def make_folder(path: Path, jobs: Sequence[Games], **settings: Any) -> None:
    """A folder of games as tools.datagen makes it."""
    folder = GameFolder(path, {**SETTINGS, **settings})
    for number, games in enumerate(jobs):
        folder.add(number, games)
    folder.finish()
    folder.close()


@pytest.fixture(scope="session")
def positions_played(jobs_done: list[Games], tmp_path_factory: pytest.TempPathFactory) -> Positions:
    path = tmp_path_factory.mktemp("played") / "games"
    make_folder(path, jobs_done)
    return read_positions(path)


@pytest.fixture(scope="session")
def played(positions_played: Positions) -> Packed:
    """The positions of all jobs."""
    return positions_played.records


@contextlib.contextmanager
def interrupted_after(results: int) -> Iterator[None]:
    """As by Ctrl-C, as soon as a journal has so many results."""
    add = Journal.add

    def add_and_stop(journal: Journal, key: bytes, result: bytes) -> None:
        add(journal, key, result)
        if len(journal) == results:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Journal, "add", add_and_stop)
        yield
