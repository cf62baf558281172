"""UCI_Elo's levels against each other, written into docs/levels.md.

    python -m tools.levels games --openings 8moves_v3.pgn.zip --folder runs
    python -m tools.levels write --folder runs

A level takes as many nodes as it is worth, whatever the clock says, so other work on the machine changes nothing.
"""

from pathlib import Path
from typing import Final

import click

from ox88.apps.match.standings import elo_text
from ox88.apps.match.statistics import PAIR_SCORES, Sample
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO
from tools.matches import between, file_name, play_match, read_tally

STEP: Final = 200
LEVELS: Final = range(LEAST_ELO + STEP, MOST_ELO + 1, STEP)  # That have one below.
GAMES: Final = 100
CLOCK: Final = "60+1"  # More than any level takes.
PAGE: Final = Path(__file__).parent.parent / "docs" / "levels.md"
_MARKS: Final = ("<!-- games -->", "<!-- end of games -->")


@click.group()
def main() -> None:
    """Measure the levels of UCI_Elo."""


@main.command()
@click.option("--openings", required=True, type=click.Path(exists=True, path_type=Path), help="PGN or EPD.")
@click.option("--folder", required=True, type=click.Path(path_type=Path), help="Where games and results are kept.")
@click.option("--games", type=click.IntRange(2), default=GAMES, show_default=True)
@click.option("--concurrency", type=click.IntRange(1), default=2, show_default=True)
def games(openings: Path, folder: Path, games: int, concurrency: int) -> None:
    """Let each level play the one below; matches that were stopped go on."""
    folder.mkdir(parents=True, exist_ok=True)
    for level in LEVELS:
        click.echo(f"{level} against {level - STEP}", err=True)
        engines = (words_of(level), words_of(level - STEP))
        options = {"tc": CLOCK, "games": games, "openings": openings, "concurrency": concurrency}
        play_match(engines, folder, f"level {level}", **options)


@main.command()
@click.option("--folder", required=True, type=click.Path(exists=True, path_type=Path), help="Where results are kept.")
def write(folder: Path) -> None:
    """Write the table into docs/levels.md."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(between(page, _MARKS, table(folder)), encoding="utf-8")


def words_of(level: int) -> str:
    """The engine of a level, as `ox88 match` takes it."""
    return f"Ox88; name={level}; UCI_LimitStrength=true; UCI_Elo={level}"


def table(folder: Path) -> str:
    """Each level's match as a row; levels without a match are left out."""
    rows = ["| level | against | games | won, drawn, lost | score | Elo |", "|---|---|---|---|---|---|"]
    rows += [row(level, folder) for level in LEVELS if file_name(folder, f"level {level}", "json").exists()]
    return "\n".join(rows) + "\n"


def row(level: int, folder: Path) -> str:
    tally = read_tally(folder, f"level {level}")
    result = f"{tally['wins']}, {tally['draws']}, {tally['losses']}"
    score = tally["points"] / tally["games"]
    elo = elo_text(Sample(tuple(tally["pentanomial"]), PAIR_SCORES))
    return f"| {level} | {level - STEP} | {tally['games']} | {result} | {score:.1%} | {elo} |"


if __name__ == "__main__":
    main()
