"""The work of one worker: it keeps an engine, and analyses one game after another."""

from dataclasses import dataclass

from ox88.apps.analyse.parsing import as_error, parse_game
from ox88.apps.analyse.recording import explain_errors, record_analysis, record_unanalysed
from ox88.apps.analyse.records import GameRecord, pack
from ox88.apps.analyse.search import search_backwards
from ox88.apps.options import engine_of_thread
from ox88.apps.reasons.searching import search_by_placed
from ox88.engines.base import EngineEntry, Limit, OptionValue
from ox88.errors import Ox88Error


@dataclass(frozen=True, slots=True)
class AnalysisSettings:
    """options: of the engine. limit: for each position. annotator: the value for the tag Annotator."""

    entry: EngineEntry
    options: tuple[tuple[str, OptionValue], ...]
    limit: Limit
    annotator: str

    def __str__(self) -> str:
        """All that results depend on, as a text for people and for the journal's keys."""
        limits = ((self.limit.nodes, "nodes"), (self.limit.depth, "plies"), (self.limit.time, "seconds"))
        limit = " or ".join(f"{value:g} {unit}" for value, unit in limits if value is not None)
        options = "".join(f", {name}={value}" for name, value in self.options)
        return f"{self.annotator}, {limit} a position{options}"


@dataclass(frozen=True, slots=True)
class Job:
    """A game to analyse. key: identifies text and settings."""

    key: bytes
    text: str
    settings: AnalysisSettings


def try_settings(settings: AnalysisSettings) -> None:
    """Raises EngineError if the engine cannot be made with these settings."""
    engine_of_thread(settings.entry, settings.options)  # It is not returned, since processes cannot send engines.


def do_job(job: Job) -> bytes:
    """Analyse a game and return its packed record."""
    return pack(analyse_text(job.text, job.settings))


def analyse_text(text: str, settings: AnalysisSettings) -> GameRecord:
    """Analyse a game in PGN. Errors in the text, and an engine's refusal, are in the record."""
    parsed = parse_game(text)
    if not (parsed.is_readable and parsed.moves):
        return record_unanalysed(parsed, text, parsed.errors)
    try:
        engine = engine_of_thread(settings.entry, settings.options)
        positions = list(search_backwards(engine, parsed.last_board(), settings.limit))[::-1]
        reasons = explain_errors(search_by_placed(engine, settings.limit), parsed, positions)
    except Ox88Error as error:
        refusal = as_error(0, f"{settings.entry.name} cannot analyse it: {error}")
        return record_unanalysed(parsed, text, [*parsed.errors, refusal])
    return record_analysis(parsed, positions, settings.annotator, reasons)
