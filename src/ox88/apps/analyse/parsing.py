"""The text of a game as a tree of moves by python-chess, with the errors that python-chess passes over.

python-chess looks for what it knows and skips the rest. In Sf3, German for Nf3, it would read the pawn move f3.
"""

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TextIO, cast

import chess
import chess.pgn

from ox88.apps.analyse.records import ErrorRecord
from ox88.apps.streams import label
from ox88.batch.pgn.words import RESULT_WORDS, unescaped, usual_result
from ox88.convert import clean_fen_tag
from ox88.errors import Ox88Error

MAX_PLIES: Final = 17_697  # The 75-move rule ends every game sooner.
_MARKER: Final = "P@a1"  # python-chess takes the marker for a move. No game of chess has this move.
_COMMENT_OR_TAG: Final = re.compile(r"^[\[%][^\n]*|;[^\n]*|\{[^}]*\}|\{", re.MULTILINE)  # Comments may be unclosed.
_NOT_A_LINE_FEED: Final = re.compile(r"[^\n]")
_MOVE: Final = 1  # The group of python-chess's pattern that matches moves.
_LETTER: Final = r"[^\W\d_]|[♔-♟]"
_PREFIX: Final = re.compile(
    rf"(?<![^\W\d_])(?![P♙♟]:?\Z)(?:{_LETTER}){{1,30}}[:\u00d7\u2010-\u2015\u2212]?\Z"
)  # Letters directly before a move, such as S in Sf3. A pawn's P is correct PGN.
_HALF_MOVE: Final = re.compile(r"(?:^|[\s.])([NBRQK][a-h1-8]?[x-]?[a-h]?|[a-h](?:x[a-h]?)?|O-?)$")
_SOME_TAG: Final = re.compile(r'^\[[A-Za-z0-9_]+\s+"', re.MULTILINE)
_SOME_LETTER: Final = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class ParsedGame:
    """A game as far as it can be read. moves: the moves of the main line that can be analysed.

    is_readable: True if the text is a game of chess; otherwise the tree is empty.
    """

    game: chess.pgn.Game
    moves: tuple[chess.Move, ...]
    errors: list[ErrorRecord]
    is_readable: bool = True

    def last_board(self) -> chess.Board:
        """The position after `moves`, which are on its stack."""
        board = self.game.board()
        for move in self.moves:
            board.push(move)
        return board


def parse_game(text: str) -> ParsedGame:
    """Parse any text; what is wrong with it becomes `errors`."""
    marked, foreign = _mark_foreign_moves(text)
    handle = _CountedLines(marked)
    builder = _Builder(handle, foreign)
    try:
        game: chess.pgn.Game = chess.pgn.read_game(cast(TextIO, handle), Visitor=lambda: builder) or chess.pgn.Game()
        board = game.board()
        if board.uci_variant != "chess":
            raise Ox88Error(f"this is a game of {board.uci_variant}; only chess and Chess960 can be analysed")
        moves = tuple(game.mainline_moves())
        if not (moves or builder.errors):
            _check_content(text)
    except ValueError as error:
        lines = (number for number, line in enumerate(text.split("\n")) if line.startswith(("[FEN", "[Variant")))
        return ParsedGame(chess.pgn.Game(), (), [as_error(next(lines, 0), error)], False)
    playable, rule_errors = _playable(moves, text.count("\n"))
    return ParsedGame(game, playable, [*builder.errors, *_tag_errors(text), *_ending_errors(text), *rule_errors])


def as_error(line: int, reason: object) -> ErrorRecord:
    """An error record with a printable reason; the original may quote anything from the text."""
    return {"line": line, "reason": label(str(reason))}


class _CountedLines:
    """A text whose reader can be asked how many lines were read. Only a line feed ends a line."""

    def __init__(self, text: str) -> None:
        self._text = io.StringIO(text, newline="\n")
        self.count = 0

    def readline(self) -> str:
        self.count += 1
        return self._text.readline()


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Builds the tree and collects errors. The main line, or a variation, ends at its first error.

    python-chess never sees an error: after an error in a variation it would continue the main line from a wrong
    position. foreign: for each line with a marker, the word that its first marker has replaced.
    """

    def __init__(self, handle: _CountedLines, foreign: Mapping[int, str]) -> None:
        super().__init__()
        self._handle = handle
        self._foreign = foreign
        self._broken: list[bool | None] = [False]  # For the main line and each variation in it; None: left out.
        self._variation_lines: list[int] = []  # Where the open variations begin.
        self.errors: list[ErrorRecord] = []

    def end_headers(self) -> None:
        for name, value in self.game.headers.items():
            value = unescaped(value)  # python-chess leaves the backslashes.
            self.game.headers[name] = usual_result(value) if name == "Result" else value
        clean_fen_tag(self.game.headers)

    def handle_error(self, error: Exception) -> None:
        self.errors.append(as_error(self._handle.count - 1, error))

    def begin_parse_san(self, _board: chess.Board, san: str) -> chess.pgn.SkipType | None:
        return chess.pgn.SKIP if self._broken[-1] or san in RESULT_WORDS else None

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        foreign = self._foreign.get(self._handle.count - 1) if san == _MARKER else None
        try:
            if foreign:
                raise Ox88Error(f"{foreign!r} is not a move in PGN, where the pieces are K, Q, R, B and N")
            return super().parse_san(board, san)
        except ValueError as error:
            self._broken[-1] = True
            self.handle_error(error)
            if len(self._broken) == 1:
                node = self.variation_stack[-1]
                node.comment = f"{node.comment} The game cannot be read further: {self.errors[-1]['reason']}".lstrip()
            return chess.Move.null()

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        if not self._broken[-1]:
            super().visit_move(board, move)

    def begin_variation(self) -> chess.pgn.SkipType | None:  # type: ignore[override]  # BaseVisitor allows SKIP.
        self._variation_lines.append(self._handle.count - 1)
        if self._broken[-1]:
            self._broken.append(None)
            return chess.pgn.SKIP
        self._broken.append(False)
        super().begin_variation()
        return None

    def end_variation(self) -> None:
        self._variation_lines.pop()
        if self._broken.pop() is not None:
            super().end_variation()

    def end_game(self) -> None:
        self.errors += [as_error(line, "a variation is not closed") for line in self._variation_lines]
        super().end_game()


def _mark_foreign_moves(text: str) -> tuple[str, dict[int, str]]:
    """Replace moves with foreign letters by markers. Returns the text, and the first replaced word of each line."""
    words: dict[int, str] = {}
    parts, copied, line, last = [], 0, 0, 0
    movetext, _ = _without_comments(text)
    for token in chess.pgn.MOVETEXT_REGEX.finditer(movetext):
        if token[_MOVE] and (prefix := _PREFIX.search(movetext, last, token.start())):
            line += text.count("\n", copied, prefix.start())
            words.setdefault(line, text[prefix.start() : token.end()])
            parts += [text[copied : prefix.start()], _MARKER]
            copied = token.end()
        last = token.end()
    return "".join([*parts, text[copied:]]), words


def _without_comments(text: str) -> tuple[str, int | None]:
    """(the text with spaces for tags and comments, up to a comment that is not closed; where that comment begins)."""
    opened = next((token.start() for token in _COMMENT_OR_TAG.finditer(text) if token[0] == "{"), None)
    return _COMMENT_OR_TAG.sub(lambda token: _NOT_A_LINE_FEED.sub(" ", token[0]), text[:opened]), opened


def _tag_errors(text: str) -> Iterator[ErrorRecord]:
    """Tags that python-chess leaves out, or replaces by the tags of the next game."""
    events = 0
    for number, line in enumerate(text.split("\n")):
        if line and not line.startswith(("[", "%", ";")):
            return
        if line.startswith("["):
            tag = chess.pgn.TAG_REGEX.match(line)
            if tag is None:
                yield as_error(number, f'{line!r} is not a tag; expected [Name "value"]')
            elif tag[1] == "Event" and (events := events + 1) == 2:
                reason = "a second tag Event: the game before it has neither moves nor result, and is left out"
                yield as_error(number, reason)


def _ending_errors(text: str) -> Iterator[ErrorRecord]:
    """A comment that swallows the rest of the text, or a text that ends within a move."""
    movetext, opened = _without_comments(text)
    if opened is not None:
        yield as_error(text.count("\n", 0, opened), "a comment is not closed")
    elif half := _HALF_MOVE.search(movetext.rstrip()):
        yield as_error(movetext.count("\n", 0, half.start(1)), f"the game ends within a move: {half[1]!r}")


def _playable(moves: tuple[chess.Move, ...], last_line: int) -> tuple[tuple[chess.Move, ...], list[ErrorRecord]]:
    """The moves that an engine can follow."""
    if chess.Move.null() in moves:
        moves = moves[: moves.index(chess.Move.null())]
        return moves, [as_error(last_line, f"a side passes at ply {len(moves) + 1}, which chess does not allow")]
    if len(moves) > MAX_PLIES:
        return moves[:MAX_PLIES], [
            as_error(last_line, f"the game has more than {MAX_PLIES} plies, which the 75-move rule makes impossible")
        ]
    return moves, []


def _check_content(text: str) -> None:
    """Raises Ox88Error if the text has neither tags nor a result, or has words where its moves should be."""
    movetext, opened = _without_comments(text)
    unread = movetext if opened is None else movetext + text[opened:]
    has_result = text.split()[-1:] in ([word] for word in RESULT_WORDS)
    if _SOME_LETTER.search(unread) or not (_SOME_TAG.search(text) or has_result):
        raise Ox88Error("there are no moves that can be read")
