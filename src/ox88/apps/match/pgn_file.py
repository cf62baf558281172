"""The PGN file of a match. Each game is added when it ends, and a match that was stopped resumes from the file."""

import contextlib
import hashlib
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import filelock

from ox88.apps.files import beside, explained, written_at_once
from ox88.apps.match.game import FinishedGame, Fixture
from ox88.apps.streams import label
from ox88.errors import Ox88Error
from ox88.rules import POINTS, GameEnd

if TYPE_CHECKING:
    from ox88.batch.pgn.game_text import GameText

_EVENT: Final = "ox88 match"
_FIRST_LINE: Final = f'[Event "{_EVENT}"]'
_ROUND: Final = re.compile(r"([1-9][0-9]{0,8})\.([12])")


def match_id(*settings: object) -> str:
    """The PGN tag `Match`, which differs if any setting differs."""
    return hashlib.sha256(repr(settings).encode()).hexdigest()[:12]


def game_tags(fixture: Fixture, names: Sequence[str], match: str, date: str) -> dict[str, str]:
    """The tags of a game that is not played yet."""
    own = {"Event": _EVENT, "Site": "?", "Date": date, "Round": fixture.round, "Match": match}
    return own | {"White": names[fixture.white], "Black": names[fixture.black]}


def lock_of(path: Path) -> Path:
    """The file that exists beside the PGN file of a match while it is played."""
    return beside(path, ".lock")


class PgnFile:
    """The PGN file of a match. games: the games that it held when it was opened, without their moves."""

    def __init__(self, path: Path, match: str, names: Sequence[str], pairings: Collection[tuple[int, int]]) -> None:
        """Open or create the file, and remove an unfinished game at its end. match: the match_id.

        Raises Ox88Error if the file cannot be used, or holds anything else than games of this match; the file is
        unchanged.
        """
        self._path = path
        self._match = match
        self._numbers = {name: number for number, name in enumerate(names)}
        self._pairings = pairings
        self._lock = filelock.FileLock(lock_of(path), timeout=0)
        try:
            self._is_new = not path.exists()
            if path.is_file() or (self._is_new and path.parent.is_dir()):  # The lock would create a missing folder.
                self._lock.acquire()
            self.games = self._read()
            self._file = path.open("a", encoding="utf-8", newline="\n")
        except filelock.Timeout:
            raise Ox88Error(
                f"{path} is being written by another match: wait for its end, or name another file"
            ) from None
        except BaseException as error:
            self._unlock()
            if isinstance(error, OSError):
                raise Ox88Error(f"{path} cannot be used: {error.strerror or error}") from None
            raise

    def _read(self) -> dict[Fixture, FinishedGame]:
        """The finished games; a game that is cut off at the end of the file is removed from it."""
        data = self._path.read_bytes() if self._path.is_file() else b""  # A device or a pipe may be endless.
        text = data.strip(b"\0\r\n ")  # A power cut may leave zeros at the end.
        if text and not text.startswith(b"["):
            raise Ox88Error(f"{self._path} is not the record of a match: name another file, or remove it")
        games: list[GameText] = []
        if text:
            from ox88.batch.pgn.game_text import split_games

            games = list(split_games(text))
        if games and not _is_finished(games[-1]):
            unfinished = games.pop()
            is_ours = unfinished.text.startswith(_FIRST_LINE) or _FIRST_LINE.startswith(unfinished.text)
            if not is_ours or unfinished.tags.get("Match", self._match) != self._match:
                raise self._foreign()
        found = dict(map(self._parse, games))
        content = "".join(f"{game.text}\n\n" for game in games).encode()
        if data != content:
            with written_at_once(self._path) as file:
                file.write(content)
        return found

    def _parse(self, game: "GameText") -> tuple[Fixture, FinishedGame]:
        tags = game.tags
        if tags.get("Match") != self._match:
            raise self._foreign()
        found, result = _ROUND.fullmatch(tags.get("Round", "")), tags.get("Result", "")
        white, black = (self._numbers.get(tags.get(colour, "")) for colour in ("White", "Black"))
        is_reversed = found is not None and found[2] == "2"
        first, second = (black, white) if is_reversed else (white, black)
        if (
            found is None
            or first is None
            or second is None
            or (first, second) not in self._pairings
            or result not in POINTS
        ):
            raise Ox88Error(f"{self._path} has a game whose tags were changed: {label(str(tags))}")
        colour, _, failure = tags.get("Failure", "").partition(": ")
        failed = {"White": True, "Black": False}.get(colour)
        fixture = Fixture(first, second, int(found[1]) - 1, is_reversed)
        return fixture, FinishedGame(GameEnd(result, tags.get("Termination", "")), "", failure, failed)

    def _foreign(self) -> Ox88Error:
        text = "holds games of another match, or of this one with other settings"
        return Ox88Error(f"{self._path} {text}: name another file, or remove it")

    def add(self, game: FinishedGame) -> None:
        """Write a game at once. Raises Ox88Error if it cannot be written, such as on a full disk."""
        with explained(self._path):
            self._file.write(game.pgn + "\n\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file. A new file without games is removed."""
        with contextlib.suppress(OSError):  # `add` has reported it.
            self._file.close()
            if self._is_new and self._path.stat().st_size == 0:
                self._path.unlink()
        self._unlock()

    def _unlock(self) -> None:
        """Release the lock, and remove its file."""
        if self._lock.is_locked:
            with contextlib.suppress(OSError):  # On Windows another match may have it open.
                Path(self._lock.lock_file).unlink()
            self._lock.release()


def _is_finished(game: "GameText") -> bool:
    """True if the movetext ends with the result of the tags."""
    result = game.tags.get("Result")
    return result in POINTS and game.text.partition("\n\n")[2].split()[-1:] == [result]
