"""Static evaluation of many positions against the evaluation of one."""

import numpy as np
import pytest

import ox88
from ox88.bitboard.position import make_position
from ox88.engines.modern.evaluation.evaluate import explain
from tests.batch.samples import boards, positions


def test_as_the_engine_says_of_each() -> None:
    expected = [explain(make_position(setup))[0] for setup in positions()]
    whites = [value if board.turn else -value for value, board in zip(expected, boards(), strict=True)]
    for threads in (1, 2):
        found = positions().evaluate(view="mover", threads=threads)
        assert found.dtype == np.int16
        assert found.tolist() == expected
        assert positions().evaluate(threads=threads).tolist() == whites


def test_an_order_of_positions_changes_nothing() -> None:
    assert np.array_equal(positions()[::-1].evaluate(), positions().evaluate()[::-1])


def test_bad_input() -> None:
    assert positions()[:0].evaluate().tolist() == []
    with pytest.raises(ox88.Ox88Error, match="view 'black'"):
        positions().evaluate(view="black")  # type: ignore[arg-type]
