"""Summaries of saved games, for the list of games."""

import json
from typing import Any, Final

import chess

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.clock import NAMES
from ox88.apps.web.game import PlayedGame
from ox88.rules import DRAW, GameEnd, win_of

_LONGEST_OPENING: Final = 60  # Plies.


def summarise(data: str, names: OpeningNames) -> dict[str, Any]:
    """What the list shows of a game. data: as the store has it."""
    try:
        game = PlayedGame.load("", json.loads(data))
    except (KeyError, TypeError, ValueError) as error:  # Such as a game of a later version.
        return {"unreadable": f"{type(error).__name__}: {error}"}
    end = game.end
    return {
        "date": game.date.isoformat(),
        "engine": game.opponent.name,
        "side": NAMES[game.side],
        "outcome": _outcome(end, game.side),
        "result": "*" if end is None else end.result,
        "reason": "" if end is None else end.reason,
        "opening": _opening(game.board, names),
        "plies": len(game.board.move_stack),
    }


def _outcome(end: GameEnd | None, side: chess.Color) -> str:
    """The result from the person's view."""
    if end is None:
        return "unfinished"
    if end.result == DRAW:
        return "drawn"
    return "won" if end.result == win_of(side) else "lost"


def _opening(board: chess.Board, names: OpeningNames) -> str:
    past, opening = board.root(), None
    for move in board.move_stack[:_LONGEST_OPENING]:
        past.push(move)
        opening = names.of_position(past.fen()) or opening
    return "" if opening is None else f"{opening.eco} {opening.name}"


def matches(summary: dict[str, Any], search: str) -> bool:
    """True if each word of the search is somewhere in the summary."""
    text = " ".join(map(str, summary.values())).lower()
    return all(word in text for word in search.lower().split())
