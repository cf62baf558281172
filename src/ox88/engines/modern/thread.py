"""One thread of a search: iterative deepening with aspiration windows, over a SEARCHER record."""

import dataclasses
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from ox88.bitboard.records import as_array
from ox88.bitboard.tables import board_tables
from ox88.engines.base import MOST_CENTIPAWNS, Bound, Score
from ox88.engines.modern.evaluation.records import switch_off
from ox88.engines.modern.network.file import Network
from ox88.engines.modern.nodes import start_root
from ox88.engines.modern.options import SWITCHED
from ox88.engines.modern.records import (
    BEFORE_ROOT,
    HISTORIES,
    INFINITY,
    LAST_PLY,
    MATE,
    MATE_BOUND,
    MAX_GAME,
    fill_reductions,
    make_searcher,
)
from ox88.engines.modern.search import judge_root, search_root
from ox88.engines.modern.table import Table

DEEPEST: Final = LAST_PLY
NO_RANKS: Final[Mapping[int, int]] = MappingProxyType({})
ENDLESS: Final = 1 << 62  # Nodes.
WIDEST: Final = 2 * INFINITY
NEW_AT_EACH_ROOT: Final = (  # Fields of a SEARCHER that are 0 when a search begins.
    "nodes", "ply", "selective_depth", "stop", "no_null_move_before", "root_move_count", "root_first_move",
)  # fmt: skip
EVEN_CHANCE: Final = 150.0  # Centipawns at which the chance to win is one half.
CHANCE_SPREAD: Final = 75.0  # Centipawns more raise it to 73 %.
PORTIONS: Final = 64  # The least number of times that a thread goes to the pool of nodes.
MOST_AT_ONCE: Final = 1024  # Nodes.


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """A line of play and its value, as found at a depth. number: its rank among the best lines, from 1.

    Values beyond MATE_BOUND are mates. An evaluation may be more than MOST_CENTIPAWNS, by its correction.
    """

    depth: int
    value: int
    moves: tuple[int, ...]
    bound: Bound = "exact"
    number: int = 1

    @property
    def mate(self) -> int:
        """Moves to mate, negative for the side that is mated; 0 if no mate is in sight."""
        if self.value > MATE_BOUND:
            return (MATE - self.value + 1) // 2
        return -(MATE + self.value) // 2 if self.value < -MATE_BOUND else 0

    @property
    def shown_value(self) -> int:
        """The value for users: a mate as it is, any other value at most MOST_CENTIPAWNS for either side."""
        if abs(self.value) > MATE_BOUND:
            return self.value
        return min(max(self.value, -MOST_CENTIPAWNS), MOST_CENTIPAWNS)

    @property
    def score(self) -> Score:
        return Score(mate=self.mate) if abs(self.value) > MATE_BOUND else Score(centipawns=self.shown_value)

    @property
    def outcomes(self) -> tuple[int, int, int]:
        """Expected wins, draws and losses in thousandths, by a logistic curve."""
        win, loss = (
            round(1000 * (1.0 / (1.0 + math.exp(min((EVEN_CHANCE - value) / CHANCE_SPREAD, 500.0)))))
            for value in (self.value, -self.value)
        )
        return win, 1000 - win - loss, loss


Report = Callable[[Line], None]


class NodePool:
    """A limit of nodes for all threads of a search together, without a lock and at no cost in a node.

    The threads take nodes from one pool, some at a time, whenever they have used up their own (`take_nodes`). So
    together they never search more than the limit. The first thread, whose move is played, has its own share.

    own: nodes of the first thread alone. at_once: how many nodes a thread takes at a time.
    """

    def __init__(self, nodes: int, threads: int) -> None:
        """nodes: the limit of the search."""
        self.own = -(-nodes // threads)
        self.at_once = min(max(nodes // (PORTIONS * threads), 1), MOST_AT_ONCE)
        self._left = np.array([nodes - self.own], np.int64)

    @property
    def address(self) -> int:
        """The address of an int64, the number of nodes left. It is valid as long as this object lives."""
        return int(self._left.ctypes.data)

    @property
    def left(self) -> int:
        """Nodes that no thread has taken; 0 or less if there are none."""
        return int(self._left[0])


class SearchThread:
    """The state of one search thread. `deepen` runs in the calling thread; `stop` may be called from any other.

    network: what evaluates positions; None for the handcrafted evaluation. Raises NetworkError as `Network.fill` does.
    """

    def __init__(self, network: Network | None = None) -> None:
        self.record = make_searcher()
        self.set_network(network)
        self._array = as_array(self.record)
        self._tables = as_array(board_tables())
        # Fields that are read and written often: NumPy takes microseconds for each attribute of a record.
        self._stop = self._array["stop"]
        self._nodes = self._array["nodes"]
        self._parameters = self.record["parameters"]
        self._root = self.record.frames[BEFORE_ROOT]
        self._legal_count = 0
        self._pool: NodePool | None = None
        self._switched_off: set[str] = set()

    def set_network(self, network: Network | None) -> None:
        """Evaluate positions by another network, or by none. Raises NetworkError, and keeps the old one."""
        if network is not None:
            network.fill(self.record.network)
        else:
            self.record.network.scale[:] = 0
        self.record.refresh_caches["pieces"].fill(0)

    def set_parameter(self, name: str, value: int) -> None:
        """Set a parameter of the search, or switch a group of evaluation terms."""
        if name in SWITCHED:
            self._switched_off = self._switched_off - {name} if value else self._switched_off | {name}
            switch_off(self.record.evaluation, self._switched_off)
            return
        self.record.parameters[name] = value
        if name.startswith("reduction_"):
            fill_reductions(self.record)

    def forget(self) -> None:
        """Clear the histories and killers."""
        for name in HISTORIES:
            self.record[name].fill(0)
        self.record.frames["killers"].fill(0)

    def prepare(
        self, position: Any, keys: list[int], generation: int, nodes: int | None, pool: NodePool | None = None
    ) -> None:
        """Set up a root.

        keys: of the positions before the root, the oldest first. generation: of the table. nodes: limit of this thread.
        pool: where the thread takes more nodes.
        """
        record = self.record
        clock = int(position["halfmove_clock"])
        past = keys[-min(len(keys), clock, MAX_GAME) :] if clock else []
        record["position"] = position
        record["keys"][: len(past)] = past
        record["game_length"] = self._root["plies_since_irreversible"] = len(past)
        record["generation"] = generation
        record["node_limit"] = ENDLESS if nodes is None else min(nodes, ENDLESS)
        self._pool = pool  # Keeps the pool alive: the record has only its address.
        record["node_pool"], record["nodes_at_once"] = (pool.address, pool.at_once) if pool is not None else (0, 0)
        for name in NEW_AT_EACH_ROOT:
            record[name] = 0
        self._legal_count = start_root(self._array, self._tables)

    def stop(self) -> None:
        self._stop[0] = 1

    @property
    def is_stopped(self) -> bool:
        return bool(self._stop[0])

    @property
    def nodes(self) -> int:
        return int(self._nodes[0])

    def deepen(
        self,
        table: Table,
        depths: range,
        moves: list[int],
        lines: int = 1,
        report: Report = lambda _: None,
        ranks: Mapping[int, int] = NO_RANKS,
    ) -> list[Line]:
        """Iterative deepening until the last depth or a stop. Returns the best lines, the best first.

        Stopped before it has searched a move, it returns a line of depth 0: the evaluation and the first move.

        depths: to be searched in turn. moves: of the root. lines: how many of the best to find. report: called with
        every line and bound as it is found. ranks: of the moves, 0 for the best; a missing move has rank 0. A
        line is searched among the moves of the best rank that is left.
        """
        best: list[Line] = []
        for depth in depths:
            self.record["root_depth"] = depth
            found: list[Line] = []
            for number in range(1, min(lines, len(moves)) + 1):
                taken = {line.moves[0] for line in found}
                left = [move for move in moves if move not in taken]
                best_rank = min(ranks.get(move, 0) for move in left)
                best_left = [move for move in left if ranks.get(move, 0) == best_rank]
                self.record["root_move_count"] = len(best_left) if len(best_left) < self._legal_count else 0
                self.record["root_moves"][: len(best_left)] = best_left
                first_moves = (line.moves[0] for line in best if line.moves[0] not in taken)
                self.record["root_first_move"] = next(first_moves, 0)
                guess = best[number - 1].value if number <= len(best) else 0
                line = self._aspire(table, depth, guess, number, report)
                # A stopped search may say that the side to move is mated. A move not searched yet may avoid that.
                is_unproven = line is not None and self.is_stopped and line.value < -MATE_BOUND
                if line is not None and not (is_unproven and number <= len(best)):
                    found.append(line)
                if self.is_stopped:
                    break
            if self.is_stopped:
                known = merge_lines([continued(line, best) for line in found], best, ranks)
                return mates_first(known, ranks) or [
                    self._line(0, int(judge_root(self._array, self._tables, table)), "exact", 1)
                ]
            best = merge_lines(found, best, ranks)
            for line in mates_first(best, ranks):
                report(line)
        return mates_first(best, ranks)

    def _aspire(self, table: Table, depth: int, guess: int, number: int, report: Report) -> Line | None:
        """Search with an aspiration window around the last value, widened until the value lies inside.

        A move that fails high is searched first from then on. If the search is stopped before a move raises alpha, the
        result is the last move that failed high, or None if none has.
        """
        parameters = self._parameters
        is_narrow = parameters["use_aspiration"] and depth >= parameters["aspiration_depth"]
        margin = int(parameters["aspiration_window"]) if is_narrow else WIDEST
        alpha, beta = max(guess - margin, -INFINITY), min(guess + margin, INFINITY)
        reduction = 0
        failed_high: Line | None = None
        while True:
            value = self._search(table, alpha, beta, max(depth - reduction, 1))
            if self.is_stopped:
                if not self._root["pv_length"]:
                    return failed_high
                value = int(self.record["root_value"])
                return self._line(depth, value, "exact" if value < beta else bound_of(value), number)
            margin += margin // 2 + 1
            if value <= alpha:
                report(self._line(depth, value, "upper", number))
                alpha, beta = max(value - margin, -INFINITY), (alpha + beta) // 2
                reduction = 0
            elif value >= beta:
                report(self._line(depth, value, "lower", number))
                failed_high = self._line(depth, value, bound_of(value), number)
                self.record["root_first_move"] = failed_high.moves[0]
                beta = min(value + margin, INFINITY)
                reduction = min(reduction + 1, 3)
            else:
                return self._line(depth, value, "exact", number)

    def _search(self, table: Table, alpha: int, beta: int, depth: int) -> int:
        window = np.int64(alpha), np.int64(beta)
        return int(search_root(self._array, self._tables, table, *window, np.int64(depth)))

    def _line(self, depth: int, value: int, bound: Bound, number: int) -> Line:
        moves = tuple(int(move) for move in self._root["pv"][: self._root["pv_length"]])
        return Line(depth, value, moves, bound, number)


def bound_of(value: int) -> Bound:
    """The bound of a value that has failed high, where the search was stopped before it was exact.

    The value counts as exact unless it is a mate: the moves that mate are not known, and fewer may be enough.
    """
    return "lower" if value > MATE_BOUND else "exact"


def continued(line: Line, before: list[Line]) -> Line:
    """A line of a stopped search, made longer by a line of the depth before that begins with the same moves.

    A move that has failed high is a line by itself, and nothing is known of what follows. A mate is not continued,
    since the depth before did not see it.
    """
    count = len(line.moves)
    longer = next((each.moves for each in before if each.moves[:count] == line.moves), line.moves)
    return line if abs(line.value) > MATE_BOUND else dataclasses.replace(line, moves=longer)


def merge_lines(found: list[Line], before: list[Line], ranks: Mapping[int, int] = NO_RANKS) -> list[Line]:
    """The lines of a depth, the best first, completed from the depth before if the search was stopped.

    ranks: of the first moves, as for `SearchThread.deepen`; they count more than values.
    """
    first_moves = {line.moves[0] for line in found}
    lines = sorted(found, key=lambda line: (ranks.get(line.moves[0], 0), -line.value))
    lines += [line for line in before if line.moves[0] not in first_moves]
    return numbered(lines[: max(len(found), len(before))])


def mates_first(lines: list[Line], ranks: Mapping[int, int]) -> list[Line]:
    """Lines that were sorted by ranks, with proven mates before them: no other win is surer, whatever its rank."""
    if not ranks:
        return lines
    return numbered(sorted(lines, key=lambda line: -line.value if line.value > MATE_BOUND else 0))


def numbered(lines: list[Line]) -> list[Line]:
    return [dataclasses.replace(line, number=number) for number, line in enumerate(lines, 1)]
