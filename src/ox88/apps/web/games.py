"""The games of a PGN that somebody has brought, as the page lists and opens them."""

import re
from typing import Any, Final

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.parsing import parse_game
from ox88.apps.web.positions import describe_move
from ox88.types import Ox88Error

MOST_GAMES: Final = 2000
_TAG: Final = re.compile(r'^\[([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]', re.MULTILINE)
_SHOWN: Final = ("White", "Black", "Result", "Date", "Event", "Round", "WhiteElo", "BlackElo")
_LONGEST_TAG: Final = 80  # Characters shown.


def list_games(text: str) -> list[dict[str, Any]]:
    """Each game's text and what its tags say. Raises Ox88Error where there is no game, or there are too many."""
    from ox88.batch.pgn.game_text import split_games  # Imports the compiler, which would delay the start.

    games: list[dict[str, Any]] = []
    for game in split_games(text):
        if game.error:
            raise Ox88Error(f"the PGN cannot be read: {game.error}")
        games.append({"text": game.text, "tags": _tags(game.text)})
        if len(games) > MOST_GAMES:
            raise Ox88Error(f"the PGN has more than {MOST_GAMES} games: open a part of it, or use ox88 analyse")
    if not games:
        raise Ox88Error("there is no game in the PGN")
    return games


def _tags(text: str) -> dict[str, str]:
    tags = {name: re.sub(r"\\(.)", r"\1", value) for name, value in _TAG.findall(text)}
    return {name: tags[name][:_LONGEST_TAG] for name in _SHOWN if tags.get(name, "").strip("?. ")}


def open_game(text: str, names: OpeningNames) -> dict[str, Any]:
    """The moves of a game's main line. Raises Ox88Error where nothing of it can be read."""
    parsed = parse_game(text)
    if not parsed.is_readable:
        raise Ox88Error(parsed.errors[0]["reason"])
    board = parsed.game.board()
    start = board.fen()
    return {
        "type": "opened",
        "text": text,
        "tags": _tags(text),
        "start": start,
        "moves": [describe_move(board, move, names) for move in parsed.moves],
        "flaws": [error["reason"] for error in parsed.errors],
    }
