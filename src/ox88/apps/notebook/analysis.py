"""A game analysed in a notebook, or in a script: what `ox88 analyse` does, for one game."""

from collections.abc import Mapping
from typing import Any, Final

import chess
import chess.pgn
import chess.svg

from ox88.apps.analyse.arguments import DEFAULT_NODES
from ox88.apps.analyse.records import GameRecord, MoveRecord
from ox88.apps.analyse.worker import AnalysisSettings, analyse_text
from ox88.apps.notebook.boards import show
from ox88.apps.notebook.graph import draw_graph, words_of
from ox88.apps.notebook.picture import Picture
from ox88.batch.pgn.games import Games
from ox88.engines.base import Limit
from ox88.engines.registry import MODERN
from ox88.types import Ox88Error

Game = str | chess.pgn.Game | chess.Board | Games
_PLAYED: Final = "#c2282ecc"
_BETTER: Final = "#1f7a6dcc"


def analyse(
    game: Game, *, nodes: int | None = None, depth: int | None = None, options: Mapping[str, Any] | None = None
) -> "Analysis":
    """Search all positions of a game, and say which moves were bad and how accurate the players.

    game: PGN as a text, a chess.pgn.Game, a chess.Board with its moves, or ox88.Games with one game. nodes, depth: of
    each position; 100,000 nodes by default. options: of the engine, such as {"Hash": 64}.

    The numbers are those of `ox88 analyse` (docs/analyse.md). Raises Ox88Error for what cannot be read or analysed.
    """
    if nodes is None and depth is None:
        nodes = DEFAULT_NODES
    limit = Limit(nodes=nodes, depth=depth)
    settings = AnalysisSettings(MODERN, tuple(sorted((options or {}).items())), limit, "Ox88")
    record = analyse_text(_text(game), settings)
    if record["start"] is None:
        reasons = "; ".join(error["reason"] for error in record["errors"]) or "it has no moves"
        raise Ox88Error(f"the game cannot be analysed: {reasons}")
    return Analysis(record)


def _text(game: object) -> str:
    if isinstance(game, str):
        return game.strip()
    if isinstance(game, chess.Board):
        game = chess.pgn.Game.from_board(game)
    if isinstance(game, chess.pgn.Game):
        return str(game)
    if isinstance(game, Games):
        if len(game) != 1:
            raise Ox88Error(f"{len(game)} games are not one: take it by its number, games[0]")
        return str(game.to_pgn()).strip()
    kinds = "PGN, a chess.pgn.Game, a chess.Board or ox88.Games with one game"
    raise Ox88Error(f"a {type(game).__name__} is no game: expected is {kinds}")


class Analysis:
    """A game with what was found out about it. A notebook draws the evaluation over the game.

    record: all of it, as `ox88.apps.analyse.records` describes.
    """

    def __init__(self, record: GameRecord) -> None:
        self.record = record

    @property
    def moves(self) -> list[MoveRecord]:
        """Each move with its evaluation, accuracy and judgement, and what would have been better."""
        return self.record["moves"]

    @property
    def moments(self) -> list[int]:
        """The numbers in `moves` of the inaccuracies, mistakes and blunders."""
        return [number for number, move in enumerate(self.moves) if move["judgement"] is not None]

    def show(self, number: int, *, flipped: bool = False, size: int | None = None) -> Picture:
        """The position before a move, with a red arrow for it and, where it was bad, a green one for a better one.

        Raises IndexError where there is no such move.
        """
        move = self.moves[number]
        number %= len(self.moves)
        start = self.record["start"]
        before = self.moves[number - 1]["fen"] if number or start is None else start["fen"]
        arrows = [_arrow(move["uci"], _PLAYED if move["judgement"] else _BETTER)]
        if move["judgement"] and move["lines"][0]["moves"]:
            arrows.append(_arrow(move["lines"][0]["moves"][0], _BETTER))
        return show(before, arrows=arrows, flipped=flipped, size=size)

    def describe(self, number: int) -> str:
        """A move in words, such as: 12... Nf6?? (+3.20), where Nd7 is better."""
        return words_of(self.moves[number])

    def _repr_svg_(self) -> str:
        return draw_graph(self.record)

    def __repr__(self) -> str:
        tags = dict(self.record["headers"])
        players = f"{tags.get('White', '?')} - {tags.get('Black', '?')}"
        return f"<Analysis: {players}, {len(self.moves)} moves, {len(self.moments)} of them bad>"


def _arrow(uci: str, color: str) -> chess.svg.Arrow:
    move = chess.Move.from_uci(uci)
    return chess.svg.Arrow(move.from_square, move.to_square, color=color)
