"""The analysed games as JSON, one object a line."""

import json
from typing import Any, TextIO

from ox88.apps.analyse.finished import Finished


def write_json(stream: TextIO, game: Finished) -> None:
    stream.write(json.dumps(game_data(game), separators=(",", ":")) + "\n")


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
