"""A game that was played here, as PGN."""

import datetime
import io
from collections.abc import Sequence

import chess

from ox88.rules import GameEnd


def pgn_text(
    board: chess.Board,
    white: str,
    black: str,
    date: datetime.date,
    end: GameEnd | None,
    clocks: Sequence[float | None] = (),
) -> str:
    """The moves that led to a board, with the names of the players.

    clocks: seconds left after each move.
    """
    import chess.pgn  # Brings asyncio along, which a start need not wait for.

    game = chess.pgn.Game.from_board(board)
    game.headers.update(Event="Casual game", Site="?", Date=f"{date:%Y.%m.%d}", White=white, Black=black)
    game.headers["Result"] = "*"
    if end is not None:
        game.headers["Termination"], game.headers["Result"] = end.reason, end.result
    for node, clock in zip(game.mainline(), clocks, strict=False):
        if clock is not None:
            node.set_clock(clock)
    text = io.StringIO()
    game.accept(chess.pgn.FileExporter(text))
    return text.getvalue().strip()
