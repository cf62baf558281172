"""Puzzles of a person's mistakes in a game. Where several moves are good, a puzzle knows them all."""

from collections.abc import Callable, Iterator
from dataclasses import asdict

import chess

from ox88.apps.analyse.accuracy import assess, judge
from ox88.apps.analyse.search import PositionAnalysis, search_backwards
from ox88.apps.puzzles import making
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.puzzles.rating import predict_rating
from ox88.apps.reasons.reason import explain_move
from ox88.apps.reasons.searching import Search, search_by_placed
from ox88.apps.train.learning import OwnGame
from ox88.apps.train.records import Card
from ox88.engines.base import Limit
from ox88.engines.placed import PlacedEngine
from ox88.motifs.find import find_motifs
from ox88.motifs.line import Line

_ERRORS = ("mistake", "blunder")
_TIMES = 20  # As many nodes as at the first look.
_MOST_GOOD = 4  # Moves. Where more are good, none has to be found.


def mistakes_of(
    engine: PlacedEngine,
    game: OwnGame,
    now: float,
    most: int | None = None,
    go_on: Callable[[float], bool] = lambda _: True,
) -> list[Card]:
    """The mistakes of a game, in their order; those that lost most winning chances if there are more than `most`.

    go_on: gets the share that is done; False ends the search, and what it has found is no use.
    """
    looks: list[PositionAnalysis] = []
    for look in search_backwards(engine, game.board, Limit(nodes=making.NODES)):
        looks.append(look)
        if not go_on(len(looks) / (len(game.board.move_stack) + 1) / 2):
            return []
    found: dict[int, Card] = {}
    errors = list(_errors(game, looks[::-1]))
    for done, (ply, played) in enumerate(errors, 1):
        board = game.board.copy()
        while len(board.move_stack) > ply:
            board.pop()
        card = _card(engine, board, played, game.source, now)
        if card is not None:
            found[ply] = card
        if not go_on(0.5 + done / len(errors) / 2):
            return []
        if len(found) == most:
            break
    return [found[ply] for ply in sorted(found)]


def _errors(game: OwnGame, looks: list[PositionAnalysis]) -> Iterator[tuple[int, chess.Move]]:
    """The person's errors by ply, the worst first. Before the first move there is nothing to animate, and no error."""
    moves = game.board.move_stack
    is_best = [look.best == move for look, move in zip(looks, moves, strict=False)]
    judgements = assess([look.evaluation for look in looks], is_best, game.board.root().turn).judgements
    first = 0 if game.board.root().turn == game.player else 1
    chances = [look.evaluation.relative(game.player).win_percent for look in looks]
    errors = [ply for ply in range(first, len(moves), 2) if ply and judgements[ply] in _ERRORS]
    for ply in sorted(errors, key=lambda ply: chances[ply + 1] - chances[ply]):
        yield ply, moves[ply]


def _card(engine: PlacedEngine, board: chess.Board, played: chess.Move, source: str, now: float) -> Card | None:
    """The puzzle of a position, if its move is an error at a second look too. One with an only move has a longer line.

    The opponent's move is on the board's stack.
    """
    puzzle = making.make_puzzle(engine, board.copy(stack=1), played, making.NODES, source)
    if puzzle is not None and puzzle.played:
        return Card(**asdict(puzzle), kind="mistake", added=now)
    engine.engine.new_game()
    search = search_by_placed(engine, Limit(nodes=_TIMES * making.NODES))
    best, after = search(board, ()), board.copy()
    after.push(played)
    then = search(after, ())
    if best.best is None or judge(*(look.evaluation.relative(board.turn) for look in (best, then))) not in _ERRORS:
        return None
    good = _good_moves(search, board, best)
    if len(good) > _MOST_GOOD:
        return None
    before, line = board.copy(stack=1), Line(board, [best.best])
    moves = before.pop().uci(), best.best.uci()
    themes = {motif.theme for motif in find_motifs(line)}
    reason = explain_move(search, board, played, best, then).text
    rating, tags = predict_rating(line, themes), (*sorted(themes), "oneMove")
    puzzle = Puzzle(making.id_of(board), before.fen(), moves, rating, tags, source, played.uci(), reason)
    also = [move.uci() for move in good[1:]]
    return Card(**asdict(puzzle), kind="mistake", added=now, also=also)


def _good_moves(search: Search, board: chess.Board, best: PositionAnalysis) -> list[chess.Move]:
    """The best move, and others that are no errors beside it, the better ones first."""
    good = [move for move in [best.best] if move]
    while len(good) <= _MOST_GOOD and (others := [move for move in board.legal_moves if move not in good]):
        found = search(board, others)
        if found.best is None or judge(*(look.evaluation.relative(board.turn) for look in (best, found))):
            break
        good.append(found.best)
    return good
