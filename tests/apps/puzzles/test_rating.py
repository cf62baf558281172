"""The predicted rating, against Lichess's on puzzles that it was not fitted to: the open set is of the unseen half."""

import math

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from ox88.apps.puzzles import open_set
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.puzzles.rating import WEIGHTS, features, predict_rating
from ox88.motifs.find import find_motifs
from ox88.motifs.line import Line
from tests.motifs.lines import read_line


def predicted(puzzle: Puzzle) -> int:
    line = Line(puzzle.board(), puzzle.solution)
    return predict_rating(line, {motif.theme for motif in find_motifs(line)})


def ranks(values: list[int]) -> NDArray[np.intp]:
    return np.argsort(np.argsort(values, kind="stable"), kind="stable")


def test_hard_puzzles_are_rated_higher() -> None:
    some = list(open_set.load()[np.arange(0, 10_000, 40)])
    ratings = [predicted(puzzle) for puzzle in some]
    correlation = np.corrcoef(ranks(ratings), ranks([puzzle.rating for puzzle in some]))[0, 1]
    assert correlation > 0.6
    assert all(400 <= rating <= 3000 for rating in ratings)
    errors = [abs(rating - puzzle.rating) for rating, puzzle in zip(ratings, some, strict=True)]
    assert np.median(errors) < 400


def test_features_are_those_that_have_weights() -> None:
    rows = [row.rpartition(",")[0] for row in WEIGHTS.read_text().splitlines()[1:]]
    board = chess.Board("r5k1/5ppp/8/3q4/8/2N5/1P3PPP/R5K1 w - - 0 1")
    found = features(Line(board, [chess.Move.from_uci("c3d5")]), {"hangingPiece"})
    assert {name for name in rows if name.split()[0] not in ("theme", "moves", "piece", "captured")} == found.keys() - {
        "theme hangingPiece", "moves 1", "piece 2", "captured 5",
    }  # fmt: skip
    expected = {"captures": 1, "gain": 9, "balance": -5, "other captures": 1, "best bait": 0, "other checks": 1}
    assert {name: found[name] for name in expected} == expected


# Counts, of which the feature is the logarithm, have names in brackets.
@pytest.mark.parametrize(
    ("fen", "moves", "expected"),
    [
        (
            "3r2k1/5ppp/8/8/3q4/8/5PPP/3QR1K1 w - - 0 1", "Re8+ Rxe8 Qxd4",
            {
                "moves 2": 1, "piece 4": 1, "captures": 1 / 2, "sacrifice": 5, "gain": 4, "[legal moves]": 27,
                "[replies]": 1 + 1, "[other captures]": 1 + 1,
            },
        ),
        (
            "6k1/1b4pp/8/8/8/8/r5PP/1B5K w - - 0 1", "Bxa2+ Kf8 Kg1 Bc6 Kf2",
            {
                "moves 3": 1, "piece 3": 1, "captured 4": 1, "captures": 1 / 3, "quiet later": 2, "king moves": 2,
                "gain": 5, "balance": -5, "[legal moves]": 10, "[replies]": 1 + (3 + 14) / 2, "[other checks]": 1 + 1,
                "[other captures]": 1 + 1, "best bait": 1 - 3,
            },
        ),
        (
            "k7/8/8/8/8/8/8/r6K w - - 0 1", "Kg2",
            {
                "moves 1": 1, "piece 6": 1, "quiet first": 1, "king moves": 1, "balance": -5, "in check": 1,
                "[legal moves]": 2,
            },
        ),
        (
            "k7/8/8/8/8/p7/1P5R/6K1 w - - 0 1", "b4",
            {
                "moves 1": 1, "piece 1": 1, "quiet first": 1, "balance": 5, "[legal moves]": 19,
                "[other checks]": 1 + 1, "[other captures]": 1 + 1, "best bait": 1,
            },
        ),
    ],
)  # fmt: skip
def test_features_of_lines(fen: str, moves: str, expected: dict[str, float]) -> None:
    wanted = {name.strip("[]"): math.log2(value) if name.startswith("[") else value for name, value in expected.items()}
    found = features(read_line(fen, moves), ())
    assert {name: value for name, value in found.items() if value} == pytest.approx({"constant": 1} | wanted)
