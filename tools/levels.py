"""Measure the levels of UCI_Elo against each other, for docs/levels.md.

    python -m tools.levels games --openings 8moves_v3.pgn.zip --folder runs
    python -m tools.levels write --folder runs

A level is a number of nodes, whatever the clock, so other work on the machine does not change the results.
"""

from pathlib import Path
from typing import Final

import click

from ox88.apps.match.standings import elo_text
from ox88.apps.match.statistics import PAIR_SCORES, Sample, elo_estimate
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO
from tools.matches import FOLDER, file_name, match_options, play_match, read_tally, replace_section

STEP: Final = 200
LEVELS: Final = range(LEAST_ELO + STEP, MOST_ELO + 1, STEP)  # All but the lowest.
GAMES: Final = 100
CLOCK: Final = "60+1"  # More than any level needs.
PAGE: Final = Path(__file__).parent.parent / "docs" / "levels.md"


@click.group()
def main() -> None:
    """Measure the levels of UCI_Elo."""


@main.command()
@match_options(GAMES)
def games(folder: Path, **options: object) -> None:
    """Play each level against the one below; stopped matches continue."""
    for level in LEVELS:
        click.echo(f"{level} against {level - STEP}", err=True)
        play_match((engine_text(level), engine_text(level - STEP)), folder, f"level {level}", tc=CLOCK, **options)


@main.command()
@FOLDER
def write(folder: Path) -> None:
    """Write the table into docs/levels.md."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(replace_section(page, "games", table(folder)), encoding="utf-8")


def engine_text(level: int) -> str:
    """The engine of a level, as an argument of `ox88 match`."""
    return f"Ox88; name={level}; UCI_LimitStrength=true; UCI_Elo={level}"


def table(folder: Path) -> str:
    """A row for each level's match; levels without a match are left out."""
    rows = ["| level | against | games | won, drawn, lost | score | Elo |", "|---|---|---|---|---|---|"]
    rows += [row(level, folder) for level in LEVELS if file_name(folder, f"level {level}", "json").exists()]
    return "\n".join(rows) + "\n"


def row(level: int, folder: Path) -> str:
    tally = read_tally(folder, f"level {level}")
    result = f"{tally['wins']}, {tally['draws']}, {tally['losses']}"
    score = tally["points"] / tally["games"]
    elo = elo_text(elo_estimate(Sample(tuple(tally["pentanomial"]), PAIR_SCORES)))
    return f"| {level} | {level - STEP} | {tally['games']} | {result} | {score:.1%} | {elo} |"


if __name__ == "__main__":
    main()
