"""Draw docs/terminal.svg: a real session of `ox88 play`, as a terminal shows it.

python tools/terminal_picture.py
"""

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
from rich.console import Console

from ox88.apps.play import greeting
from ox88.apps.screen import TerminalScreen
from ox88.apps.terminal import TerminalGame
from ox88.engines.base import Info, Limit, get_ready
from ox88.engines.micromax.driver import MicroMax
from ox88.engines.registry import MICROMAX

SESSION = ("e2e4", "e4e6", "Nf3")
TARGET = Path(__file__).parent.parent / "docs" / "terminal.svg"


class Recorder(TerminalScreen):
    """A terminal that reads prepared lines, and records its output."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        console = Console(
            file=io.StringIO(), record=True, force_terminal=True, color_system="truecolor", width=72, highlight=False
        )
        super().__init__(console)
        self._lines = iter(lines)

    def ask(self, prompt: Callable[[], str], /) -> str | None:
        line = next(self._lines, None)
        self._console.print(prompt() + (line or "_"), markup=False)
        return line

    def watch(self, infos: Iterator[Info], _: chess.Board, /) -> Info | None:
        return list(infos)[-1]

    def picture(self) -> str:
        svg = self._console.export_svg(title="ox88 play")
        svg = re.sub(
            r"@font-face \{.*?\}", "", svg, flags=re.DOTALL
        )  # Browsers would fetch these fonts from other servers.
        return svg.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas")


def main() -> None:
    screen, engine, limit = Recorder(SESSION), get_ready(MicroMax()), Limit(time=1.0)
    screen.say("\n".join(greeting(MICROMAX, engine.name, None, "white", limit, None)))
    TerminalGame(engine, screen, limit).run()
    TARGET.write_text(screen.picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
