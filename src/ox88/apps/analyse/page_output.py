"""The analysed games as one page of HTML without other files. Its parts are in `page/`, and in the viewer.

A game's own texts reach the page only as JSON, and its script shows them as text, never as markup. The page's
Content-Security-Policy allows no other script or style than its own, by their hashes, and no requests.
"""

import base64
import contextlib
import hashlib
import html
import importlib.resources
import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Any, Final, TypedDict

import chess

from ox88.apps.analyse.accuracy import CEILING, Evaluation
from ox88.apps.analyse.recording import GLYPHS
from ox88.apps.analyse.records import (
    AnalysedGame,
    EvaluationRecord,
    LineRecord,
    MoveRecord,
    PlayerRecord,
    format_evaluation,
)
from ox88.apps.files import text_written_at_once
from ox88.apps.viewer.files import bundle, piece_definitions, read_file

MAX_GAMES: Final = 1000  # More games would be too much for a browser.
_EMPTY_BOARD: Final = "8/8/8/8/8/8/8/8 w - - 0 1"
_CREDITS: Final = (
    "Made by Ox88. The pieces are Colin M.L. Burnett's (GPL); chances to win and accuracies follow Lichess's formulas."
)


@contextlib.contextmanager
def page_writer(path: Path, subtitle: str) -> Iterator[Callable[[AnalysedGame], None]]:
    """See `outputs`. subtitle: what the page says below its title."""
    head, tail = _frame(subtitle)
    separators = itertools.chain([""], itertools.repeat(",\n"))
    with text_written_at_once(path) as stream:

        def write(game: AnalysedGame) -> None:
            data = json.dumps(page_data(game), separators=(",", ":"))
            stream.write(next(separators) + data.replace("<", "\\u003c"))  # So no text can close the script element.

        stream.write(head)
        yield write
        stream.write(tail)


def _frame(subtitle: str) -> tuple[str, str]:
    """The parts of the page before and after the games."""
    style = read_file("viewer.css") + _part("page.css")
    script = bundle(_part("page.js"))
    parts = {
        "title": "Analysed games",
        "subtitle": html.escape(subtitle),
        "style": style,
        "style_hash": _hash(style),
        "script": script,
        "script_hash": _hash(script),
        "pieces": piece_definitions(),
        "credits": html.escape(_CREDITS),
    }
    head, _, tail = _part("page.html").partition("$games")
    return Template(head).substitute(parts), Template(tail).substitute(parts)


def _part(name: str) -> str:
    return importlib.resources.files("ox88.apps.analyse").joinpath("page", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The name of a script or a style in a Content-Security-Policy."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def page_data(game: AnalysedGame) -> dict[str, Any]:
    """A game as page.js reads it."""
    record = game.record
    tags, start = game.tags, record["start"]
    notes = (
        {"eval": evaluation_text(start["eval"]), "win": start["win"], "commands": start.get("commands", "")}
        if start
        else {}
    )
    return {
        "white": player_data(tags, "White", record["white"]),
        "black": player_data(tags, "Black", record["black"]),
        "result": tags.get("Result", "*"),
        "opening": " ".join(filter(None, (tags.get("ECO"), tags.get("Opening")))),
        "place": ", ".join(filter(None, (_known(tags.get(name, "")) for name in ("Event", "Site", "Date")))),
        "errors": list(game.errors),
        "start": _position(start["fen"] if start else _EMPTY_BOARD) | notes,
        "moves": [_move(move) for move in record["moves"]],
    }


def _known(value: str) -> str:
    """A tag's value without its unknown parts: 1858.??.?? becomes 1858."""
    return value.replace(".??", "").replace("????", "").strip("? ")


class Player(TypedDict):
    """How well a player has played. counts: inaccuracies, mistakes, blunders."""

    name: str
    rating: str
    accuracy: float | None
    acpl: int | None
    counts: list[int]


def player_data(tags: Mapping[str, str], color: str, player: PlayerRecord | None) -> Player:
    """A player as players.js reads it."""
    accuracy = player["accuracy"] if player else None
    return {
        "name": tags.get(color, "?"),
        "rating": tags.get(f"{color}Elo", "").strip("?-"),
        "accuracy": None if accuracy is None else round(accuracy, 1),  # A browser would round 89.25 differently.
        "acpl": player["acpl"] if player else None,
        "counts": [player["inaccuracies"], player["mistakes"], player["blunders"]] if player else [0, 0, 0],
    }


def _move(move: MoveRecord) -> dict[str, Any]:
    judgement = move["judgement"]
    data = _position(move["fen"]) | {
        "san": move["san"],
        "uci": move["uci"],
        "eval": evaluation_text(move["eval"]),
        "win": move["win"],
        "nags": [GLYPHS[judgement]] if judgement else [],
        "lines": [_line(line) for line in move["lines"] if line["moves"]] if judgement else [],
        "commands": move.get("commands", ""),
        "comment": move["comment"],
    }
    return data | ({"reason": move["reason"]} if "reason" in move else {})


def _line(line: LineRecord) -> dict[str, Any]:
    moves = zip(line["moves"], line["san"], line["fens"], strict=True)
    steps = [_position(fen) | {"san": san, "uci": uci} for uci, san, fen in moves]
    return {"eval": evaluation_text(line["eval"]), "win": _win(line["eval"]), "moves": steps}


def _position(fen: str) -> dict[str, Any]:
    return {"fen": fen} | ({"check": True} if chess.Board(fen).is_check() else {})


def evaluation_text(evaluation: EvaluationRecord) -> str:
    """A text such as +0.35. Checkmate is # alone: it stands beside the move that mates."""
    text = format_evaluation(evaluation)
    return "#" if text == "#0" else text


def _win(evaluation: EvaluationRecord) -> float:
    if "mate" in evaluation:
        return Evaluation(CEILING if evaluation["mate"] > 0 else -CEILING).win_percent
    return round(Evaluation(evaluation["cp"]).win_percent, 2)
