"""A game in the terminal: print the board, read a line, then play a move, obey a command, or let the engine move.

The loop is that of micro-Max's listing, where an empty line lets the engine move for the side to move.
"""

import contextlib
import dataclasses
import datetime
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import chess

from ox88.apps.analyse.search import DEFAULT_NODES, PositionAnalysis, line_of
from ox88.apps.game import ChessClock, Game
from ox88.apps.reasons.reason import explain_best
from ox88.apps.reasons.searching import search_by_placed
from ox88.apps.screen import Screen, search_line
from ox88.apps.time_control import TimeControl
from ox88.convert import from_chess_board, to_chess_board, to_chess_move
from ox88.engines.base import DRAWN_MOVES, Clock, Engine, Info, Limit
from ox88.engines.placed import PlacedEngine
from ox88.errors import Ox88Error
from ox88.fen import STARTPOS
from ox88.rules import MoveSyntaxError, colour_name
from ox88.setup import format_fen, parse_fen
from ox88.threads import noting_interrupts
from ox88.types import NO_MOVE

SIDES: Final = {
    "white": frozenset({chess.WHITE}),
    "black": frozenset({chess.BLACK}),
    "both": frozenset({chess.WHITE, chess.BLACK}),
    "none": frozenset[chess.Color](),
}
"""The sides that the person plays, by name. The engine answers for the others by itself."""

LIMIT_STRENGTH: Final = "UCI_LimitStrength"  # The option that limits the engine to its level.
_HINT_SECONDS: Final = 3.0  # For a hint, if moves have no limit but the clock or the level.

HELP: Final = """\
e2e4, e7e8n, Nf3, O-O   play a move
(an empty line)         the engine moves for the side to move
white, black            play this side; the engine answers for the other
both, none              play both sides, or let the engine play both (Ctrl-C ends that)
undo                    take your last move back, and the answer to it; the clocks go back too
resign, draw            give the game up, after a question, or offer a draw
hint                    the best move, as the engine sees it at full strength, and why
analyse                 let the engine think about the position until Ctrl-C
new                     a new game
fen [FEN]               the position as FEN, or set one up
pgn [FILE]              the game as PGN, or add it to a file
flip                    turn the board
board                   the position as the engine itself prints it
help                    this text
quit                    leave
Ctrl-C while the engine thinks makes it move at once."""


class FlagFallError(Exception):
    """The side to move has no time left."""


class TerminalGame:
    """The loop of a game.

    Args:
        engine: plays, gives hints and analyses.
        screen: shows the board and reads the person's lines.
        limit: for a move of the engine.
        fen: the first position.
        side: the person's side, a name in SIDES.
        control: the time for a clock; None for a game without one.
        name: the engine's name, with its level if its strength is limited.
        has_level: the engine plays at a limited strength, for which its options are set.
    """

    def __init__(
        self,
        engine: Engine,
        screen: Screen,
        limit: Limit,
        fen: str = STARTPOS,
        side: str = "white",
        control: TimeControl | None = None,
        name: str = "",
        has_level: bool = False,
    ) -> None:
        self._engine = engine
        self._placed = PlacedEngine(engine)
        self._screen = screen
        self._limit = limit
        self._control = control
        self._name = name or engine.name
        self._has_level = has_level
        self._game = self._new_game(fen)
        self._sides = SIDES[side]
        self._flipped = side == "black"
        self._running = True

    def run(self) -> None:
        """Play until the person leaves."""
        self._show()
        while self._running:
            if self._is_engines_turn():
                self._move_by_engine()
                continue
            with contextlib.suppress(FlagFallError):
                line = self._read_line()
                if line is None:
                    return
                self._obey(line.strip())

    def _read_line(self) -> str | None:
        """The person's next line, for which their clock runs; None at the end. Raises FlagFallError."""
        self._start_clock()
        try:
            return self._screen.ask(self._prompt)
        finally:
            self._stop_clock()

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        try:
            match word.lower(), rest.strip():
                case "", "":
                    self._move_by_engine()
                case side, "" if side in SIDES:
                    self._sides, self._flipped = SIDES[side], side == "black"
                    self._game.scores = [None] * len(self._game.scores)
                    self._show()
                case "undo", "":
                    self._undo()
                case "resign", "":
                    self._resign()
                case "draw", "":
                    self._offer_draw()
                case "hint", "":
                    self._hint()
                case "analyse", "":
                    self._analyse()
                case "new", "":
                    self._begin(STARTPOS)
                case "fen", "":
                    self._screen.say(format_fen(from_chess_board(self._game.board)))
                case "fen", fen:
                    self._begin(fen)
                case "pgn", file:
                    self._pgn(file)
                case "flip", "":
                    self._flipped = not self._flipped
                    self._show()
                case "board", "":
                    self._placed.place(self._game.board)
                    self._screen.say(self._engine.board_text())
                case "help", "":
                    self._screen.say(HELP)
                case "quit" | "exit", "":
                    self._running = False
                case _:
                    self._announce_move("You", self._game.play(line, time.monotonic()))
        except MoveSyntaxError as error:
            self._screen.say(f"{error}; help lists the commands")
        except Ox88Error as error:
            self._screen.say(str(error))

    def _prompt(self) -> str:
        """Who is to move, and how much time is left. Raises FlagFallError when no time is left."""
        if self._game.end:
            return "> "
        side, clock, now = self._game.board.turn, self._game.clock, time.monotonic()
        if clock is not None and clock.remaining(side, now) <= 0:
            raise FlagFallError
        left = "" if clock is None else f" ({clock.text(side, now)})"
        return f"{colour_name(side)} to move{left}> "

    # --- The clock --------------------------------------------------------------------------------------------------

    def _start_clock(self) -> None:
        """Start the clock of the side to move. The first move of a game is not timed."""
        if self._game.clock is not None and self._game.board.move_stack and self._game.end is None:
            self._game.clock.start(self._game.board.turn, time.monotonic())

    def _stop_clock(self) -> None:
        """Stop the clock. A side without time has lost."""
        clock = self._game.clock
        if clock is None or clock.running is None:
            return
        side, now = clock.running, time.monotonic()
        clock.stop(now)
        if clock.remaining(side, now) <= 0 and self._game.end is None:
            self._game.lose_on_time(side)
            self._show()

    def _move_limit(self) -> Limit:
        if self._game.clock is None:
            return self._limit
        remaining = max(self._game.clock.remaining(self._game.board.turn, time.monotonic()), 0.0)
        return dataclasses.replace(self._limit, clock=Clock(remaining, self._game.clock.increment))

    # --- The board and the moves ------------------------------------------------------------------------------------

    def _is_engines_turn(self) -> bool:
        return self._game.board.turn not in self._sides and self._game.end is None

    def _show(self) -> None:
        self._screen.board(self._game.board, self._flipped)
        end = self._game.end
        if end is not None:
            text = str(end)
            self._screen.say(f"{text[0].upper()}{text[1:]}.")
        elif self._game.board.is_check():
            self._screen.say(f"{colour_name(self._game.board.turn)} is in check.")

    def _announce_move(self, who: str, san: str, remark: str = "") -> None:
        # The move is on the board already, so White has made it if Black is to move.
        board = self._game.board
        number = f"{board.fullmove_number}." if board.turn == chess.BLACK else f"{board.fullmove_number - 1}..."
        self._screen.say(f"{who}: {number} {san}{remark}")
        answer_follows = self._sides and self._is_engines_turn()
        if not answer_follows:  # If an answer follows, the board after it is enough.
            self._show()

    def _think(self, limit: Limit) -> Info | None:
        self._placed.place(self._game.board)
        with noting_interrupts(self._engine.stop) as interrupted:
            info = self._screen.watch(self._engine.search(limit), self._game.board)
        if interrupted and not self._sides:
            self._sides = SIDES["both"]
        return info

    def _move_by_engine(self) -> None:
        if self._game.end is not None:
            self._screen.say(f"The game is over ({self._game.end}): undo, new, pgn or quit.")
            return
        self._start_clock()
        info = self._think(self._move_limit())
        self._stop_clock()
        move = _best_move(info, self._game.board)
        if info is not None and move is not None and self._game.end is None:
            score = info.score if self._is_engines_turn() else None  # Not if the person lets it move.
            remark = f"   (depth {info.depth}, {info.score}, {info.nodes:,} nodes, {info.time:.1f} s)"
            self._announce_move(self._name, self._game.push(move, time.monotonic(), score), remark)

    def _undo(self) -> None:
        taken = [self._game.undo()]
        if self._is_engines_turn() and self._game.board.move_stack:
            taken.append(self._game.undo())
        if self._is_engines_turn():  # Otherwise the engine would play its first move again.
            self._sides = SIDES["both"]
        self._screen.say(f"Taken back: {', '.join(reversed(taken))}")
        self._show()

    def _resign(self) -> None:
        """The person gives up, for the side to move if they play both. A word that is typed too soon costs no game."""
        (side,) = self._sides if len(self._sides) == 1 else (self._game.board.turn,)
        if self._game.end is None:
            self._screen.say(f"{colour_name(side)} resigns? Type yes, or no to play on.")
            if (self._read_line() or "").strip().lower() not in ("y", "yes"):
                return
        self._game.resign(side)
        self._show()

    def _offer_draw(self) -> None:
        """A person who plays both sides agrees; otherwise the engine decides."""
        if len(self._sides) == 1 and self._game.end is None and not self._game.engine_accepts_draw():
            self._screen.say(f"{self._name} declines: for {DRAWN_MOVES} moves it must have seen nothing better.")
            return
        self._game.agree_draw()
        self._show()

    def _hint(self) -> None:
        info, reason = None, ""
        if self._game.end is None:
            with self._full_strength():
                info = self._think(self._hint_limit())
                reason = self._reason(info)
        move = _best_move(info, self._game.board)
        if info is None or move is None:
            self._screen.say("There is no move.")
        else:
            self._screen.say(f"{self._game.board.san(move)}   (depth {info.depth}, {info.score})")
            self._screen.say(reason) if reason else None

    def _reason(self, info: Info | None) -> str:
        """What the best move does, if that is sure after a short look at the best defence."""
        if info is None or not info.line:
            return ""
        found = PositionAnalysis((line_of(info, self._game.board),), info.nodes)
        search = search_by_placed(self._placed, Limit(nodes=DEFAULT_NODES))
        with noting_interrupts(self._engine.stop):
            return explain_best(search, self._game.board, found).text

    def _hint_limit(self) -> Limit:
        has_no_limit = self._limit == Limit() and (self._control or self._has_level)
        return Limit(time=_HINT_SECONDS) if has_no_limit else self._limit

    @contextlib.contextmanager
    def _full_strength(self) -> Iterator[None]:
        """Lift the engine's level: a person who asks for the best move wants the best one."""
        if self._has_level:
            self._engine.set_option(LIMIT_STRENGTH, False)
        try:
            yield
        finally:
            if self._has_level:
                self._engine.set_option(LIMIT_STRENGTH, True)

    def _analyse(self) -> None:
        if self._game.end is not None:
            self._screen.say("There is no move.")
            return
        if self._screen.is_live:
            self._screen.say("Analysing; Ctrl-C ends it.")
        with self._full_strength():
            info = self._think(Limit(time=math.inf) if self._screen.is_live else self._hint_limit())
        if info is not None:
            self._screen.say(search_line(info, self._game.board))

    def _begin(self, fen: str) -> None:
        self._game = self._new_game(fen)
        self._show()

    def _new_game(self, fen: str) -> Game:
        """A game from a position. Raises Ox88Error if the position is illegal or the engine cannot play it."""
        board = to_chess_board(parse_fen(fen).check())
        self._placed.place(board)
        clock = None if self._control is None else ChessClock(self._control.seconds, self._control.increment)
        return Game(board=board, clock=clock)

    def _pgn(self, file: str) -> None:
        white, black = (colour_name(side) if side in self._sides else self._name for side in chess.COLORS)
        text = self._game.to_pgn(white, black, datetime.date.today())
        if not file:
            self._screen.say(text)
            return
        try:
            with Path(file).expanduser().open("a", encoding="utf-8") as output:
                output.write(text + "\n\n")
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have.
            self._screen.say(f"pgn: {error}")
        else:
            self._screen.say(f"Added to {file}.")


def _best_move(info: Info | None, board: chess.Board) -> chess.Move | None:
    """The move of a search's last Info; None if there is none."""
    return None if info is None or info.best_move == NO_MOVE else to_chess_move(info.best_move, board)
