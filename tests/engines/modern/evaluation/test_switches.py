"""Groups of terms switched off: theirs are nothing then, and all others what they were."""

from typing import Any

import pytest

from ox88.bitboard.position import make_position
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.evaluation.evaluate import evaluate
from ox88.engines.modern.evaluation.records import SWITCHED, TERM_NAMES, make_evaluation, switch_off
from ox88.engines.modern.options import TERM_SWITCHES
from tests.bitboard.naive import to_setup
from tests.engines.modern.evaluation.samples import sample_boards

TERMS = {
    "use_piece_squares": "piece squares",
    "use_mobility": "mobility",
    "use_pieces": "pieces",
    "use_pawn_structure": "pawns",
    "use_passed_pawns": "passed pawns",
    "use_king_safety": "king safety",
    "use_threats": "threats",
}


def terms_of(position: Any, evaluation: Any) -> dict[str, list[int]]:
    evaluate(position, board_tables(), evaluation)
    return {name: [int(evaluation.sides[colour].terms[n]) for colour in (0, 1)] for n, name in enumerate(TERM_NAMES)}


@pytest.mark.parametrize("switch", SWITCHED)
def test_what_is_switched_off_is_nothing_and_the_rest_stays(switch: str) -> None:
    every, some = make_evaluation(), make_evaluation()
    switch_off(some, {switch})
    seen = False
    for board in sample_boards():
        position = make_position(to_setup(board))
        expected = terms_of(position, every)
        seen |= any(expected[TERMS[switch]])
        assert terms_of(position, some) == expected | {TERMS[switch]: [0, 0]}, board.fen()
    assert seen


def test_switched_on_again_all_is_as_it_was() -> None:
    evaluation = make_evaluation()
    before = evaluation.weights.copy()
    switch_off(evaluation, set(SWITCHED))
    assert evaluation.weights != before
    switch_off(evaluation, ())
    assert evaluation.weights == before


def test_each_group_has_an_option() -> None:
    assert [switch.name for switch in TERM_SWITCHES] == list(SWITCHED)
