"""A line of moves as finders see it: the solver's moves and the replies, with the boards before and after each."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import chess

# Lichess counts so too: a bishop is worth a knight, and the king is worth more than anything.
VALUES: Final = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 99}


class Motif(NamedTuple):
    """A theme that a line shows.

    theme: Lichess's name, such as `fork`. step: the number of the move in the line that shows it, from 0. squares: of
    the pieces that are meant, such as those that a fork attacks.
    """

    theme: str
    step: int
    squares: tuple[chess.Square, ...] = ()


class Step(NamedTuple):
    """A move of a line, with the boards before and after it. Finders must not change the boards."""

    number: int
    before: chess.Board
    move: chess.Move
    after: chess.Board

    @property
    def piece(self) -> chess.PieceType:
        """The kind of piece that moves; a pawn, if it promotes."""
        return self.before.piece_type_at(self.move.from_square) or chess.PAWN

    @property
    def captured(self) -> chess.PieceType | None:
        """The kind of piece that the move captures."""
        if self.before.is_en_passant(self.move):
            return chess.PAWN
        return self.before.piece_type_at(self.move.to_square) if self.before.is_capture(self.move) else None


class Line:
    """Moves from a position, in which the side to move, the solver, wins, saves the game or mates.

    previous: the move before the line and its boards, the error that allows the line, if it is known.

    Args:
        board: the position. Its last move is `previous`.
        moves: the solver's moves and the replies in turn, at least one.
    """

    def __init__(self, board: chess.Board, moves: Sequence[chess.Move]) -> None:
        self.solver = board.turn
        self.previous: Step | None = None
        if board.move_stack:
            before = board.copy(stack=1)
            error = before.pop()
            self.previous = Step(-1, before, error, board)
        boards = [board]
        for move in moves:
            after = boards[-1].copy(stack=False)
            after.push(move)
            boards.append(after)
        self.boards = boards
        self.steps = [Step(number, boards[number], move, boards[number + 1]) for number, move in enumerate(moves)]

    @cached_property
    def own_steps(self) -> list[Step]:
        """The solver's moves."""
        return self.steps[::2]

    @cached_property
    def replies(self) -> list[Step]:
        return self.steps[1::2]

    @cached_property
    def rounds(self) -> list[tuple[Step, Step, Step]]:
        """Each move of the solver with the reply and the solver's next move."""
        return list(zip(self.own_steps, self.replies, self.own_steps[1:], strict=False))

    def next_own(self, step: Step) -> Step | None:
        """The step of the solver's next move after a step of the solver; None at the end."""
        return self.steps[step.number + 2] if step.number + 2 < len(self.steps) else None

    @cached_property
    def balances(self) -> list[int]:
        """The solver's material less the opponent's, in `VALUES`, on each of the boards."""
        return [balance(board, self.solver) for board in self.boards]


Squares = tuple[chess.Square, ...]
Finder = Callable[[Line], Iterator[Motif]]
MoveFinder = Callable[[Line, Step], Squares | None]
"""Is asked about each move of the solver: the squares that are meant if it shows the theme."""
RoundFinder = Callable[[Line, Step, Step, Step], Squares | None]
"""Is asked about each of the line's rounds. The theme is shown by the first move of the three."""


def balance(board: chess.Board, side: chess.Color) -> int:
    """The value of a side's pieces without its king, minus that of the other side's."""
    own, other = board.occupied_co[side], board.occupied_co[not side]
    kinds = (board.pawns, board.knights, board.bishops, board.rooks, board.queens)
    return sum(
        VALUES[kind] * ((own & squares).bit_count() - (other & squares).bit_count())
        for kind, squares in enumerate(kinds, chess.PAWN)
    )
