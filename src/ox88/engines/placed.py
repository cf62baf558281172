"""An engine at a position of a game. python-chess's board is the game: a start position and the moves from it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ox88.engines.base import Engine
from ox88.setup import Setup

if TYPE_CHECKING:  # Imported when an engine is first placed: `uci` is answered without python-chess.
    import chess


class PlacedEngine:
    """An engine, and the game whose position it holds. Only `place` may change the engine's position."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._root: Setup | None = None
        self._board: chess.Board | None = None  # None: the engine's position is unknown.

    def place(self, board: "chess.Board") -> None:
        """Bring the engine to the last position of a game.

        Only the moves in which this game differs from the game before are taken back and played. A game with null
        moves loses its past.

        Args:
            board: the position, with the moves that led to it on its stack.

        Raises:
            IllegalPositionError: the first position is illegal.
            EngineError: the engine does not play the first position, or a move is illegal.

        """
        from ox88.convert import from_chess_board, from_chess_move

        root, moves = (board.root(), board.move_stack) if all(board.move_stack) else (board.copy(stack=False), [])
        here, self._board = self._board, None  # It stays None if anything fails.
        setup = from_chess_board(root)  # Has all that a search sees. Boards that differ may be equal to python-chess.
        if here is None or self._root != setup or here.chess960 != board.chess960:
            self.engine.set_position(setup.check())
            self._root, here = setup, root.copy()
        common = common_length(here.move_stack, moves)
        while len(here.move_stack) > common:
            self.engine.pop()
            here.pop()
        for move in moves[common:]:
            self.engine.push(from_chess_move(move, here))
            here.push(move)
        self._board = here


def common_length(first: Sequence[object], second: Sequence[object]) -> int:
    """The number of elements that two sequences have in common at their start."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(first), len(second)))
