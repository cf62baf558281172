"""Shared by tools that measure by matches: play one with `ox88 match`, read its result, write it into a page."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import click

FOLDER: Final = click.option(
    "--folder", required=True, type=click.Path(path_type=Path), help="Where games and results are kept."
)


def match_options(games: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Options of a command that plays matches. games: default number of games of each."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        path = click.Path(exists=True, path_type=Path)
        for option in (
            click.option("--concurrency", type=click.IntRange(1), default=2, show_default=True),
            click.option("--games", type=click.IntRange(2), default=games, show_default=True, help="Of each match."),
            FOLDER,
            click.option("--openings", required=True, type=path, help="PGN or EPD."),
        ):
            command = option(command)
        return command

    return add


def play_match(engines: Sequence[str], folder: Path, name: str, **options: object) -> None:
    """Play or continue a match. Its games and its result are files in the folder, named after the match.

    options: of `ox88 match`, without dashes; those that are None are left out.
    """
    folder.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-P", "-m", "ox88", "match", *engines]
    words += ["--pgn", str(file_name(folder, name, "pgn")), "--json", str(file_name(folder, name, "json"))]
    for option, value in options.items():
        words += [] if value is None else [f"--{option}", str(value)]
    subprocess.run(words, check=True)  # noqa: S603 - Ox88 itself.


def file_name(folder: Path, name: str, ending: str) -> Path:
    return folder / f"{name.replace(' ', '-')}.{ending}"


def read_tally(folder: Path, name: str) -> dict[str, Any]:
    """The result of a match of two engines, from the first one's view."""
    tally: dict[str, Any] = json.loads(file_name(folder, name, "json").read_text(encoding="utf-8"))["pairings"][0]
    return tally


def replace_section(page: str, name: str, text: str) -> str:
    """The page with a new text between the marks of a section. Raises ValueError if a mark is missing."""
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, _, rest = page.partition(start)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"the page must have the marks {start} and {end}, in this order")
    return f"{before}{start}\n{text}{end}{after}"
