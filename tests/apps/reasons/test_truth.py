"""Each sentence is true: what it says of the board by python-chess, what it says of the outcome by Stockfish.

The errors are those that made Lichess's puzzles.
"""

import chess
import chess.engine
import pytest

import ox88
from ox88.apps.match.participant import find_program
from ox88.apps.puzzles import open_set
from ox88.apps.puzzles.puzzle import Puzzle
from tests.apps.reasons.claims import after, check
from tests.conftest import missing

NODES = 20_000
_MATE = 2000  # Centipawns that a mate counts as.


def some_puzzles(count: int) -> list[Puzzle]:
    puzzles = list(open_set.load())
    return puzzles[:: len(puzzles) // count][:count]


def explained(puzzle: Puzzle, nodes: int) -> tuple[chess.Board, chess.Move, ox88.Reason]:
    board, error = chess.Board(puzzle.fen), chess.Move.from_uci(puzzle.moves[0])
    return board, error, ox88.explain(board, error, nodes=nodes)


def test_what_is_said_of_the_board() -> None:
    said = 0
    for puzzle in some_puzzles(12):
        board, error, reason = explained(puzzle, 3000)
        if reason.text:
            check(board, error, reason)
            said += 1
    assert said > 4


@pytest.mark.slow
def test_the_moves_of_puzzles_are_named() -> None:
    """The sentence names the puzzle's move, or a mate, unless it says nothing."""
    named = said = 0
    for puzzle in some_puzzles(200):
        board, error, reason = explained(puzzle, NODES)
        if reason.text:
            check(board, error, reason)
            said += 1
            named += "mate" in reason.text or [move.uci() for move in reason.line[:2]] == list(puzzle.moves[:2])
    assert said >= 100
    assert named >= 0.9 * said


@pytest.mark.slow
def test_the_outcome_is_as_stockfish_sees_it() -> None:
    """A mate that is claimed is one, and a gain shows in the value of the position."""
    command = find_program("stockfish")
    if command is None:
        missing("Stockfish is not installed, so no reason is judged (Debian: apt-get install stockfish)")
    doubtful, said = [], 0
    with chess.engine.SimpleEngine.popen_uci(command) as stockfish:
        for puzzle in some_puzzles(100):
            board, error, reason = explained(puzzle, NODES)
            if reason.text:
                said += 1
                doubtful += [] if is_seen(stockfish, board, error, reason) else [(board.fen(), reason.text)]
    assert len(doubtful) <= 0.05 * said, doubtful


def is_seen(engine: chess.engine.SimpleEngine, board: chess.Board, error: chess.Move, reason: ox88.Reason) -> bool:
    """True if the line's value is better by enough than that of the position before an error, or of the error."""
    ahead = after(board, [error])
    is_allowed = reason.line[0] == error
    root = ahead if is_allowed else board
    proof = after(root, list(reason.line[is_allowed:][:1]))
    value, other = (value_of(engine, position, root.turn) for position in (proof, board if is_allowed else ahead))
    if reason.gain.startswith("mate"):
        return value >= _MATE - 50
    return value - other >= 50


def value_of(engine: chess.engine.SimpleEngine, board: chess.Board, side: chess.Color) -> int:
    info = engine.analyse(board, chess.engine.Limit(nodes=100_000))
    return info["score"].pov(side).score(mate_score=_MATE)
