"""How games end by the rules, in words."""

from typing import Final

import chess

_WORDS: Final = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "draw by insufficient material",
    chess.Termination.SEVENTYFIVE_MOVES: "draw by the seventy-five-move rule",
    chess.Termination.FIVEFOLD_REPETITION: "draw by fivefold repetition",
    chess.Termination.FIFTY_MOVES: "draw by the fifty-move rule",
    chess.Termination.THREEFOLD_REPETITION: "draw by threefold repetition",
}


def ending(board: chess.Board) -> str | None:
    """How a game has ended, with its result: `checkmate, 1-0`; None while it goes on.

    Threefold repetition and fifty moves end it without being claimed.
    """
    outcome = board.outcome() or _claimable_draw(board)
    return None if outcome is None else f"{_WORDS[outcome.termination]}, {outcome.result()}"


def time_out(board: chess.Board, side: chess.Color) -> str:
    """How a game ends when a side's time is out: in a draw where the other has nothing to mate with."""
    result = "1/2-1/2" if board.has_insufficient_material(not side) else "0-1" if side == chess.WHITE else "1-0"
    return f"{'White' if side == chess.WHITE else 'Black'}'s time is out, {result}"


def _claimable_draw(board: chess.Board) -> chess.Outcome | None:
    if board.is_repetition(3):
        return chess.Outcome(chess.Termination.THREEFOLD_REPETITION, None)
    if board.halfmove_clock >= 100:
        return chess.Outcome(chess.Termination.FIFTY_MOVES, None)
    return None
