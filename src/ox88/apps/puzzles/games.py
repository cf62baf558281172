"""Whose games they are, by their tags; and a person's own games in a PGN."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import chess

from ox88.apps.streams import printable
from ox88.errors import Ox88Error

_SHOWN: Final = 8  # Names of players.


def players_of(tags: Mapping[str, str]) -> dict[chess.Color, str]:
    return {chess.WHITE: tags.get("White", "?"), chess.BLACK: tags.get("Black", "?")}


def colours_of(tags: Mapping[str, str], name: str) -> list[chess.Color]:
    """What a player with this name, in any case, has in a game."""
    wanted = name.strip().casefold()
    return [colour for colour, player in players_of(tags).items() if player.strip().casefold() == wanted]


def source_of(tags: Mapping[str, str]) -> str:
    """The game's address; else its players and its date."""
    address = next((tags[name] for name in ("Site", "GameUrl", "Link") if "://" in tags.get(name, "")), "")
    date = tags.get("Date", "").strip("?. ")
    return address or " - ".join(players_of(tags).values()) + (f", {date}" if date else "")


def no_game_of(name: str, players: Iterable[str]) -> Ox88Error:
    names = [*map(printable, players)] or ["nobody"]
    others = "; ".join(names[:_SHOWN]) + ("; ..." if len(names) > _SHOWN else "")
    return Ox88Error(f"there is no game of {name!r} that can be read: the players are {others}")


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game. board: its last position, with the moves that led to it. source: a name for people, or an address."""

    board: chess.Board
    player: chess.Color
    source: str


def own_games(pgn: str | Path, name: str) -> tuple[list[OwnGame], str]:
    """The games of a PGN that a player with a name has played, and what is wrong with the first bad one, or "".

    Raises:
        Ox88Error: There is none. The error says what is wrong too.
    """
    from ox88.apps.analyse.parsing import parse_game
    from ox88.batch.pgn.game_text import split_games  # Imports the compiler, which would delay the start.

    games, players, wrong = [], dict[str, None](), ""
    for number, text in enumerate(split_games(pgn), 1):
        parsed, tags = parse_game(text.text), text.tags
        players.update(dict.fromkeys(players_of(tags).values()))
        for colour in colours_of(tags, name):
            board = parsed.last_board()
            if board.chess960:
                wrong = wrong or f"game {number} is of Chess960, which is not trained"
            elif parsed.moves:
                games.append(OwnGame(board, colour, source_of(tags)))
        if parsed.errors:
            wrong = wrong or f"game {number}: {parsed.errors[0]['reason']}"
    if not games:
        raise Ox88Error("; ".join(filter(None, [str(no_game_of(name, players)), wrong])))
    return games, wrong
