"""Precision and recall of each theme on Lichess's puzzles: python -m tools.motif_table puzzles.parquet

The puzzles are split by id into seen ones, which may be looked at while a finder is written, and unseen ones.
"""

import time
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import chess
import click
import pyarrow.parquet

from ox88.motifs.find import find_motifs
from ox88.motifs.line import Line


def is_unseen(puzzle_id: str) -> bool:
    return zlib.crc32(puzzle_id.encode()) % 2 == 1


def read_puzzles(path: Path, unseen: bool, limit: int) -> Iterator[tuple[str, Line, set[str]]]:
    """Id, the line after the opponent's first move, and Lichess's themes."""
    rows = pyarrow.parquet.read_table(path, columns=["id", "fen", "moves", "themes"]).to_pylist()
    for row in [row for row in rows if is_unseen(row["id"]) == unseen][:limit]:
        board = chess.Board(row["fen"])
        first, *moves = map(chess.Move.from_uci, row["moves"].split())
        board.push(first)
        yield row["id"], Line(board, moves), set(row["themes"].split())


@click.command()
@click.argument("path", type=click.Path(path_type=Path, exists=True))
@click.option("--unseen", is_flag=True, help="The unseen puzzles, not the seen ones.")
@click.option("--limit", type=int, default=20_000, show_default=True, help="Puzzles.")
@click.option("--show", "theme", help="Also print puzzles that only one side has tagged with this theme.")
def main(path: Path, unseen: bool, limit: int, theme: str | None) -> None:
    both: Counter[str] = Counter()
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    seconds = 0.0
    count = 0
    for puzzle_id, line, themes in read_puzzles(path, unseen, limit):
        begin = time.process_time()
        found = {motif.theme for motif in find_motifs(line)}
        seconds += time.process_time() - begin
        count += 1
        ours.update(found)
        theirs.update(themes)
        both.update(found & themes)
        if theme and (theme in found) != (theme in themes):
            side = "only ours  " if theme in found else "only theirs"
            click.echo(f"{side} {puzzle_id} {line.boards[0].fen()} {' '.join(step.move.uci() for step in line.steps)}")
    click.echo(f"| theme | puzzles | found | precision | recall |\n|{'---|' * 5}")
    for name in sorted(ours | theirs):
        precision = f"{both[name] / ours[name]:.3f}" if ours[name] else "-"
        recall = f"{both[name] / theirs[name]:.3f}" if theirs[name] else "-"
        click.echo(f"| {name} | {theirs[name]} | {ours[name]} | {precision} | {recall} |")
    click.echo(f"\n{count} puzzles, {count / max(seconds, 1e-9):,.0f} a second")


if __name__ == "__main__":
    main()
