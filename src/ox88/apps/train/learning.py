"""Puzzles of one's own mistakes: which games are a person's, and the mistakes in one of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import chess

from ox88.apps.analyse.search import PositionAnalysis, search_backwards
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.engines.base import Limit
from ox88.engines.placed import PlacedEngine
from ox88.errors import Ox88Error

if TYPE_CHECKING:
    import chess.pgn

_SHOWN: Final = 8  # Names of players.


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A game. board: its last position, with the moves that led to it. source: a name for people, or an address."""

    board: chess.Board
    player: chess.Color
    source: str


def own_games(pgn: str | Path, name: str) -> list[OwnGame]:
    """The games of a PGN that a player with a name has played. Raises Ox88Error if there is none."""
    from ox88.apps.analyse.parsing import parse_game
    from ox88.batch.pgn.game_text import split_games  # Imports the compiler, which would delay the start.

    games, players = [], dict[str, None]()
    for text in split_games(pgn):
        parsed = parse_game(text.text)
        tags = parsed.game.headers
        names = {chess.WHITE: tags.get("White", "?"), chess.BLACK: tags.get("Black", "?")}
        players.update(dict.fromkeys(names.values()))
        for colour, player in names.items():
            board = parsed.last_board()
            if player.casefold() == name.casefold() and parsed.moves and not board.chess960:
                games.append(OwnGame(board, colour, _source(tags)))
    if not games:
        others = "; ".join(list(players)[:_SHOWN]) or "nobody"
        raise Ox88Error(f"no game of {name!r} can be read in this PGN: its players are {others}")
    return games


def _source(tags: "chess.pgn.Headers") -> str:
    address = next((tags[name] for name in ("Site", "GameUrl", "Link") if "://" in tags.get(name, "")), "")
    date = tags.get("Date", "").strip("?. ")
    return address or f"{tags.get('White', '?')} - {tags.get('Black', '?')}" + (f", {date}" if date else "")


def mistakes_of(
    engine: PlacedEngine, game: OwnGame, most: int | None = None, go_on: Callable[[int], bool] = lambda _: True
) -> list[Puzzle]:
    """The puzzles of the mistakes of a game, those that lost most winning chances if there are more than `most`.

    go_on: gets the number of positions looked at; False ends the search, and what it has found is no use.
    """
    from ox88.apps.puzzles import making

    looks: list[PositionAnalysis] = []
    for look in search_backwards(engine, game.board, Limit(nodes=making.NODES)):
        looks.append(look)
        if not go_on(len(looks)):
            return []
    looks.reverse()
    found: list[Puzzle] = []
    for puzzle in making.puzzles_of_game(
        engine, game.board, player=game.player, nodes=making.NODES, source=game.source, analyses=looks
    ):
        found.append(puzzle)
        if not go_on(len(looks)):
            return []
    losses = dict(_losses(game, looks))
    worst = sorted(found, key=lambda puzzle: -losses[puzzle.fen])[:most]
    return [puzzle for puzzle in found if puzzle in worst]


def _losses(game: OwnGame, looks: list[PositionAnalysis]) -> Iterator[tuple[str, float]]:
    """What each move of the player has lost of the winning chances, by the position before the move before it."""
    board, sign = game.board.root(), 1 if game.player else -1
    for ply, move in enumerate(game.board.move_stack[:-1]):
        before, after = looks[ply + 1].evaluation.win_percent, looks[ply + 2].evaluation.win_percent
        yield board.fen(), sign * (before - after)
        board.push(move)
