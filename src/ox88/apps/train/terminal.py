"""Training in the terminal: show a puzzle, read a line, then try a move or obey a command."""

import contextlib
import re
from collections.abc import Callable
from typing import Final

import chess

from ox88.apps.screen import Screen
from ox88.apps.train.grading import end_of_day
from ox88.apps.train.sessions import Drill, Session, Trainer
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
_SPECIAL: Final = {  # Themes whose names are not in the words of people.
    "attackingF2F7": "attack on f2 or f7",
    "backRankMate": "back-rank mate",
    "mateIn5": "mate in 5 or more",
    "underPromotion": "underpromotion",
    "xRayAttack": "x-ray attack",
}


class TerminalTraining:
    """The loop of a session that has begun."""

    def __init__(self, trainer: Trainer, screen: Screen) -> None:
        self._trainer = trainer
        self._screen = screen
        self._goes_on = True
        self._commands: dict[str, Callable[[str], None]] = {
            "hint": self._hint,
            "show": lambda key: self._say_outcome("", trainer.show(key)),
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
            while self._goes_on and self._trainer.drill is not None:
                try:
                    line = self._screen.ask(self._prompt)
                except TimeoutError:
                    self._trainer.advance()
                    continue
                if line is None:
                    return
                self._obey(line.strip(), self._trainer.drill.puzzle.id)
            if self._goes_on:
                self._screen.say(summary(self._trainer.going_on(), self._trainer.clock()))

    def _prompt(self) -> str:
        """Who is to move, and how much time a rush has left. Raises TimeoutError when none is left."""
        session, drill = self._trainer.going_on(), self._trainer.drill
        if drill is None or drill.is_over:
            return "next> "
        if session.end is None:
            return f"{colour_name(drill.board.turn)} to move> "
        left = session.end - self._trainer.clock()
        if left <= 0:
            raise TimeoutError
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
        self._screen.say(f"{colour_name(not board.turn)} has played {before.variation_san([previous])}.")
        if puzzle.played:
            played = board.variation_san([chess.Move.from_uci(puzzle.played)])
            game = puzzle.source if {" ", "/"} & {*puzzle.source} else "a game here"  # Which has an id, no name.
            self._screen.say(f"In {game} you played {played}. Find a better move.")
        self._show_board(drill)

    def _show_board(self, drill: Drill) -> None:
        self._screen.board(drill.board, flipped=not drill.puzzle.board().turn)

    # --- Commands ---------------------------------------------------------------------------------------------------

    def _try(self, line: str, key: str) -> None:
        before = self._trainer.current(key).board.copy()
        verdict, drill = self._trainer.play(key, line)
        if verdict == "right":
            move, reply = drill.board.move_stack[-2:]
            said = before.variation_san([move])
            before.push(move)
            self._screen.say(f"{said} is right. The answer is {before.variation_san([reply])}.")
            self._show_board(drill)
        elif drill.is_over:
            self._say_outcome("Solved." if verdict == "solved" else f"{line} is not the move.", drill)
        else:
            self._screen.say(f"{line} is not the move. Try again, or type hint, show or next.")

    def _hint(self, key: str) -> None:
        drill = self._trainer.hint(key)
        square = drill.expected.from_square
        piece = chess.piece_name(drill.board.piece_type_at(square) or chess.PAWN)
        self._screen.say(f"The {piece} on {chess.square_name(square)} moves.")

    def _say_outcome(self, first: str, drill: Drill) -> None:
        """What is said when a puzzle is over: the solution, the rating, and when the puzzle comes back."""
        puzzle, session, now = drill.puzzle, self._trainer.going_on(), self._trainer.clock()
        answer, due = session.outcomes[puzzle.id]
        also = f" Also good: {', '.join(drill.also_san())}." if drill.also else ""
        rating = f"Your rating: {answer.rating:.0f} ({answer.change:+.0f})." if answer.change else ""
        back = "" if due is None else f"It comes back {_when(due, now)}."
        lines = [
            first,
            f"The solution: {puzzle.board().variation_san(puzzle.solution)}.{also}",
            puzzle.reason,
            f"Themes: {', '.join(map(_words, puzzle.themes))}.",
            " ".join(filter(None, [rating, back])),
        ]
        self._screen.say("\n".join(filter(None, lines)))
        if session.end is not None:
            self._next(puzzle.id)

    def _next(self, key: str) -> None:
        self._trainer.advance(key)
        self._show()

    def _quit(self, _: str) -> None:
        self._goes_on = False


def summary(session: Session, now: float) -> str:
    """How a session went."""
    said = f"{session.right} of {len(session.outcomes)} solved at once."
    back = [outcome.due for outcome in session.outcomes.values() if outcome.due is not None]
    return f"{said} The first to come back comes {_when(min(back), now)}." if back else said


def _when(due: float, now: float) -> str:
    days = round((end_of_day(due) - end_of_day(now)) / 86_400)  # Where clocks change, a day is an hour longer.
    return "tomorrow" if days == 1 else f"in {days} days"


def statistics_text(trainer: Trainer) -> str:
    """How the training goes, as lines."""
    found, rating = trainer.records.statistics(trainer.clock()), trainer.records.rating()
    return "\n".join(
        [
            f"Your rating: {rating.value:.0f}, give or take {2 * rating.deviation:.0f}.",
            f"Due today: {found['days'][0]}. Due tomorrow: {found['days'][1]}. New mistakes: {found['fresh']}.",
            f"Answers today: {found['today']}. Days in a row: {found['streak']}. Best rush: {found['best']}.",
            *(
                f"{_words(one['theme']):20} {one['right']:5} of {one['seen']:5} at once"
                for one in found["themes"][:_MOST_THEMES]
            ),
        ]
    )


def _words(theme: str) -> str:
    """A theme's name in words, such as "mate in 2" for `mateIn2`."""
    return _SPECIAL.get(theme) or re.sub(r"[A-Z]|\d+", lambda found: f" {found[0].lower()}", theme)
