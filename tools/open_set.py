"""Chooses the puzzles that travel in the package: python -m tools.open_set puzzles.parquet

They come from the unseen half, on which no finder of themes was written. Ratings are even: each hundred has its turn.
The turn takes a puzzle of the theme that has the fewest so far, and of these the one that people like best.
"""

import csv
import io
import lzma
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pyarrow.parquet

from ox88.apps.puzzles.formats import parse_csv
from ox88.apps.puzzles.open_set import FILE
from ox88.apps.puzzles.puzzles import Puzzles
from tools.motif_table import is_unseen

COUNT = 10_000
LEAST_PLAYS = 30  # The rating of a puzzle that was played less is not sure.
# Themes that say how long or how large, or in which part of the game, are even by themselves.
OTHERS = {
    "oneMove", "short", "long", "veryLong", "crushing", "advantage", "equality", "mate", "opening", "middlegame",
    "endgame", "master", "masterVsMaster", "superGM",
}  # fmt: skip
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]

Row = dict[str, Any]


def choose(rows: list[Row], count: int) -> Iterator[Row]:
    """Of rows with a rating, themes, a popularity and plays. At most all of them."""
    ratings = sorted({row["rating"] // 100 for row in rows})
    shelves: dict[int, dict[str, list[Row]]] = {rating: {} for rating in ratings}
    for row in sorted(rows, key=lambda row: (row["popularity"], row["plays"], row["id"])):
        for theme in set(row["themes"].split()) - OTHERS or {""}:
            shelves[row["rating"] // 100].setdefault(theme, []).append(row)
    counts: Counter[str] = Counter()
    taken: set[str] = set()
    while len(taken) < min(count, len(rows)):
        for shelf in shelves.values():
            found = _take(shelf, counts, taken)
            if found is not None and len(taken) < count:
                taken.add(found["id"])
                counts.update(found["themes"].split() or [""])
                yield found


def _take(shelf: dict[str, list[Row]], counts: Counter[str], taken: set[str]) -> Row | None:
    """The best liked puzzle of the theme with the fewest so far."""
    for theme in sorted(shelf, key=lambda theme: (counts[theme], theme)):
        while shelf[theme]:
            row = shelf[theme].pop()
            if row["id"] not in taken:
                return row
    return None


def as_csv(rows: list[Row]) -> str:
    """In the order of the positions, which packs best."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("PuzzleId", "FEN", "Moves", "Rating", "Themes", "GameUrl"))
    for row in sorted(rows, key=lambda row: row["fen"]):
        address = f"https://lichess.org/training/{row['id']}"
        writer.writerow((row["id"], row["fen"], row["moves"], row["rating"], row["themes"], address))
    return stream.getvalue()


@click.command()
@click.argument("path", type=click.Path(path_type=Path, exists=True))
@click.option("-o", "--output", type=click.Path(path_type=Path), default=FILE, show_default=True)
def main(path: Path, output: Path) -> None:
    rows = pyarrow.parquet.read_table(path).to_pylist()
    usable = [row for row in rows if is_unseen(row["id"]) and row["plays"] >= LEAST_PLAYS and row["popularity"] > 0]
    text = as_csv(list(choose(usable, COUNT)))
    puzzles = Puzzles.of(parse_csv(text.splitlines(), output.name))  # Checks every move.
    output.write_bytes(lzma.compress(text.encode(), filters=FILTERS))
    themes = Counter(theme for found in puzzles.column("themes") for theme in found.split())
    hundreds = Counter(int(rating) // 100 for rating in puzzles.column("rating"))
    click.echo(f"{output}: {len(puzzles)} puzzles, {output.stat().st_size:,} bytes")
    click.echo("by rating: " + ", ".join(f"{hundred}00: {hundreds[hundred]}" for hundred in sorted(hundreds)))
    click.echo("by theme: " + ", ".join(f"{theme}: {number}" for theme, number in themes.most_common()))


if __name__ == "__main__":
    main()
