"""An engine's analysis of every position of a game."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Final

import chess

from ox88.apps.analyse.accuracy import Evaluation
from ox88.convert import legal_line
from ox88.engines.base import Info, Limit
from ox88.engines.placed import PlacedEngine

DEFAULT_NODES: Final = 100_000  # Searched for each position if no limit is given.
MAX_LINE_LENGTH: Final = 12  # Plies of a line that are kept and shown.


def make_limit(nodes: int | None = None, depth: int | None = None, seconds: float | None = None) -> Limit:
    """The limit for each position."""
    if nodes is None and depth is None and seconds is None:
        nodes = DEFAULT_NODES
    return Limit(nodes=nodes, depth=depth, time=seconds)


@dataclass(slots=True)
class Line:
    """A line that the engine proposes: its moves, in SAN too. No moves if the game is over."""

    evaluation: Evaluation
    depth: int = 0
    moves: list[chess.Move] = field(default_factory=list)
    san: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PositionAnalysis:
    """The result of a search. lines: at least one, the best first."""

    lines: tuple[Line, ...]
    nodes: int

    @property
    def evaluation(self) -> Evaluation:
        return self.lines[0].evaluation

    @property
    def best(self) -> chess.Move | None:
        return next(iter(self.lines[0].moves), None)


def search_backwards(engine: PlacedEngine, game: chess.Board, limit: Limit) -> Generator[PositionAnalysis]:
    """Search the positions of a game, from the last to the first, so that the hash table has what each move leads to.

    game: the last position, with the moves that led to it on its stack. The engine's table is cleared first. Raises
    Ox88Error for a position or a move that the engine refuses.
    """
    board = game.copy()
    engine.engine.new_game()
    yield search_position(engine, board, limit)
    while board.move_stack:
        board.pop()
        yield search_position(engine, board, limit)


def search_position(engine: PlacedEngine, board: chess.Board, limit: Limit) -> PositionAnalysis:
    """Search one position. Raises Ox88Error if the engine refuses it."""
    engine.place(board)
    infos = [info for info in engine.engine.search(limit) if not info.current_move]
    exact = [info for info in infos if info.bound == "exact"] or infos[-1:]
    return PositionAnalysis(tuple(line_of(info, board) for info in _last_lines(exact)), infos[-1].nodes)


def _last_lines(infos: Sequence[Info]) -> list[Info]:
    """The deepest report on each of the best moves. The last report with the number 1 is on the best move.

    A search that stops in the middle of an iteration has searched some lines less deep than others. If it has found
    another best move by then, the old best move has a line of the iteration before.
    """
    deepest_first = sorted(infos, key=lambda info: (-info.depth, info.multipv, -info.nodes))
    by_move: dict[int, Info] = {}
    best = next(info for info in reversed(infos) if info.multipv == 1)
    for info in [best, *deepest_first]:
        by_move.setdefault(info.best_move, info)
    return list(by_move.values())[: max(info.multipv for info in infos)]


def line_of(info: Info, board: chess.Board) -> Line:
    """The first moves of an engine's line, up to the first that is not legal."""
    ahead = board.copy(stack=False)
    moves = legal_line(info.line[:MAX_LINE_LENGTH], ahead)
    sans = [ahead.san_and_push(move) for move in moves]
    return Line(Evaluation.from_score(info.score, board.turn), info.depth, moves, sans)
