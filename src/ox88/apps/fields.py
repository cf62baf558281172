"""Data from outside, read as arguments of a function or of a dataclass, whose annotations rule what each may be."""

import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from inspect import Parameter
from typing import Annotated, Any, Final, get_origin

from ox88.errors import Ox88Error

_SHOWN: Final = 60


class FieldError(Ox88Error):
    """A field that cannot be read; the text says why."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What a field may be. expected: a noun phrase."""

    expected: str
    accepts: Callable[[object], bool]


def text(longest: int) -> Rule:
    def accepts(value: object) -> bool:
        return isinstance(value, str) and len(value) <= longest and is_encodable(value)

    return Rule(f"a text of at most {longest:,} characters", accepts)


def is_encodable(text: str) -> bool:
    """Whether a text has no halves of surrogate pairs, which no encoding has."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


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


@dataclass(frozen=True, slots=True)
class Field:
    """A field. attribute: its name in Python, which has an underscore more where Python needs one.

    default: its value if it is missing or null; Parameter.empty if it must be there.
    """

    attribute: str
    rule: Rule
    default: Any


def fields_of(maker: Callable[..., object]) -> dict[str, Field]:
    """The arguments of a function, or of a dataclass, that have a rule, by the names of their fields."""
    return {
        name.rstrip("_"): Field(name, argument.annotation.__metadata__[0], argument.default)
        for name, argument in inspect.signature(maker).parameters.items()
        if get_origin(argument.annotation) is Annotated
    }


def read_fields(declared: Mapping[str, Field], given: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The arguments for given fields. Raises FieldError, which names the field and what is expected. what: is read."""
    for name in given:
        if name not in declared:
            raise FieldError(f"{shown(name)} is not a field of {what}: {choice(declared).expected} is expected")
    values: dict[str, Any] = {}
    for name, field in declared.items():
        value = given.get(name)
        if value is None and field.default is not Parameter.empty:
            value = field.default
        elif not field.rule.accepts(value):
            raise FieldError(f"{name} is {shown(value)}: {field.rule.expected} is expected")
        values[field.attribute] = value
    return values


def shown(value: object) -> str:
    if value is None:
        return "missing"
    text = repr(value[:_SHOWN]) if isinstance(value, str | bytes) else repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
