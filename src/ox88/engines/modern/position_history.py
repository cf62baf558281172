"""The position to be searched and the positions before it: moves are pushed and popped one at a time."""

from typing import Any

import numpy as np

from ox88.bitboard.legality import is_legal
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.moves import do_move, undo_move
from ox88.bitboard.position import make_position, set_position, to_setup
from ox88.bitboard.records import MOVE_LIST, UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.engines.base import EngineError
from ox88.fen import STARTPOS
from ox88.setup import Setup, format_fen, parse_fen
from ox88.types import format_uci


class PositionHistory:
    """A POSITION record with its history.

    position: the record. keys: of the positions before it, the oldest first; they tell repetitions.
    """

    def __init__(self) -> None:
        self.position = make_position(parse_fen(STARTPOS))
        self.keys: list[int] = []
        self._undos: list[Any] = []

    def set_position(self, setup: Setup) -> None:
        """Start from a position, with no history. Raises IllegalPositionError."""
        set_position(self.position, setup)
        self.keys.clear()
        self._undos.clear()

    def push(self, move: int) -> None:
        """Make a move. Raises EngineError if it is not legal."""
        tables = board_tables()
        if not is_legal(self.position, tables, np.int64(move)):
            raise EngineError(f"{format_uci(move)} is not legal in {format_fen(self.setup)}")
        undo = make_record(UNDO)
        self.keys.append(int(self.position.key))
        do_move(self.position, tables, undo, np.int64(move))
        self._undos.append(undo)

    def pop(self) -> None:
        """Take the last move back. Raises EngineError if there is none."""
        if not self._undos:
            raise EngineError("there is no move to take back")
        undo_move(self.position, self._undos.pop())
        self.keys.pop()

    @property
    def plies(self) -> int:
        """The plies since the start of the game, by the move number of the position."""
        return 2 * (int(self.position.fullmove_number) - 1) + int(self.position.turn)

    @property
    def setup(self) -> Setup:
        return to_setup(self.position)

    def legal_moves(self) -> list[int]:
        moves = make_record(MOVE_LIST)
        count = generate_legal(self.position, board_tables(), moves)
        return [int(move) for move in moves.moves[:count]]
