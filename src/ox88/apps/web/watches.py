"""The searches that the page Think watches: at most two at a time, in threads, and what is kept of them."""

import asyncio
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypedDict, TypeVar

from ox88.apps.web.engine_pool import Slots, call_in_thread
from ox88.apps.web.messages import Tell
from ox88.setup import parse_fen

if TYPE_CHECKING:
    from ox88.engines.micromax.watching import Totals, Watch

MOST_WATCHES: Final = 2  # Each has a hash table of 200 MB.
MOST_TOTALS: Final = 200  # Searches that are remembered as a whole.
REPORT_EACH: Final = 0.4  # Seconds between two reports of how far a search is.
WITHOUT: Final = {  # The page's names of what micro-Max's search can leave out.
    "hash": "hash",
    "best": "best move first",
    "recapture": "recapture extension",
    "legality": "king-capture legality",
}
Doing = Literal["waiting", "compiling", "searching"]
_Result = TypeVar("_Result")


class Watching(TypedDict):
    """What is done until the window comes: waiting, compiling, searching; and how many nodes are searched."""

    type: Literal["watching"]
    doing: Doing
    nodes: int


class Search(NamedTuple):
    """What is searched: the position, the node limit, and what is left out, by the page's names."""

    fen: str
    nodes: int
    without: frozenset[str]


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

    async def find_totals(self, search: Search) -> "Totals":
        """The search as a whole."""
        if search not in self.totals:
            totals = await self.run(search, lambda watch: watch.totals(), lambda _: None)
            while len(self.totals) >= MOST_TOTALS:
                del self.totals[next(iter(self.totals))]
            self.totals[search] = totals
        return self.totals[search]

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
