"""The table by python-chess, one position after another."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import chess
import chess.pgn
import numpy as np

POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
Choose = Callable[[dict[str, Any]], bool]


def rows(games: Sequence[chess.pgn.Game]) -> Iterator[dict[str, Any]]:
    """A row for each move, with all that filters ask for."""
    for number, game in enumerate(games, 1):
        node: chess.pgn.GameNode = game
        board = game.board()
        length = len(list(game.mainline_moves()))
        for ply, after in enumerate(game.mainline()):
            tags = game.headers
            yield {
                "game": number,
                "ply": ply,
                "fen": board.fen(en_passant="fen"),
                "move": after.move.uci(),
                "result": POINTS.get(tags["Result"]),
                "eval": pawns(node) if ply else None,
                "eval_after": pawns(after),
                "clock": after.clock(),
                "time": None if after.emt() is None else float(np.float32(after.emt())),
                "depth": after.eval_depth(),
                "White": tags["White"],
                "TimeControl": tags.get("TimeControl"),
                "WhiteElo": rating(tags.get("WhiteElo", "")),
                "BlackElo": rating(tags.get("BlackElo", "")),
                "length": length,
                "tags": tags,
            }
            board.push(after.move)
            node = after


def rating(text: str) -> int | None:
    digits = text.rstrip("?")
    return int(digits) if digits else None


def pawns(node: chess.pgn.GameNode) -> float | None:
    score = node.eval()
    if score is None:
        return None
    mate = score.white().mate()
    value = score.white().score() if mate is None else None
    return float(np.float32(value / 100)) if value is not None else float(10_000 - (mate or 0))
