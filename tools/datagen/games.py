"""A job: some games of the engine against itself, and their quiet positions.

The same job gives the same positions everywhere: searches end at a number of nodes, and random numbers have a seed.
"""

import dataclasses
import functools
import random
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ox88.apps.match.openings import Opening
from ox88.engines.modern.history import is_quiet
from ox88.engines.modern.position_history import PositionHistory
from ox88.engines.modern.thread import Line
from tools.packing import PACKED, Packed, pack
from tools.selfplay import HARD_FACTOR, HASH, Adjudication, Player, begin, ending, is_check, score_for_white

GAMES_A_JOB: Final = 8
BALANCED: Final = 300  # Centipawns; a game that begins with more is decided already.
BEGINNINGS: Final = 20  # Attempts to find a balanced one.
KNOWN: Final = 1500  # Centipawns; positions with more are left out, since there a search decides.
LATE: Final = Adjudication(
    won_plies=5, won=2000, drawn_plies=20, drawn=10, drawn_from=80, longest=400
)  # Endings are to be learnt too.
# The positions depend on these and on their Job.
RULES: Final = {
    "games_a_job": GAMES_A_JOB,
    "hash": HASH,
    "balanced": BALANCED,
    "beginnings": BEGINNINGS,
    "known": KNOWN,
    "hard_factor": HARD_FACTOR,
    "adjudication": dataclasses.asdict(LATE),
}


@dataclass(frozen=True, slots=True)
class Job:
    """Games to play. random_plies: the least and the most random moves after an opening. nodes: soft, of a search."""

    number: int
    openings: tuple[Opening, ...]
    random_plies: tuple[int, int]
    nodes: int
    seed: int


@functools.cache
def _player() -> Player:
    """The player of this process."""
    return Player()


def play_job(job: Job) -> Packed:
    """Play the games. Returns their positions: PACKED[n]."""
    chance = random.Random(f"{job.seed} {job.number}")  # noqa: S311 - Games, no secret.
    return np.concatenate([_play_game(opening, job, chance) for opening in job.openings])


def _play_game(opening: Opening, job: Job, chance: random.Random) -> Packed:
    player = _player()
    for _ in range(BEGINNINGS):
        player.forget()
        game = _begin(opening, chance.randint(*job.random_plies), chance)
        moves = game.legal_moves()
        if ending(game, moves, [], LATE) is None:
            line = player.search(game, moves, job.nodes, is_soft=True)
            if abs(line.value) <= BALANCED:
                return _play_on(player, game, line, job.nodes)
    return np.zeros(0, PACKED)


def _begin(opening: Opening, random_plies: int, chance: random.Random) -> PositionHistory:
    """A game after its opening and some random moves."""
    game = begin(opening)
    for _ in range(random_plies):
        if moves := game.legal_moves():
            game.push(chance.choice(moves))
    return game


def _play_on(player: Player, game: PositionHistory, line: Line, nodes: int) -> Packed:
    """Play a game to its end, beginning with a line's first move. Returns its quiet positions."""
    quiet: list[tuple[Any, int]] = []
    scores: list[int] = []
    while True:
        score = score_for_white(game, line)
        scores.append(score)
        if abs(score) <= KNOWN and is_calm(game, line.moves[0]):
            quiet.append((game.position.copy(), score))
        game.push(line.moves[0])
        moves = game.legal_moves()
        result = ending(game, moves, scores, LATE)
        if result is not None:
            return pack([position for position, _ in quiet], [score for _, score in quiet], result)
        line = player.search(game, moves, nodes, is_soft=True)


def is_calm(game: PositionHistory, move: int) -> bool:
    """True if the side to move is not in check and its best move neither captures nor promotes."""
    return not is_check(game) and bool(is_quiet(game.position, np.int64(move)))
