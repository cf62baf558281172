"""The analysed games as a table of moves, in Parquet."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from ox88.apps.analyse.finished import Finished
from ox88.apps.analyse.records import EvaluationRecord
from ox88.apps.files import written_at_once
from ox88.types import Ox88Error

_ROWS: Final = 50_000  # That are written together.


def import_pyarrow() -> Any:
    """pyarrow, which is not typed. Raises Ox88Error where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Ox88Error("--parquet needs pyarrow, which is not installed: pip install 'ox88[data]'") from None
    return pyarrow


@contextlib.contextmanager
def parquet_writer(path: Path) -> Iterator[Callable[[Finished], None]]:
    """What takes one game after another and writes a row for each move; the file is there at the end."""
    pyarrow = import_pyarrow()
    rows: list[dict[str, Any]] = []
    schema = _schema(pyarrow)

    with (
        written_at_once(path) as temporary,
        pyarrow.parquet.ParquetWriter(temporary, schema, compression="zstd") as file,
    ):

        def flush() -> None:
            file.write_table(pyarrow.Table.from_pylist(rows, schema))
            rows.clear()

        def write(game: Finished) -> None:
            rows.extend(move_rows(game))
            if len(rows) >= _ROWS:
                flush()

        yield write
        flush()


def _schema(pyarrow: Any) -> Any:
    """A row: the game by its number in the input, the move, and what stands before and after it.

    cp, mate, win: White's view after the move, win in percent; best_*: of what the engine would have played. Players'
    accuracy is in percent, clock in seconds.
    """
    text, whole, real = pyarrow.string(), pyarrow.int32(), pyarrow.float32()
    fields = {"game": whole, "file": text, "white": text, "black": text, "result": text, "eco": text, "opening": text}
    fields |= {"ply": whole, "color": text, "san": text, "uci": text, "fen": text, "clock": real}
    fields |= {"cp": whole, "mate": whole, "win": real, "accuracy": real, "judgement": text}
    fields |= {"best_uci": text, "best_line": text, "best_cp": whole, "best_mate": whole, "depth": whole}
    return pyarrow.schema(list(fields.items()))


def move_rows(game: Finished) -> Iterator[dict[str, Any]]:
    """A row for each move. fen: the position before it."""
    tags, record = game.tags, game.record
    same = {"game": game.number, "file": game.file, "white": tags.get("White"), "black": tags.get("Black")}
    same |= {"result": tags.get("Result"), "eco": tags.get("ECO"), "opening": tags.get("Opening")}
    fen = record["start"]["fen"] if record["start"] else ""
    for move in record["moves"]:
        best = move["lines"][0]
        yield same | {
            "ply": move["ply"],
            "color": move["color"],
            "san": move["san"],
            "uci": move["uci"],
            "fen": fen,
            "clock": move["clock"],
            **_score("", move["eval"]),
            "win": move["win"],
            "accuracy": move["accuracy"],
            "judgement": move["judgement"],
            "best_uci": best["moves"][0] if best["moves"] else None,
            "best_line": " ".join(best["moves"]),
            **_score("best_", best["eval"]),
            "depth": best["depth"],
        }
        fen = move["fen"]


def _score(prefix: str, evaluation: EvaluationRecord) -> dict[str, int | None]:
    return {f"{prefix}cp": evaluation.get("cp"), f"{prefix}mate": evaluation.get("mate")}
