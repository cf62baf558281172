"""Searches for reasons, by an engine of Ox88 at a position of a game or by any engine as python-chess has them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import chess

from ox88.apps.analyse.accuracy import Evaluation
from ox88.apps.analyse.search import MAX_LINE_LENGTH, Line, PositionAnalysis, search_position
from ox88.apps.options import engine_of_thread
from ox88.convert import from_chess_move
from ox88.engines import base
from ox88.engines.base import Score
from ox88.engines.placed import PlacedEngine
from ox88.engines.registry import MODERN

if TYPE_CHECKING:  # It imports asyncio, which who has a placed engine need not wait for.
    from chess.engine import SimpleEngine

    from ox88.simple.engines import Engine, MicroMax

    AnyEngine = Engine | MicroMax | SimpleEngine

Search = Callable[[chess.Board, Sequence[chess.Move]], PositionAnalysis]
"""Searches a position. The moves are the only ones to consider; empty for all."""


def search_by_placed(engine: PlacedEngine, limit: base.Limit) -> Search:
    def search(board: chess.Board, moves: Sequence[chess.Move]) -> PositionAnalysis:
        numbers = tuple(from_chess_move(move, board) for move in moves)
        return search_position(engine, board, dataclasses.replace(limit, moves=numbers))

    return search


def search_by_any(engine: AnyEngine, nodes: int) -> Search:
    from chess.engine import Limit

    game: Final = object()

    def search(board: chess.Board, moves: Sequence[chess.Move]) -> PositionAnalysis:
        if not any(board.generate_legal_moves()):
            end = Score(mate=0) if board.is_check() else Score(0)
            return PositionAnalysis((Line(Evaluation.from_score(end, board.turn)),), 0)
        found = engine.analyse(board, Limit(nodes=nodes), game=game, root_moves=list(moves) or None)
        score = found["score"].relative
        evaluation = Evaluation.from_score(Score(score.score(), score.mate()), board.turn)
        line = list(found.get("pv", ()))[:MAX_LINE_LENGTH]
        return PositionAnalysis((Line(evaluation, found.get("depth", 0), line),), found.get("nodes", 0))

    return search


def own_search(nodes: int) -> Search:
    """A search by the current thread's own engine, which forgets what it has learnt."""
    placed = engine_of_thread(MODERN)
    placed.engine.new_game()
    return search_by_placed(placed, base.Limit(nodes=nodes))
