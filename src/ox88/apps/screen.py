"""The screen of a game in the terminal: shows boards and searches, and reads lines. The screen may also be a pipe."""

import contextlib
import os
import shutil
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Final

import chess

from ox88.apps.show.picture import FIGURES
from ox88.apps.streams import lenient
from ox88.convert import legal_line
from ox88.engines.base import Info

if TYPE_CHECKING:  # Imported only for a terminal, so that a pipe starts faster.
    from rich.console import Console
    from rich.text import Text

_LINE_LENGTH: Final = 8  # Plies of a line that are shown.
_EVERY: Final = 0.1  # Seconds between two looks at a prompt.
_SQUARES: Final = {True: "on #c8a36d", False: "on #9a7047"}  # By whether the square is light.
_LAST_MOVE: Final = {True: "on #cfc56a", False: "on #a89a3c"}
_PIECES: Final = {chess.WHITE: "bold #ffffff", chess.BLACK: "bold #000000"}
_MARGIN: Final = " " * 4


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
            return _ask(prompt)
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


# --- Boards -----------------------------------------------------------------------------------------------------------


def plain_board(board: chess.Board, flipped: bool = False) -> str:
    """Eight ranks of letters, White's in capitals, with the names of ranks and files."""
    letters = str(board).splitlines()  # From rank 8 on, with spaces between.
    rows = [f"  {rank + 1}  {letters[7 - rank][:: -1 if flipped else 1]}" for rank in _ranks(flipped)]
    return "\n".join([*rows, "", f"     {' '.join(_files(flipped))}"])


def coloured_board(board: chess.Board, flipped: bool = False, figures: bool = True, columns: int = 80) -> "Text":
    """The board on coloured squares with the last move marked.

    figures: draw figures; False draws letters. columns: of the terminal. In a narrow one the squares are narrower.
    """
    from rich.text import Text

    last = board.move_stack[-1] if board.move_stack else chess.Move.null()
    marked = {last.from_square, last.to_square} if last else set()
    text, width = Text(), min(max((columns - len(_MARGIN)) // 8, 1), 3)
    for rank in _ranks(flipped):
        text.append(f"{rank + 1:>3} ")
        for file in _files(flipped):
            square = chess.parse_square(f"{file}{rank + 1}")
            is_light = bool(chess.BB_LIGHT_SQUARES & chess.BB_SQUARES[square])
            background = (_LAST_MOVE if square in marked else _SQUARES)[is_light]
            symbol, style = _cell(board.piece_at(square), background, figures)
            text.append(f"{symbol:^{width}}", style)
        text.append("\n")
    return text.append(_MARGIN + "".join(f"{file:^{width}}" for file in _files(flipped)))


def _ranks(flipped: bool) -> range:
    return range(8) if flipped else range(7, -1, -1)


def _files(flipped: bool) -> str:
    return "hgfedcba" if flipped else "abcdefgh"


def _cell(piece: chess.Piece | None, background: str, figures: bool) -> tuple[str, str]:
    if piece is None:
        return " ", background
    symbol = FIGURES[piece.symbol()] if figures else piece.symbol()
    return symbol, f"{_PIECES[piece.color]} {background}"


# --- The prompt -------------------------------------------------------------------------------------------------------


def _ask(prompt: Callable[[], str]) -> str:
    """`input` with a prompt that changes meanwhile, such as one with a clock. What `prompt` raises ends the wait.

    A timer signal interrupts the wait for keys ten times a second, and Python writes the prompt over the old one.
    Without such a timer, as on Windows, the prompt does not change.
    """
    shown = prompt()

    def update() -> None:
        """Write what has changed, in the place of the old prompt, so that what is typed stays where it is."""
        nonlocal shown
        text = prompt().ljust(len(shown))
        if text != shown and len(text) == len(shown) and _fits_on_a_line(text):
            shown = text
            with contextlib.suppress(OSError):  # The terminal was closed, so the input ends too.
                os.write(sys.stdout.fileno(), f"\x1b7\r{text}\x1b8".encode())  # Save the cursor; restore it.

    with _often(update):
        return input(shown)


def _fits_on_a_line(prompt: str) -> bool:
    """True if the prompt and what is typed so far are on one line of a terminal that can move its cursor."""
    typed = 0
    with contextlib.suppress(ImportError):  # Windows has no readline.
        import readline

        typed = len(readline.get_line_buffer())
    return os.environ.get("TERM") != "dumb" and len(prompt) + typed < shutil.get_terminal_size().columns


@contextlib.contextmanager
def _often(call: Callable[[], None]) -> Iterator[None]:
    """Call a function often within the context, also while Python waits for keys. Without a timer, do nothing."""
    if sys.platform == "win32":
        yield
        return
    is_over = False

    def tick(*_: object) -> None:
        nonlocal is_over
        if not is_over:
            is_over = True  # If the call raises, the timer stays off: nothing may disturb what follows.
            call()
            is_over = False

    before = signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, _EVERY, _EVERY)
    try:
        yield
    finally:
        is_over = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
