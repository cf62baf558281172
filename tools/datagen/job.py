"""A job: some games of the engine against itself.

The same job gives the same games everywhere: searches end at a number of nodes, and random numbers have a seed.
"""

import dataclasses
import functools
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ox88.apps.match.openings import Opening
from ox88.batch.positions.packed import PACKED
from ox88.bitboard.records import POSITION, as_array
from ox88.bitboard.tables import board_tables
from tools.datagen.kernels import play_games
from tools.games import Games
from tools.playing import GAME
from tools.selfplay import HANDCRAFTED, HARD_FACTOR, Adjudication, Evaluation, Player, position_of, rules_of

HASH: Final = 1  # Megabyte: plenty for searches of hundreds of nodes.
GAMES_A_JOB: Final = 32
BALANCED: Final = 300  # Centipawns; a game that begins with more is decided already.
BEGINNINGS: Final = 20  # Attempts to find a balanced one.
KNOWN: Final = 1500  # Centipawns; readers leave out positions with more, since there a search decides.
LATE: Final = Adjudication(
    won_plies=5, won=2000, drawn_plies=20, drawn=10, drawn_from=80, longest=400
)  # Endings are to be learnt too.
# The games, and the positions made of them, depend on these and on their Job.
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
    evaluation: Evaluation = HANDCRAFTED


@functools.cache
def _player(evaluation: Evaluation) -> Player:
    """The player of this process, for both sides."""
    return Player(evaluation, HASH)


def play_job(job: Job) -> Games:
    """Play the games; those that find no balanced beginning are left out."""
    player = _player(job.evaluation)
    openings = np.array([position_of(opening) for opening in job.openings], POSITION).view(np.recarray)
    player.begin(openings[0])
    rules, count = rules_of(LATE, job.nodes, job.nodes * HARD_FACTOR, BALANCED), len(openings)
    starts, lengths, results = np.zeros(count, PACKED), np.zeros(count, np.int64), np.zeros(count, np.int64)
    moves, scores = np.zeros(count * LATE.longest, np.uint16), np.zeros(count * LATE.longest, np.int64)
    state = player.searchers, as_array(board_tables()), player.table, np.zeros(1, GAME).view(np.recarray)[0]
    outcome = starts.view(np.recarray), lengths, results, moves, scores
    length = play_games(*state, rules, openings, dice_of(job), *outcome)
    is_played = lengths > 0
    return Games(
        starts[is_played],
        np.concatenate([[0], np.cumsum(lengths[is_played])]),
        moves[:length].copy(),
        scores[:length].astype(np.int16),
        results[is_played].astype(np.uint8),
    )


def dice_of(job: Job) -> NDArray[np.int64]:
    """The random numbers of all beginnings, as `play_games` takes them."""
    chance = np.random.default_rng([job.seed, job.number])
    least, most = job.random_plies
    dice = chance.integers(0, 1 << 32, (len(job.openings), BEGINNINGS, 1 + most))
    dice[:, :, 0] = least + dice[:, :, 0] % (most - least + 1)
    return dice
