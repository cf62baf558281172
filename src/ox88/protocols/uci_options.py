"""UCI's options: those of the protocol itself, how an option is described, and `setoption`."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from ox88.engines.base import EngineEntry, Option
from ox88.engines.settings import EMPTY
from ox88.types import Ox88Error

PONDER: Final = Option("Ponder", "check", default=False)  # Says that the GUI may ponder; nothing depends on it.
CHESS960: Final = Option("UCI_Chess960", "check", default=False)
SHOW_WDL: Final = Option("UCI_ShowWDL", "check", default=False)
OWN_BOOK: Final = Option("OwnBook", "check", default=False)
BOOK_FILE: Final = Option("Book File", "string", default="")
_SETOPTION: Final = re.compile(r"name\s+(?P<name>.+?)(?:\s+value(?:\s+(?P<value>.*))?)?", re.DOTALL)


def engine_option(engines: Sequence[EngineEntry], default: str) -> Option:
    """The option that chooses between engines."""
    return Option("Engine", "combo", default, choices=tuple(entry.name for entry in engines))


def merged(*groups: Iterable[Option]) -> tuple[Option, ...]:
    """The options of all groups, each name once: the first one that bears it, in any case."""
    options: dict[str, Option] = {}
    for group in groups:
        for option in group:
            options.setdefault(option.name.lower(), option)
    return tuple(options.values())


def format_option(option: Option) -> str:
    """The `option` line that describes it."""
    words = [f"option name {option.name} type {option.kind}"]
    if option.kind == "check":
        words.append(f"default {str(bool(option.default)).lower()}")
    elif option.kind != "button":
        words.append(f"default {EMPTY if option.default in ('', None) else option.default}")
    if option.kind == "spin":
        words.append(f"min {option.minimum} max {option.maximum}")
    words += [f"var {choice}" for choice in option.choices]
    return " ".join(words)


def parse_setoption(text: str) -> tuple[str, str | None]:
    """Name and value of what follows `setoption`; both may have spaces. Raises Ox88Error."""
    match = _SETOPTION.fullmatch(text.strip())
    if match is None:
        raise Ox88Error("setoption: expected is setoption name NAME [value VALUE]")
    return match["name"], match["value"]
