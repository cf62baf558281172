"""The predicted rating, against Lichess's on puzzles that it was not fitted to: the open set is of the unseen half."""

import chess
import numpy as np
from numpy.typing import NDArray

from ox88.apps.puzzles import open_set
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.puzzles.rating import WEIGHTS, features, predict_rating
from ox88.motifs.find import find_motifs
from ox88.motifs.line import Line


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
