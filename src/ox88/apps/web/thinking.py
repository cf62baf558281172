"""What an engine is asked for on the server, from a board with its past: a move, or all that it thinks."""

import contextlib
from collections.abc import Callable

import chess

from ox88.apps.web.thinkers import Thinker
from ox88.convert import from_chess_board, from_chess_move, to_chess_move
from ox88.engines.base import Engine, EngineError, Info, Limit
from ox88.types import NO_MOVE


def find_move(thinker: Thinker, board: chess.Board, limit: Limit) -> chess.Move:
    """The move to play where the game is not over. Raises EngineError."""
    last: list[Info] = []
    think(thinker, board, limit, lambda info: last.__setitem__(slice(None), [info]))
    number = last[0].best_move if last else NO_MOVE
    move = to_chess_move(number, board) if number != NO_MOVE else chess.Move.null()
    if not board.is_legal(move):
        raise EngineError(f"{thinker.engine.name} has found no move in {board.fen()}")
    return move


def think(thinker: Thinker, board: chess.Board, limit: Limit, listen: Callable[[Info], None]) -> None:
    """Search until the limit is reached or the thinker is stopped. Raises Ox88Error for what the engine refuses."""
    _set_up(thinker.engine, board)
    if thinker.is_stopped():
        return
    with contextlib.closing(iter(thinker.engine.search(limit))) as infos:  # type: ignore[type-var]  # A generator.
        for info in infos:
            listen(info)
            if thinker.is_stopped():
                return


def _set_up(engine: Engine, board: chess.Board) -> None:
    """Play the moves that led to the board, for repetitions count."""
    past = board.root()
    engine.set_position(from_chess_board(past).check())
    for move in board.move_stack:
        engine.push(from_chess_move(move, past))
        past.push(move)
