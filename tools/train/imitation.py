"""Positions some random moves from others, and their handcrafted evaluations, or the mean of these and a network's.

A network can learn from as many of these as it likes, since each is made in a microsecond. So it knows what the
handcrafted evaluation knows before it learns from games, which are dear.
"""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ox88.batch.positions.packed import PACKED as PLAIN
from ox88.batch.positions.packed import pack_position, unpack_position
from ox88.bitboard.attacks import checkers_and_pinned
from ox88.bitboard.bits import NO_SQUARES
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.moves import do_move, undo_move
from ox88.bitboard.position import is_insufficient
from ox88.bitboard.records import MOVE_LIST, POSITION, UNDO
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.evaluation.evaluate import evaluate
from ox88.engines.modern.evaluation.records import EVALUATION, fill_weights
from ox88.engines.modern.network.file import Network, NetworkError
from ox88.engines.modern.network.inference import refresh, value_of
from ox88.engines.modern.network.records import ACCUMULATOR, HIDDEN, NETWORK
from ox88.jit import kernel
from ox88.types import BLACK
from ox88.zobrist import STRIDE, scramble
from tools.packing import NO_RESULT, PACKED, Packed

MOST_PLIES = 8
MOST_SCORE = np.int64(3000)  # Centipawns; a network need not know how much more than won a position is.

# A thread's working memory.
IMITATION = np.dtype(
    [
        ("position", POSITION),
        ("list", MOVE_LIST),
        ("undos", UNDO, MOST_PLIES),
        ("evaluation", EVALUATION),
        ("random", np.uint64),
        ("network", NETWORK),  # Empty: the handcrafted evaluation alone is learnt.
        ("accumulator", ACCUMULATOR),
    ],
    align=True,
)


def make_imitation(teacher: Network | None = None) -> Any:
    """An IMITATION record with the weights of the handcrafted evaluation, and of a network that teaches beside it."""
    imitation = np.zeros(1, IMITATION).view(np.recarray)[0]
    fill_weights(imitation.evaluation)
    if teacher is not None:
        padded(teacher).fill(imitation.network)
    return imitation


def padded(network: Network) -> Network:
    """A network with as many neurons as the engine's. The new ones do nothing."""
    more = HIDDEN - network.hidden
    if more < 0:
        raise NetworkError(
            f"the network {network.name!r} has {network.hidden} neurons a side; with --imitate {HIDDEN} are the most"
        )
    return dataclasses.replace(
        network,
        input_weights=np.pad(network.input_weights, ((0, 0), (0, more))),
        input_bias=np.pad(network.input_bias, (0, more)),
        output_weights=np.pad(network.output_weights, ((0, 0), (0, 0), (0, more))),
    )


def imitate(records: Any, rows: NDArray[np.uint32], plies: int, seed: int, imitation: Any) -> Packed:
    """PACKED[n] with positions up to `plies` random moves behind some records, and what is to be learnt of them.

    records: PACKED; `rows` has the numbers of the rows to use. seed: equal seeds make equal positions.
    """
    found, scores = np.zeros(len(rows), PLAIN), np.zeros(len(rows), np.int16)
    imitation.random = np.uint64(seed)
    arguments = imitation, board_tables(), np.int64(plies)
    imitate_all(records.view(PLAIN).view(np.recarray), rows, *arguments, found.view(np.recarray), scores)
    packed: Packed = found.view(PACKED)
    packed["score"], packed["result"] = scores, NO_RESULT
    return packed


@kernel
def imitate_all(records, rows, imitation, tables, plies, found, scores):
    """Write positions and their values for White. plies: the most random moves."""
    position = imitation.position
    for number in range(len(rows)):
        unpack_position(records[rows[number]], position, tables)
        walk(imitation, tables, np.int64(random(imitation) % np.uint64(plies + 1)))
        position.halfmove_clock = 0
        value = min(max(lesson(imitation, tables), -MOST_SCORE), MOST_SCORE)
        scores[number] = -value if position.turn == BLACK else value
        pack_position(position, found[number])


@kernel
def lesson(imitation, tables):
    """What is learnt of the position: its handcrafted evaluation, or the mean of that and the network's."""
    position = imitation.position
    value = evaluate(position, tables, imitation.evaluation)
    if imitation.network.scale[0] == 0:
        return value
    for side in range(2):
        refresh(imitation.network, imitation.accumulator, position, side)
    return (value + value_of(imitation.network, imitation.accumulator, position)) >> 1


@kernel
def walk(imitation, tables, plies):
    """Play random moves, and take them back from the last one on while the game is over or the mover is in check."""
    position = imitation.position
    moves = imitation.list
    played = np.int64(0)
    while played < plies and generate_legal(position, tables, moves) != 0:
        move = np.int64(moves.moves[np.int64(random(imitation) % np.uint64(moves.length))])
        do_move(position, tables, imitation.undos[played], move)
        played += 1
    while played > 0 and not is_calm(position, tables):
        played -= 1
        undo_move(position, imitation.undos[played])


@kernel
def is_calm(position, tables):
    """True if the side to move is not in check, and the game is not drawn by material."""
    checkers, _ = checkers_and_pinned(position, tables, np.int64(position.turn))
    return checkers == NO_SQUARES and not is_insufficient(position)


@kernel
def random(imitation):
    """The next random number, uint64."""
    imitation.random += STRIDE
    return scramble(imitation.random)
