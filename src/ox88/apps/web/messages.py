"""The messages of the page: JSON objects whose fields are checked before anything is done with them."""

import json
from collections.abc import Callable, Collection
from typing import Any, Final

from ox88.errors import Ox88Error

LONGEST_MESSAGE: Final = 2 << 20  # Bytes; a PGN is the only one that comes near.
LONGEST_FEN: Final = 200  # Characters.
MOST_MOVES: Final = 20_000  # No game of chess can be longer.
_LONGEST_MOVE: Final = 20  # Characters.
_SHOWN: Final = 60


Tell = Callable[[dict[str, Any]], None]  # Sends a message to a page.


class MessageError(Ox88Error):
    """A message that cannot be handled; the text says why."""


class Message:
    """A message. All methods that read a field raise MessageError, which names the field and what is expected."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields
        self.type = self.text("type", 20)
        number = fields.get("id")
        self.id: int | None = number if isinstance(number, int) and not isinstance(number, bool) else None

    def about(self) -> dict[str, Any]:
        """The fields of an answer that name this message."""
        return {"about": self.type} | ({} if self.id is None else {"id": self.id})

    def text(self, name: str, longest: int) -> str:
        value = self._fields.get(name)
        if not isinstance(value, str):
            raise MessageError(f"{name} is {_shown(value)}: a text is expected")
        if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise MessageError(f"{name} is {_shown(value)}: it has half of a surrogate pair, and a text is expected")
        if len(value) > longest:
            raise MessageError(f"{name} has {len(value)} characters: at most {longest} are read")
        return value

    def maybe_text(self, name: str, longest: int) -> str | None:
        """The text, or None if it is missing or empty."""
        return (self.text(name, longest) or None) if self._fields.get(name) is not None else None

    def choice(self, name: str, choices: Collection[str]) -> str:
        value = self._fields.get(name)
        if not isinstance(value, str) or value not in choices:
            raise MessageError(f"{name} is {_shown(value)}: one of {', '.join(choices)} is expected")
        return value

    def whole(self, name: str, least: int, most: int) -> int:
        value = self.number(name, least, most)
        if not value.is_integer():
            raise MessageError(f"{name} is {_shown(value)}: a whole number is expected")
        return int(value)

    def maybe_whole(self, name: str, least: int, most: int) -> int | None:
        return self.whole(name, least, most) if self._fields.get(name) is not None else None

    def number(self, name: str, least: float, most: float) -> float:
        value = self._fields.get(name)
        if (
            isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most
        ):  # NaN fails too.
            raise MessageError(f"{name} is {_shown(value)}: a number from {least:g} to {most:g} is expected")
        return float(value)

    def has(self, name: str) -> bool:
        return self._fields.get(name) is not None

    def texts(self, name: str, longest: int, most: int) -> list[str]:
        """A list of texts; empty if it is missing."""
        value = self._fields.get(name, [])
        if not isinstance(value, list) or len(value) > most:
            raise MessageError(f"{name} is {_shown(value)}: a list of at most {most} texts is expected")
        if not all(isinstance(text, str) and len(text) <= longest for text in value):
            raise MessageError(f"{name} is {_shown(value)}: texts of at most {longest} characters are expected")
        return value

    def moves(self, name: str) -> list[str]:
        value = self._fields.get(name)
        if not isinstance(value, list) or len(value) > MOST_MOVES:
            raise MessageError(f"{name} is {_shown(value)}: a list of at most {MOST_MOVES} moves is expected")
        for move in value:
            if not isinstance(move, str) or len(move) > _LONGEST_MOVE:
                raise MessageError(f"{name} has {_shown(move)}: a move such as e2e4 is expected")
        return value


def read_message(text: str | bytes) -> Message:
    """Raises MessageError if the text is not a JSON object, or too long."""
    if len(text) > LONGEST_MESSAGE:
        raise MessageError(f"a message of {len(text)} bytes: at most {LONGEST_MESSAGE >> 20} MB are read")
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):  # ValueError: no JSON, no UTF-8, or a number too long for an integer.
        raise MessageError(f"{_shown(text)} is not a message: a JSON object is expected") from None
    if not isinstance(fields, dict):
        raise MessageError(f"{_shown(fields)} is not a message: a JSON object is expected")
    return Message(fields)


def _shown(value: object) -> str:
    if value is None:
        return "missing"
    text = repr(value[:_SHOWN]) if isinstance(value, str | bytes) else repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
