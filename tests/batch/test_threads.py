"""Neither the number of threads nor the cuts between chunks change a result, and each result has its type."""

import functools
from typing import Any

import numpy as np
import pytest

import ox88
from tests.batch.samples import positions
from tests.engines.modern.network import naive

ROWS = 20_000  # More than two chunks of any method.


@functools.cache
def many() -> ox88.Positions:
    """Positions with a legal move, the same ones again and again."""
    rows = np.flatnonzero(positions().legal_moves().counts)
    return positions()[rows[np.arange(ROWS) % len(rows)]]


@functools.cache
def moves() -> np.ndarray[Any, Any]:
    """A legal move of each."""
    legal = many().legal_moves(threads=1)
    return legal.moves[legal.offsets[:-1]]


# Methods, the type of their results, and arguments; "moves" is a legal move of each position.
METHODS: dict[str, tuple[Any, ...]] = {
    "legal_moves": (ox88.LegalMoves,),
    "push": (ox88.Positions, "moves"),
    "is_legal": (np.bool_, "moves"),
    "is_capture": (np.bool_, "moves"),
    "is_en_passant": (np.bool_, "moves"),
    "is_castling": (np.bool_, "moves"),
    "gives_check": (np.bool_, "moves"),
    "see": (np.int16, "moves"),
    "perft": (np.int64, 2),
    "format_uci": (list, "moves"),
    "format_san": (list, "moves"),
    "checkers": (np.uint64,),
    "is_check": (np.bool_,),
    "is_checkmate": (np.bool_,),
    "is_stalemate": (np.bool_,),
    "outcome": (np.int8,),
    "attacks": (np.uint64,),
    "pinned": (np.uint64,),
    "planes": (np.uint8, np.uint8),
    "features": (None,),
    "policy_index": (np.int64, "moves"),
    "policy_mask": (np.bool_, "compact"),
    "polyglot_key": (np.uint64,),
    "evaluate": (np.int16,),
    "accumulators": (np.int16,),
    "fens": (list,),
    "fen_texts": (None,),
    "pack": (None,),
}


def of(name: str, some: ox88.Positions, threads: int, *arguments: Any) -> Any:
    options: dict[str, Any] = {"evaluate": {"by": network()}, "accumulators": {"network": network()}}.get(name, {})
    return getattr(some, name)(*arguments, threads=threads, **options)


@functools.cache
def network() -> ox88.Network:
    return naive.random_network()


def equal(one: Any, other: Any) -> bool:
    return np.array_equal(one, other) if isinstance(one, np.ndarray) else bool(one == other)


@pytest.mark.parametrize("name", METHODS)
def test_the_number_of_threads_changes_nothing(name: str) -> None:
    kind, *arguments = METHODS[name]
    arguments = [moves() if argument == "moves" else argument for argument in arguments]
    alone = of(name, many(), 1, *arguments)
    assert equal(of(name, many(), 3, *arguments), alone)
    if kind is not None:
        assert kind in (type(alone), getattr(alone, "dtype", None))


@pytest.mark.parametrize(
    ("read", "write", "options"),
    [
        ("parse_uci", "format_uci", {}),
        ("parse_san", "format_san", {}),
        ("parse_san", "format_uci", {}),
        ("policy_move", "policy_index", {"layout": "az"}),
        ("policy_move", "policy_index", {"layout": "compact"}),
    ],
)
def test_what_is_written_is_read_by_any_number_of_threads(read: str, write: str, options: dict[str, Any]) -> None:
    written = getattr(many(), write)(moves(), **options)
    for threads in (1, 3):
        found = getattr(many(), read)(written, **options, threads=threads)
        assert (found.dtype, found.tolist()) == (np.uint16, moves().tolist())


def test_positions_are_read_by_any_number_of_threads() -> None:
    fens, read = many().fens(), ox88.Positions
    for threads in (1, 3):
        for found in (
            read.from_fens(fens, threads=threads),
            read.from_fens("\n".join(fens), threads=threads),
            read.from_packed(many().pack(), threads=threads),
            read.from_boards(many()[:9000].boards(), threads=threads) + many()[9000:],
        ):
            assert found == many()
