"""What an engine thinks of every position of a game."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import chess

from ox88.apps.analyse.evaluation import Evaluation, evaluation
from ox88.convert import from_chess_board, from_chess_move, to_chess_move
from ox88.engines.base import Engine, Info, Limit


@dataclass(frozen=True, slots=True)
class Line:
    """What the engine would play, and what it expects to come of it. moves: empty where the game is over."""

    evaluation: Evaluation
    moves: tuple[chess.Move, ...]
    depth: int


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found. lines: the best first; at least one."""

    lines: tuple[Line, ...]
    nodes: int

    @property
    def evaluation(self) -> Evaluation:
        return self.lines[0].evaluation

    @property
    def best(self) -> chess.Move | None:
        return next(iter(self.lines[0].moves), None)


def search_game(engine: Engine, start: chess.Board, moves: Sequence[chess.Move], limit: Limit) -> list[Searched]:
    """Search the position before the first move and after each, and return them in this order.

    Raises Ox88Error for a position or a move that the engine refuses.
    """
    return list(search_backwards(engine, start, moves, limit))[::-1]


def search_backwards(
    engine: Engine, start: chess.Board, moves: Sequence[chess.Move], limit: Limit
) -> Generator[Searched]:
    """The same one by one, from the last position to the first. The engine forgets all that was before.

    So what came of a move is known when the move is looked at. Raises Ox88Error as above.
    """
    board = start.copy(stack=False)
    engine.new_game()
    engine.set_position(from_chess_board(board).check())
    for move in moves:
        engine.push(from_chess_move(move, board))
        board.push(move)
    yield _search(engine, board, limit)
    for _ in moves:
        engine.pop()
        board.pop()
        yield _search(engine, board, limit)


def _search(engine: Engine, board: chess.Board, limit: Limit) -> Searched:
    if board.is_stalemate():
        return Searched((Line(Evaluation(0), (), 0),), 0)
    infos = [info for info in engine.search(limit) if info.bound == "exact" and not info.current_move]
    return Searched(tuple(line_of(info, board) for info in _best_lines(infos)), infos[-1].nodes)


def _best_lines(infos: Sequence[Info]) -> list[Info]:
    """The last word on each line; the very last one is the best, and may have been another's before."""
    lines = {info.multipv: info for info in infos} | {1: infos[-1]}
    by_move: dict[int, Info] = {}
    for number in sorted(lines):
        by_move.setdefault(lines[number].best_move, lines[number])
    return list(by_move.values())


def line_of(info: Info, board: chess.Board) -> Line:
    """What an engine says of a position, as far as its moves are legal."""
    ahead = board.copy(stack=False)
    moves = []
    for number in info.line:
        move = to_chess_move(number, ahead)
        if not ahead.is_legal(move):
            break
        ahead.push(move)
        moves.append(move)
    return Line(evaluation(info.score, board.turn), tuple(moves), info.depth)
