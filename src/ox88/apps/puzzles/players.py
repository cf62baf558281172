"""Whose games they are, by their tags."""

from collections.abc import Mapping

import chess


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
