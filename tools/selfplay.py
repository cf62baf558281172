"""Games of the engine against itself in this process, without a protocol: at a fixed number of nodes, or by a clock.

The clock counts nodes. So the same game is the same everywhere, also on a busy machine; random numbers have a seed.
"""

import dataclasses
import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.apps.match.openings import Opening, OpeningFile
from ox88.apps.time_control import RemainingTime, TimeControl
from ox88.bitboard.position import make_position, to_setup
from ox88.bitboard.records import as_array
from ox88.bitboard.tables import board_tables
from ox88.convert import from_chess_board
from ox88.engines.base import Clock
from ox88.engines.modern.driver import PositionHistory
from ox88.engines.modern.network.file import Network, read_network, shipped_network
from ox88.engines.modern.options import PARAMETERS
from ox88.engines.modern.table import GENERATIONS, make_table
from ox88.engines.modern.thread import DEEPEST, Line, SearchThread
from ox88.engines.time_management import TimeManager, allot_time
from ox88.errors import Ox88Error
from tools.playing import DRAW, GAME, GAME_RULES, GOES_ON, WIN, adjudicate, end_by_rules, play_game

HASH: Final = 16  # Megabytes.
HARD_FACTOR: Final = 8  # A search with a soft limit ends at so many times as many nodes, wherever it is.


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When a game ends because the scores agree. Scores are in centipawns, lengths in plies.

    Attributes:
        won_plies: So many scores in a row of at least `won` end it.
        drawn_plies: So many scores in a row of at most `drawn`, once `drawn_from` plies are played, make a draw.
        longest: A game of so many plies is a draw.
    """

    won_plies: int = 4
    won: int = 600
    drawn_plies: int = 8
    drawn: int = 15
    drawn_from: int = 70
    longest: int = 500


EARLY: Final = Adjudication()  # For matches, in which only the result counts.

Parameters = tuple[tuple[str, int], ...]  # Names of options.py and their values.


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Who evaluates positions. file: of a network, `network` for the one that Ox88 comes with, or `handcrafted`.

    checksum: the network's; empty for the handcrafted evaluation.
    """

    file: str = "handcrafted"
    checksum: str = ""

    @property
    def settings(self) -> dict[str, object]:
        """What the settings of a run name, because its results depend on it. Without a network: nothing."""
        return {"network": self.checksum} if self.checksum else {}


HANDCRAFTED: Final = Evaluation()


def find_evaluation(file: str | None = None) -> Evaluation:
    """The evaluation that a file, `network` or `handcrafted` names; None: as the engine's. Raises Ox88Error."""
    if file is None:
        file = "handcrafted" if shipped_network() is None else "network"
    network = _read(file)
    return Evaluation(file, network.checksum if network is not None else "")


def load_network(evaluation: Evaluation) -> Network | None:
    """The network, or None. Raises Ox88Error if it is not there, or is no longer that of the evaluation."""
    network = _read(evaluation.file)
    if network is not None and network.checksum != evaluation.checksum:
        raise Ox88Error(f"{evaluation.file} is another network than at the start: {evaluation.checksum} is expected")
    return network


def _read(file: str) -> Network | None:
    if file == "handcrafted":
        return None
    if file != "network":
        return read_network(Path(file))
    network = shipped_network()
    if network is None:
        raise Ox88Error("this copy of Ox88 has no network; the file of one can be named")
    return network


class Player:
    """The engine's search, with one thread and a hash table. `begin` clears both for a new game.

    Raises Ox88Error as `load_network` does, and if the network does not fit the engine.
    """

    def __init__(self, evaluation: Evaluation = HANDCRAFTED, megabytes: int = HASH) -> None:
        self.thread = SearchThread(load_network(evaluation))
        self.searchers = as_array(self.thread.record)
        self.table = make_table(megabytes)

    def set(self, parameters: Parameters) -> None:
        """Set parameters; all others have their defaults."""
        for name, value in ({option.name: option.default for option in PARAMETERS} | dict(parameters)).items():
            self.thread.set_parameter(name, int(value or 0))

    def begin(self, position: Any) -> None:
        """Forget the last game, and be ready for one that begins with a position."""
        self.thread.forget()
        self.table.fill(0)
        self.thread.prepare(position, [], 0, None)

    def prepare(self, game: PositionHistory, nodes: int) -> None:
        """Be ready to search the position of a game, with a limit of nodes."""
        generation = (int(self.thread.record["generation"]) + 1) % int(GENERATIONS)
        self.thread.prepare(game.position, game.keys, generation, nodes)

    def search_until_enough(self, game: PositionHistory, time: TimeManager, rate: int) -> Line:
        """Search until time management or the limit of nodes ends it, or after a depth if there is but one move."""
        thread, moves = self.thread, game.legal_moves()

        def report(line: Line) -> None:
            if line.bound != "exact":
                return
            if time.is_enough(line.depth, line.value, line.moves[0], thread.nodes / rate) or len(moves) == 1:
                thread.stop()

        return thread.deepen(self.table, range(1, DEEPEST + 1), moves, report=report)[0]


def rules_of(adjudication: Adjudication, nodes: int, hard_nodes: int, balanced: int = 0) -> Any:
    """A GAME_RULES record."""
    rules = np.zeros(1, GAME_RULES).view(np.recarray)[0]
    numbers = {"nodes": nodes, "hard_nodes": hard_nodes, "balanced": balanced}
    for name, number in (dataclasses.asdict(adjudication) | numbers).items():
        rules[name] = number
    return rules


def position_of(opening: Opening) -> Any:
    """A POSITION record."""
    return make_position(from_chess_board(opening.board()))


# --- Pairs of games ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pairs:
    """Games to play: each opening twice, with colours reversed.

    nodes: the limit of each search; with a clock, a second's. evaluation: of the first player, and of the second one
    too if that has none of its own.
    """

    number: int
    openings: tuple[Opening, ...]
    first: Parameters
    second: Parameters
    nodes: int
    evaluation: Evaluation = HANDCRAFTED
    second_evaluation: Evaluation | None = None
    clock: TimeControl | None = None


@functools.cache
def _players(first: Evaluation, second: Evaluation) -> tuple[Player, Player]:
    """The two players of this process."""
    return Player(first), Player(second)


def play_pairs(job: Pairs) -> list[int]:
    """Play the games. Returns how many pairs gave the first player 0, 1/2, 1, 3/2 and 2 points."""
    first, second = _players(job.evaluation, job.second_evaluation or job.evaluation)
    first.set(job.first)
    second.set(job.second)
    rules, counts = rules_of(EARLY, job.nodes, job.nodes), [0] * 5
    play = play_single if job.clock is None else functools.partial(play_by_clock, job.clock)
    for opening in job.openings:
        position = position_of(opening)
        as_white, _, _ = play(position, first, second, rules)
        as_black, _, _ = play(position, second, first, rules)
        counts[as_white + WIN - as_black] += 1
    return counts


def play_single(
    position: Any, white: Player, black: Player, rules: Any
) -> tuple[int, NDArray[np.uint16], NDArray[np.int64]]:
    """(White's half points, the moves, the score of each for White)."""
    for player in (white, black):
        player.begin(position)
    game, moves = np.zeros(1, GAME).view(np.recarray)[0], np.zeros(int(rules.longest), np.uint16)
    scores = np.zeros(len(moves), np.int64)
    state = white.searchers, black.searchers, as_array(board_tables()), white.table, black.table
    result = play_game(*state, game, rules, moves, scores)
    return int(result), moves[: game.kept], scores[: game.kept]


def play_by_clock(
    control: TimeControl, position: Any, white: Player, black: Player, rules: Any
) -> tuple[int, NDArray[np.uint16], NDArray[np.int64]]:
    """`play_single` with the engine's time management, by a clock that counts nodes; `rules.nodes` are a second."""
    game, rate = PositionHistory(), int(rules.nodes)
    game.set_position(to_setup(position))
    for player in (white, black):
        player.begin(game.position)
    clocks = [RemainingTime(control), RemainingTime(control)]
    values: list[int | None] = [None, None]  # Of each side's last search.
    state, moves = np.zeros(1, GAME).view(np.recarray)[0], np.zeros(int(rules.longest), np.uint16)
    scores = np.zeros(len(moves), np.int64)
    for ply in range(len(moves)):
        turn = int(game.position.turn)
        player, clock = (white, black)[turn], clocks[turn]
        budget = allot_time(Clock(clock.seconds, control.increment, clock.moves_to_go), 0.0, game.plies)
        player.prepare(game, round(budget.hard * rate))
        result = end_by_rules(player.searchers, as_array(board_tables()))
        if result != GOES_ON:
            return int(result), moves[:ply], scores[:ply]
        line = player.search_until_enough(game, TimeManager(budget, values[turn]), rate)
        clock.spend(player.thread.nodes / rate, 0.0)
        values[turn] = line.value
        moves[ply], scores[ply] = line.moves[0], -line.value if turn else line.value
        result = adjudicate(state, rules, scores[ply], np.int64(ply + 1))
        if result != GOES_ON:
            return int(result), moves[: ply + 1], scores[: ply + 1]
        game.push(line.moves[0])
    return int(DRAW), moves, scores


def openings_of(job: int, pairs: int, books: Sequence[OpeningFile]) -> tuple[Opening, ...]:
    """The openings of the pairs of a job, from 0 on; the books take turns."""
    numbers = range(job * pairs, (job + 1) * pairs)
    return tuple(books[number % len(books)].opening(number // len(books)) for number in numbers)


def add_counts(counts: Iterable[Sequence[int]]) -> list[int]:
    """The sum of results of `play_pairs`."""
    return [sum(column) for column in zip([0] * 5, *counts, strict=True)]
