"""Puzzles made of the mistakes in a game: positions in which exactly one move wins or saves, and the line on.

Where a mistake has several answers, a puzzle of one move knows them all.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import chess

from ox88.apps.analyse.accuracy import Evaluation, Judgement, assess, judge, winning_chances
from ox88.apps.analyse.search import PositionAnalysis, search_backwards
from ox88.apps.puzzles.games import OwnGame
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.puzzles.rating import predict_rating
from ox88.apps.reasons.reason import after, explain_move
from ox88.apps.reasons.searching import Search, search_by_placed
from ox88.engines.base import Limit
from ox88.engines.placed import PlacedEngine
from ox88.motifs.find import find_motifs
from ox88.motifs.line import Line

NODES: Final = 5_000  # Of the first look at each position.
_LOOKS: Final = (4, 20, 30)  # Times as many nodes, for searches that must agree, each with an empty table.
_ERRORS: Final = ("mistake", "blunder")
# Winning chances, from -1 to 1. With the only move the game is not lost, with any other one it is not won; where the
# only move mates, the others may win a piece.
_MARGIN, _NOT_LOST, _NOT_WON, _NO_MATE = 0.45, -0.3, 0.3, 0.5
_LONGEST: Final = 8  # Moves of the solver.
_MOST_GOOD: Final = 4  # Where more moves are good, none is hard to find.
_LENGTHS: Final = ("oneMove", "short", "long", "veryLong")
_SIZES: Final = ((600, "crushing"), (200, "advantage"))  # Centipawns.


def puzzles_of_game(
    engine: PlacedEngine,
    game: chess.Board,
    *,
    player: chess.Color | None = None,
    nodes: int = NODES,
    source: str = "",
) -> Iterator[Puzzle]:
    """Make puzzles of the mistakes of one player; of both, what follows a mistake too.

    Args:
        engine: It searches, and is free between two puzzles.
        game: The last position, with the moves that led to it on its stack.
        player: The one whose mistakes are meant; None for both.
        nodes: Of the first look at each position. Puzzles are searched with 30 times as many.
        source: The game's address or id.

    Raises:
        Ox88Error: The engine refuses the game.
    """
    errs = _are_errors(game, list(search_backwards(engine, game, Limit(nodes=nodes)))[::-1])
    board = game.root()
    for ply, move in enumerate(game.move_stack):
        if ply and (errs[ply] or (errs[ply - 1] and player is None)) and player in (None, board.turn):
            puzzle = make_puzzle(engine, board.copy(stack=1), move, nodes, source)
            if puzzle is not None and (puzzle.played or player is None):
                yield puzzle
        board.push(move)


def mistakes_of(
    engine: PlacedEngine,
    game: OwnGame,
    most: int | None = None,
    go_on: Callable[[float], bool] = lambda _: True,
) -> list[tuple[Puzzle, list[str]]]:
    """The mistakes of a person in a game, in their order, each with other first moves that are right too.

    Args:
        engine: It searches.
        game: The game, and whose mistakes are meant.
        most: If there are more, these many are chosen that lost most winning chances.
        go_on: Gets the share that is done. False ends the search, and what it has found is no use.
    """
    moves, looks = game.board.move_stack, list[PositionAnalysis]()
    for look in search_backwards(engine, game.board, Limit(nodes=NODES)):
        looks.append(look)
        if not go_on(len(looks) / (len(moves) + 1) / 2):
            return []
    looks.reverse()
    chances = [look.evaluation.relative(game.player).win_percent for look in looks]
    errs, first = _are_errors(game.board, looks), 0 if game.board.root().turn == game.player else 1
    # Before the first move there is nothing to animate, and no error.
    errors = [ply for ply in range(first, len(moves), 2) if ply and errs[ply]]
    found: dict[int, tuple[Puzzle, list[str]]] = {}
    for done, ply in enumerate(sorted(errors, key=lambda ply: chances[ply + 1] - chances[ply]), 1):
        board = after(game.board.root(), *moves[:ply])
        board = board.copy(stack=1)  # Who solves it sees no past, by which a right move would repeat a position.
        puzzle = make_puzzle(engine, board, moves[ply], NODES, game.source)
        if puzzle is not None and puzzle.played:  # Its line may be longer.
            found[ply] = puzzle, []
        elif short := make_short_puzzle(engine, board, moves[ply], NODES, game.source):
            found[ply] = short
        if not go_on(0.5 + done / len(errors) / 2):
            return []
        if len(found) == most:
            break
    return [found[ply] for ply in sorted(found)]


def _are_errors(game: chess.Board, looks: Sequence[PositionAnalysis]) -> list[bool]:
    """Which moves of a game are mistakes or blunders. looks: at all its positions."""
    is_best = [look.best == move for look, move in zip(looks, game.move_stack, strict=False)]
    judgements = assess([look.evaluation for look in looks], is_best, game.root().turn).judgements
    return [judgement in _ERRORS for judgement in judgements]


def make_puzzle(engine: PlacedEngine, board: chess.Board, played: chess.Move, nodes: int, source: str) -> Puzzle | None:
    """The puzzle of a position, if it has one. The opponent's move is on the board's stack, and `played` came next."""
    looks = [Look(engine, nodes * times) for times in _LOOKS]
    if board.legal_moves.count() == 1 or (analysis := only_move(looks, board)) is None or analysis.best is None:
        return None
    line = _line(looks[1:], board, analysis.best)
    puzzle = _puzzle(board, line, source, analysis.evaluation.relative(board.turn))
    if played == analysis.best or _mates(board, played):
        return puzzle if len(line) > 1 or "mate" in puzzle.themes else None  # Who takes what hangs solves no puzzle.
    search = looks[1].search
    reason = explain_move(search, board, played, analysis, search(after(board, played), ())).text
    return replace(puzzle, played=played.uci(), reason=reason)


def make_short_puzzle(
    engine: PlacedEngine, board: chess.Board, played: chess.Move, nodes: int, source: str
) -> tuple[Puzzle, list[str]] | None:
    """The puzzle of an error that has several answers: it ends with any of them. All but the first come with it."""
    engine.engine.new_game()
    search = search_by_placed(engine, Limit(nodes=nodes * _LOOKS[1]))
    best, then = search(board, ()), search(after(board, played), ())
    if best.best is None or _judged(board, best, then) not in _ERRORS:
        return None
    good = [best.best]
    while len(good) <= _MOST_GOOD and (others := [move for move in board.legal_moves if move not in good]):
        found = search(board, others)
        if found.best is None or _judged(board, best, found):
            break
        good.append(found.best)
    if len(good) > _MOST_GOOD:
        return None
    reason = explain_move(search, board, played, best, then).text
    puzzle = replace(_puzzle(board, good[:1], source), played=played.uci(), reason=reason)
    return puzzle, [move.uci() for move in good[1:]]


def _judged(board: chess.Board, best: PositionAnalysis, other: PositionAnalysis) -> Judgement | None:
    """The kind of error that a move is beside the best one. The analyses are of what each leads to, from any side."""
    return judge(*(look.evaluation.relative(board.turn) for look in (best, other)))


def _puzzle(board: chess.Board, moves: Sequence[chess.Move], source: str, value: Evaluation | None = None) -> Puzzle:
    """value: of the position for the solver, if a theme is to tell it."""
    line, before = Line(board, moves), board.copy()
    error, motifs = before.pop(), {motif.theme for motif in find_motifs(line)}
    themes = {_LENGTHS[min(len(line.own_steps), len(_LENGTHS)) - 1]}
    if value is not None and "mate" not in motifs:
        themes.add(next((size for least, size in _SIZES if value.centipawns >= least), "equality"))
    return Puzzle(
        id=hashlib.blake2b(board.epd().encode(), digest_size=5).hexdigest(),
        fen=before.fen(),
        moves=tuple(move.uci() for move in (error, *moves)),
        rating=predict_rating(line, motifs),
        themes=tuple(sorted(motifs | themes)),
        source=source,
    )


class Look:
    """Searches with a number of nodes."""

    def __init__(self, engine: PlacedEngine, nodes: int) -> None:
        self._engine = engine
        self.search: Search = search_by_placed(engine, Limit(nodes=nodes))

    def only_move(self, board: chess.Board) -> PositionAnalysis | None:
        """The analysis of a position in which exactly one move wins or saves. Any mate in one is such a move."""
        self._engine.engine.new_game()
        found = self.search(board, ())
        mates = found.evaluation.relative(board.turn).mate == 1
        others = [move for move in board.legal_moves if move != found.best and not (mates and _mates(board, move))]
        if others:
            best, other = (look.evaluation.relative(board.turn) for look in (found, self.search(board, others)))
            return found if is_only(best, other) else None
        return found


def is_only(best: Evaluation, other: Evaluation) -> bool:
    """True if a move wins, saves or mates, and the best other one does not."""
    chances, rest = winning_chances(best.clamped), winning_chances(other.clamped)
    most = _NO_MATE if (best.mate or 0) > 0 else _NOT_WON
    return chances - rest >= _MARGIN and chances >= _NOT_LOST and rest <= most


def only_move(looks: Sequence[Look], board: chess.Board) -> PositionAnalysis | None:
    """The last analysis, if all analyses agree on the only move."""
    found: PositionAnalysis | None = None
    for look in looks:
        before, found = found, look.only_move(board)
        if found is None or (before is not None and before.best != found.best):
            return None
    return found


def _line(looks: Sequence[Look], board: chess.Board, best: chess.Move) -> list[chess.Move]:
    """The only moves and the best replies, up to the last position in which there is a choice and one good move.

    A mate in one ends the line: slower mates beside it are no second answer. So does a move that repeats a position, as
    in a perpetual check.
    """
    ahead, moves, ends = after(board, best), [best], 1
    while len(moves) < 2 * _LONGEST - 1 and not ahead.is_checkmate():
        reply = looks[-1].search(ahead, ()).best
        if reply is None:
            break
        ahead.push(reply)
        is_forced = ahead.legal_moves.count() == 1
        is_told = is_forced or any(_mates(ahead, move) for move in ahead.legal_moves)
        found = looks[-1].search(ahead, ()) if is_told else only_move(looks, ahead)
        if found is None or found.best is None:
            break
        ahead.push(found.best)
        if ahead.is_repetition(2):
            break
        moves += reply, found.best
        if not is_forced or ahead.is_checkmate():
            ends = len(moves)
    return moves[:ends]


def _mates(board: chess.Board, move: chess.Move) -> bool:
    ahead = board.copy(stack=False)
    ahead.push(move)
    return ahead.is_checkmate()
