"""What a worker does: it keeps an engine, and analyses one game after another."""

import threading
from dataclasses import dataclass

from ox88.apps.analyse.parsed import Parsed, flaw, parse_game
from ox88.apps.analyse.recording import record_analysis, record_untouched
from ox88.apps.analyse.records import GameRecord, pack
from ox88.apps.analyse.search import search_game
from ox88.apps.analyse.verdict import sum_up
from ox88.apps.engines import make_ready_engine
from ox88.engines.base import Engine, EngineEntry, Limit, OptionValue
from ox88.types import Ox88Error


@dataclass(frozen=True, slots=True)
class Way:
    """How to analyse. limit: of each position. annotator: what the games' tag says."""

    entry: EngineEntry
    settings: tuple[tuple[str, OptionValue], ...]
    limit: Limit
    annotator: str

    @property
    def words(self) -> str:
        """All that a result depends on, for people and for keys."""
        limits = ((self.limit.nodes, "nodes"), (self.limit.depth, "plies"), (self.limit.time, "seconds"))
        limit = " or ".join(f"{value:g} {unit}" for value, unit in limits if value is not None)
        settings = "".join(f", {name}={value}" for name, value in self.settings)
        return f"{self.annotator}, {limit} a position{settings}"


@dataclass(frozen=True, slots=True)
class Job:
    """A game to analyse, complete with all that a worker needs. key: differs where the result does."""

    key: bytes
    text: str
    way: Way


def try_way(way: Way) -> None:
    """Make the engine. Raises EngineError where it cannot be made so."""
    _engine(way)


def do_job(job: Job) -> bytes:
    """Analyse a game, here and now. A packed GameRecord."""
    return pack(_analyse(parse_game(job.text), job))


def _analyse(parsed: Parsed, job: Job) -> GameRecord:
    if not (parsed.is_readable and parsed.moves):
        return record_untouched(parsed, job.text, parsed.flaws)
    start = parsed.game.board()
    try:
        searched = search_game(_engine(job.way), start, parsed.moves, job.way.limit)
    except Ox88Error as error:
        refusal = flaw(0, f"{job.way.entry.name} cannot analyse it: {error}")
        return record_untouched(parsed, job.text, (*parsed.flaws, refusal))
    verdict = sum_up(searched, parsed.moves, start.turn)
    return record_analysis(parsed, searched, verdict, job.way.annotator)


_local = threading.local()


def _engine(way: Way) -> Engine:
    """The engine of this thread."""
    kept: tuple[Way, Engine] | None = getattr(_local, "kept", None)
    if kept is None or kept[0] != way:
        _local.kept = None  # The old one's memory goes first.
        kept = _local.kept = way, make_ready_engine(way.entry, dict(way.settings), tell=False)
    return kept[1]
