"""A job: some games of the engine against itself, and their quiet positions.

The same job gives the same positions everywhere: searches end at a number of nodes, and random numbers have a seed.
"""

import functools
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ox88.apps.match.openings import Opening
from ox88.bitboard.attacks import checkers_and_pinned
from ox88.bitboard.material import is_insufficient
from ox88.bitboard.tables import board_tables
from ox88.convert import from_chess_board
from ox88.engines.modern.history import is_quiet
from ox88.engines.modern.position_history import PositionHistory
from ox88.engines.modern.table import GENERATIONS, make_table
from ox88.engines.modern.thread import DEEPEST, Line, SearchThread
from ox88.types import BLACK
from tools.packing import PACKED, Packed, pack

GAMES_A_JOB: Final = 8
HASH: Final = 4  # Megabytes: plenty for searches of thousands of nodes.
BALANCED: Final = 300  # Centipawns; a game that begins with more is decided already.
BEGINNINGS: Final = 20  # Attempts to find a balanced one.
KNOWN: Final = 1500  # Centipawns; positions with more are left out, since there a search decides.
# A game is adjudicated after so many plies in a row with such scores.
WON_PLIES: Final = 6
WON: Final = 1000
DRAWN_PLIES: Final = 10
DRAWN: Final = 10
DRAWN_FROM: Final = 80  # Plies.
LONGEST: Final = 500  # Plies; then it is a draw.
# The positions depend on these and on their Job.
RULES: Final = {
    "games_a_job": GAMES_A_JOB,
    "hash": HASH,
    "balanced": BALANCED,
    "beginnings": BEGINNINGS,
    "known": KNOWN,
    "won": (WON_PLIES, WON),
    "drawn": (DRAWN_PLIES, DRAWN, DRAWN_FROM, LONGEST),
}

LOSS, DRAW, WIN = range(3)  # White's half points.


@dataclass(frozen=True, slots=True)
class Job:
    """Games to play. random_plies: the most random moves after each opening. nodes: the limit of each search."""

    number: int
    openings: tuple[Opening, ...]
    random_plies: int
    nodes: int
    seed: int


class Searcher:
    """The engine's search, with one thread and a small table. `forget` clears both between games."""

    def __init__(self) -> None:
        self._thread = SearchThread()
        self._table = make_table(HASH)
        self._generation = 0

    def forget(self) -> None:
        self._thread.forget()
        self._table.fill(0)
        self._generation = 0

    def search(self, game: PositionHistory, moves: list[int], nodes: int) -> Line:
        """The best line found within a number of nodes."""
        self._generation = (self._generation + 1) % int(GENERATIONS)
        self._thread.prepare(game.position, game.keys, self._generation, nodes)
        lines = self._thread.deepen(self._table, range(1, DEEPEST + 1), moves, 1, lambda _: None)
        return lines[0] if lines else Line(0, 0, (moves[0],))


@functools.cache
def _searcher() -> Searcher:
    """The searcher of this process."""
    return Searcher()


def play_job(job: Job) -> Packed:
    """Play the games. Returns their positions: PACKED[n]."""
    chance = random.Random(f"{job.seed} {job.number}")  # noqa: S311 - Games, no secret.
    return np.concatenate([_play_game(opening, job, chance) for opening in job.openings])


def _play_game(opening: Opening, job: Job, chance: random.Random) -> Packed:
    searcher = _searcher()
    for _ in range(BEGINNINGS):
        searcher.forget()
        game = _begin(opening, chance.randint(0, job.random_plies), chance)
        moves = game.legal_moves()
        if ending(game, moves, []) is None:
            line = searcher.search(game, moves, job.nodes)
            if abs(line.value) <= BALANCED:
                return _play_on(searcher, game, line, job.nodes)
    return np.zeros(0, PACKED)


def _begin(opening: Opening, random_plies: int, chance: random.Random) -> PositionHistory:
    """A game after its opening and some random moves."""
    game = PositionHistory()
    game.set_position(from_chess_board(opening.board()))
    for _ in range(random_plies):
        if moves := game.legal_moves():
            game.push(chance.choice(moves))
    return game


def _play_on(searcher: Searcher, game: PositionHistory, line: Line, nodes: int) -> Packed:
    """Play a game to its end, beginning with a line's first move. Returns its quiet positions."""
    quiet: list[tuple[Any, int]] = []
    scores: list[int] = []
    while True:
        score = -line.value if game.position.turn == BLACK else line.value
        scores.append(score)
        if abs(score) <= KNOWN and is_calm(game, line.moves[0]):
            quiet.append((game.position.copy(), score))
        game.push(line.moves[0])
        moves = game.legal_moves()
        result = ending(game, moves, scores)
        if result is not None:
            return pack([position for position, _ in quiet], [score for _, score in quiet], result)
        line = searcher.search(game, moves, nodes)


def is_calm(game: PositionHistory, move: int) -> bool:
    """True if the side to move is not in check and its best move neither captures nor promotes."""
    return not is_check(game) and bool(is_quiet(game.position, np.int64(move)))


def is_check(game: PositionHistory) -> bool:
    checkers, _ = checkers_and_pinned(game.position, board_tables(), np.int64(game.position.turn))
    return bool(checkers)


def ending(game: PositionHistory, moves: Sequence[int], scores: Sequence[int]) -> int | None:
    """White's half points if the game is over, by the rules or because the scores agree. scores: for White."""
    position = game.position
    if not moves:
        if not is_check(game):
            return DRAW
        return WIN if position.turn == BLACK else LOSS
    if position.halfmove_clock >= 100 or game.keys.count(int(position.key)) >= 2 or is_insufficient(position):
        return DRAW
    return _adjudicated(scores)


def _adjudicated(scores: Sequence[int]) -> int | None:
    last = scores[-WON_PLIES:]
    if len(last) == WON_PLIES and min(last) >= WON:
        return WIN
    if len(last) == WON_PLIES and max(last) <= -WON:
        return LOSS
    if len(scores) >= LONGEST:
        return DRAW
    is_even = len(scores) >= DRAWN_FROM and max(map(abs, scores[-DRAWN_PLIES:])) <= DRAWN
    return DRAW if is_even else None
