"""The games as a PGN file, which is also the journal from which a match goes on."""

import hashlib
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import chess.pgn

from ox88.apps.match.game import Played
from ox88.apps.match.openings import split_games
from ox88.apps.match.schedule import Fixture
from ox88.apps.match.standings import Outcome
from ox88.types import Ox88Error

_RESULTS: Final = ("1-0", "0-1", "1/2-1/2")
_MATCH: Final = "Match"  # Names the match that a game belongs to.
_FAULT: Final = "Fault"
_COLOURS: Final = {True: "White", False: "Black"}


def match_name(*settings: object) -> str:
    """A name for the match with these settings; any change to them is another match."""
    return hashlib.sha256(repr(settings).encode()).hexdigest()[:12]


def tags(fixture: Fixture, names: Sequence[str], match: str, date: str) -> dict[str, str]:
    """The tags of a game before it is played."""
    own = {"Event": "ox88 match", "Site": "?", "Date": date, "Round": fixture.round, _MATCH: match}
    return own | {"White": names[fixture.white], "Black": names[fixture.black]}


def with_fault(pgn: str, played: Played) -> str:
    """The game with a tag for the failure that ended it, if one did."""
    if not played.fault or played.ending.loser is None:
        return pgn
    head, blank, moves = pgn.partition("\n\n")
    return f'{head}\n[{_FAULT} "{_COLOURS[played.ending.loser]}: {played.fault}"]{blank}{moves}'


class Record:
    """The PGN file of a match. `outcomes` reads what it holds already; `add` writes a game at once."""

    def __init__(self, path: Path, match: str, names: Sequence[str]) -> None:
        """Raises Ox88Error where the file cannot be used, or holds something else than games of this match."""
        self._path = path
        self._match = match
        self._numbers = {name: number for number, name in enumerate(names)}
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            self._games = self._whole_games(text)
            self._file = path.open("a", encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no text"
            raise Ox88Error(f"{path} cannot be used: {reason}") from None

    def _whole_games(self, text: str) -> list[str]:
        """The games of the file, without one at its end that is cut off; that one is wiped from the file."""
        games = split_games(text)
        if text.strip() and not games:
            raise Ox88Error(f"{self._path} is no record of a match: name another file, or remove it")
        if games and not games[-1].rstrip().endswith(_RESULTS):
            games.pop()
            written = self._path.with_name(self._path.name + ".tmp")
            written.write_text("".join(f"{game.rstrip()}\n\n" for game in games), encoding="utf-8")
            os.replace(written, self._path)  # noqa: PTH105 - At once or not at all.
        return games

    def outcomes(self) -> Iterator[Outcome]:
        """What is recorded already. Raises Ox88Error for a game of another match."""
        for game in self._games:
            headers = chess.pgn.read_headers(io.StringIO(game))
            if headers is None or headers.get(_MATCH) != self._match:
                text = "holds games of another match, or of this one with other settings"
                raise Ox88Error(f"{self._path} {text}: name another file, or remove it")
            yield self._outcome(headers)

    def _outcome(self, headers: Mapping[str, str]) -> Outcome:
        try:
            pair, number = headers["Round"].split(".")
            white, black = self._numbers[headers["White"]], self._numbers[headers["Black"]]
            is_reversed = number == "2"
            first, second = (black, white) if is_reversed else (white, black)
            colour, _, fault = headers.get(_FAULT, "").partition(": ")
            failed = {"White": True, "Black": False}.get(colour)
            return Outcome(Fixture(first, second, int(pair) - 1, is_reversed), headers["Result"], fault, failed)
        except (KeyError, ValueError):
            raise Ox88Error(f"{self._path} has a game whose tags were changed: {dict(headers)}") from None

    def add(self, played: Played) -> None:
        """Raises Ox88Error where nothing can be written, such as on a full disk."""
        try:
            self._file.write(with_fault(played.pgn, played) + "\n\n")
            self._file.flush()
        except OSError as error:
            raise Ox88Error(f"{self._path} cannot be written: {error.strerror or error}") from None

    def close(self) -> None:
        self._file.close()
