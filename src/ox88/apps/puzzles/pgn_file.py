"""Puzzles as PGN: a game for each, from the position before the opponent's move. All other columns are tags."""

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import chess
from numpy.typing import NDArray

from ox88.apps.puzzles.columns import COLUMNS, Columns, make_columns
from ox88.batch.pgn.words import format_tag
from ox88.errors import Ox88Error

_TAGS: Final = {column.name: column.tag for column in COLUMNS if column.tag}


def read_pgn_file(path: Path) -> Columns:
    """Raises Ox88Error."""
    from ox88.batch.pgn.reading import read_pgn  # Imports the compiler.

    games = read_pgn(path, headers=_TAGS.values())
    for error in games.errors[:1]:
        raise Ox88Error(f"{path}, {error}")
    moves, ends = games.positions(final=False).format_uci(games.moves), games.offsets.tolist()
    values: dict[str, Sequence[str] | NDArray[Any]] = {name: games.headers[tag] for name, tag in _TAGS.items()}
    values["fen"] = games.positions(ply=0).fens(en_passant="legal")
    values["moves"] = [" ".join(moves[begin:end]) for begin, end in itertools.pairwise(ends)]
    return make_columns(values, len(games), lambda row: f"{path}, game {row + 1}")


def format_pgn(columns: Columns) -> Iterator[str]:
    """The games."""
    for values in zip(*columns.values(), strict=True):
        puzzle = dict(zip(columns, values, strict=True))
        board = chess.Board(puzzle["fen"])
        tags = {"Event": "Puzzle", "White": "?", "Black": "?", "Result": "*", "SetUp": "1"}
        tags |= {tag: re.sub(r"\s+", " ", str(puzzle[name])) for name, tag in _TAGS.items() if puzzle[name]}
        head = "\n".join(format_tag(name, text) for name, text in tags.items())
        line = board.variation_san(map(chess.Move.from_uci, puzzle["moves"].split()))
        yield f"{head}\n\n{line} *\n\n"
