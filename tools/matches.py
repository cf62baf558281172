"""What tools that measure by matches share: playing one with `ox88 match`, reading its result, filling in a page."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def play_match(engines: Sequence[str], folder: Path, name: str, **options: object) -> None:
    """Play a match, or go on with it: games and result are in files of the folder that bear its name.

    options: those of `ox88 match`, without their dashes; None leaves one out.
    """
    words = [sys.executable, "-m", "ox88", "match", *engines]
    words += ["--pgn", str(file_name(folder, name, "pgn")), "--json", str(file_name(folder, name, "json"))]
    for option, value in options.items():
        words += [] if value is None else [f"--{option}", str(value)]
    subprocess.run(words, check=True)  # noqa: S603 - Ox88 itself.


def file_name(folder: Path, name: str, ending: str) -> Path:
    return folder / f"{name.replace(' ', '-')}.{ending}"


def read_tally(folder: Path, name: str) -> dict[str, Any]:
    """The result of a match of two, from the first one's side."""
    tally: dict[str, Any] = json.loads(file_name(folder, name, "json").read_text(encoding="utf-8"))["pairings"][0]
    return tally


def between(page: str, marks: tuple[str, str], text: str) -> str:
    """The page with another text between two marks. Raises ValueError where they are missing."""
    before, _, rest = page.partition(marks[0])
    _, found, after = rest.partition(marks[1])
    if not found:
        raise ValueError(f"the page has not {' and '.join(marks)}")
    return f"{before}{marks[0]}\n{text}{marks[1]}{after}"
