"""One game analysed in a notebook or a script, as `ox88 analyse` does it for files."""

from collections.abc import Mapping
from typing import Any, Final

import chess
import chess.pgn
import chess.svg

from ox88.apps.analyse.records import GameRecord, MoveRecord, fens_of
from ox88.apps.analyse.search import make_limit
from ox88.apps.analyse.worker import AnalysisSettings, analyse_text
from ox88.apps.notebook.boards import Picture, show
from ox88.apps.notebook.graph import describe_move, draw_graph
from ox88.batch.pgn.games import Games
from ox88.engines.registry import MODERN
from ox88.types import Ox88Error

Game = str | chess.pgn.Game | chess.Board | Games
_PLAYED: Final = "#c2282ecc"
_BETTER: Final = "#1f7a6dcc"


def analyse(
    game: Game, *, nodes: int | None = None, depth: int | None = None, options: Mapping[str, Any] | None = None
) -> "Analysis":
    """Search every position of a game, find the errors, and compute how accurate both players were.

    Args:
        game: PGN as a text, a chess.pgn.Game, a chess.Board with its moves, or ox88.Games with one game.
        nodes: to search for each position; 100,000 by default.
        depth: in plies, for each position.
        options: of the engine, such as {"Hash": 64}.

    Returns:
        The analysis, with the numbers of `ox88 analyse` (docs/analyse.md).

    Raises:
        Ox88Error: the game cannot be read or has no moves, or an option is wrong.
    """
    settings = AnalysisSettings(MODERN, tuple(sorted((options or {}).items())), make_limit(nodes, depth), "Ox88")
    record = analyse_text(_pgn(game), settings)
    if record["start"] is None:
        reasons = "; ".join(error["reason"] for error in record["errors"]) or "it has no moves"
        raise Ox88Error(f"the game cannot be analysed: {reasons}")
    return Analysis(record)


def _pgn(game: object) -> str:
    if isinstance(game, str):
        return game.strip()
    if isinstance(game, chess.Board):
        game = chess.pgn.Game.from_board(game)
    if isinstance(game, chess.pgn.Game):
        return str(game)
    if isinstance(game, Games):
        if len(game) != 1:
            raise Ox88Error(f"there are {len(game)} games, and one is expected, such as games[0]")
        return str(game.to_pgn()).strip()
    kinds = "PGN, a chess.pgn.Game, a chess.Board or ox88.Games with one game"
    raise Ox88Error(f"the game is of type {type(game).__name__}: expected is {kinds}")


class Analysis:
    """An analysed game, which a notebook draws as a graph of White's winning chances.

    Attributes:
        record: the game and the whole analysis as plain data, described in `ox88.apps.analyse.records`.
    """

    def __init__(self, record: GameRecord) -> None:
        self.record = record

    @property
    def moves(self) -> list[MoveRecord]:
        """Each move as a dictionary with its evaluation, accuracy, judgement, and the engine's lines."""
        return self.record["moves"]

    @property
    def moments(self) -> list[int]:
        """The numbers in `moves` of the inaccuracies, mistakes and blunders."""
        return [number for number, move in enumerate(self.moves) if move["judgement"] is not None]

    def show(self, number: int, *, flipped: bool = False, size: int | None = None) -> Picture:
        """Draw the position before a move, with an arrow for it.

        Args:
            number: of the move in `moves`.
            flipped: True to draw the board from Black's side.
            size: of the board in pixels.

        Returns:
            A picture. The arrow of an error is red, and a green one shows a better move.

        Raises:
            IndexError: there is no such move.
        """
        move = self.moves[number]
        arrows = [_arrow(move["uci"], _PLAYED if move["judgement"] else _BETTER)]
        if move["judgement"] and move["lines"][0]["moves"]:
            arrows.append(_arrow(move["lines"][0]["moves"][0], _BETTER))
        return show(fens_of(self.record)[number % len(self.moves)], arrows=arrows, flipped=flipped, size=size)

    def describe(self, number: int) -> str:
        """A move in words, such as: 12... Nf6?? (+3.20), where Nd7 is better."""
        return describe_move(self.moves[number])

    def _repr_svg_(self) -> str:
        return draw_graph(self.record)

    def __repr__(self) -> str:
        tags = dict(self.record["headers"])
        players = f"{tags.get('White', '?')} - {tags.get('Black', '?')}"
        return f"<Analysis: {players}, {len(self.moves)} moves, {len(self.moments)} of them bad>"


def _arrow(uci: str, color: str) -> chess.svg.Arrow:
    move = chess.Move.from_uci(uci)
    return chess.svg.Arrow(move.from_square, move.to_square, color=color)
