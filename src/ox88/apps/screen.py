"""The screen of a game in the terminal: shows boards and searches, and reads lines. The screen may also be a pipe."""

import contextlib
import sys
from collections import deque
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Final

import chess

from ox88.apps.board_text import coloured_board, plain_board
from ox88.apps.prompt import ask
from ox88.apps.streams import lenient
from ox88.convert import legal_line
from ox88.engines.base import Info

if TYPE_CHECKING:  # Imported only for a terminal, so that a pipe starts faster.
    from rich.console import Console
    from rich.text import Text

_LINE_LENGTH: Final = 8  # Plies of a line that are shown.


def search_line(info: Info, board: chess.Board) -> str:
    """The state of a search as one line. The moves come last, because a narrow terminal cuts the line off."""
    ahead = board.copy(stack=False)
    moves = " ".join(ahead.san_and_push(move) for move in legal_line(info.line[:_LINE_LENGTH], board))
    speed = f"{info.nodes_per_second / 1e6:.2f} M nodes/s"
    return f"depth {info.depth}  {info.score}  {info.nodes:,} nodes  {speed}  {moves}"


class PlainScreen:
    """Text without colours, prompts or lines that change. is_live: a person may end a search by Ctrl-C."""

    is_live = False

    def __init__(self, lines: IO[str], output: IO[str]) -> None:
        self._lines = lines
        self._output = output

    def board(self, board: chess.Board, flipped: bool) -> None:
        self.say(f"\n{plain_board(board, flipped)}\n")

    def say(self, text: str) -> None:
        self._output.write(text + "\n")
        self._output.flush()

    def ask(self, _prompt: Callable[[], str], /) -> str | None:
        """The next line; None at the end of the input or after Ctrl-C."""
        try:
            line = self._lines.readline()
        except KeyboardInterrupt:
            return None
        return line if line else None

    def watch(self, infos: Iterator[Info], _: chess.Board, /) -> Info | None:
        """Show a search while it runs. Returns its last Info."""
        return next(iter(deque(infos, maxlen=1)), None)


class TerminalScreen:
    """A terminal: colours, figures if the encoding has them, line editing, and a line that follows the search."""

    is_live = True

    def __init__(self, console: "Console | None" = None) -> None:
        from rich.console import Console

        with contextlib.suppress(ImportError):  # Windows has no readline; its console edits lines itself.
            import readline  # noqa: F401 - The import alone gives input() a history.
        self._console = console or Console(highlight=False)
        self._figures = self._console.encoding.lower().startswith("utf")

    def board(self, board: chess.Board, flipped: bool) -> None:
        text: str | Text = plain_board(board, flipped)
        if self._console.color_system is not None:
            text = coloured_board(board, flipped, self._figures, self._console.width)
        self._console.print("", text, "", sep="\n", markup=False, no_wrap=True, overflow="crop")

    def say(self, text: str) -> None:
        self._console.print(text, markup=False)

    def ask(self, prompt: Callable[[], str], /) -> str | None:
        """As in PlainScreen. `prompt` is called again and again, so that its clock runs; its errors end the wait."""
        try:
            return ask(prompt)
        except BaseException as error:
            self.say("")  # So that what follows does not stand behind the prompt.
            if isinstance(error, (EOFError, KeyboardInterrupt)):
                return None
            raise

    def watch(self, infos: Iterator[Info], board: chess.Board, /) -> Info | None:
        from rich.live import Live
        from rich.text import Text

        last = None
        with Live(Text("thinking ..."), console=self._console, transient=True, auto_refresh=False) as live:
            for last in infos:
                live.update(Text(search_line(last, board), no_wrap=True, overflow="ellipsis"), refresh=True)
        return last


Screen = PlainScreen | TerminalScreen


def make_screen() -> Screen:
    """A TerminalScreen if standard input and output are a terminal, else a PlainScreen.

    Input that cannot be decoded is read as question marks.
    """
    if sys.stdin.isatty() and sys.stdout.isatty():
        return TerminalScreen()
    return PlainScreen(lenient(sys.stdin), lenient(sys.stdout))
