"""The text of a game as a tree of moves by python-chess, of what the strict reader of `read_pgn` accepts."""

import io
from dataclasses import dataclass
from typing import Final

import chess
import chess.pgn

from ox88.apps.analyse.records import ErrorRecord
from ox88.apps.streams import label
from ox88.batch.pgn.words import RESULT_WORDS, unescaped, usual_result
from ox88.convert import clean_fen_tag, to_chess_move
from ox88.errors import Ox88Error

MAX_PLIES: Final = 17_697  # The 75-move rule ends every game sooner.


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


def parse_game(text: str, *, as_written: bool = False) -> ParsedGame:
    """Parse any text as one game; what is wrong with it becomes `errors`.

    as_written: True for the tree of the text alone. Else its last comment says why the game cannot be read further,
    and moves that no engine can follow are errors too.
    """
    from ox88.batch.pgn.checking import check_game  # Imports the compiler, which would delay the start of a server.

    checked = check_game(text)
    errors = [as_error(error.line - 1, error.reason) for error in checked.errors]
    if not checked.is_readable:
        return ParsedGame(chess.pgn.Game(), (), errors, False)
    try:
        game = chess.pgn.read_game(io.StringIO(checked.text), Visitor=_Builder) or chess.pgn.Game()
        moves = tuple(game.mainline_moves())
        if checked.has_words and not (moves or errors):
            raise Ox88Error("there are no moves that can be read")
    except Ox88Error as error:
        return ParsedGame(chess.pgn.Game(), (), [*errors, as_error(0, error)], False)
    except ValueError:  # Of Python, which refuses numbers of thousands of digits.
        reason = "a glyph has a number of too many digits: $0 to $255 are expected"
        return ParsedGame(chess.pgn.Game(), (), [*errors, as_error(0, reason)], False)
    playable, rule_errors = _playable(moves, text.count("\n"))
    if as_written:
        return ParsedGame(game, playable, errors)
    if checked.reason:
        last = game.end()
        last.comment = f"{last.comment} The game cannot be read further: {label(checked.reason)}".lstrip()
    return ParsedGame(game, playable, errors + rule_errors)


def as_error(line: int, reason: object) -> ErrorRecord:
    """An error record with a printable reason; the original may quote anything from the text."""
    return {"line": line, "reason": label(str(reason))}


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Builds the tree of a text without errors."""

    def end_headers(self) -> None:
        for name, value in self.game.headers.items():
            value = unescaped(value)  # python-chess leaves the backslashes.
            self.game.headers[name] = usual_result(value) if name == "Result" else value
        clean_fen_tag(self.game.headers)

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        """python-chess refuses a few notations that `read_pgn` reads, such as e1c1 for castling in Chess960."""
        try:
            return super().parse_san(board, san)
        except ValueError:
            from ox88.batch.positions.positions import Positions

            return to_chess_move(int(Positions.from_boards([board]).parse_san([san])[0]), board)

    def begin_parse_san(self, _board: chess.Board, san: str) -> chess.pgn.SkipType | None:
        """A result in a variation is no move."""
        return chess.pgn.SKIP if san in RESULT_WORDS else None

    def handle_error(self, error: Exception) -> None:
        """python-chess would read on, after an error in a variation from a wrong position."""
        raise error


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
