"""Positions are worked on in chunks, in threads: each has the result that it has alone, and the result has its type."""

import functools
from typing import Any

import numpy as np
import pytest

import ox88
from tests.batch.samples import positions
from tests.engines.modern.network import naive

ROWS = 20_000  # More than two chunks of any method.


@functools.cache
def few() -> ox88.Positions:
    """Positions with a legal move, fewer than a chunk."""
    return positions()[positions().legal_moves().counts > 0]


@functools.cache
def moves() -> np.ndarray[Any, Any]:
    """A legal move of each."""
    legal = few().legal_moves()
    return legal.moves[legal.offsets[:-1]]


def many(results: Any) -> Any:
    """The results for the few positions again and again."""
    places = np.arange(ROWS) % len(few())
    return [results[place] for place in places] if isinstance(results, list) else results[places]


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


def called(name: str, some: ox88.Positions, some_moves: Any, threads: int) -> Any:
    """What a method returns for positions, a move for each of which is given."""
    arguments = [some_moves if argument == "moves" else argument for argument in METHODS[name][1:]]
    options: dict[str, Any] = {"evaluate": {"by": network()}, "accumulators": {"network": network()}}.get(name, {})
    return getattr(some, name)(*arguments, threads=threads, **options)


@functools.cache
def network() -> ox88.Network:
    return naive.random_network()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", METHODS)
def test_a_method_in_chunks(name: str, threads: int) -> None:
    alone = called(name, few(), moves(), 1)
    found = called(name, many(few()), many(moves()), threads)
    assert np.array_equal(found, many(alone)) if isinstance(found, np.ndarray) else found == many(alone)
    assert METHODS[name][0] in (None, type(found), getattr(found, "dtype", None))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("read", "write", "options"),
    [
        ("parse_uci", "format_uci", {}),
        ("parse_san", "format_san", {}),
        ("policy_move", "policy_index", {"layout": "az"}),
        ("policy_move", "policy_index", {"layout": "compact"}),
    ],
)
def test_moves_are_read_in_chunks(read: str, write: str, options: dict[str, Any], threads: int) -> None:
    written = getattr(few(), write)(moves(), **options)
    found = getattr(many(few()), read)(many(written), **options, threads=threads)
    assert (found.dtype, found.tolist()) == (np.uint16, many(moves()).tolist())


@pytest.mark.parametrize("threads", [1, 3])
def test_positions_are_read_in_chunks(threads: int) -> None:
    fens, read = many(few().fens()), ox88.Positions
    for found in (
        read.from_fens(fens, threads=threads),
        read.from_fens("\n".join(fens), threads=threads),
        read.from_packed(many(few().pack()), threads=threads),
        read.from_boards(many(few().boards()), threads=threads),
    ):
        assert found == many(few())
