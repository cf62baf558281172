"""The formulas, against what Lichess publishes of them and the values that its own tests expect."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.apps.analyse.accuracy import centipawn_loss, game_accuracy, move_accuracies, move_accuracy, swings
from ox88.apps.analyse.evaluation import Evaluation, winning_chances

INITIAL = 15  # Centipawns that Lichess gives the start position.


@pytest.mark.parametrize(
    ("centipawns", "percent"), [(0, 50.0), (100, 59.1), (-100, 40.9), (300, 75.1), (1000, 97.5), (9999, 97.5)]
)
def test_win_percent(centipawns: int, percent: float) -> None:
    assert Evaluation(centipawns).win_percent == pytest.approx(percent, abs=0.05)


@given(st.integers(-10_000, 10_000))
def test_chances_are_symmetric_and_rise(centipawns: int) -> None:
    assert winning_chances(centipawns) == pytest.approx(-winning_chances(-centipawns))
    assert -1 <= winning_chances(centipawns) <= winning_chances(centipawns + 1) <= 1


@pytest.mark.parametrize(("loss", "accuracy"), [(0, 100), (5, 81), (10, 65), (20, 41), (40, 16), (60, 5), (100, 0)])
def test_accuracy_of_a_move(loss: int, accuracy: int) -> None:
    """The points through which the curve was laid, plus one, within the curve's own distance from them."""
    assert move_accuracy(100, 100 - loss) == pytest.approx(accuracy, abs=1.5)
    assert move_accuracy(50, 60) == 100


@pytest.mark.parametrize(
    ("centipawns", "white", "black"),
    [
        ([15, 15], (100, 1), (100, 1)),
        ([-900, -900], (10, 5), (100, 1)),
        ([15, 900], (100, 1), (10, 5)),
        ([-900, 0], (10, 5), (10, 5)),
        ([15] * 20, (100, 1), (100, 1)),
        ([15] * 20 + [-900], (50, 5), (100, 1)),
        ([15] * 21 + [900], (100, 1), (50, 5)),
        ([-50, 15] * 5, (76, 8), (76, 8)),
        ([-50, 15] * 50, (76, 8), (76, 8)),
        ([-135, 15] * 50, (54, 8), (54, 8)),
        ([-435, 15] * 50, (20, 8), (20, 8)),
    ],
)
def test_accuracy_of_a_game(centipawns: list[int], white: tuple[int, int], black: tuple[int, int]) -> None:
    """The cases of lila's AccuracyPercentTest, value and tolerance."""
    chances = [Evaluation(value).win_percent for value in [INITIAL, *centipawns]]
    found = game_accuracy(chances, white_begins=True)
    assert found[0] == pytest.approx(white[0], abs=white[1])
    assert found[1] == pytest.approx(black[0], abs=black[1])


def test_who_has_not_moved_has_no_accuracy() -> None:
    assert game_accuracy([50], white_begins=True) == (None, None)
    assert game_accuracy([50, 50], white_begins=True) == (100, None)
    assert game_accuracy([50, 50], white_begins=False) == (None, 100)
    assert centipawn_loss([15], white_begins=True) == (None, None)


games = st.lists(st.integers(-1000, 1000), min_size=1, max_size=120)


@given(games, st.booleans())
def test_a_game_with_colours_reversed(centipawns: list[int], white_begins: bool) -> None:
    chances = [Evaluation(value).win_percent for value in centipawns]
    black, white = game_accuracy([100 - chance for chance in chances], not white_begins)
    assert game_accuracy(chances, white_begins) == pytest.approx((white, black))
    assert centipawn_loss([-value for value in centipawns], not white_begins) == tuple(
        reversed(centipawn_loss(centipawns, white_begins))
    )


@given(games)
def test_windows_as_lila_makes_them(centipawns: list[int]) -> None:
    """The first window repeated, and then one that slides: the plain way of AccuracyPercent.scala."""
    chances = [Evaluation(value).win_percent for value in centipawns]
    size = min(max((len(chances) - 1) // 10, 2), 8)
    windows = [chances[:size]] * (min(size, len(chances)) - 2)
    windows += [chances[start : start + size] for start in range(len(chances) - size + 1)]
    assert swings(chances) == [min(max(statistics.pstdev(window), 0.5), 12) for window in windows]


def test_moves_and_losses_belong_to_who_made_them() -> None:
    chances = [50.0, 30.0, 30.0, 10.0, 90.0]
    assert [accuracy == 100 for accuracy in move_accuracies(chances, white_begins=True)] == [False, True, False, False]
    assert [accuracy == 100 for accuracy in move_accuracies(chances, white_begins=False)] == [True, True, True, True]
    assert centipawn_loss([0, -100, 0, 0, 51], white_begins=True) == (50, 76)
    assert centipawn_loss([0, 100, 0, 0, -51], white_begins=False) == (76, 50)
