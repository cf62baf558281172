"""The text of a game as python-chess's tree, and what is wrong in it."""

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TextIO, cast

import chess
import chess.pgn

from ox88.apps.analyse.misread import MARKER, find_misread, without_comments
from ox88.apps.labels import label
from ox88.convert import from_chess_board
from ox88.types import Ox88Error

LONGEST_GAME: Final = 17_697  # Plies; the rule of 75 moves ends every longer one.
_SOME_TAG: Final = re.compile(r'^\[[A-Za-z0-9_]+\s+"', re.MULTILINE)
_RESULT: Final = re.compile(r"(?:^|\s)(1-0|0-1|1/2-1/2|\*)\s*$")
_RESULTS: Final = frozenset({"1-0", "0-1", "1/2-1/2", "*"})
_WORDS: Final = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong in a game. line: of its text, from 0. reason: a line of printable text."""

    line: int
    reason: str


def flaw(line: int, error: object) -> Flaw:
    """What an error says of a game, which may quote anything that stands there."""
    return Flaw(line, label(str(error)))


@dataclass(frozen=True, slots=True)
class Parsed:
    """A game as far as it can be read. moves: those of the main line that can be analysed. is_readable: whether a game
    of chess begins there at all; if not, the tree is empty.
    """

    game: chess.pgn.Game
    moves: tuple[chess.Move, ...]
    flaws: tuple[Flaw, ...]
    is_readable: bool = True


def parse_game(text: str) -> Parsed:
    """Read a game's text, whatever it is."""
    movetext = find_misread(text)
    handle = _CountedLines(movetext.text)
    builder = _Builder(handle, movetext.words)
    try:
        game: chess.pgn.Game = chess.pgn.read_game(cast(TextIO, handle), Visitor=lambda: builder) or chess.pgn.Game()
        _check_start(game)
        moves = tuple(game.mainline_moves())
        if not (moves or builder.flaws):
            _check_content(text)
    except ValueError as error:
        obstacle = flaw(_line_of(text, ("[FEN", "[Variant")), error)
        return Parsed(chess.pgn.Game(), (), (obstacle,), is_readable=False)
    playable, more_flaws = _playable(moves, text.count("\n"))
    remarks = [flaw(line, reason) for line, reason in movetext.remarks]
    return Parsed(game, playable, (*builder.flaws, *remarks, *more_flaws))


class _CountedLines:
    """Lines of which it is known how many were read. Only a line feed ends one."""

    def __init__(self, text: str) -> None:
        self._text = io.StringIO(text, newline="\n")
        self.count = 0

    def readline(self) -> str:
        self.count += 1
        return self._text.readline()


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Makes the tree, and remembers where it could not. The main line, or a variation, ends at its first error.

    python-chess is told of no error: after one in a variation it would read the main line on from a wrong position.
    words: what stands where MARKER is, by line.
    """

    def __init__(self, handle: _CountedLines, words: Mapping[int, str]) -> None:
        super().__init__()
        self._handle = handle
        self._words = words
        self._broken: list[bool | None] = [False]  # The main line, and each variation in it; None: left out.
        self._beginnings: list[int] = []  # The lines of the variations.
        self.flaws: list[Flaw] = []

    def handle_error(self, error: Exception) -> None:
        self.flaws.append(flaw(self._handle.count - 1, error))

    def begin_parse_san(self, _board: chess.Board, san: str) -> chess.pgn.SkipType | None:
        return chess.pgn.SKIP if self._broken[-1] or san in _RESULTS else None

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        try:
            return super().parse_san(board, self._checked(san))
        except ValueError as error:
            self._broken[-1] = True
            self.handle_error(error)
            if len(self._broken) == 1:
                node = self.variation_stack[-1]
                node.comment = f"{node.comment} The game cannot be read on: {self.flaws[-1].reason}".lstrip()
            return chess.Move.null()

    def _checked(self, san: str) -> str:
        """Raises Ox88Error for a marker, and names what stands there."""
        word = self._words.get(self._handle.count - 1) if san == MARKER else None
        if word:
            raise Ox88Error(f"this is no move in PGN: {word!r}; its pieces are K, Q, R, B and N")
        return san

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        if not self._broken[-1]:
            super().visit_move(board, move)

    def begin_variation(self) -> chess.pgn.SkipType | None:  # type: ignore[override]  # As its own base has it.
        self._beginnings.append(self._handle.count - 1)
        if self._broken[-1]:
            self._broken.append(None)
            return chess.pgn.SKIP
        self._broken.append(False)
        super().begin_variation()
        return None

    def end_variation(self) -> None:
        self._beginnings.pop()
        if self._broken.pop() is not None:
            super().end_variation()

    def end_game(self) -> None:
        self.flaws += [Flaw(line, "a variation is not closed") for line in self._beginnings]
        super().end_game()


def _check_start(game: chess.pgn.Game) -> None:
    """Raises ValueError where the game is none of chess or Chess960, or begins from a position that cannot be."""
    board = game.board()
    if board.uci_variant != "chess":
        raise Ox88Error(f"it is no game of chess, but of {board.uci_variant}")
    from_chess_board(board).check()


def _playable(moves: tuple[chess.Move, ...], last_line: int) -> tuple[tuple[chess.Move, ...], list[Flaw]]:
    """The moves that an engine can follow."""
    if chess.Move.null() in moves:
        moves = moves[: moves.index(chess.Move.null())]
        return moves, [Flaw(last_line, f"a side passes at ply {len(moves) + 1}, which is no move in chess")]
    if len(moves) > LONGEST_GAME:
        return moves[:LONGEST_GAME], [Flaw(last_line, f"it is longer than {LONGEST_GAME} plies, as no game can be")]
    return moves, []


def _check_content(text: str) -> None:
    """Raises Ox88Error where there is nothing of a game, or words stand in place of its moves."""
    moves, opened = without_comments(text)
    unread = "" if opened is None else text[opened:]
    if _WORDS.search(moves) or _WORDS.search(unread) or not (_SOME_TAG.search(text) or _RESULT.search(text)):
        raise Ox88Error("no moves can be read here")


def _line_of(text: str, beginnings: tuple[str, ...]) -> int:
    """The first line that begins so, or the first at all."""
    return next((number for number, line in enumerate(text.split("\n")) if line.startswith(beginnings)), 0)
