"""What is kept: analyses, whose pages are told of changes; and the lists of games and analyses.

An analysis is games as PGN, the chapters, under one name.
"""

import asyncio
import contextlib
import datetime
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Final, Literal, Required, Self, TypedDict, cast

import chess

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.parsing import parse_game
from ox88.apps.fields import choice, either, several, text, whole
from ox88.apps.game import Color
from ox88.apps.store import Table
from ox88.apps.web.connection import Connection
from ox88.apps.web.game import opening_of, summarise
from ox88.apps.web.messages import LARGEST, LONGEST_MESSAGE, Id, Ids, MessageError, Tell, Words, message
from ox88.apps.web.session import AppState, no_game
from ox88.batch.pgn.words import unescaped
from ox88.engines.registry import ENGINES
from ox88.errors import Ox88Error

LONGEST_ANALYSIS: Final = LONGEST_MESSAGE  # Characters of all chapters.
MOST_CHAPTERS: Final = 2000  # Of an analysis.
MOST_LISTED: Final = 200  # Items that are sent at once; a search finds the others.
_MOST_OPENINGS: Final = 20  # Chapters whose opening is named in the list.
_PLAYERS: Final = ("White", "Black", "Event", "ChapterName")
_Chapter = either(whole(0, MOST_CHAPTERS - 1), text(LONGEST_MESSAGE))
Outcome = Annotated[str, choice(("", "won", "lost", "drawn", "unfinished"))]
AnyEngine = Annotated[str, choice(("", *(entry.name for entry in ENGINES)))]


@dataclass(frozen=True, slots=True)
class SavedAnalysis:
    """An analysis. created: seconds since 1970. revision: how often it was saved."""

    name: str
    chapters: list[str]
    created: float
    revision: int = 1

    @classmethod
    def load(cls, data: Any) -> Self:
        """Raises Ox88Error."""
        try:
            return cls(**data)
        except TypeError as error:
            raise Ox88Error(f"the analysis cannot be read, perhaps since it is of a later version: {error}") from None

    def changed(self, name: str, chapters: Sequence[int | str]) -> Self:
        """The next revision. chapters: each a PGN, or the number that a chapter has here. Raises MessageError."""
        texts = [self._chapter(chapter) if isinstance(chapter, int) else chapter.strip() for chapter in chapters]
        length = sum(map(len, texts))
        if not texts:
            raise MessageError("an analysis without chapters: it has at least one")
        if length > LONGEST_ANALYSIS:
            raise MessageError(f"an analysis of {length:,} characters: at most {LONGEST_ANALYSIS:,} are kept")
        return replace(self, name=name.strip() or "Analysis", chapters=texts, revision=self.revision + 1)

    def _chapter(self, number: int) -> str:
        if number >= len(self.chapters):
            raise MessageError(f"there is no chapter {number}: they are numbered from 0 to {len(self.chapters) - 1}")
        return self.chapters[number]

    def pgn(self) -> str:
        return "".join(f"{chapter}\n\n" for chapter in self.chapters)

    @property
    def date(self) -> datetime.date:
        """The day on which it was begun."""
        return datetime.date.fromtimestamp(self.created)


# --- Analyses ---------------------------------------------------------------------------------------------------------


class Saved(TypedDict):
    """An analysis is saved, as a revision of it."""

    type: Literal["saved"]
    analysis: str
    revision: int
    name: str


class AnalysisState(TypedDict):
    """All of an analysis. chapters: games as PGN."""

    type: Literal["analysis"]
    analysis: str
    name: str
    revision: int
    chapters: list[str]


def no_analysis(analysis: str) -> Ox88Error:
    return Ox88Error(f"there is no analysis {analysis!r}")


def load_analysis(state: AppState, analysis: str) -> SavedAnalysis:
    """Raises Ox88Error if there is no such analysis, or it cannot be read."""
    data = state.store.analyses.load(analysis)
    if data is None:
        raise no_analysis(analysis)
    return SavedAnalysis.load(data)


@message()
async def save(
    page: Connection,
    chapters: Annotated[Sequence[int | str], several(_Chapter, MOST_CHAPTERS)],
    analysis: Id = "",
    revision: Annotated[int, whole(0, LARGEST)] = 0,
    name: Words = "",
) -> Saved:
    """Save an analysis: a new one, or a change of one, based on a `revision`. Other pages that show it are told.

    chapters: each a game as PGN, or the number that a chapter had in this revision, from 0.
    """
    if not analysis:
        begun = SavedAnalysis("", [], time.time(), revision=0).changed(name, chapters)
        saved = _save(page.state, secrets.token_urlsafe(12), begun)
        page.state.shown_analyses[page.tell] = saved["analysis"]
        return saved
    before = load_analysis(page.state, analysis)
    if before.revision != revision:
        raise MessageError("the analysis has been changed on another page meanwhile")
    after = before.changed(name, chapters)
    saved = _save(page.state, analysis, after)
    _tell_watching(page.state, analysis, _describe(analysis, after), sender=page.tell)
    return saved


def _save(state: AppState, analysis_id: str, analysis: SavedAnalysis) -> Saved:
    state.store.analyses.save(analysis_id, asdict(analysis))
    return {"type": "saved", "analysis": analysis_id, "revision": analysis.revision, "name": analysis.name}


def _tell_watching(state: AppState, analysis: str, news: Mapping[str, object], sender: Tell | None = None) -> None:
    for tell, shown in list(state.shown_analyses.items()):
        if shown == analysis and tell != sender:
            tell(news)


@message()
async def load(page: Connection, analysis: Id) -> AnalysisState:
    """Ask for an analysis. The answer comes again when another page changes it, until this page loads another one."""
    described = _describe(analysis, load_analysis(page.state, analysis))
    page.state.shown_analyses[page.tell] = analysis
    return described


def _describe(analysis_id: str, analysis: SavedAnalysis) -> AnalysisState:
    return {
        "type": "analysis",
        "analysis": analysis_id,
        "name": analysis.name,
        "revision": analysis.revision,
        "chapters": analysis.chapters,
    }


@message()
async def copy(page: Connection, analysis: Id) -> Saved:
    """Save a copy of an analysis."""
    found = load_analysis(page.state, analysis)
    begun = replace(found, name=f"Copy of {found.name}", created=time.time(), revision=1)
    return _save(page.state, secrets.token_urlsafe(12), begun)


class Deleted(TypedDict, total=False):
    """A game or an analysis is gone."""

    type: Required[Literal["deleted"]]
    game: str
    analysis: str


@message()
async def delete(page: Connection, game: Id = "", analysis: Id = "") -> Deleted:
    """Delete a game or an analysis; `restore` brings it back. Other pages that show it are told: they still have it."""
    if not analysis:
        if not page.state.delete(page.state.store.games, game):
            raise no_game(game)
        return {"type": "deleted", "game": game}
    if not page.state.delete(page.state.store.analyses, analysis):
        raise no_analysis(analysis)
    deleted: Deleted = {"type": "deleted", "analysis": analysis}
    _tell_watching(page.state, analysis, deleted)
    return deleted


class Restored(TypedDict):
    """A game or an analysis is there again, as it was."""

    type: Literal["restored"]


@message()
async def restore(page: Connection, item: Id) -> Restored:
    """Bring back a game or an analysis, one of the last that were deleted. Pages that show an analysis are told it."""
    page.state.restore(item)
    with contextlib.suppress(Ox88Error):  # A game, or an analysis that cannot be read.
        _tell_watching(page.state, item, _describe(item, load_analysis(page.state, item)))
    return {"type": "restored"}


# --- Lists ------------------------------------------------------------------------------------------------------------


class Summary(TypedDict, total=False):
    """A game in a list; `unreadable` says why the others are missing.

    changed: when, in seconds since 1970. fen, uci: the last position and the move to it.
    """

    id: str
    changed: float
    fen: str
    uci: str
    date: str
    engine: str
    side: Color
    outcome: str
    result: str
    reason: str
    opening: str
    plies: int
    unreadable: str


class Library(TypedDict):
    """The games that were changed last, and how many there are."""

    type: Literal["library"]
    games: list[Summary]
    count: int


@message()
async def library(
    page: Connection, search: Words = "", outcome: Outcome = "", engine: AnyEngine = "", games: Ids = ()
) -> Library:
    """Ask for games that have all words of a search, with one outcome, against one engine; "" for any.

    games: the ids that the browser knows.
    """
    found = await find_games(page.state, search, outcome, engine, games)
    return {"type": "library", "games": found[:MOST_LISTED], "count": len(found)}


async def find_games(state: AppState, search: str, outcome: str, engine: str, games: Sequence[str]) -> list[Summary]:
    """The games that fit the fields of `library`, the one that was changed last first."""
    found = await _find(state, state.store.games, summarise, search, games)
    return [cast(Summary, game) for game in found if is_of(game, outcome, engine)]


def is_of(summary: dict[str, Any], outcome: str, engine: str) -> bool:
    """True if a game against the engine had the outcome, and has moves or a result.

    "" stands for any outcome, or any engine.
    """
    has_begun = summary.get("plies") != 0 or summary.get("outcome") != "unfinished"
    return has_begun and outcome in ("", summary.get("outcome")) and str(summary.get("engine", "")).startswith(engine)


async def export_games(state: AppState, **wish: Any) -> AsyncIterator[str]:
    """The games that fit the fields of `library` as PGN, one after another. One that cannot be read is left out."""
    for summary in await find_games(state, **wish):
        with contextlib.suppress(Ox88Error):  # It may be deleted meanwhile.
            if "unreadable" not in summary:
                yield state.load_game(summary["id"]).pgn() + "\n\n"


class AnalysisSummary(TypedDict, total=False):
    """An analysis in a list; `unreadable` says why others are missing. changed: seconds since 1970.

    chapters: how many. players, opening, fen, uci: of the first chapter that has players or moves, and of its end.
    """

    id: str
    changed: float
    fen: str
    uci: str
    name: str
    chapters: int
    players: list[str]
    opening: str
    unreadable: str


class Analyses(TypedDict):
    """The analyses that were changed last, and how many there are."""

    type: Literal["analyses"]
    analyses: list[AnalysisSummary]
    count: int


@message()
async def analyses(page: Connection, search: Words = "", analyses: Ids = ()) -> Analyses:
    """Ask for analyses that have all words of a search. analyses: the ids that the browser knows."""
    found = await _find(page.state, page.state.store.analyses, summarise_analysis, search, analyses)
    shown = [{name: value for name, value in item.items() if name != "words"} for item in found[:MOST_LISTED]]
    return {"type": "analyses", "analyses": cast(list[AnalysisSummary], shown), "count": len(found)}


async def _find(
    state: AppState,
    table: Table,
    summarise: Callable[[str, OpeningNames], dict[str, Any]],
    search: str,
    known: Collection[str],
) -> list[dict[str, Any]]:
    """The summaries of the items that match a search; what was changed last comes first."""
    await state.names_read.wait()
    for item_id, changed, data in table.unsummarised():
        table.summarise(item_id, changed, await asyncio.to_thread(summarise, data, state.names))
    return [
        {"id": item_id, "changed": changed, **summary}
        for item_id, changed, summary in table.summaries()
        if matches(summary, search) and (not state.is_shared or item_id in known)
    ]


def matches(summary: dict[str, Any], search: str) -> bool:
    """True if each word of the search is somewhere in the summary."""
    text = " ".join(str(value) for name, value in summary.items() if name not in ("fen", "uci")).lower()
    return all(word in text for word in search.lower().split())


def summarise_analysis(data: str, names: OpeningNames) -> dict[str, Any]:
    """What the list shows of an analysis, and `words`, which only a search reads. data: as the store has it."""
    from ox88.batch.pgn.game_text import read_tags  # Imports the compiler, which would delay the start.

    try:
        analysis = SavedAnalysis.load(json.loads(data))
    except Ox88Error as error:
        return {"unreadable": str(error)}
    tags = [read_tags(chapter) for chapter in analysis.chapters]
    players = list(map(_players, tags))
    boards = list(map(_last_board, analysis.chapters[:_MOST_OPENINGS]))
    openings = [opening_of(board, names) for board in boards]
    shown = next((number for number, board in enumerate(boards) if players[number] or board.move_stack), 0)
    return {
        "name": analysis.name,
        "chapters": len(analysis.chapters),
        "players": players[shown],
        "opening": openings[shown],
        "words": " ".join([*(game.get(name, "") for game in tags for name in _PLAYERS), *dict.fromkeys(openings)]),
        "fen": boards[shown].fen(),
        "uci": boards[shown].peek().uci() if boards[shown].move_stack else "",
    }


def _players(tags: dict[str, str]) -> list[str]:
    names = [unescaped(tags.get(side, "")).strip("? ") for side in ("White", "Black")]
    return [name or "?" for name in names] if any(names) else []


def _last_board(chapter: str) -> chess.Board:
    """The end of a game; the start position if it cannot be read."""
    with contextlib.suppress(Ox88Error):
        return parse_game(chapter).last_board()
    return chess.Board()
