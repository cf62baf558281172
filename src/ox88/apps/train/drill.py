"""A puzzle while a person solves it."""

import copy
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Self

import chess

from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.train.grading import Grade
from ox88.rules import parse_move

Kind = Literal["mistake", "open"]
Verdict = Literal["right", "wrong", "solved"]


@dataclass(slots=True)
class Drill:
    """A puzzle while a person solves it.

    Attributes:
        puzzle: The puzzle.
        kind: One of the person's own mistakes, or a puzzle of the open set.
        comes_back: It was answered before.
        also: First moves that are right too, and end it.
        answer_id: Of the answer, which a wrong move gives, and the solution may mend.
        board: The position after the moves that were played.
        is_missed: A wrong move was tried.
        is_hinted: The piece was shown.
        is_shown: The solution was shown.
        is_solved: The solution was played to its end.

    """

    puzzle: Puzzle
    kind: Kind
    comes_back: bool
    also: Sequence[str] = ()
    answer_id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    board: chess.Board = field(init=False)
    is_missed: bool = False
    is_hinted: bool = False
    is_shown: bool = False
    is_solved: bool = False

    def __post_init__(self) -> None:
        self.board = self.puzzle.board()

    def copy(self) -> Self:
        other = copy.copy(self)
        other.board = self.board.copy()
        return other

    @property
    def played(self) -> int:
        """How many moves of the solution were played."""
        return len(self.board.move_stack) - 1

    @property
    def expected(self) -> chess.Move:
        return self.puzzle.solution[self.played]

    @property
    def is_over(self) -> bool:
        return self.is_solved or self.is_shown

    @property
    def grade(self) -> Grade:
        if not self.is_solved:
            return "again"
        return "hard" if self.is_missed or self.is_hinted else "good"

    def play(self, text: str) -> Verdict:
        """Try a move. The reply follows one that is right; a mate is right, whatever the solution is.

        Raises MoveError.
        """
        move, expected = parse_move(text, self.board), self.expected
        self.board.push(move)
        is_last = move == expected and self.played == len(self.puzzle.solution)
        is_last |= self.played == 1 and move.uci() in self.also
        self.is_solved = is_last or self.board.is_checkmate()
        if self.is_solved:
            return "solved"
        if move == expected:
            self.board.push(self.expected)
            return "right"
        self.board.pop()
        self.is_missed = True
        return "wrong"

    def also_san(self) -> list[str]:
        """The other moves that are right, in SAN."""
        board = self.puzzle.board()
        return [board.san(chess.Move.from_uci(move)) for move in self.also]

    def solved_board(self) -> chess.Board:
        """The end of the solution, with its moves."""
        board = self.puzzle.board()
        for move in self.puzzle.solution:
            board.push(move)
        return board
