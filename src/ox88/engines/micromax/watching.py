"""Watch micro-Max think: any part of a search, event by event.

`events.py` explains the events. The search is deterministic, so nothing is stored between two questions: each one runs
the search again, and stops when the events that were asked for are recorded. That takes a second for 2 million nodes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.engines.base import EngineError
from ox88.engines.micromax import events, recorder
from ox88.engines.micromax import search as listing
from ox88.engines.micromax.machine import DEPTH_LIMIT, NODE_LIMIT, Iteration, Machine
from ox88.engines.micromax.recorder import LARGEST_WINDOW
from ox88.setup import Setup
from ox88.threads import Background

SWITCHES: Final = {  # What can be left out, and its bit in the record.
    "hash": listing.WITHOUT_HASH,
    "best move first": listing.WITHOUT_BEST_MOVE,
    "recapture extension": listing.WITHOUT_RECAPTURES,
    "king-capture legality": listing.WITHOUT_KING_CAPTURE,
}


class TriedMove(NamedTuple):
    """A move that an open node has searched in its iteration.

    Attributes:
        from_square: where it started.
        to_square: where it ended.
        score: what it is worth to the node's side.
        reason: why the node after it returned, an index into events.REASONS.
        nodes: how many were counted for it.
        nodes_before: how many were counted before it. So its node has the next number, unless the table answered.

    """

    from_square: int
    to_square: int
    score: int
    reason: int
    nodes: int
    nodes_before: int


class OpenNode(NamedTuple):
    """A call of `search` that has not returned. Squares, sides and scores are those of the events.

    Attributes:
        number: of the node, from 1 for the root; 0 while the hash table is asked.
        event: number of the event that counted the node; 0 before it.
        side: 8 for White, 16 for Black.
        alpha: the lower end of the window.
        beta: the upper end of the window.
        wanted_depth: plies that its caller asked for.
        evaluation: static, for the side to move.
        en_passant: the square that the last move passed, or 0x80.
        last_to: the square of the last move; 8 at the root.
        key: the index key, its low 32 bits, signed.
        lock: the key that is compared, likewise.
        depth: of the iteration; 0 before the first.
        scan_start: the square where the scan of the board began in the iteration.
        best_score: the best so far in the iteration.
        best_from: where the best move starts; with 0 for best_to there is none.
        best_to: where it ends, with 0x80 unless it castles, and 8 while it waits to be tried first.
        from_square: where the last move that was made here started.
        to_square: where it ended.
        cell: index of its entry in the table; 0 before it is known, or if there is none for it.
        is_filled: 1 if that entry holds a result.
        board: the listing's 129 bytes where it was entered.
        tried: the moves that were searched in the iteration, in their order.

    """

    number: int
    event: int
    side: int
    alpha: int
    beta: int
    wanted_depth: int
    evaluation: int
    en_passant: int
    last_to: int
    key: int
    lock: int
    depth: int
    scan_start: int
    best_score: int
    best_from: int
    best_to: int
    from_square: int
    to_square: int
    cell: int
    is_filled: int
    board: tuple[int, ...]
    tried: tuple[TriedMove, ...]


@dataclass(frozen=True, slots=True)
class Recording:
    """Some events of a search of micro-Max, one after the other, and everything that is known before the first.

    Attributes:
        first_event: number of the first event, counted from 0.
        events: int32[n, 8], each with kind, ply and six values; ox88.engines.micromax.events explains them.
        nodes: nodes counted before the first event.
        filled: entries of the hash table that hold a result.
        board: the listing's 129 bytes, with a8 at 0x00, the centre points in the unused half, and the dummy at 0x80.
        line: the open nodes, from the root on. The last one is the node of the first event, also if that enters it.
        counted: the positions of the nodes that NODE events count, in their order, with side, en_passant and board.
        is_end: True if the search ends with these events.

    """

    first_event: int
    events: NDArray[np.int32]
    nodes: int
    filled: int
    board: tuple[int, ...]
    line: tuple[OpenNode, ...]
    counted: NDArray[np.void]
    is_end: bool

    def named(self) -> list[dict[str, str | int]]:
        """The events with names, such as {"kind": "CUT_OFF", "ply": 3, "best_score": 40, "beta": 12, ...}."""
        return [events.named(event) for event in self.events]

    def find(self, sorts: Iterable[str]) -> list[int]:
        """The numbers of the events that are of some sorts, as `Watch.next` finds them one by one."""
        bits = [_bit(name) for name in sorts]
        kinds, first, second = self.events[:, [0, 2, 3]].T
        is_hit = (kinds == events.ENTRY) & (first != 0)  # As in `recorder.sort_of`, for all events at once.
        is_recapture = (kinds == events.DEPTH) & (first == second)
        sorts_of = np.select([is_hit, is_recapture], [recorder.HASH_HIT, recorder.RECAPTURE], kinds)
        found = np.isin(kinds, bits) | np.isin(sorts_of, bits)
        return (np.flatnonzero(found) + self.first_event).tolist()


@dataclass(frozen=True, slots=True)
class Totals:
    """A search as a whole. is_complete: False if it was ended at ten million nodes."""

    nodes: int
    events: int
    iterations: tuple[Iteration, ...]
    is_complete: bool


class Watch:
    """A search of micro-Max that can be looked at anywhere. One thread uses it; any other may call `stop` and `close`.

    setup: the position. nodes, depth: the limits of the search, as for `MicroMax`; at most ten million nodes, and as in
    the listing an iteration that was started is finished. without: what to leave out, of SWITCHES. evaluation: as for
    `Machine.set_position`. machine: of `new_machine`, to be reused, since its memory is 200 MB. board: the listing's
    129 bytes at the root. Raises IllegalPositionError and EngineError.
    """

    def __init__(
        self,
        setup: Setup,
        *,
        nodes: int = NODE_LIMIT,
        depth: int = DEPTH_LIMIT,
        without: Iterable[str] = (),
        evaluation: int | None = None,
        machine: Machine | None = None,
    ) -> None:
        _check_number("node limit", nodes, 1, NODE_LIMIT)
        _check_number("depth", depth, 1, DEPTH_LIMIT)
        switches = _switches(without)
        self._limits = nodes, depth
        self._machine = machine or new_machine()
        self._machine.set_position(setup, evaluation)
        self._record: Any = self._machine.record
        self.board = tuple(map(int, self._record.board))
        self._record.node_cap = NODE_LIMIT
        self._record.without = switches
        self._is_closed = False

    def from_node(self, number: int, count: int = LARGEST_WINDOW, before: int = 0) -> Recording:
        """The events from a node's ENTER on. The root is node 1. Raises EngineError if there is no such node.

        before: begin so many nodes before it.
        """
        _check_number("node", number, 1, NODE_LIMIT)
        if not self._run(count, node=number - before):
            raise EngineError(f"there is no node {number:,}: the search has {int(self._record.nodes):,} nodes")
        return self._recording()

    def from_event(self, number: int, count: int = LARGEST_WINDOW) -> Recording:
        """The events from a number on, counted from 0. Raises EngineError if the search has fewer events."""
        found = self.next(events.KINDS, number, count)
        if found is None:
            raise EngineError(f"there is no event {number:,}: the search has {self._event_count():,} events")
        return found

    def next(
        self,
        sorts: Iterable[str],
        number: int = 0,
        count: int = LARGEST_WINDOW,
        highest_ply: int = recorder.LONGEST_LINE,
    ) -> Recording | None:
        """The events from the first one of these sorts, of `number` or later, at `highest_ply` or nearer the root.

        sorts: names of `events.KINDS` or `events.SORTS`. Returns None if there is no such event within ten million
        nodes.
        """
        _check_number("event", number, 0, recorder.NEVER)
        mask = sum(1 << bit for bit in {_bit(name) for name in sorts})
        return self._recording() if self._run(count, event=number, kinds=mask, highest_ply=highest_ply) else None

    def totals(self) -> Totals:
        """Search without recording, at most ten million nodes."""
        self._run(1)
        record = self._record
        iterations = tuple(self._machine.iterations())
        return Totals(int(record.nodes), self._event_count(), iterations, not record.aborted)

    def moves(self, board: Sequence[int], side: int, en_passant: int) -> list[tuple[int, int, int]]:
        """What a side may try on a board, in the order of a scan from a8: from square, to square, captured piece or 0.

        The listing itself finds them, in a search of one ply that leaves everything out which could end it early.
        """
        record, kept = self._record, (self._record.board.copy(), self._record.without)
        self._prepare(LARGEST_WINDOW, event=0)
        record.board[:], record.without, record.aborted = board, sum(SWITCHES.values()), 0
        window = -listing.INFINITY, listing.INFINITY
        recorder.search(record, *map(np.int64, (side, *window, 0, 1, 1, en_passant, listing.DUMMY, 1)))
        record.board[:], record.without = kept
        found = record.events[: int(record.kept)]
        (rows,) = (found[:, 0] == events.MOVE).nonzero()
        froms = found[rows - 1, 2]  # Of the TARGET before it.
        return [(int(start), int(row[3]), int(row[4])) for start, row in zip(froms, found[rows], strict=True)]

    @property
    def nodes(self) -> int:
        """Nodes of the running call so far, or of the last one; 0 while the recorder is compiled."""
        return int(self._record.nodes)

    def stop(self) -> None:
        """End the running call within milliseconds; it raises EngineError."""
        self._machine.stop()

    def close(self) -> None:
        """End the running call and all later ones."""
        self._is_closed = True
        self.stop()

    def _run(self, count: int, **start: int) -> bool:
        """Search until the window is full. Returns True if there is one. start: as for `_prepare`."""
        _check_number("count", count, 1, LARGEST_WINDOW)
        self._prepare(count, **start)
        self._machine.clear_table()
        record = self._record
        # What the search before has left: the lock of a MATE_PROBE, and what was written to the dummy square.
        record.root_from = record.root_to = record.board[listing.DUMMY] = 0
        Background(lambda: self._machine.think(*self._limits), self.stop).result()
        if record.stop:
            raise EngineError("the search was stopped")
        return bool(record.is_found and record.kept >= 0)

    def _prepare(
        self,
        count: int,
        node: int = 0,
        event: int = recorder.NEVER,
        kinds: int = -1,
        highest_ply: int = recorder.LONGEST_LINE,
    ) -> None:
        """Set what a search records: so many events, from a node on, or from an event on of some kinds and plies."""
        record = self._record
        record.stop = record.nodes = 0
        if self._is_closed:
            raise EngineError("the search is closed")
        record.first_node, record.watched_from, record.watched_kinds = node, event, kinds
        record.watched_ply = highest_ply
        record.is_found = int(node == 0)
        record.window, record.kept, record.ply = count, -1, -1
        record.events_left = event
        record.filled = 0

    def _event_count(self) -> int:
        return int(self._record.watched_from - self._record.events_left)

    def _recording(self) -> Recording:
        record = self._record
        line = record.start_line[: int(record.start_ply) + 1]
        return Recording(
            int(record.start_event),
            np.array(record.events[: int(record.kept)]),
            int(record.start_nodes),
            int(record.start_filled),
            tuple(map(int, record.start_board)),
            tuple(map(_open_node, line)),
            np.array(record.counted[: int((record.events[: int(record.kept), 0] == events.NODE).sum())]),
            not record.aborted,
        )


def new_machine() -> Machine:
    """The memory of a recorder."""
    return Machine(recorder, recorder.RECORDER)


def _open_node(node: Any) -> OpenNode:
    tried = (TriedMove(*map(int, move)) for move in node["tried"][: int(node["tried_count"])])
    values: Any = {name: int(node[name]) for name in OpenNode._fields[:-2]}
    return OpenNode(**values, board=tuple(map(int, node["board"])), tried=tuple(tried))


def _switches(without: Iterable[str]) -> int:
    if isinstance(without, str):
        raise TypeError(f"without is {without!r}: expected a list, such as {[without]!r}")
    switches = 0
    for name in without:
        if name not in SWITCHES:
            raise EngineError(f"micro-Max has no {name!r} to leave out: expected {', '.join(SWITCHES)}")
        switches |= SWITCHES[name]
    return switches


def _bit(sort: str) -> int:
    """The bit of a sort in the recorder's watched_kinds."""
    sorts = (*events.KINDS, *events.SORTS)
    if sort not in sorts:
        raise EngineError(f"{sort!r} is no sort of event: expected {', '.join(sorts)}")
    return 1 + sorts.index(sort)


def _check_number(name: str, number: int, first: int, last: int) -> None:
    if not isinstance(number, (int, np.integer)):
        raise TypeError(f"the {name} is {number!r}: expected a whole number")
    if not first <= number <= last:
        raise EngineError(f"the {name} is {number:,}: expected {first:,} to {last:,}")
