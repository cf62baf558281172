"""Games of the engine against itself in this process: its search at a fixed number of nodes, without a protocol.

The same game is the same everywhere: no clock decides, and random numbers have a seed.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from ox88.apps.match.openings import Opening
from ox88.bitboard.attacks import checkers_and_pinned
from ox88.bitboard.material import is_insufficient
from ox88.bitboard.tables import board_tables
from ox88.convert import from_chess_board
from ox88.engines.modern.network.file import Network, read_network, shipped_network
from ox88.engines.modern.options import PARAMETERS
from ox88.engines.modern.position_history import PositionHistory
from ox88.engines.modern.table import GENERATIONS, make_table
from ox88.engines.modern.thread import DEEPEST, Line, SearchThread
from ox88.types import BLACK, Ox88Error

HASH: Final = 4  # Megabytes: plenty for searches of thousands of nodes.
HARD_FACTOR: Final = 8  # A search with a soft limit ends at so many times as many nodes, wherever it is.

LOSS, DRAW, WIN = range(3)  # White's half points.


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
    """The engine's search, with one thread and a small table. `forget` clears both between games.

    Raises Ox88Error as `load_network` does, and if the network does not fit the engine.
    """

    def __init__(self, evaluation: Evaluation = HANDCRAFTED) -> None:
        self._thread = SearchThread(load_network(evaluation))
        self._table = make_table(HASH)
        self._generation = 0

    def set(self, parameters: Parameters) -> None:
        """Set parameters; all others have their defaults."""
        for name, value in ({option.name: option.default for option in PARAMETERS} | dict(parameters)).items():
            self._thread.set_parameter(name, int(value or 0))

    def forget(self) -> None:
        self._thread.forget()
        self._table.fill(0)
        self._generation = 0

    @property
    def nodes(self) -> int:
        """The nodes of the last search."""
        return self._thread.nodes

    def search(self, game: PositionHistory, moves: list[int], nodes: int) -> Line:
        """The best line found within a number of nodes."""
        self._generation = (self._generation + 1) % int(GENERATIONS)
        self._thread.prepare(game.position, game.keys, self._generation, nodes)
        lines = self._thread.deepen(self._table, range(1, DEEPEST + 1), moves)
        return lines[0] if lines else Line(0, 0, (moves[0],))


# --- Pairs of games ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pairs:
    """Games to play: each opening twice, with colours reversed. nodes: the limit of each search.

    evaluation: of the first player, and of the second one too if that has none of its own.
    """

    number: int
    openings: tuple[Opening, ...]
    first: Parameters
    second: Parameters
    nodes: int
    evaluation: Evaluation = HANDCRAFTED
    second_evaluation: Evaluation | None = None


@functools.cache
def _players(first: Evaluation, second: Evaluation) -> tuple[Player, Player]:
    """The two players of this process."""
    return Player(first), Player(second)


def play_pairs(job: Pairs) -> list[int]:
    """Play the games. Returns how many pairs gave the first player 0, 1/2, 1, 3/2 and 2 points."""
    first, second = _players(job.evaluation, job.second_evaluation or job.evaluation)
    first.set(job.first)
    second.set(job.second)
    counts = [0] * 5
    for opening in job.openings:
        as_white = _play_game(opening, (first, second), job.nodes)
        as_black = _play_game(opening, (second, first), job.nodes)
        counts[as_white + WIN - as_black] += 1
    return counts


def _play_game(opening: Opening, players: Sequence[Player], nodes: int) -> int:
    """White's half points. players: by colour."""
    for player in players:
        player.forget()
    game = begin(opening)
    scores: list[int] = []
    while True:
        moves = game.legal_moves()
        result = ending(game, moves, scores)
        if result is not None:
            return result
        line = players[int(game.position.turn)].search(game, moves, nodes)
        scores.append(score_for_white(game, line))
        game.push(line.moves[0])


def add_counts(counts: Iterable[Sequence[int]]) -> list[int]:
    """The sum of results of `play_pairs`."""
    return [sum(column) for column in zip([0] * 5, *counts, strict=True)]


# --- The beginning and the end of a game ------------------------------------------------------------------------------


def begin(opening: Opening) -> PositionHistory:
    game = PositionHistory()
    game.set_position(from_chess_board(opening.board()))
    return game


def score_for_white(game: PositionHistory, line: Line) -> int:
    """The value of a line that the side to move has found."""
    return -line.value if game.position.turn == BLACK else line.value


def is_check(game: PositionHistory) -> bool:
    checkers, _ = checkers_and_pinned(game.position, board_tables(), np.int64(game.position.turn))
    return bool(checkers)


def ending(
    game: PositionHistory, moves: Sequence[int], scores: Sequence[int], adjudication: Adjudication = EARLY
) -> int | None:
    """White's half points if the game is over, by the rules or because the scores agree. scores: for White."""
    position = game.position
    if not moves:
        if not is_check(game):
            return DRAW
        return WIN if position.turn == BLACK else LOSS
    if position.halfmove_clock >= 100 or game.keys.count(int(position.key)) >= 2 or is_insufficient(position):
        return DRAW
    return _adjudicated(scores, adjudication)


def _adjudicated(scores: Sequence[int], rule: Adjudication) -> int | None:
    last = scores[-rule.won_plies :]
    if len(last) == rule.won_plies and min(last) >= rule.won:
        return WIN
    if len(last) == rule.won_plies and max(last) <= -rule.won:
        return LOSS
    if len(scores) >= rule.longest:
        return DRAW
    is_even = len(scores) >= rule.drawn_from and max(map(abs, scores[-rule.drawn_plies :])) <= rule.drawn
    return DRAW if is_even else None
