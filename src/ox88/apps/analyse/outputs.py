"""The files with the analysed games: PGN, JSON and Parquet; `page_output` writes the HTML page.

Each writer is a context manager. It gives a function to call with each game, and the file appears at the end.
"""

import contextlib
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from ox88.apps.analyse.records import AnalysedGame, EvaluationRecord, LineRecord
from ox88.apps.files import text_written_at_once, written_at_once
from ox88.batch.pgn.words import format_tag
from ox88.batch.positions.arrow import import_pyarrow

Writer = AbstractContextManager[Callable[[AnalysedGame], None]]
_ROSTER: Final = ("Event", "Site", "Date", "Round", "White", "Black", "Result")  # The order in PGN's export format.
_ROWS: Final = 50_000  # Games that are written to Parquet together.


@contextlib.contextmanager
def text_writer(path: Path, to_text: Callable[[AnalysedGame], str]) -> Iterator[Callable[[AnalysedGame], None]]:
    with text_written_at_once(path) as stream:
        yield lambda game: print(to_text(game), file=stream)


def game_text(game: AnalysedGame) -> str:
    """A game as PGN; if it could not be read, its original text."""
    tags = game.tags if game.record["headers"] else {}
    first = [name for name in _ROSTER if name in tags]
    lines = [format_tag(name, tags[name]) for name in dict.fromkeys([*first, *tags])]
    return "\n".join(lines) + ("\n\n" if lines else "") + game.record["pgn"]


def game_json(game: AnalysedGame) -> str:
    """A game as a line of JSON. Its parts have the fields of `records`."""
    record, opening = game.record, game.opening
    data = {
        "number": game.number,
        "file": game.file,
        "line": game.line,
        "headers": dict(record["headers"]),
        "opening": None if opening is None else {"eco": opening.eco, "name": opening.name},
        "start": record["start"],
        "moves": [move | {"lines": list(map(_without_fens, move["lines"]))} for move in record["moves"]],
        "white": record["white"],
        "black": record["black"],
        "errors": [error | {"line": game.line + error["line"]} for error in record["errors"]],
        "nodes": record["nodes"],
    }
    return json.dumps(data, separators=(",", ":"))


def _without_fens(line: LineRecord) -> dict[str, Any]:
    """The FENs of a line follow from its moves."""
    return {name: value for name, value in line.items() if name != "fens"}


@contextlib.contextmanager
def parquet_writer(path: Path) -> Iterator[Callable[[AnalysedGame], None]]:
    """A table with a row for each move."""
    pyarrow = import_pyarrow("--parquet")
    rows: list[dict[str, Any]] = []
    schema = _schema(pyarrow)

    with (
        written_at_once(path) as output,
        pyarrow.parquet.ParquetWriter(output, schema, compression="zstd") as file,
    ):

        def flush() -> None:
            file.write_table(pyarrow.Table.from_pylist(rows, schema))
            rows.clear()

        def write(game: AnalysedGame) -> None:
            rows.extend(_move_rows(game))
            if len(rows) >= _ROWS:
                flush()

        yield write
        flush()


def _schema(pyarrow: Any) -> Any:
    """game: its number in the input. fen: of the position before the move. cp, mate, win: White's view after the move.

    best_*: the engine's choice. win and accuracy are in percent, clock is in seconds.
    """
    text, whole, real = pyarrow.string(), pyarrow.int32(), pyarrow.float32()
    fields = {"game": whole, "file": text, "white": text, "black": text, "result": text, "eco": text, "opening": text}
    fields |= {"ply": whole, "color": text, "san": text, "uci": text, "fen": text, "clock": real}
    fields |= {"cp": whole, "mate": whole, "win": real, "accuracy": real, "judgement": text}
    fields |= {"best_uci": text, "best_line": text, "best_cp": whole, "best_mate": whole, "depth": whole}
    return pyarrow.schema(list(fields.items()))


def _move_rows(game: AnalysedGame) -> Iterator[dict[str, Any]]:
    tags, record = game.tags, game.record
    same = {"game": game.number, "file": game.file, "white": tags.get("White"), "black": tags.get("Black")}
    same |= {"result": tags.get("Result"), "eco": tags.get("ECO"), "opening": tags.get("Opening")}
    fen = record["start"]["fen"] if record["start"] else ""
    for move in record["moves"]:
        best = move["lines"][0]
        yield same | {
            **{name: move[name] for name in ("ply", "color", "san", "uci", "clock", "win", "accuracy", "judgement")},
            **_score("", move["eval"]),
            "fen": fen,
            "best_uci": best["moves"][0] if best["moves"] else None,
            "best_line": " ".join(best["moves"]),
            **_score("best_", best["eval"]),
            "depth": best["depth"],
        }
        fen = move["fen"]


def _score(prefix: str, evaluation: EvaluationRecord) -> dict[str, int | None]:
    return {f"{prefix}cp": evaluation.get("cp"), f"{prefix}mate": evaluation.get("mate")}
