"""The formulas and rules, against what Lichess publishes of them and the values in lila's own tests."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.apps.analyse.accuracy import (
    CEILING,
    Assessment,
    Evaluation,
    assess,
    judge,
    move_accuracy,
    swings,
)
from ox88.engines.base import Score

INITIAL = 15  # Centipawns that Lichess gives the start position.


def assessed(centipawns: list[int], white_begins: bool = True) -> Assessment:
    """The assessment of a game in which no move is the engine's choice."""
    return assess([Evaluation(value) for value in centipawns], [False] * (len(centipawns) - 1), white_begins)


def mate(moves: int) -> Evaluation:
    return Evaluation(CEILING if moves > 0 else -CEILING, moves)


@pytest.mark.parametrize(
    ("score", "white_to_move", "evaluation", "win"),
    [
        (Score(centipawns=0), True, Evaluation(0), 50.0),
        (Score(centipawns=100), True, Evaluation(100), 59.1),
        (Score(centipawns=-9999), False, Evaluation(9999), 97.5),
        (Score(centipawns=35), True, Evaluation(35), 53.2),
        (Score(centipawns=35), False, Evaluation(-35), 46.8),
        (Score(mate=3), True, Evaluation(1000, 3), 97.5),
        (Score(mate=3), False, Evaluation(-1000, -3), 2.5),
        (Score(mate=-2), False, Evaluation(1000, 2), 97.5),
        (Score(mate=0), True, Evaluation(-1000, 0), 2.5),
        (Score(mate=0), False, Evaluation(1000, 0), 97.5),
    ],
)
def test_evaluations_are_whites(score: Score, white_to_move: bool, evaluation: Evaluation, win: float) -> None:
    found = Evaluation.from_score(score, white_to_move)
    assert found == evaluation
    assert found.win_percent == pytest.approx(win, abs=0.05)


@pytest.mark.parametrize(("loss", "accuracy"), [(0, 100), (5, 81), (10, 65), (20, 41), (40, 16), (60, 5), (100, 0)])
def test_accuracy_of_a_move(loss: int, accuracy: int) -> None:
    """Lichess fitted the curve to these points, less one: it passes them at a distance of up to 1.5."""
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
    found = assessed([INITIAL, *centipawns])
    assert found.white["accuracy"] == pytest.approx(white[0], abs=white[1])
    assert found.black["accuracy"] == pytest.approx(black[0], abs=black[1])


def test_a_player_without_a_move_has_no_accuracy() -> None:
    for centipawns, white_begins, accuracies in (
        ([0], True, (None, None)),
        ([0, 0], True, (100, None)),
        ([0, 0], False, (None, 100)),
    ):
        found = assessed(centipawns, white_begins)
        assert (found.white["accuracy"], found.black["accuracy"]) == accuracies
    assert (found.white["acpl"], found.black["acpl"]) == (None, 0)


games = st.lists(st.integers(-1200, 1200), min_size=1, max_size=120)


@given(games, st.booleans())
def test_a_game_with_colours_reversed(centipawns: list[int], white_begins: bool) -> None:
    found, reverse = assessed(centipawns, white_begins), assessed([-value for value in centipawns], not white_begins)
    for player, twin in ((found.white, reverse.black), (found.black, reverse.white)):
        assert player == twin | {"accuracy": pytest.approx(twin["accuracy"], abs=0.011)}


@given(games)
def test_windows_as_lila_makes_them(centipawns: list[int]) -> None:
    """The first window repeated, and then one that slides: as AccuracyPercent.scala does it."""
    chances = [Evaluation(value).win_percent for value in centipawns]
    size = min(max((len(chances) - 1) // 10, 2), 8)
    windows = [chances[:size]] * (min(size, len(chances)) - 2)
    windows += [chances[start : start + size] for start in range(len(chances) - size + 1)]
    assert swings(chances) == [min(max(statistics.pstdev(window), 0.5), 12) for window in windows]


def test_moves_and_losses_belong_to_the_player_who_made_them() -> None:
    centipawns = [0, -200, -200, -600, 600]
    assert [accuracy == 100 for accuracy in assessed(centipawns).accuracies] == [False, True, False, False]
    assert [accuracy == 100 for accuracy in assessed(centipawns, white_begins=False).accuracies] == [True] * 4
    found = assessed([0, -100, 0, 0, 51])
    assert (found.white["acpl"], found.black["acpl"]) == (50, 76)
    found = assessed([0, 300, 0, 0], white_begins=False)
    assert (found.white["acpl"], found.black["acpl"]) == (300, 150)
    assert found.judgements == ["blunder", "blunder", None]
    assert (found.white["blunders"], found.black["blunders"]) == (1, 1)
    found = assessed([0, *[-600, 600] * 3])
    assert (found.white["blunders"], found.black["blunders"]) == (3, 3)


def test_the_engines_own_choice_is_never_an_error() -> None:
    found = assess([Evaluation(0), Evaluation(-500), Evaluation(500)], [False, True], white_begins=True)
    assert found.judgements == ["blunder", None]
    assert found.accuracies[1] < 10
    assert (found.white["blunders"], found.black["blunders"]) == (1, 0)


@pytest.mark.parametrize(
    ("before", "after", "judgement"),
    [
        (0, -54, None),  # Chances on the scale from -1 to 1: they fall by 0.099,
        (0, -55, "inaccuracy"),  # 0.101,
        (0, -110, "inaccuracy"),  # 0.1998,
        (0, -111, "mistake"),  # 0.2015,
        (0, -168, "mistake"),  # 0.2999,
        (0, -169, "blunder"),  # 0.3015.
        (900, 700, None),
        (0, 300, None),
        (0, mate(-3), "blunder"),
        (-700, mate(-3), "blunder"),
        (-701, mate(-3), "mistake"),
        (-999, mate(-3), "mistake"),
        (-1000, mate(-3), "inaccuracy"),
        (0, mate(3), None),
        (mate(3), 700, "blunder"),
        (mate(3), 701, "mistake"),
        (mate(3), 1000, "inaccuracy"),
        (mate(3), mate(-3), "blunder"),
        (mate(3), mate(9), None),
        (mate(-3), -300, None),
        (mate(-3), mate(-1), None),
        (mate(1), Evaluation(CEILING, 0), None),
        (600, Evaluation(CEILING, 0), None),
    ],
)
def test_judgements(before: int | Evaluation, after: int | Evaluation, judgement: str | None) -> None:
    """The rules of lila's Advice.scala, case by case."""
    first, second = (Evaluation(value) if isinstance(value, int) else value for value in (before, after))
    assert judge(first, second) == judgement
