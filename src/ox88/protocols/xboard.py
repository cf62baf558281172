"""XBoard's protocol, the Chess Engine Communication Protocol, version 2: a session of commands read and lines written.

Source: the protocol's description by Tim Mann and H.G. Muller, engine-intf.html of XBoard 4.9.
"""

import contextlib
import enum
import functools
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, Unpack

from ox88.engines.base import EngineEntry, Info, Limit, Score, accepts_draw
from ox88.engines.host import any_legal_move
from ox88.errors import Ox88Error
from ox88.protocols.session import BaseSession, SessionOptions, Write, shortened
from ox88.protocols.xboard_search import Purpose, SearchSlot, TimeControl
from ox88.protocols.xboard_text import (
    OPTION_COMMANDS,
    format_features,
    format_move,
    format_status,
    format_thinking,
    read_option,
    read_option_command,
)
from ox88.setup import parse_fen
from ox88.types import NO_MOVE

if TYPE_CHECKING:  # Imported with the first position: `protover` is answered without python-chess.
    import chess

HINT_SECONDS: Final = 0.2  # Seconds of search for a hint, if no reply is expected yet.
_LONGEST_ECHO: Final = 200  # Characters.
_MOVE: Final = re.compile(r"[a-h][1-8][a-h][1-8][nbrqNBRQ]?|O-O(-O)?")
_NO_EFFECT: Final = ("xboard", "accepted", "random", "computer", "name", "rating", "ics", "otim")
_OF_THE_POSITION: Final = ("undo", "remove", "hint", "bk")  # These need a position, and are ignored without one.
_AFTER_THE_MOVE: Final = ("ping", "option", "memory", "cores", "egtpath")  # These wait while the engine is to move.


class Mode(enum.Enum):
    """What a move from the GUI is answered with: nothing, a move, or an analysis."""

    FORCE = "force"
    PLAY = "play"
    ANALYSE = "analyze"


class IllegalMoveError(Ox88Error):
    """A move that is not accepted; the text is the reason."""


class UserError(Ox88Error):
    """A message for the person at the GUI."""


class Session(BaseSession):
    """A conversation in XBoard's protocol. The engine is made after the features and before `feature done=1`.

    Commands come from one thread, the engine's move from another: both hold the lock while they change anything.
    """

    remark = "#"

    def __init__(self, engines: Sequence[EngineEntry], write: Write, **options: Unpack[SessionOptions]) -> None:
        """Start a conversation. Arguments as in `BaseSession`."""
        super().__init__(engines, write, **options)
        self._lock = threading.RLock()
        self._slot = SearchSlot(self._host, self._lock, shown=self._show, failed=self._failed, moved=self._engine_moves)
        self._mode = Mode.PLAY
        self._started: chess.Board | None = None
        self._is_position_refused = False
        self._is_fischerandom = False
        self._time = TimeControl()
        self._posts = self._ponders = self._is_closing = False
        self._may_comment = True
        self._expected = NO_MOVE
        self._scores: list[Score] = []
        self._waiting: list[str] = []
        self._commands: dict[str, Callable[[str], None]] = {
            **dict.fromkeys(_NO_EFFECT, lambda _: None),
            # The conversation.
            "protover": self._protover,
            "rejected": self._rejected,
            "ping": self._ping,
            "option": self._option,
            **{name: functools.partial(self._option_command, name) for name in OPTION_COMMANDS},
            # The game.
            "new": self._new,
            "variant": self._set_variant,
            "setboard": self._setboard,
            "usermove": self._usermove,
            "force": lambda _: self._set_mode(Mode.FORCE),
            "go": self._go,
            "playother": lambda _: self._set_mode(Mode.PLAY),
            "analyze": self._analyse,
            "exit": self._exit,
            "result": lambda _: self._set_mode(Mode.FORCE),
            "undo": lambda _: self._take_back(1),
            "remove": lambda _: self._take_back(2),
            "draw": self._draw,
            # Time and thinking.
            "level": lambda text: self._time.set_level(text, self._plies()),
            "st": self._time.set_move_seconds,
            "sd": self._time.set_depth,
            "nps": self._time.set_node_rate,
            "time": self._time.set_clock,
            "hard": lambda _: self._set_pondering(True),
            "easy": lambda _: self._set_pondering(False),
            "post": lambda _: self._set_posting(True),
            "nopost": lambda _: self._set_posting(False),
            "?": lambda _: self._slot.move_now(),
            ".": self._status,
            "hint": self._hint,
            "bk": self._show_book,
        }

    # --- Reading ------------------------------------------------------------------------------------------------------

    def run(self, lines: Iterable[str]) -> None:
        """Read and obey until `quit` or the end of the lines. At their end, an engine that is to move still moves."""
        try:
            for line in lines:
                if not self.obey(line):
                    return
            self._is_closing = True
            self._slot.finish()
        finally:
            self._slot.close()

    @property
    def purpose(self) -> Purpose | None:
        """What the search that runs is for; None where none runs."""
        return self._slot.purpose

    def obey(self, line: str) -> bool:
        """Obey one line; False for `quit`."""
        words = line.split(maxsplit=1)
        if not words:
            return True
        if words[0] == "quit":
            return False
        with self._lock:
            if words[0] in _AFTER_THE_MOVE and self._slot.purpose is Purpose.MOVE:
                self._waiting.append(line)
            else:
                self._attempt(line)
        return True

    def _attempt(self, line: str) -> None:
        name, rest = (*line.strip().split(maxsplit=1), "")[:2]
        try:
            if self._is_position_refused and name in _OF_THE_POSITION:
                raise Ox88Error("command not legal now")
            if _MOVE.fullmatch(name) and not rest:
                self._usermove(name)
            elif name in self._commands:
                self._commands[name](rest)
            else:
                raise Ox88Error("unknown command")
        except IllegalMoveError as error:
            self._write(f"Illegal move ({_in_brackets(error)}): {shortened(rest or name, _LONGEST_ECHO)}")
        except Ox88Error as error:
            if isinstance(error, UserError):
                self._write(f"tellusererror {shortened(str(error))}")
            self._write(f"Error ({_in_brackets(error)}): {shortened(line, _LONGEST_ECHO)}")
        can_analyse = self._slot.purpose is None and not self._is_position_refused and not self._host.refused_value
        if self._mode is Mode.ANALYSE and can_analyse:
            self._slot.begin(self._board, Limit(time=float("inf")), Purpose.ANALYSIS)

    def _end_search(self) -> None:
        """Abandon the search, and obey the commands that waited for its move."""
        self._slot.abandon()
        self._expected = NO_MOVE
        self._obey_waiting()

    def _obey_waiting(self) -> None:
        lines, self._waiting = self._waiting, []
        for line in lines:
            self._attempt(line)

    # --- Writing ------------------------------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        if self._may_comment:
            super()._say(text)

    def _written(self, move: int) -> str:
        return format_move(move, self._writes_chess960())

    def _writes_chess960(self) -> bool:
        return self._is_fischerandom or self._board.chess960

    # --- Greeting --------------------------------------------------------------------------------------------------

    def _protover(self, _: str) -> None:
        """Write the features at once: a GUI waits two seconds for them. `done=1` follows when all is compiled."""
        self._write("feature done=0")
        for line in format_features(self._name, self._listed_options()):
            self._write(line)
        self._get_ready()
        self._write("feature done=1")

    def _rejected(self, feature: str) -> None:
        if feature == "debug":
            self._may_comment = False

    def _ping(self, number: str) -> None:
        self._get_ready()
        self._write(f"pong {shortened(number, _LONGEST_ECHO)}")

    # --- Options ------------------------------------------------------------------------------------------------------

    def _option(self, text: str) -> None:
        try:
            self._host.set_option(*read_option(text, self._host.options()))
        except Ox88Error as error:
            raise UserError(str(error)) from None

    def _check_options(self) -> None:
        """Raises UserError where an option keeps the engine from searching."""
        if obstacle := self._obstacle():
            raise UserError(obstacle)

    def _obstacle(self) -> str:
        """Why the engine may not search, else empty. A value set before there was an engine may be refused here."""
        with contextlib.suppress(Exception):  # An engine that cannot be made is told of when it is to search.
            self._ready_engine()
        return self._host.refused_value

    def _option_command(self, name: str, text: str) -> None:
        """A setting that the GUI sends to every engine before every game; so a person is not told what is wrong."""
        self._host.set_option(*read_option_command(name, text))

    def _set_posting(self, posts: bool) -> None:
        self._posts = posts

    def _set_pondering(self, ponders: bool) -> None:
        self._ponders = ponders
        if not ponders and self._slot.purpose is Purpose.PONDER:
            self._slot.abandon()

    # --- The game -----------------------------------------------------------------------------------------------------

    def _set_mode(self, mode: Mode) -> None:
        self._end_search()
        self._mode = mode

    def _analyse(self, _: str) -> None:
        self._set_mode(Mode.ANALYSE)
        self._check_options()

    def _exit(self, _: str) -> None:
        if self._mode is not Mode.ANALYSE:
            raise Ox88Error("command not legal now")
        self._set_mode(Mode.FORCE)

    def _new(self, _: str) -> None:
        """Begin a new game, with the engine as Black, or go on analysing in analyze mode."""
        self._set_mode(Mode.ANALYSE if self._mode is Mode.ANALYSE else Mode.PLAY)
        self._start(None)
        self._is_fischerandom = False
        self._time.new_game()
        self._host.new_game()

    @property
    def _board(self) -> "chess.Board":
        """The board of the game, with its moves. Imports python-chess when it is first used."""
        if self._started is None:
            import chess

            self._started = chess.Board()
        return self._started

    def _plies(self) -> int:
        return len(self._board.move_stack)

    def _start(self, board: "chess.Board | None") -> None:
        """Begin a game at a position; None for the usual one."""
        self._started = board
        self._is_position_refused = False
        self._scores.clear()

    def _set_variant(self, name: str) -> None:
        if name not in ("normal", "fischerandom"):
            raise Ox88Error("the variants are normal and fischerandom")
        self._is_fischerandom = name == "fischerandom"

    def _setboard(self, fen: str) -> None:
        """Start from a position. If it is illegal, or not for this engine, no move is accepted until the next one."""
        self._end_search()
        self._scores.clear()
        from ox88.convert import to_chess_board

        try:
            board = to_chess_board(parse_fen(fen).check())
            self._host.place(board)
        except Ox88Error as error:
            self._is_position_refused = True
            raise UserError(f"Illegal position: {str(error).removeprefix('illegal position: ')}") from None
        self._start(board)

    def _take_back(self, plies: int) -> None:
        if self._plies() < plies:
            raise Ox88Error("command not legal now")
        self._end_search()
        for _ in range(plies):
            self._board.pop()
        self._scores.clear()

    def _usermove(self, text: str) -> None:
        """The opponent's move, which the engine answers. In force mode and analysis, a move of either side."""
        from ox88.convert import from_chess_move
        from ox88.rules import MoveError, parse_move

        if self._is_position_refused:
            raise IllegalMoveError("the position was refused")
        if self._slot.purpose is Purpose.MOVE:
            raise IllegalMoveError("the engine is to move")
        if self._mode is Mode.PLAY and (obstacle := self._obstacle()):
            raise IllegalMoveError(obstacle)  # A GUI takes the move back, and shows why.
        try:
            move = parse_move(text, self._board)
        except MoveError as error:
            raise IllegalMoveError(str(error).removeprefix(f"{text}: ")) from None
        is_expected = (
            self._slot.purpose is Purpose.PONDER
            and from_chess_move(move, self._board) == self._expected
            and self._time.has_time_for(self._slot.limit)
        )
        if not is_expected:
            self._end_search()
        self._board.push(move)
        if self._mode is not Mode.PLAY:
            return
        if self._ends_game():
            self._end_search()
        elif is_expected:
            self._slot.ponder_hit()
        else:
            self._think()

    def _ends_game(self) -> bool:
        """True if the last move has ended the game; then the result is told."""
        from ox88.rules import game_end

        end = game_end(self._board)
        if end is not None:
            self._write(f"{end.result} {{{end.reason.capitalize()}}}")
        return end is not None

    def _draw(self, _: str) -> None:
        """Accept a draw where the engine has seen nothing better in its last moves."""
        if accepts_draw(self._scores):
            self._write("offer draw")

    # --- Thinking -----------------------------------------------------------------------------------------------------

    def _go(self, _: str) -> None:
        if self._slot.purpose is not Purpose.MOVE:
            self._set_mode(Mode.PLAY)
            self._think()

    def _think(self) -> None:
        """Find a move for the side to move; where there is none, say how the game has ended.

        Does nothing after a position that was refused: the GUI has been told, and could take a second error for the
        answer to its next command.
        """
        if self._is_position_refused:
            return
        if not any(self._board.legal_moves):
            self._ends_game()
            return
        self._check_options()
        move = self._book_move(self._board)
        if move != NO_MOVE:
            self._play((move,))
        else:
            self._slot.begin(self._board, self._time.limit(self._plies()), Purpose.MOVE)

    def _engine_moves(self, line: tuple[int, ...]) -> None:
        """Called when a search has ended, in the thread of that search."""
        if self._slot.best is not None:
            self._scores.append(self._slot.best.score)
        self._play(line or any_legal_move(self._board), self._slot.elapsed)

    def _play(self, line: tuple[int, ...], seconds: float = 0.0) -> None:
        """Play the first move of a line, found in `seconds`, and ponder on the second if there is one."""
        from ox88.convert import legal_line, to_chess_move

        self._time.spend(seconds, self._plies())
        self._write(f"move {self._written(line[0])}")
        moves = legal_line(line[:2], self._board)
        self._board.push(moves[0])
        self._expected = NO_MOVE
        if not self._ends_game() and len(moves) > 1:
            self._expected = line[1]
        if self._ponders and self._expected != NO_MOVE:
            self._write(f"Hint: {self._written(self._expected)}")
        self._obey_waiting()
        if self._ponders and not self._is_closing and self._expected != NO_MOVE and not self._host.refused_value:
            expected = self._board.copy()
            expected.push(to_chess_move(self._expected, expected))
            self._slot.begin(expected, self._time.limit(self._plies() + 1, ponder=True), Purpose.PONDER)

    # --- Telling ------------------------------------------------------------------------------------------------------

    def _show(self, info: Info) -> None:
        """Thinking output, from the search's thread."""
        if info.current_move == NO_MOVE and (self._posts or self._mode is Mode.ANALYSE):
            self._write(format_thinking(info, self._writes_chess960()))

    def _status(self, _: str) -> None:
        if self._slot.purpose is not None:
            moves = self._board.legal_moves.count()
            self._write(format_status(self._slot.newest, self._slot.elapsed, moves, self._writes_chess960()))

    def _hint(self, _: str) -> None:
        """Tell the best move of what is being searched, or what the engine would expect here."""
        if self._slot.purpose in (Purpose.MOVE, Purpose.ANALYSIS):
            move = self._slot.best.best_move if self._slot.best is not None else NO_MOVE
        elif self._expected != NO_MOVE:
            move = self._expected
        else:
            self._check_options()
            try:
                self._host.place(self._board)
                *_before, last = self._ready_engine().search(Limit(time=HINT_SECONDS))
            except Exception as error:  # Whatever it is: a game goes on without a hint.
                self._failed(error)
                return
            move = last.best_move
        if move != NO_MOVE:
            self._write(f"Hint: {self._written(move)}")

    def _show_book(self, _: str) -> None:
        """Write the book's moves. XBoard wants a space before each, and an empty line at the end."""
        moves = self._host.book_moves(self._board)
        total = sum(weight for _, weight in moves)
        for move, weight in moves:
            self._write(f" {self._written(move)} {weight / total:.0%}")
        if not moves:
            self._write(" The book has no move here.")
        self._write("")


def _in_brackets(error: Ox88Error) -> str:
    """The reason as it may stand between round brackets."""
    return shortened(str(error).replace("(", "[").replace(")", "]"), _LONGEST_ECHO)
