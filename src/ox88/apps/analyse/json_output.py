"""The analysed games as JSON, one object a line."""

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ox88.apps.analyse.finished import Finished
from ox88.apps.files import written_at_once


@contextlib.contextmanager
def json_writer(path: Path) -> Iterator[Callable[[Finished], None]]:
    """What takes one game after another; the file is there at the end."""
    with written_at_once(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        yield lambda game: print(json.dumps(game_data(game), separators=(",", ":")), file=stream)


def game_data(game: Finished) -> dict[str, Any]:
    """A game for JSON; the fields of its parts are those of `records`."""
    record, opening = game.record, game.opening
    return {
        "number": game.number,
        "file": game.file,
        "line": game.line,
        "headers": dict(record["headers"]),
        "opening": None if opening is None else {"eco": opening.eco, "name": opening.name},
        "start": record["start"],
        "moves": record["moves"],
        "white": record["white"],
        "black": record["black"],
        "errors": [{"line": game.line + flaw["line"], "reason": flaw["reason"]} for flaw in record["flaws"]],
        "nodes": record["nodes"],
    }
