"""When games end: by the rules, and by adjudication."""

import chess
import pytest

from ox88.apps.match.referee import (
    LONGEST_GAME,
    NO_ADJUDICATION,
    Adjudication,
    Ending,
    by_agreement,
    by_rules,
    lost_by,
)


@pytest.mark.parametrize(
    ("fen", "result", "reason"),
    [
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "1-0", "checkmate"),
        ("4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1", "0-1", "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2", "stalemate"),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "1/2-1/2", "insufficient material"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 100 90", "1/2-1/2", "fifty-move rule"),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 90", "1-0", "checkmate"),
    ],
)
def test_ends_by_the_rules(fen: str, result: str, reason: str) -> None:
    assert by_rules(chess.Board(fen)) == Ending(result, reason)


@pytest.mark.parametrize(
    "fen", [chess.STARTING_FEN, "4k3/8/8/8/8/8/4P3/4K3 w - - 99 90", "4k3/8/8/8/8/8/8/2NNK3 w - - 0 1"]
)
def test_games_that_go_on(fen: str) -> None:
    assert by_rules(chess.Board(fen)) is None


def test_repetition_needs_no_claim() -> None:
    board = chess.Board()
    endings = []
    for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        board.push_uci(move)
        endings.append(by_rules(board))
    assert endings[:-1] == [None] * 7
    assert endings[-1] == Ending("1/2-1/2", "threefold repetition")


def test_an_endless_game_is_a_draw() -> None:
    board = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    board.move_stack = [chess.Move.null()] * (2 * LONGEST_GAME - 1)
    assert by_rules(board) is None
    board.move_stack.append(chess.Move.null())
    assert by_rules(board) == Ending("1/2-1/2", "500 moves")


def test_losing_by_a_fault() -> None:
    assert lost_by(chess.WHITE, "why", chess.Board()) == Ending("0-1", "why", chess.WHITE)
    assert lost_by(chess.BLACK, "why", chess.Board()) == Ending("1-0", "why", chess.BLACK)


def test_nobody_loses_to_a_bare_king() -> None:
    board = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert lost_by(chess.WHITE, "late", board) == Ending("1/2-1/2", "late; the other side cannot mate", chess.WHITE)
    assert lost_by(chess.BLACK, "late", board) == Ending("1-0", "late", chess.BLACK)


RULES = Adjudication(draw_move=40, draw_plies=4, draw_score=8, win_plies=3, win_score=900)
EARLY = chess.Board()
LATE = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 41")
DRAW = Ending("1/2-1/2", "adjudication: a draw by the scores")
WHITE_WINS = Ending("1-0", "adjudication: a win by the scores")
BLACK_WINS = Ending("0-1", "adjudication: a win by the scores")


@pytest.mark.parametrize(
    ("board", "scores", "expected"),
    [
        (LATE, [99, 8, -8, 0, 3], DRAW),
        (EARLY, [99, 8, -8, 0, 3], None),
        (LATE, [8, -8, 0], None),
        (LATE, [9, -8, 0, 3], None),
        (LATE, [-9, -8, 0, 3], None),
        (LATE, [0, 0, None, 0, 0], None),
        (LATE, [None, 0, 0, 0, 0], DRAW),
        (EARLY, [0, 900, 901, 100_000], WHITE_WINS),
        (EARLY, [899, 900, 900], None),
        (EARLY, [900, 900, None], None),
        (EARLY, [-900, -950, -900], BLACK_WINS),
        (EARLY, [-900, -950, 900], None),
        (EARLY, [900, 900], None),
        (EARLY, [], None),
    ],
)
def test_adjudication(board: chess.Board, scores: list[int | None], expected: Ending | None) -> None:
    assert by_agreement(board, scores, RULES) == expected


def test_the_draw_rule_begins_after_its_move() -> None:
    board = chess.Board("4k3/8/8/8/8/8/4P3/4K3 b - - 0 40")
    assert by_agreement(board, [0] * 4, RULES) is None
    board.push_uci("e8e7")
    assert by_agreement(board, [0] * 4, RULES) == DRAW


@pytest.mark.parametrize("scores", [[0] * 20, [5000] * 20])
def test_no_adjudication(scores: list[int | None]) -> None:
    assert by_agreement(LATE, scores, NO_ADJUDICATION) is None
