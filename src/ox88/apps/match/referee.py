"""When a game is over: by the rules, or because both engines have long agreed on its end."""

from dataclasses import dataclass
from typing import Final

import chess

from ox88.rules import DRAW, game_end, win_of

LONGEST_GAME: Final = 500  # Moves; then it is a draw.
MATE_SCORE: Final = 100_000  # Centipawns that a mate counts.


@dataclass(frozen=True, slots=True)
class Adjudication:
    """A draw: after so many moves both scores were this near to zero, centipawns, for so many plies. A win likewise.

    Plies of 0 switch it off.
    """

    draw_move: int = 40
    draw_plies: int = 8
    draw_score: int = 8
    win_plies: int = 6
    win_score: int = 900


NO_ADJUDICATION: Final = Adjudication(draw_plies=0, win_plies=0)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended: its result in PGN's words, and why. loser: whose own fault it was, if it was one."""

    result: str
    reason: str
    loser: bool | None = None


def lost_by(colour: bool, reason: str, board: chess.Board) -> Ending:
    """The end of a game that a side loses by its own fault; a draw where the other could never mate."""
    if board.has_insufficient_material(not colour):
        return Ending(DRAW, f"{reason}; the other side cannot mate", colour)
    return Ending(win_of(not colour), reason, colour)


def by_rules(board: chess.Board) -> Ending | None:
    """The end by the rules of chess, draws by repetition and fifty moves without a claim."""
    end = game_end(board)
    if end is not None:
        return Ending(end.result, end.reason)
    if len(board.move_stack) >= 2 * LONGEST_GAME:
        return Ending(DRAW, f"{LONGEST_GAME} moves")
    return None


def by_agreement(board: chess.Board, scores: list[int | None], rules: Adjudication) -> Ending | None:
    """The end that both engines foresee. scores: centipawns from White's view, one a ply; None where unknown."""
    if board.fullmove_number > rules.draw_move:
        last = _last(scores, rules.draw_plies)
        if last and max(map(abs, last)) <= rules.draw_score:
            return Ending(DRAW, "adjudication: a draw by the scores")
    last = _last(scores, rules.win_plies)
    if last and min(last) >= rules.win_score:
        return Ending(win_of(chess.WHITE), "adjudication: a win by the scores")
    if last and max(last) <= -rules.win_score:
        return Ending(win_of(chess.BLACK), "adjudication: a win by the scores")
    return None


def _last(scores: list[int | None], plies: int) -> list[int]:
    """The last scores, if there are so many and all are known."""
    known = [score for score in scores[-plies:] if score is not None] if plies else []
    return known if len(known) == plies else []
