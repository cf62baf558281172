"""The games as a PGN file, which is also the journal from which a match goes on."""

import contextlib
import hashlib
import io
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

import chess.pgn
import filelock

from ox88.apps.files import beside
from ox88.apps.labels import label
from ox88.apps.match.game import Played
from ox88.apps.match.openings import split_games
from ox88.apps.match.schedule import Fixture
from ox88.apps.match.standings import Outcome
from ox88.types import Ox88Error

_RESULTS: Final = ("1-0", "0-1", "1/2-1/2")
_MATCH: Final = "Match"  # Names the match that a game belongs to.
_FAULT: Final = "Fault"
_FIRST_TAG: Final = '[Event "ox88 match"]'
_RESULT: Final = re.compile(r'^\[Result "([^"]*)"\]\n', re.MULTILINE)
_MATCH_TAG: Final = re.compile(r'^\[Match "([^"]*)"\]\n', re.MULTILINE)
_ROUND: Final = re.compile(r"([1-9][0-9]{0,8})\.([12])")
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
    """The PGN file of a match. `outcomes` are those of the games that it holds already; `add` writes a game at once."""

    def __init__(self, path: Path, match: str, names: Sequence[str], pairings: Collection[tuple[int, int]]) -> None:
        """Raises Ox88Error where the file cannot be used, or holds something else than games of this match.

        A game at its end that is cut off is wiped from the file; a file that is refused stays as it is.
        """
        self._path = path
        self._match = match
        self._numbers = {name: number for number, name in enumerate(names)}
        self._pairings = pairings
        self._is_new = not path.exists()
        self._lock = filelock.FileLock(f"{path}.lock", timeout=0)
        try:
            if path.is_file() or (self._is_new and path.parent.is_dir()):  # The lock would make a folder, too.
                self._lock.acquire()
            self.outcomes = self._open()
        except filelock.Timeout:
            raise Ox88Error(
                f"{path} is being written by another match: wait for its end, or name another file"
            ) from None
        except BaseException as error:
            self._unlock()
            if isinstance(error, OSError):
                raise Ox88Error(f"{path} cannot be used: {error.strerror or error}") from None
            raise

    def _open(self) -> list[Outcome]:
        """Open the file for games to come; what its games are."""
        data = self._path.read_bytes() if self._path.is_file() else b""  # A device or a pipe may have no end.
        games = self._whole_games(data.decode("utf-8", errors="surrogateescape"))
        outcomes = [self._outcome(game) for game in games]
        self._mend(data, "".join(f"{game}\n\n" for game in games).encode("utf-8", errors="surrogateescape"))
        self._file = self._path.open("a", encoding="utf-8", newline="\n")
        return outcomes

    def _whole_games(self, text: str) -> list[str]:
        """The games of a file, without one at its end that is cut off."""
        text = text.replace("\r\n", "\n").strip("\0\n ")  # After a power cut a file may end in zeros.
        games = [game.rstrip() for game in split_games(text)]
        if text and not text.startswith("["):
            raise Ox88Error(f"{self._path} is no record of a match: name another file, or remove it")
        if games and not _is_whole(games[-1]) and not self._may_be_ours(games.pop()):
            raise self._foreign()
        return games

    def _may_be_ours(self, torn: str) -> bool:
        match = _MATCH_TAG.search(torn)
        begins_so = torn.startswith(_FIRST_TAG) or _FIRST_TAG.startswith(torn)
        return begins_so and (match is None or match[1] == self._match)

    def _mend(self, data: bytes, whole: bytes) -> None:
        """Make the file what it is without a game that is cut off."""
        if data == whole:
            return
        path = self._path.resolve()
        written = beside(path, ".tmp")
        written.write_bytes(whole)
        written.replace(path)  # At once or not at all.

    def _outcome(self, game: str) -> Outcome:
        headers = chess.pgn.read_headers(io.StringIO(game))
        if headers is None or headers.get(_MATCH) != self._match:
            raise self._foreign()
        fixture, result = self._fixture(headers), headers.get("Result", "")
        if fixture is None or result not in _RESULTS:
            raise Ox88Error(f"{self._path} has a game whose tags were changed: {label(str(dict(headers)))}")
        colour, _, fault = headers.get(_FAULT, "").partition(": ")
        return Outcome(fixture, result, fault, {"White": True, "Black": False}.get(colour))

    def _fixture(self, headers: Mapping[str, str]) -> Fixture | None:
        """What was played, if the match has it."""
        found = _ROUND.fullmatch(headers.get("Round", ""))
        white, black = (self._numbers.get(headers.get(colour, "")) for colour in _COLOURS.values())
        if found is None or white is None or black is None:
            return None
        is_reversed = found[2] == "2"
        first, second = (black, white) if is_reversed else (white, black)
        return Fixture(first, second, int(found[1]) - 1, is_reversed) if (first, second) in self._pairings else None

    def _foreign(self) -> Ox88Error:
        text = "holds games of another match, or of this one with other settings"
        return Ox88Error(f"{self._path} {text}: name another file, or remove it")

    def add(self, played: Played) -> None:
        """Raises Ox88Error where nothing can be written, such as on a full disk."""
        try:
            self._file.write(with_fault(played.pgn, played) + "\n\n")
            self._file.flush()
        except OSError as error:
            raise Ox88Error(f"{self._path} cannot be written: {error.strerror or error}") from None

    def close(self) -> None:
        """Close the file, and leave none behind where no game was played."""
        with contextlib.suppress(OSError):  # It was told when the game was added.
            self._file.close()
            if self._is_new and self._path.stat().st_size == 0:
                self._path.unlink()
        self._unlock()

    def _unlock(self) -> None:
        """Let others have the file, and leave no trace of the lock."""
        if self._lock.is_locked:
            with contextlib.suppress(OSError):  # On Windows another match may be asking for it just now.
                Path(self._lock.lock_file).unlink()
            self._lock.release()


def _is_whole(game: str) -> bool:
    """Whether a game, without space at its end, ends with the result that its tags tell."""
    tags, _, moves = game.partition("\n\n")
    found = _RESULT.search(tags + "\n")
    return found is not None and found[1] in _RESULTS and moves.split()[-1:] == [found[1]]
