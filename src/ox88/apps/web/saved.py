"""Analyses that are saved: games as PGN, the chapters, under one name. The pages that show one are told of changes."""

import contextlib
import datetime
import json
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any, Final, Self

import chess

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.parsing import parse_game
from ox88.apps.store import Table
from ox88.apps.web.from_server import AnalysisState, Saved
from ox88.apps.web.game import opening_of
from ox88.apps.web.messages import LONGEST_MESSAGE, MessageError, Tell
from ox88.batch.pgn.words import unescaped
from ox88.errors import Ox88Error
from ox88.fen import STARTPOS

LONGEST_ANALYSIS: Final = LONGEST_MESSAGE  # Characters of all chapters.
_MOST_OPENINGS: Final = 20  # Chapters whose opening is named in the list.
_PLAYERS: Final = ("White", "Black", "Event", "ChapterName")


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


class SavedAnalyses:
    """The analyses of a store. Each page watches one at most. The methods raise Ox88Error if there is no such one."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._watched: dict[Tell, str] = {}

    def load(self, analysis_id: str) -> SavedAnalysis:
        return SavedAnalysis.load(self._find(analysis_id))

    def _find(self, analysis_id: str) -> dict[str, Any]:
        data = self._table.load(analysis_id)
        if data is None:
            raise Ox88Error(f"there is no analysis {analysis_id!r}")
        return data

    def watch(self, analysis_id: str, tell: Tell) -> AnalysisState:
        """The state of an analysis. The page is told of the changes that others make, until it watches another one."""
        state = _state(analysis_id, self.load(analysis_id))
        self._watched[tell] = analysis_id
        return state

    def leave(self, tell: Tell) -> None:
        self._watched.pop(tell, None)

    def begin(self, name: str, chapters: Sequence[int | str], tell: Tell | None) -> Saved:
        """Save a new analysis, which the page watches from now on."""
        begun = SavedAnalysis("", [], time.time(), revision=0).changed(name, chapters)
        analysis_id = secrets.token_urlsafe(12)
        if tell is not None:
            self._watched[tell] = analysis_id
        return self._save(analysis_id, begun)

    def change(self, analysis_id: str, revision: int, name: str, chapters: Sequence[int | str], tell: Tell) -> Saved:
        """Change what a page knows by its revision, and tell the others. Raises MessageError if it is another one."""
        before = self.load(analysis_id)
        if before.revision != revision:
            raise MessageError("the analysis has been changed on another page meanwhile")
        after = before.changed(name, chapters)
        saved = self._save(analysis_id, after)
        self._tell_others(analysis_id, _state(analysis_id, after), tell)
        return saved

    def copy(self, analysis_id: str) -> Saved:
        found = self.load(analysis_id)
        return self.begin(f"Copy of {found.name}", found.chapters, None)

    def delete(self, analysis_id: str) -> None:
        """Delete an analysis, and tell all pages that watch it: they still have it."""
        self._find(analysis_id)
        self._table.delete(analysis_id)
        self._tell_others(analysis_id, {"type": "deleted", "analysis": analysis_id}, None)

    def _save(self, analysis_id: str, analysis: SavedAnalysis) -> Saved:
        self._table.save(analysis_id, asdict(analysis))
        return {"type": "saved", "analysis": analysis_id, "revision": analysis.revision, "name": analysis.name}

    def _tell_others(self, analysis_id: str, news: Any, sender: Tell | None) -> None:
        for tell, watched in list(self._watched.items()):
            if watched == analysis_id and tell != sender:
                tell(news)


def _state(analysis_id: str, analysis: SavedAnalysis) -> AnalysisState:
    return {
        "type": "analysis",
        "analysis": analysis_id,
        "name": analysis.name,
        "revision": analysis.revision,
        "chapters": analysis.chapters,
    }


# --- Summaries, for the list of analyses ------------------------------------------------------------------------------


def summarise_analysis(data: str, names: OpeningNames) -> dict[str, Any]:
    """What the list shows of an analysis, and `words`, which only a search reads. data: as the store has it."""
    from ox88.batch.pgn.game_text import read_tags  # Imports the compiler, which would delay the start.

    try:
        analysis = SavedAnalysis.load(json.loads(data))
    except Ox88Error as error:
        return {"unreadable": str(error)}
    tags = [read_tags(chapter) for chapter in analysis.chapters]
    boards = list(_boards(analysis))
    openings = list(dict.fromkeys(filter(None, (opening_of(board, names) for board in boards))))
    return {
        "name": analysis.name,
        "chapters": len(analysis.chapters),
        "players": next(filter(None, map(_players, tags)), []),
        "opening": next(iter(openings), ""),
        "words": " ".join([*(game.get(name, "") for game in tags for name in _PLAYERS), *openings]),
        "fen": boards[0].fen() if boards else STARTPOS,
        "uci": boards[0].peek().uci() if boards and boards[0].move_stack else "",
    }


def _players(tags: dict[str, str]) -> list[str]:
    names = [unescaped(tags.get(side, "")).strip("? ") for side in ("White", "Black")]
    return [name or "?" for name in names] if any(names) else []


def _boards(analysis: SavedAnalysis) -> Iterator[chess.Board]:
    """The ends of the first games that can be read."""
    for chapter in islice(analysis.chapters, _MOST_OPENINGS):
        with contextlib.suppress(Ox88Error):
            yield parse_game(chapter).last_board()
