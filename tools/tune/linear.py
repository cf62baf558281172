"""The evaluation of many positions as a linear function of its weights.

    value = middlegame share * (counts . middlegame weights) + endgame share * (counts . endgame weights) + the rest

This is exact except for the squares of king danger, the choice of a king's shelter and the scaling of endgames, which
are approximated near the present weights. All coefficients are found by evaluating with changed weights, so no part of
the evaluation is written a second time.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.bitboard.tables import board_tables
from ox88.cores import cores
from ox88.engines.modern.evaluation.evaluate import evaluate
from ox88.engines.modern.evaluation.records import HALF, fill_weights, make_evaluation, weight_tables
from ox88.jit import kernel
from ox88.types import BLACK
from tools.tune.source import Number, with_values

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
Tables = Mapping[str, Any]  # The names of weights.py and their values.

_SHARE_STEP: Final = 4096  # Centipawns; so large that rounding does not matter.
_UNIT_STEP: Final = 4  # Danger weights are changed by a quarter.


@dataclass(frozen=True, slots=True)
class Linear:
    """The values of n positions for White as a linear function, near some weights.

    values: float32[n], centipawns at those weights. shares: float32[2, n], of middlegame and endgame in the value.
    counts: int16[n, pairs], how often a pair counts. slopes: float32[n, units], centipawns for each unit of danger.
    columns: for each half of a pair (column of counts, half); for each danger weight (column of slopes, None).
    """

    values: Floats
    shares: Floats
    counts: NDArray[np.int16]
    slopes: Floats
    columns: tuple[tuple[int, int | None], ...]

    def features(self, rows: slice) -> Floats:
        """What raising each weight by one adds to the values of some positions: float32[rows, weights]."""
        found = np.empty((len(self.values[rows]), len(self.columns)), np.float32)
        for weight, (column, half) in enumerate(self.columns):
            if half is None:
                found[:, weight] = self.slopes[rows, column]
            else:
                np.multiply(self.counts[rows, column], self.shares[half, rows], out=found[:, weight])
        return found


def evaluate_all(positions: Any, tables: Tables) -> tuple[Integers, Integers]:
    """(values in centipawns, sums of the terms as packed scores) of POSITIONs for White: int64[n] each."""
    evaluation = make_evaluation()
    fill_weights(evaluation, weight_tables(tables))
    values, sums = np.empty(len(positions), np.int64), np.empty(len(positions), np.int64)
    _evaluate_all(positions, board_tables(), evaluation, values, sums)
    return values, sums


@kernel
def _evaluate_all(positions, tables, evaluation, values, sums):  # type: ignore[no-untyped-def]  # A kernel.
    for number in range(len(positions)):
        position = positions[number]
        value = evaluate(position, tables, evaluation)
        values[number] = -value if position.turn == BLACK else value
        white = evaluation.sides[0]
        black = evaluation.sides[1]
        total = np.int64(0)
        for term in range(len(white.terms)):
            total += white.terms[term] - black.terms[term]
        sums[number] = total


def linearise(positions: Any, tables: Tables, numbers: Sequence[Number]) -> Linear:
    """The values of POSITIONs as a linear function of some numbers, near their values in the tables."""
    pairs = list(dict.fromkeys((number.name, number.place[:-1]) for number in numbers if not number.is_unit))
    first_halves = {(n.name, n.place[:-1]): n for n in reversed(numbers) if not n.is_unit}
    units = [number for number in numbers if number.is_unit]
    values, _ = evaluate_all(positions, tables)
    shares = _shares(positions, tables)
    counts = _in_columns(_counter(positions, tables), [first_halves[pair] for pair in pairs], np.int16, len(positions))
    slopes = _in_columns(_sloper(positions, tables, shares), units, np.float32, len(positions))
    columns = tuple(
        (units.index(number), None)
        if number.is_unit
        else (pairs.index((number.name, number.place[:-1])), number.place[-1])
        for number in numbers
    )
    return Linear(values.astype(np.float32), shares, counts, slopes, columns)


def _in_columns(find: Callable[[Number], NDArray[Any]], numbers: Sequence[Number], kind: type, rows: int) -> Any:
    """An array with a column for each number, computed on all cores: kernels release the GIL."""
    found: NDArray[Any] = np.empty((rows, len(numbers)), kind, order="F")
    with ThreadPoolExecutor(cores()) as threads:
        for column, values in enumerate(threads.map(find, numbers)):
            found[:, column] = values
    return found


def _shares(positions: Any, tables: Tables) -> Floats:
    """Shares of middlegame and endgame in each value: float32[2, n], measured by changing the tempo."""
    signs = np.where(positions["turn"] == BLACK, -1, 1)
    values, sums = evaluate_all(positions, tables)
    middlegame, endgame = tables["TEMPO"]
    more_middlegame = evaluate_all(positions, {**tables, "TEMPO": (middlegame + _SHARE_STEP, endgame)})[0]
    more_endgame = evaluate_all(positions, {**tables, "TEMPO": (middlegame, endgame + _SHARE_STEP)})[0]
    less_endgame = evaluate_all(positions, {**tables, "TEMPO": (middlegame, endgame - _SHARE_STEP)})[0]
    # The endgame is scaled for the side that is ahead in it, so the change must not put the other side ahead.
    is_ahead = signs * _halves(sums)[1] + endgame > 0
    endgame_rise = np.where(is_ahead, more_endgame - values, values - less_endgame)
    return (np.stack((more_middlegame - values, endgame_rise)) * signs / _SHARE_STEP).astype(np.float32)


def _counter(positions: Any, tables: Tables) -> Callable[[Number], Integers]:
    """A function that returns how often a pair counts in each position, for White. It takes one half of the pair."""
    # The shelter also enters the danger, which must not enter its counts.
    calm = {**tables, "SHELTER_UNITS": 0}
    _, sums = evaluate_all(positions, calm)

    def count(number: Number) -> Integers:
        if number.name == "TEMPO":  # It is not among the terms.
            return np.where(positions["turn"] == BLACK, -1, 1)
        value = _value(calm, number)
        _, more = evaluate_all(positions, with_values([number], [value + 1], calm))
        return _halves(more - sums)[number.place[-1]]

    return count


def _sloper(positions: Any, tables: Tables, shares: Floats) -> Callable[[Number], Floats]:
    """A function that returns what one more unit of a danger weight adds to the value of each position, for White."""

    def slope(number: Number) -> Floats:
        value = _value(tables, number)
        step = max(1, abs(value) // _UNIT_STEP)
        _, more = evaluate_all(positions, with_values([number], [value + step], tables))
        _, less = evaluate_all(positions, with_values([number], [value - step], tables))
        rises = np.stack(_halves(more - less)) / (2 * step)
        return np.asarray((rises * shares).sum(axis=0), np.float32)

    return slope


def _value(tables: Tables, number: Number) -> int:
    row = tables[number.name]
    for index in number.place:
        row = row[index]
    return int(row)


def _halves(sums: Integers) -> tuple[Integers, Integers]:
    """(middlegame, endgame) halves of packed scores."""
    endgame = (sums + HALF) >> 32
    return sums - (endgame << 32), endgame
