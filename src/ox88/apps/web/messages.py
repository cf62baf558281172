"""Messages of the page: JSON objects, read as the dataclass of their type, whose annotations rule the fields."""

import contextlib
import dataclasses
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, dataclass
from typing import Annotated, Any, ClassVar, Final, dataclass_transform, get_type_hints

from ox88.errors import Ox88Error

LONGEST_MESSAGE: Final = 2 << 20  # Bytes; a PGN is the only one that comes near.
LARGEST: Final = 1 << 53  # The largest whole number of a page.
_SHOWN: Final = 60

Tell = Callable[[Mapping[str, object]], None]  # Sends a message to a page.


class MessageError(Ox88Error):
    """A message that cannot be handled; the text says why."""


# --- What a field may be ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rule:
    """What a field may be. expected: a noun phrase."""

    expected: str
    accepts: Callable[[object], bool]


def text(longest: int) -> Rule:
    """A text without halves of surrogate pairs, which no encoding has."""

    def accepts(value: object) -> bool:
        if not isinstance(value, str) or len(value) > longest:
            return False
        return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)

    return Rule(f"a text of at most {longest:,} characters", accepts)


def choice(words: Collection[str]) -> Rule:
    return Rule(f"one of {', '.join(words)}", lambda value: isinstance(value, str) and value in words)


def number(least: float, most: float, kinds: Any = int | float) -> Rule:
    def accepts(value: Any) -> bool:
        return isinstance(value, kinds) and not isinstance(value, bool) and least <= value <= most

    return Rule(f"a {'whole ' * (kinds is int)}number from {least} to {most}", accepts)


def whole(least: int, most: int) -> Rule:
    return number(least, most, int)


def either(*rules: Rule) -> Rule:
    expected = " or ".join(rule.expected for rule in rules)
    return Rule(expected, lambda value: any(rule.accepts(value) for rule in rules))


def several(rule: Rule, most: int) -> Rule:
    def accepts(value: object) -> bool:
        return isinstance(value, list) and len(value) <= most and all(map(rule.accepts, value))

    return Rule(f"a list of at most {most:,}, each {rule.expected},", accepts)


# --- Reading ----------------------------------------------------------------------------------------------------------


_ID: Final = whole(0, LARGEST)


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


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a message. attribute: its name in Python, which has an underscore more where Python needs one."""

    attribute: str
    rule: Rule
    may_be_missing: bool


def fields_of(kind: type[Message]) -> dict[str, Field]:
    """The fields of a type of messages, by their names."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        field.name.rstrip("_"): Field(field.name, hints[field.name].__metadata__[0], field.default is not MISSING)
        for field in dataclasses.fields(kind)
    }


def read_object(said: str | bytes) -> dict[str, Any]:
    """Raises MessageError if the text is not a JSON object, or too long."""
    if len(said) > LONGEST_MESSAGE:
        raise MessageError(f"a message of {len(said)} bytes: at most {LONGEST_MESSAGE >> 20} MB are read")
    with contextlib.suppress(ValueError, RecursionError):  # No JSON, no UTF-8, or a number too long for an integer.
        found = json.loads(said)
        if isinstance(found, dict):
            return found
    raise MessageError(f"{_shown(said)} is not a message: a JSON object is expected")


def about_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an answer that name a message which cannot be read, as far as it has them."""
    kind, number = given.get("type"), given.get("id")
    return ({"about": kind} if text(20).accepts(kind) else {}) | ({"id": number} if _ID.accepts(number) else {})


def read_message(given: Mapping[str, Any], kinds: Mapping[str, type[Message]]) -> Message:
    """Raises MessageError, which names the type or the field and what is expected."""
    kind = given.get("type")
    if not isinstance(kind, str) or kind not in kinds:
        raise MessageError(f"type is {_shown(kind)}: {choice(kinds).expected} is expected")
    declared = fields_of(kinds[kind])
    for name in given:
        if name not in declared and name != "type":
            raise MessageError(f"{_shown(name)} is not a field of {kind}: {choice(declared).expected} is expected")
    values: dict[str, Any] = {}
    for name, field in declared.items():
        value = given.get(name)
        if value is None and field.may_be_missing:
            continue
        if not field.rule.accepts(value):
            raise MessageError(f"{name} is {_shown(value)}: {field.rule.expected} is expected")
        values[field.attribute] = value
    return kinds[kind](**values)


def _shown(value: object) -> str:
    if value is None:
        return "missing"
    text = repr(value[:_SHOWN]) if isinstance(value, str | bytes) else repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
