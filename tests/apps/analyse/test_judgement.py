"""Which moves are called bad: the rules of lila's Advice.scala, case by case."""

import pytest

from ox88.apps.analyse.evaluation import CEILING, Evaluation, evaluation
from ox88.apps.analyse.judgement import Judgement, judge
from ox88.engines.base import Score

INACCURACY, MISTAKE, BLUNDER = Judgement.INACCURACY, Judgement.MISTAKE, Judgement.BLUNDER


def cp(centipawns: int) -> Evaluation:
    return Evaluation(centipawns)


def mate(moves: int) -> Evaluation:
    return Evaluation(CEILING if moves > 0 else -CEILING, moves)


@pytest.mark.parametrize(
    ("before", "after", "judgement"),
    [
        (cp(0), cp(-54), None),  # Chances on the scale from -1 to 1: they fall by 0.099,
        (cp(0), cp(-55), INACCURACY),  # 0.101,
        (cp(0), cp(-110), INACCURACY),  # 0.1998,
        (cp(0), cp(-111), MISTAKE),  # 0.2015,
        (cp(0), cp(-168), MISTAKE),  # 0.2999,
        (cp(0), cp(-169), BLUNDER),  # 0.3015.
        (cp(900), cp(700), None),
        (cp(0), cp(300), None),
        (cp(0), mate(-3), BLUNDER),
        (cp(-700), mate(-3), BLUNDER),
        (cp(-701), mate(-3), MISTAKE),
        (cp(-999), mate(-3), MISTAKE),
        (cp(-1000), mate(-3), INACCURACY),
        (cp(0), mate(3), None),
        (mate(3), cp(700), BLUNDER),
        (mate(3), cp(701), MISTAKE),
        (mate(3), cp(1000), INACCURACY),
        (mate(3), mate(-3), BLUNDER),
        (mate(3), mate(9), None),
        (mate(-3), cp(-300), None),
        (mate(-3), mate(-1), None),
        (mate(1), Evaluation(CEILING, 0), None),
        (cp(600), Evaluation(CEILING, 0), None),
    ],
)
def test_judgements(before: Evaluation, after: Evaluation, judgement: Judgement | None) -> None:
    assert judge(before, after, white=True) == judgement
    assert judge(before.seen_by(False), after.seen_by(False), white=False) == judgement


def test_glyphs() -> None:
    assert [judgement.nag for judgement in (INACCURACY, MISTAKE, BLUNDER)] == [6, 2, 4]


@pytest.mark.parametrize(
    ("score", "white_to_move", "text", "win"),
    [
        (Score(centipawns=35), True, "0.35", 53.2),
        (Score(centipawns=35), False, "-0.35", 46.8),
        (Score(centipawns=0), False, "0.00", 50),
        (Score(mate=3), True, "#3", 97.5),
        (Score(mate=3), False, "#-3", 2.5),
        (Score(mate=-2), False, "#2", 97.5),
        (Score(mate=0), True, "#0", 2.5),
        (Score(mate=0), False, "#0", 97.5),
    ],
)
def test_evaluations_are_whites(score: Score, white_to_move: bool, text: str, win: float) -> None:
    found = evaluation(score, white_to_move)
    assert str(found) == text
    assert found.win_percent == pytest.approx(win, abs=0.05)
