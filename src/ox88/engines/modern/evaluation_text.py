"""What the handcrafted evaluation and the network see in a position, as lines of text for people."""

from typing import Any

import numpy as np

from ox88.bitboard.records import make_record
from ox88.engines.modern.evaluation.evaluate import explain
from ox88.engines.modern.network.file import Network
from ox88.engines.modern.network.inference import refresh, value_of
from ox88.engines.modern.network.records import ACCUMULATOR, NETWORK
from ox88.setup import Setup
from ox88.types import BLACK, EMPTY, KING, PIECE_SYMBOLS


def terms_text(position: Any) -> list[str]:
    """The terms of the handcrafted evaluation by side, middlegame (mg) and endgame (eg), in centipawns; its value."""
    value, terms = explain(position)
    lines = [f"{'':12}{'White':>14}{'Black':>14}", f"{'':12}{'mg':>7}{'eg':>7}{'mg':>7}{'eg':>7}"]
    lines += [
        f"{name:12}" + "".join(f"{score:7}" for score in (*white, *black)) for name, (white, black) in terms.items()
    ]
    return [*lines, f"Handcrafted evaluation: {value_text(value)}"]


def network_text(network: Network, position: Any) -> list[str]:
    """The board with what each piece is worth to the network; its value."""
    value, worth = piece_worths(network, position)
    lines = ["What a piece is worth to the network, in pawns for White: the value less the value without it"]
    for first in range(56, -1, -8):
        rank = range(first, first + 8)
        lines.append("".join(f"{PIECE_SYMBOLS[position.board[square]]:>7}" for square in rank))
        numbers = (f"{worth[square] / 100:+.2f}" if square in worth else "" for square in rank)
        lines.append("".join(f"{number:>7}" for number in numbers).rstrip())
    return [*lines, f"Network {network.name}: {value_text(-value if position.turn == BLACK else value)}"]


def people_text(setup: Setup, rating: int, likeliest: list[tuple[int, float]]) -> str:
    """The five moves that most people of a rating play, in a line. likeliest: see `human/player.py`."""
    from ox88.convert import to_chess_board, to_chess_move

    board = to_chess_board(setup)
    told = (f"{board.san(to_chess_move(move, board))} {100 * share:.0f} %" for move, share in likeliest[:5])
    return f"At {rating} people play: {', '.join(told)}"


def piece_worths(network: Network, position: Any) -> tuple[int, dict[int, int]]:
    """The network's value of a POSITION, and how much less it is without each piece but the kings, by squares.

    Centipawns for White. The fifty-move clock plays no part. Raises NetworkError as `Network.fill` does.
    """
    record, accumulator = make_record(NETWORK), make_record(ACCUMULATOR)
    network.fill(record)

    def value(board: Any) -> int:
        for side in range(2):
            refresh(record, accumulator, board, np.int64(side))
        found = int(value_of(record, accumulator, board))
        return -found if board.turn == BLACK else found

    def without(square: int) -> Any:
        rest = position.copy()
        others = ~(np.uint64(1) << np.uint64(square))
        rest.kinds &= others
        rest.colours &= others
        rest.board[square] = EMPTY
        return rest

    whole = value(position)
    squares = [square for square in range(64) if position.board[square] & 7 not in (EMPTY, KING)]
    return whole, {square: whole - value(without(square)) for square in squares}


def value_text(value: int) -> str:
    return f"{value / 100:+.2f} for the side to move"
