"""UCI's options: those of the protocol itself, how an option is described, and `setoption`."""

import re
from typing import Final

from ox88.engines.base import Option
from ox88.engines.settings import EMPTY
from ox88.types import Ox88Error

PONDER: Final = Option("Ponder", "check", default=False)  # Says that the GUI may ponder; nothing depends on it.
CHESS960: Final = Option("UCI_Chess960", "check", default=False)
SHOW_WDL: Final = Option("UCI_ShowWDL", "check", default=False)
OWN: Final = (PONDER, CHESS960, SHOW_WDL)
_SETOPTION: Final = re.compile(r"name\s+(?P<name>.+?)(?:\s+value(?:\s+(?P<value>.*))?)?", re.DOTALL)


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
