"""Puzzles of a person's mistakes in a game. Where several moves are good, a puzzle knows them all."""

from collections.abc import Callable

from ox88.apps.analyse.search import PositionAnalysis, search_backwards
from ox88.apps.puzzles import making
from ox88.apps.puzzles.games import OwnGame
from ox88.apps.train.records import Card
from ox88.engines.base import Limit
from ox88.engines.placed import PlacedEngine


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
    moves, looks = game.board.move_stack, list[PositionAnalysis]()
    for look in search_backwards(engine, game.board, Limit(nodes=making.NODES)):
        looks.append(look)
        if not go_on(len(looks) / (len(moves) + 1) / 2):
            return []
    looks.reverse()
    chances = [look.evaluation.relative(game.player).win_percent for look in looks]
    errs, first = making.are_errors(game.board, looks), 0 if game.board.root().turn == game.player else 1
    # Before the first move there is nothing to animate, and no error.
    errors = [ply for ply in range(first, len(moves), 2) if ply and errs[ply]]
    found: dict[int, Card] = {}
    worst_first = sorted(errors, key=lambda ply: chances[ply + 1] - chances[ply])
    for done, ply in enumerate(worst_first, 1):
        board = game.board.copy()
        while len(board.move_stack) > ply:
            board.pop()
        puzzle = making.make_puzzle(engine, board.copy(stack=1), moves[ply], making.NODES, game.source)
        if puzzle is not None and puzzle.played:  # Its line may be longer.
            found[ply] = Card.of(puzzle, "mistake", now)
        elif short := making.make_short_puzzle(engine, board, moves[ply], making.NODES, game.source):
            found[ply] = Card.of(short[0], "mistake", now, short[1])
        if not go_on(0.5 + done / len(errors) / 2):
            return []
        if len(found) == most:
            break
    return [found[ply] for ply in sorted(found)]
