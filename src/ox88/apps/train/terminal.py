"""Training in the terminal: show a puzzle, read a line, then try a move or obey a command."""

import contextlib
import re
from collections.abc import Callable
from typing import Final

import chess

from ox88.apps.screen import Screen
from ox88.apps.train.cards import end_of_day
from ox88.apps.train.sessions import Outcome, Session, Trainer
from ox88.apps.train.statistics import gather
from ox88.errors import Ox88Error
from ox88.rules import MoveSyntaxError, colour_name

HELP: Final = """\
e2e4, e7e8n, Nf3, O-O   try a move
hint                    the piece that moves
show                    the solution; the puzzle comes back tomorrow
next, (an empty line)   the next puzzle
statistics              how the training goes
help                    this text
quit                    leave; all answers are kept"""
_MOST_THEMES: Final = 15


class _RushIsOverError(Exception):
    """The time of a rush is over."""


class TerminalTraining:
    """The loop of a session that has begun."""

    def __init__(self, trainer: Trainer, screen: Screen) -> None:
        self._trainer = trainer
        self._screen = screen
        self._goes_on = True
        self._commands: dict[str, Callable[[str], None]] = {
            "hint": self._hint,
            "show": self._show_solution,
            "next": self._next,
            "": self._next,
            "statistics": lambda _: screen.say(statistics_text(trainer)),
            "help": lambda _: screen.say(HELP),
            "quit": self._quit,
            "exit": self._quit,
        }

    def run(self) -> None:
        """Train until the session is over or the person leaves, by Ctrl-C at any moment too."""
        with contextlib.suppress(KeyboardInterrupt):
            self._show()
            self._ask_and_obey()

    def _ask_and_obey(self) -> None:
        while self._goes_on and self._trainer.drill is not None:
            line = None
            with contextlib.suppress(_RushIsOverError):
                line = self._screen.ask(self._prompt)
                if line is None:
                    return
                self._obey(line.strip(), self._trainer.drill.puzzle.id)
            if line is None:
                self._trainer.advance()
        if self._goes_on:
            self._screen.say(summary(self._trainer.going_on(), self._trainer.clock()))

    def _prompt(self) -> str:
        """Who is to move, and how much time is left. Raises _RushIsOverError when none is left."""
        session, drill = self._trainer.going_on(), self._trainer.drill
        if drill is None or drill.is_over:
            return "next> "
        if session.end is None:
            return f"{colour_name(drill.board.turn)} to move> "
        left = session.end - self._trainer.clock()
        if left <= 0:
            raise _RushIsOverError
        return f"{colour_name(drill.board.turn)} to move ({int(left) // 60}:{int(left) % 60:02})> "

    def _obey(self, line: str, key: str) -> None:
        try:
            if line.lower() in self._commands:
                self._commands[line.lower()](key)
            else:
                self._try(line, key)
        except MoveSyntaxError as error:
            self._screen.say(f"{error}; help lists the commands")
        except Ox88Error as error:
            self._screen.say(str(error))
            self._trainer.advance()

    def _show(self) -> None:
        """Say which puzzle it is, and show the board."""
        session, drill = self._trainer.going_on(), self._trainer.drill
        if drill is None:
            return
        puzzle, board = drill.puzzle, drill.puzzle.board()
        of = f" of {session.length}" if session.length else ""
        comes_back = ", which comes back" if drill.comes_back else ""
        self._screen.say(f"\nPuzzle {len(session.seen)}{of}{comes_back}, rated {puzzle.rating}.")
        before = board.copy(stack=1)
        previous = before.pop()
        self._screen.say(f"{colour_name(not board.turn)} has played {_numbered(before, previous)}.")
        if puzzle.played:
            played = _numbered(board, chess.Move.from_uci(puzzle.played))
            game = puzzle.source if {" ", "/"} & {*puzzle.source} else "a game here"  # Which has an id, no name.
            self._screen.say(f"In {game} you played {played}. Find a better move.")
        self._show_board()

    def _show_board(self) -> None:
        drill = self._trainer.drill
        if drill is not None:
            self._screen.board(drill.board, flipped=not drill.puzzle.board().turn)

    # --- Commands ---------------------------------------------------------------------------------------------------

    def _try(self, line: str, key: str) -> None:
        before = self._trainer.current(key).board.copy()
        verdict = self._trainer.play(key, line)
        drill = self._trainer.drill
        if drill is None:
            return
        if verdict == "right":
            move, reply = drill.board.move_stack[-2:]
            said = _numbered(before, move)
            before.push(move)
            self._screen.say(f"{said} is right. The answer is {_numbered(before, reply)}.")
            self._show_board()
        elif verdict == "wrong" and not drill.is_over:
            self._screen.say(f"{line} is not the move. Try again, or type hint, show or next.")
        else:
            self._say_outcome("Solved." if verdict == "solved" else f"{line} is not the move.", key)

    def _hint(self, key: str) -> None:
        drill = self._trainer.current(key)
        self._trainer.hint(key)
        square = drill.expected.from_square
        piece = chess.piece_name(drill.board.piece_type_at(square) or chess.PAWN)
        self._screen.say(f"The {piece} on {chess.square_name(square)} moves.")

    def _show_solution(self, key: str) -> None:
        self._trainer.show(key)
        self._say_outcome("", key)

    def _say_outcome(self, first: str, key: str) -> None:
        drill, outcome, session = self._trainer.drill, self._trainer.outcome, self._trainer.going_on()
        if drill is None or outcome is None:
            return
        puzzle = drill.puzzle
        solution = puzzle.board().variation_san(puzzle.solution)
        also = f" Also good: {', '.join(drill.also_san())}." if drill.also else ""
        lines = [
            first,
            f"The solution: {solution}.{also}",
            puzzle.reason,
            f"Themes: {', '.join(map(_words, puzzle.themes))}.",
        ]
        self._screen.say("\n".join(filter(None, [*lines, _worth(outcome, self._trainer.clock())])))
        if session.end is not None:
            self._next(key)

    def _next(self, key: str) -> None:
        self._trainer.advance(key)
        self._show()

    def _quit(self, _: str) -> None:
        self._goes_on = False


def _numbered(board: chess.Board, move: chess.Move) -> str:
    return board.variation_san([move])


def _worth(outcome: Outcome, now: float) -> str:
    """What an answer has changed: the rating, and when the puzzle comes back."""
    answer = outcome.answer
    rating = f"Your rating: {answer.rating:.0f} ({answer.change:+.0f})." if answer.change else ""
    due = "" if outcome.due is None else f"It comes back {_when(outcome.due, now)}."
    return " ".join(filter(None, [rating, due]))


def _when(due: float, now: float) -> str:
    days = round((end_of_day(due) - end_of_day(now)) / 86_400)  # Where clocks change, a day is an hour longer.
    return "tomorrow" if days == 1 else f"in {days} days"


def summary(session: Session, now: float) -> str:
    """How a session went."""
    said = f"{session.right} of {len(session.outcomes)} solved at once."
    back = [outcome.due for outcome in session.outcomes.values() if outcome.due is not None]
    return f"{said} The first to come back comes {_when(min(back), now)}." if back else said


def statistics_text(trainer: Trainer) -> str:
    """How the training goes, as lines."""
    found, rating = gather(trainer.records, trainer.clock()), trainer.records.rating()
    return "\n".join(
        [
            f"Your rating: {rating.value:.0f}, give or take {2 * rating.deviation:.0f}.",
            f"Due today: {found.days[0]}. Due tomorrow: {found.days[1]}. New mistakes: {found.fresh}.",
            f"Answers today: {found.today}. Days in a row: {found.streak}. Best rush: {trainer.records.best_rush()}.",
            *(
                f"{_words(theme):20} {right:5} of {seen:5} at once"
                for theme, seen, right in found.themes[:_MOST_THEMES]
            ),
        ]
    )


def _words(theme: str) -> str:
    """A theme's name in words, such as "mate in 2" for `mateIn2`."""
    return re.sub(r"[A-Z]|\d+", lambda found: f" {found[0].lower()}", theme)
