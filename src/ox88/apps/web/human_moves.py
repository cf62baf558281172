"""What people of a rating play in a position, and how long they think about a move."""

import math
import random
from collections.abc import Sequence
from typing import Final, TypedDict

import chess

from ox88.apps.analyse.accuracy import Evaluation, Judgement, judge
from ox88.apps.web.engine_pool import PooledEngine
from ox88.convert import from_chess_move
from ox88.engines.base import Clock, Info, Limit

SELDOM: Final = 0.005  # Moves with a smaller share are left out.
_LOOK: Final = Limit(nodes=100_000)  # For the best move.
_COMPARISON: Final = 60_000  # Nodes for each move that is compared with it.
_LEAST_SECONDS, _MOST_SECONDS = 0.5, 8.0  # For a move.
_SECONDS_OF_DOUBT: Final = 1.2  # For each time that the number of moves to choose from is multiplied by e.
_RECAPTURE: Final = 0.4  # A recapture takes this share of the time.
_LAST_SECONDS: Final = 10.0  # Of a clock: nobody waits there.
_MOVES_TO_GO: Final = 40  # A move takes at most this part of the clock, and half of the increment.


class LikelyMove(TypedDict):
    """A move, and the share of people who play it."""

    uci: str
    san: str
    share: float


def likely_moves(board: chess.Board, rating: int) -> list[LikelyMove]:
    """What people of a rating play after the moves of a board, the likeliest first."""
    from ox88.simple.human_moves import human_moves  # Imports the compiler, which would delay the start.

    moves = [(move, share) for move, share in human_moves(board, rating) if share >= SELDOM]
    return [{"uci": board.uci(move), "san": board.san(move), "share": round(share, 4)} for move, share in moves]


def find_errors(engine: PooledEngine, board: chess.Board, moves: Sequence[chess.Move]) -> dict[str, Judgement]:
    """Which moves (UCI) are mistakes or blunders, by one search of them and of the engine's best move.

    All moves are searched to the same depth. What is not an error at both of the last two depths is none.
    """
    found: list[Info] = []
    engine.search(board, _LOOK, found.append)
    best = next((info.best_move for info in reversed(found) if info.line and info.bound == "exact"), None)
    others = {from_chess_move(move, board): board.uci(move) for move in moves}
    others.pop(best or 0, None)
    if best is None or not others or engine.is_stopped():
        return {}
    engine.engine.set_option("MultiPV", len(others) + 1)
    found.clear()
    engine.search(board, Limit(nodes=_COMPARISON * (len(others) + 1), moves=(best, *others)), found.append)
    depths: dict[int, dict[int, Evaluation]] = {}
    for info in found:
        if info.line and info.bound == "exact":
            evaluation = Evaluation.from_score(info.score, white_to_move=True)  # That is the mover's view.
            depths.setdefault(info.depth, {})[info.best_move] = evaluation
    whole = [values for _, values in sorted(depths.items()) if len(values) == len(others) + 1][-2:]
    errors: dict[str, Judgement] = {}
    for move, uci in others.items():
        judged = [judge(values[best], values[move]) for values in whole]
        if len(judged) == 2 and set(judged) <= {"mistake", "blunder"}:
            errors[uci] = "mistake" if "mistake" in judged else "blunder"
    return errors


def thinking_time(board: chess.Board, move: chess.Move, rating: int, clock: Clock | None) -> float:
    """Seconds that a person takes for a move: more where many moves are about equally likely, and varied by chance."""
    shares = [likely["share"] for likely in likely_moves(board, rating)]
    seconds = _LEAST_SECONDS + _SECONDS_OF_DOUBT * _doubt(shares) * random.uniform(0.5, 1.5)  # noqa: S311 - Nobody has to guess it.
    if board.move_stack and board.is_capture(move) and move.to_square == board.peek().to_square:
        seconds *= _RECAPTURE
    return min(seconds, _MOST_SECONDS, _affordable(clock))


def _doubt(shares: Sequence[float]) -> float:
    """The entropy: 0 for an only move, log(n) for n moves with equal shares."""
    return -sum(share * math.log(share) for share in shares)


def _affordable(clock: Clock | None) -> float:
    if clock is None:
        return math.inf
    if clock.remaining < _LAST_SECONDS:
        return 0.0
    return clock.remaining / _MOVES_TO_GO + clock.increment / 2
