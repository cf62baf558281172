"""How hard a puzzle is, on Lichess's scale: a sum of features, whose weights `python -m tools.puzzle_rating` fits."""

import functools
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import chess

from ox88.motifs.line import VALUES, Line, Step

WEIGHTS: Final = Path(__file__).with_name("rating.csv")
CONSTANT: Final = "constant"
_LOWEST, _HIGHEST = 400, 3000
_MOST_MOVES: Final = 6


def predict_rating(line: Line, themes: Iterable[str]) -> int:
    weights = _weights()
    rating = sum(weights.get(name, 0.0) * value for name, value in features(line, themes).items())
    return round(min(max(rating, _LOWEST), _HIGHEST))


@functools.cache
def _weights() -> dict[str, float]:
    rows = (row.rpartition(",") for row in WEIGHTS.read_text(encoding="utf-8").splitlines()[1:])
    return {name: float(weight) for name, _, weight in rows}


def features(line: Line, themes: Iterable[str]) -> dict[str, float]:
    """The features of a line, by the names of their weights; a missing one is 0. themes: as the finders see them."""
    first, own, board = line.steps[0], line.own_steps, line.boards[0]
    moves = list(board.legal_moves)
    others = [move for move in moves if move != first.move]
    baits = [_bait(board, move) for move in others if board.is_capture(move)]
    replies = [step.before.legal_moves.count() for step in line.replies]
    names = [*(f"theme {theme}" for theme in themes), f"moves {min(len(own), _MOST_MOVES)}", f"piece {first.piece}"]
    if first.captured:
        names.append(f"captured {first.captured}")
    return dict.fromkeys(names, 1.0) | {
        CONSTANT: 1.0,
        "captures": sum(step.captured is not None for step in own) / len(own),
        "quiet first": float(_is_quiet(first)),
        "quiet later": float(sum(map(_is_quiet, own[1:]))),
        "king moves": float(sum(step.piece == chess.KING for step in own)),
        "sacrifice": float(line.balances[0] - min(line.balances)),
        "gain": float(max(-9, min(9, line.balances[-1] - line.balances[0]))),
        "balance": float(max(-15, min(15, line.balances[0]))),
        "in check": float(board.is_check()),
        "legal moves": math.log2(len(moves)),
        "replies": math.log2(1 + sum(replies) / max(1, len(replies))),
        "other checks": math.log2(1 + sum(map(board.gives_check, others))),
        "other captures": math.log2(1 + len(baits)),
        "best bait": float(max(baits, default=0)),
    }


def _is_quiet(step: Step) -> bool:
    return not (step.captured or step.move.promotion or step.after.is_check())


def _bait(board: chess.Board, move: chess.Move) -> int:
    """What a capture seems to win, if the piece that captures is lost where it can be."""
    won, own = (VALUES[board.piece_type_at(at) or chess.PAWN] for at in (move.to_square, move.from_square))
    return won - own if board.is_attacked_by(not board.turn, move.to_square) else won
