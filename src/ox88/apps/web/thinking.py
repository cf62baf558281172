"""The searches that the page Think watches: windows of events, and searches as a whole."""

import asyncio
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from ox88.apps.web import from_page
from ox88.apps.web.engine_pool import Slots, call_in_thread
from ox88.apps.web.from_page import AIMS, WITHOUT
from ox88.apps.web.from_server import Doing, Outline, Watching, Window
from ox88.apps.web.messages import MessageError, Tell
from ox88.engines.micromax import events
from ox88.setup import parse_fen

if TYPE_CHECKING:
    from ox88.engines.micromax.watching import Recording, Totals, Watch

MOST_WATCHES: Final = 2  # Each has a hash table of 200 MB.
MOST_TOTALS: Final = 200  # Searches that are remembered as a whole.
BEFORE: Final = 1_000  # Events before the wanted one, to step back to.
REPORT_EACH: Final = 0.4  # Seconds between two reports of how far a search is.
NEAR: Final = 500_000  # Nodes from the root on that are searched in no time, so they can be searched twice.
NODES_BEFORE: Final = 8  # For a node further on, the window of events begins so many nodes before it.
MOST_PLIES: Final = 1_000

_Result = TypeVar("_Result")


class Search(NamedTuple):
    """What is searched: the position, the node limit, and what is left out, by the page's names."""

    fen: str
    nodes: int
    without: frozenset[str]


def search_of(asked: from_page.Outline) -> Search:
    """Raises Ox88Error if the position is illegal."""
    return Search(parse_fen(asked.fen).check().fen, asked.nodes, frozenset(asked.without))


class Watches:
    """Runs searches that are watched, at most two at a time, in threads.

    Attributes:
        running: how many run just now.
        idle: what is kept until a page is left, the one that was used last at the end.
        totals: what is known of whole searches.

    """

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(MOST_WATCHES, "ox88 think")
        self._slots = Slots(MOST_WATCHES)
        self.running = 0
        self.idle: list[tuple[Search, Watch]] = []
        self.totals: dict[Search, Totals] = {}

    async def run(self, search: Search, work: "Callable[[Watch], _Result]", tell: Tell) -> _Result:
        """The result of `work(watch)`, which runs in a thread; it is stopped if the task is cancelled.

        tell: is told what is done meanwhile: waiting, compiling, or searching, and how many nodes.
        """
        async with self._slots.taken(False, lambda _: tell(_progress("waiting"))):
            self.running += 1
            watch: Watch | None = None
            reporting = asyncio.create_task(_report(lambda: watch, tell))
            try:
                watch = self._pick(search)
                if watch is None:
                    watch = await asyncio.to_thread(_make_watch, search)
                return await call_in_thread(self._executor, functools.partial(work, watch), watch.stop)
            except asyncio.CancelledError:  # Nobody wants this search any more.
                watch = None
                raise
            finally:
                reporting.cancel()
                self.running -= 1
                if watch is not None:
                    self.idle.append((search, watch))

    def _pick(self, search: Search) -> "Watch | None":
        """The idle watch of this search, if there is one. If there is none, the memory of another one is given back."""
        found = next((kept for kept in self.idle if kept[0] == search), None)
        if found is not None:
            self.idle.remove(found)
            return found[1]
        del self.idle[: max(0, len(self.idle) + self.running - MOST_WATCHES)]
        return None

    async def outline(self, search: Search) -> Outline:
        """The search as a whole: nodes, events, and the iterations of the root."""
        if search not in self.totals:
            totals = await self.run(search, lambda watch: watch.totals(), lambda _: None)
            while len(self.totals) >= MOST_TOTALS:
                del self.totals[next(iter(self.totals))]
            self.totals[search] = totals
        totals = self.totals[search]
        return {
            "type": "outline",
            "nodes": totals.nodes,
            "events": totals.events,
            "complete": totals.is_complete,
            "iterations": [
                {"depth": line.depth, "nodes": line.nodes, "score": line.score, "move": line.move_text}
                for line in totals.iterations
            ],
        }

    def close(self) -> None:
        """Wait for the searches; they stop by themselves when nobody waits for their results."""
        self._executor.shutdown(wait=True, cancel_futures=True)


async def _report(running: "Callable[[], Watch | None]", tell: Tell) -> None:
    while True:
        await asyncio.sleep(REPORT_EACH)
        watch = running()
        nodes = watch.nodes if watch is not None else 0
        tell(_progress("searching" if nodes else "compiling", nodes))


def _progress(doing: Doing, nodes: int = 0) -> Watching:
    return {"type": "watching", "doing": doing, "nodes": nodes}


def _make_watch(search: Search) -> "Watch":
    from ox88.engines.micromax.watching import Watch  # Imported late: the page is served before the compiler is loaded.

    return Watch(parse_fen(search.fen), nodes=search.nodes, without=[WITHOUT[name] for name in sorted(search.without)])


# --- Windows ----------------------------------------------------------------------------------------------------------


# Finds a window, and the number of the event in it that the page shows first.
Find = Callable[["Watch"], "tuple[Recording, int]"]


def to_find(asked: from_page.Think) -> Find:
    """How to find what the page asks for. Raises MessageError if a field is missing."""
    node = asked.node
    if node is not None:
        if asked.from_ is None:
            return lambda watch: find_node(watch, node, asked.step)
        ply, move = _needed("ply", asked.ply), (asked.from_, _needed("to", asked.to))
        return lambda watch: find_try(watch, node, ply, move)
    event = _needed("event", asked.event)
    if asked.aim is None:
        return lambda watch: find_event(watch, event)
    aim, below = asked.aim, _needed("ply", asked.ply)
    return lambda watch: find_next(watch, event, aim, below)


def _needed(name: str, value: int | None) -> int:
    if value is None:
        raise MessageError(f"{name} is missing")
    return value


def find_node(watch: "Watch", node: int, step: int) -> "tuple[Recording, int]":
    """The window around an event, and the number of this event: `step` events after the one that counts a node."""
    found = watch.from_node(node, before=NODES_BEFORE if node > NEAR else 0)
    rows = _rows_counting(found, node)
    if not len(rows):  # There are many events between the nodes.
        found = watch.from_node(node)
        rows = _rows_counting(found, node)
    at = found.first_event + int(rows[0]) + step
    if at >= found.first_event + len(found.events):
        return find_event(watch, at)
    if node <= NEAR and found.first_event > 0:
        found = watch.from_event(max(0, found.first_event - BEFORE))
    return found, at


def _rows_counting(found: "Recording", node: int) -> Any:
    """Where in a window an event counts a node; empty, or one row."""
    return ((found.events[:, 0] == events.NODE) & (found.events[:, 2] == node)).nonzero()[0]


def find_event(watch: "Watch", event: int) -> "tuple[Recording, int]":
    """The window around an event, which is the last one if the search has no such event."""
    found = watch.from_event(max(0, event - BEFORE))
    return found, min(event, found.first_event + len(found.events) - 1)


def find_next(watch: "Watch", event: int, aim: str, ply: int) -> "tuple[Recording, int]":
    """A window with the next event after `event` that an aim means. Raises MessageError if there is none."""
    name, sorts, plies = AIMS[aim]
    found = watch.next(sorts or events.KINDS, event + 1, highest_ply=MOST_PLIES if plies is None else ply - plies)
    if found is None:
        raise MessageError(f"the search ends without another {name}")
    return found, found.first_event


def find_try(watch: "Watch", node: int, ply: int, move: tuple[int, int]) -> "tuple[Recording, int]":
    """A window with a move that the open node of a ply has tried, and the number of the event that makes it.

    node: the one that was counted last before the move. Raises MessageError if the move is not made.
    """
    after = watch.from_node(node, 1).first_event
    while (found := watch.next(["DO"], after, highest_ply=ply)) is not None:
        for row, (kind, at_ply, from_square, to_square, *_) in enumerate(found.events.tolist()):
            if (kind, at_ply, from_square, to_square) == (events.DO, ply, *move):
                return found, found.first_event + row
            if at_ply < ply:  # The node has returned.
                raise MessageError("the search has no such move after that node")
        after = found.first_event + len(found.events)
    raise MessageError("the search has no such move after that node")


def describe_window(watch: "Watch", find: Find, fen: str) -> Window:
    """The window that `find` finds, as data, and the number of its event that the page shows first."""
    from ox88.engines.micromax.search import TABLE_SIZE

    found, at = find(watch)
    return {
        "type": "window",
        "first": found.first_event,
        "at": at,
        "last": found.is_end,
        "width": found.events.shape[1],
        "events": found.events.ravel().tolist(),
        "fen": fen,
        "kinds": [(name, list(values)) for name, values in events.KINDS.items()],
        "size": TABLE_SIZE - 1,  # The first one is a dummy.
        "start": {
            "board": found.board,
            "node": found.nodes,
            "filled": found.filled,
            "line": [
                node._asdict() | {"moves": watch.moves(node.board, node.side, node.en_passant)} for node in found.line
            ],
        },
        "moves": [watch.moves(node["board"], int(node["side"]), int(node["en_passant"])) for node in found.counted],
    }
