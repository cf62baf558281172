"""`ox88.analyse_game`: one game analysed as by the command `ox88 analyse`, and its graph as SVG."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final

import chess
import chess.pgn
import chess.svg

from ox88.apps.analyse.records import GameRecord, MoveRecord, PlayerRecord, fens_of, format_evaluation
from ox88.apps.analyse.search import make_limit
from ox88.apps.analyse.worker import AnalysisSettings, analyse_text
from ox88.apps.notebook.boards import Picture, show
from ox88.apps.viewer.graph import Mark, draw_graph
from ox88.batch.pgn.game_text import split_games
from ox88.batch.pgn.games import Games
from ox88.engines.registry import MODERN
from ox88.errors import MissingFileError, Ox88Error

Game = str | bytes | os.PathLike[str] | IO[bytes] | IO[str] | chess.pgn.Game | chess.Board | Games
_FILE_NAME: Final = re.compile(r"[^\n]*\.(pgn|gz|bz2|zst|zip)\s*", re.IGNORECASE)
_GLYPHS: Final = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
_PLAYED: Final = "#c2282ecc"
_BETTER: Final = "#1f7a6dcc"


def analyse_game(
    game: Game, *, nodes: int | None = None, depth: int | None = None, options: Mapping[str, Any] | None = None
) -> GameAnalysis:
    """Search every position of a game, find the errors, and compute how accurate both players were.

    Args:
        game: PGN as a text; the pathlib.Path, open file or bytes of a PGN with one game; a chess.pgn.Game, a
            chess.Board with its moves, or ox88.Games with one game.
        nodes: to search for each position; 100,000 by default.
        depth: in plies, for each position.
        options: of the engine, such as {"Hash": 64}.

    Returns:
        The analysis, with the numbers of `ox88 analyse` (docs/analyse.md).

    Raises:
        FileNotFoundError: there is no such file.
        Ox88Error: the game cannot be read or has no moves, there are several, or an option is wrong.
    """
    settings = AnalysisSettings(MODERN, tuple(sorted((options or {}).items())), make_limit(nodes, depth), "Ox88")
    record = analyse_text(_pgn(game), settings)
    if record["start"] is None:
        reasons = "; ".join(error["reason"] for error in record["errors"]) or "it has no moves"
        raise Ox88Error(f"the game cannot be analysed: {reasons}")
    return GameAnalysis(record)


def _pgn(game: object) -> str:
    if isinstance(game, str):
        text = game.strip()
        if _FILE_NAME.fullmatch(text):
            if not Path(text).exists():
                raise MissingFileError(f"there is no file {text!r}, and as PGN the text has no moves")
            raise Ox88Error(f"the game is {text!r}, a name of a file: pathlib.Path({text!r}) or its text is expected")
        return _only_game(io.StringIO(game))
    if isinstance(game, (bytes, os.PathLike)) or hasattr(game, "read"):
        return _only_game(game)
    if isinstance(game, chess.Board):
        game = chess.pgn.Game.from_board(game)
    if isinstance(game, chess.pgn.Game):
        return str(game)
    if isinstance(game, Games):
        if len(game) != 1:
            raise Ox88Error(f"there are {len(game)} games, and one is expected, such as games[0]")
        return str(game.to_pgn()).strip()
    kinds = "PGN, the pathlib.Path of a file, a chess.pgn.Game, a chess.Board or ox88.Games with one game"
    raise Ox88Error(f"the game is of type {type(game).__name__}: expected {kinds}")


def _only_game(source: Any) -> str:
    """The text of the one game of a PGN. Raises Ox88Error."""
    games = list(islice(split_games(source, as_written=True), 2))
    if len(games) != 1:
        found = "are several games" if games else "is no game"
        raise Ox88Error(f"there {found} in the PGN, and one is expected, such as ox88.read_pgn(path)[0]")
    if games[0].error:
        raise Ox88Error(f"the game cannot be analysed: {games[0].error}")
    return games[0].text


class GameAnalysis:
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
        move = self.moves[number]
        place = int(move["fen"].split()[5]) - (move["color"] == "black")
        glyph = _GLYPHS[move["judgement"]] if move["judgement"] else ""
        better = move["lines"][0]["san"][:1] if glyph else []
        dots = "." if move["color"] == "white" else "..."
        words = f"{place}{dots} {move['san']}{glyph} ({format_evaluation(move['eval'])})"
        return words + (f", where {better[0]} is better" if better else "")

    def _repr_svg_(self) -> str:
        record = self.record
        positions = [record["start"], *self.moves] if record["start"] else []
        judged = [(ply, move["judgement"]) for ply, move in enumerate(self.moves, 1)]
        marks = [Mark(ply, judgement, self.describe(ply - 1)) for ply, judgement in judged if judgement]
        captions = (_caption(record, "Black", record["black"]), _caption(record, "White", record["white"]))
        return draw_graph([at["win"] for at in positions], marks, *captions)

    def __repr__(self) -> str:
        tags = dict(self.record["headers"])
        players = f"{tags.get('White', '?')} - {tags.get('Black', '?')}"
        return f"<GameAnalysis: {players}, {len(self.moves)} moves, {len(self.moments)} of them bad>"


def _arrow(uci: str, color: str) -> chess.svg.Arrow:
    move = chess.Move.from_uci(uci)
    return chess.svg.Arrow(move.from_square, move.to_square, color=color)


def _caption(record: GameRecord, color: str, player: PlayerRecord | None) -> str:
    words = f"{color}: {dict(record['headers']).get(color, '?')}"
    if player is None or player["accuracy"] is None:
        return words
    counts = (player["inaccuracies"], player["mistakes"], player["blunders"])
    errors = ", ".join(f"{count} {glyph}" for count, glyph in zip(counts, _GLYPHS.values(), strict=True) if count)
    return words + f" · accuracy {player['accuracy']:.0f} %{', ' + errors if errors else ''}"
