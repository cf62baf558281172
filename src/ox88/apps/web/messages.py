"""Messages of the page: JSON objects, read as the dataclass of their type, whose annotations rule the fields."""

import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, dataclass_transform

from ox88.apps.fields import FieldError, choice, read_fields, shown, text, whole
from ox88.errors import Ox88Error

LONGEST_MESSAGE: Final = 2 << 20  # Bytes; a PGN is the only one that comes near.
LARGEST: Final = 1 << 53  # The largest whole number of a page.
_ID: Final = whole(0, LARGEST)

Tell = Callable[[Mapping[str, object]], None]  # Sends a message to a page.


class MessageError(Ox88Error):
    """A message that cannot be handled; the text says why."""


@dataclass_transform(kw_only_default=True, frozen_default=True)
@dataclass(frozen=True, kw_only=True)
class Message:
    """A message of the page: each type is a subclass. A field with a default may be missing or null.

    answers: the types of the server's answers, the last one at the end.
    """

    answers: ClassVar[tuple[str, ...]] = ()

    id: Annotated[int | None, _ID] = None

    def __init_subclass__(cls, answers: tuple[str, ...] = ()) -> None:
        dataclass(frozen=True, kw_only=True)(cls)
        cls.answers = answers

    @classmethod
    def kind(cls) -> str:
        return cls.__name__.lower()

    def about(self) -> dict[str, Any]:
        """The fields of an answer that name this message."""
        return {"about": self.kind()} | ({} if self.id is None else {"id": self.id})


def read_object(said: str | bytes) -> dict[str, Any]:
    """Raises MessageError if the text is not a JSON object, or too long."""
    if len(said) > LONGEST_MESSAGE:
        raise MessageError(f"a message of {len(said)} bytes: at most {LONGEST_MESSAGE >> 20} MB are read")
    with contextlib.suppress(ValueError, RecursionError):  # No JSON, no UTF-8, or a number too long for an integer.
        found = json.loads(said)
        if isinstance(found, dict):
            return found
    raise MessageError(f"{shown(said)} is not a message: a JSON object is expected")


def about_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an answer that name a message which cannot be read, as far as it has them."""
    kind, number = given.get("type"), given.get("id")
    return ({"about": kind} if text(20).accepts(kind) else {}) | ({"id": number} if _ID.accepts(number) else {})


def read_message(given: Mapping[str, Any], kinds: Mapping[str, type[Message]]) -> Message:
    """Raises MessageError, which names the type or the field and what is expected."""
    kind = given.get("type")
    if not isinstance(kind, str) or kind not in kinds:
        raise MessageError(f"type is {shown(kind)}: {choice(kinds).expected} is expected")
    try:
        return kinds[kind](**read_fields(kinds[kind], {name: given[name] for name in given if name != "type"}, kind))
    except FieldError as error:
        raise MessageError(str(error)) from None
