"""Find options by name, and check and convert their values."""

import re
from collections.abc import Iterable
from typing import Final

from ox88.engines.base import EngineError, Option, OptionValue

_INTEGER: Final = re.compile(r"[-+]?[0-9]{1,18}")
EMPTY: Final = "<empty>"  # UCI's text for an empty string.


def find_option(options: Iterable[Option], name: str) -> Option:
    """The option of that name, in any case. Raises EngineError, which lists all options."""
    options = tuple(options)
    for option in options:
        if option.name.lower() == name.lower():
            return option
    known = ", ".join(option.name for option in options if not option.expert) or "none"
    raise EngineError(f"there is no option {name!r}; there are: {known}")


def fit(option: Option, value: OptionValue) -> tuple[OptionValue, str | None]:
    """(the value converted to the option's kind, a remark if a number was clamped to the range or None).

    Raises EngineError for a value that the option cannot have.
    """
    if option.kind == "button":
        return None, None
    if option.kind == "spin":
        return _fit_number(option, value)
    if option.kind == "string":
        return "" if value is None or value == EMPTY else str(value), None
    choices = ("false", "true") if option.kind == "check" else option.choices
    for choice in choices:
        if str(value).lower() == choice.lower():
            return (choice == "true" if option.kind == "check" else choice), None
    raise EngineError(f"{option.name} is one of {', '.join(choices)}, not {_shown(value)}")


def _fit_number(option: Option, value: OptionValue) -> tuple[int, str | None]:
    text = str(int(value) if isinstance(value, bool) else value)
    if not _INTEGER.fullmatch(text):
        raise EngineError(
            f"{option.name} is a whole number from {option.minimum} to {option.maximum}, not {_shown(value)}"
        )
    number = min(max(int(text), option.minimum), option.maximum)
    if number == int(text):
        return number, None
    return number, f"{option.name} {text} is out of range {option.minimum} to {option.maximum}: it is {number} now"


def _shown(value: OptionValue) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
