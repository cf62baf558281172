"""What people play in many positions, without a word on how good the ranker is."""

from typing import Any

import numpy as np
import pytest

import ox88
from ox88.batch.learning.human_policy import past_of
from tests.batch.samples import positions
from tests.bitboard.naive import random_game, to_int

ENDED = ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")


@pytest.fixture(scope="module")
def sample() -> ox88.Positions:
    return positions()[::40] + ox88.Positions.from_fens(ENDED)


def test_chances_are_those_of_the_legal_moves(sample: ox88.Positions) -> None:
    policy, legal = sample.human_policy(), sample.legal_moves()
    assert isinstance(policy, ox88.HumanPolicy)
    assert np.array_equal(policy.offsets, legal.offsets)
    assert policy.probabilities.dtype == np.float64
    assert policy.probabilities.shape == legal.moves.shape
    assert (policy.probabilities >= 0).all()
    assert np.allclose([chances.sum() for chances in policy], legal.counts > 0)
    assert not len(policy[-1])
    assert ox88.Positions().human_policy().probabilities.shape == (0,)


def test_neither_threads_nor_other_rows_change_a_row(sample: ox88.Positions) -> None:
    ratings = np.linspace(400, 2800, len(sample)).astype(int)
    policy = sample.human_policy(ratings, threads=1)
    assert sample.human_policy(ratings, threads=3) == policy
    assert sample[::-1].human_policy(ratings[::-1]) == policy[::-1]
    assert sample[[5]].human_policy(int(ratings[5])) == policy[[5]]
    assert sample[[5]].human_policy(2000) != sample[[5]].human_policy(1000)


def test_the_moves_before_are_read_as_they_were_played() -> None:
    for seed in range(6):
        played = list(random_game(seed))
        boards = [board for board, _ in played[1:]]
        lasts = [to_int(board, move) for board, move in played[:-1]]
        before = np.array([lasts, [0, *lasts[:-1]]], np.uint16).T
        some = ox88.Positions.from_boards(boards)
        past = past_of(some.records.view(np.recarray), before)
        assert past.last_moves.tolist() == lasts
        assert past.own_moves[1:].tolist() == lasts[:-1]
        captures = [board.is_capture(move) and not board.is_castling(move) for board, move in played[:-1]]
        assert past.last_captures.tolist() == captures
        assert some.human_policy(before=before) != some.human_policy()


def test_unknown_moves_are_as_none(sample: ox88.Positions) -> None:
    assert sample.human_policy(before=np.zeros((len(sample), 2), np.uint16)) == sample.human_policy()


@pytest.mark.parametrize(
    ("rating", "before", "error", "said"),
    [
        (399, None, ox88.Ox88Error, "rating is 399: 400 to 2800"),
        (2801, None, ox88.Ox88Error, "rating is 2801"),
        (1500.5, None, TypeError, "rating is 1500.5: a whole number"),
        ([1500.0, 1500.0], None, TypeError, "ratings of float64: whole numbers"),
        ([1500], None, ox88.Ox88Error, r"ratings of shape \(1,\): one for each position"),
        ([1500, 3000], None, ox88.RowError, "row 1: the rating is 3000: 400 to 2800"),
        (1500, [[0, 0]], ox88.Ox88Error, r"before of shape \(1, 2\): the opponent's last move"),
        (1500, [["e2e4", ""], ["", ""]], TypeError, "before of <U4: the opponent's last move"),
        (1500, [[0, 0], [-1, 0]], ox88.Ox88Error, "before has -1 to 0: the opponent's last move"),
        (
            1500,
            [[0, 0], [12 | 28 << 6, 0]],
            ox88.RowError,
            "row 1: e2e4 is not the move before: Black has no piece on",
        ),
        (1500, [[0, 0], [52 | 36 << 6, 0]], ox88.RowError, "row 1: e7e5 is not the move before"),
    ],
)
def test_errors(rating: Any, before: Any, error: type[Exception], said: str) -> None:
    some = ox88.Positions.from_fens([ox88.STARTPOS, ox88.STARTPOS])
    with pytest.raises(error, match=said):
        some.human_policy(rating, before=before)
