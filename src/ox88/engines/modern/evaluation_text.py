"""What the handcrafted evaluation and the network see in a position, as lines of text for people."""

from typing import Any

from ox88.engines.modern.evaluation.evaluate import explain
from ox88.engines.modern.network.explain import Explainer
from ox88.engines.modern.network.file import Network
from ox88.types import BLACK, PIECE_SYMBOLS


def terms_text(position: Any) -> list[str]:
    """The terms of the handcrafted evaluation by side, middlegame (mg) and endgame (eg), in centipawns; its value."""
    value, terms = explain(position)
    lines = [f"{'':12}{'White':>14}{'Black':>14}", f"{'':12}{'mg':>7}{'eg':>7}{'mg':>7}{'eg':>7}"]
    for term in terms:
        numbers = (term.white_middlegame, term.white_endgame, term.black_middlegame, term.black_endgame)
        lines.append(f"{term.name:12}" + "".join(f"{number:7}" for number in numbers))
    return [*lines, f"Handcrafted evaluation: {value_text(value)}"]


def network_text(network: Network, position: Any) -> list[str]:
    """The board with what each piece is worth to the network; its value."""
    explainer = Explainer(network)
    worth = explainer.pieces(position)
    lines = ["What a piece is worth to the network, in pawns for White: the value less the value without it"]
    for first in range(56, -1, -8):
        rank = range(first, first + 8)
        lines.append("".join(f"{PIECE_SYMBOLS[position.board[square]]:>7}" for square in rank))
        numbers = (f"{worth[square] / 100:+.2f}" if square in worth else "" for square in rank)
        lines.append("".join(f"{number:>7}" for number in numbers).rstrip())
    value = explainer.value(position)
    return [*lines, f"Network {network.name}: {value_text(-value if position.turn == BLACK else value)}"]


def value_text(value: int) -> str:
    return f"{value / 100:+.2f} for the side to move"
