"""A puzzle: a position with exactly one good move, and the line from there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import chess


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle as Lichess's files have them.

    Attributes:
        id: Its name, such as `00sHx`.
        fen: The position before the opponent's move.
        moves: In UCI's notation: the opponent's move, then the solver's moves and the replies in turn.
        rating: How hard it is, on Lichess's scale.
        themes: Lichess's names, such as `fork`.
        source: The game that it comes from: an address or an id.
        played: The move that a person played in place of the solution; empty if there is no such person.
        reason: Why the move played is a mistake; empty if nothing is sure.
    """

    id: str
    fen: str
    moves: tuple[str, ...]
    rating: int
    themes: tuple[str, ...]
    source: str = ""
    played: str = ""
    reason: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Self:
        """A puzzle whose fields come from JSON, which has lists."""
        return cls(**{**data, "moves": tuple(data["moves"]), "themes": tuple(data["themes"])})

    def board(self) -> chess.Board:
        """The position to be solved. The opponent's move is on its stack."""
        board = chess.Board(self.fen)
        board.push_uci(self.moves[0])
        return board

    @property
    def solution(self) -> tuple[chess.Move, ...]:
        """The solver's moves and the replies in turn."""
        return tuple(map(chess.Move.from_uci, self.moves[1:]))
