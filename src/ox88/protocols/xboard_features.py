"""XBoard's `feature` and `option`: what the engine can do, and what can be set of it."""

from collections.abc import Iterable, Iterator
from typing import Final

from ox88.engines.base import Option, OptionValue
from ox88.engines.settings import find_option
from ox88.types import Ox88Error

# The options that have commands of their own, by command.
OPTION_COMMANDS: Final = {"memory": "Hash", "cores": "Threads", "egtpath": "SyzygyPath"}
_KINDS_OF_TEXT: Final = {"File": "file", "Path": "path"}  # By the end of the name: a GUI then offers to browse.
_FEATURES: Final = (
    "debug=1 ping=1 setboard=1 usermove=1 san=0 playother=1 colors=0 sigint=0 sigterm=0 reuse=1",
    'variants="normal,fischerandom" analyze=1 draw=1 name=1 ics=0 pause=0 time=1 nps=1 memory=1 smp=1 egt="syzygy"',
)


def format_features(name: str, options: Iterable[Option]) -> Iterator[str]:
    """All lines but `done`, which says whether they are all."""
    for features in _FEATURES:
        yield f"feature {features}"
    yield f'feature myname="{name}"'
    for option in options:
        if option.name not in (OPTION_COMMANDS["memory"], OPTION_COMMANDS["cores"]):
            yield format_option(option)


def format_option(option: Option) -> str:
    """The `feature` line that describes it."""
    value: dict[str, str] = {
        "spin": f"-spin {option.default} {option.minimum} {option.maximum}",
        "check": f"-check {int(option.default is True)}",
        "combo": "-combo "
        + " /// ".join(f"*{choice}" if choice == option.default else choice for choice in option.choices),
        "string": f"-{_kind_of_text(option.name)} {option.default or ''}",
        "button": "-button",
    }
    return f'feature option="{_written(option.name)} {value[option.kind]}"'


def _kind_of_text(name: str) -> str:
    return next((kind for end, kind in _KINDS_OF_TEXT.items() if name.endswith(end)), "string")


def _written(name: str) -> str:
    """XBoard takes a name of several words, python-chess ends it at the first space."""
    return name.replace(" ", "_")


def read_option(text: str, options: Iterable[Option]) -> tuple[Option, OptionValue]:
    """The option and the value of what follows `option`: `NAME` or `NAME=VALUE`. Raises Ox88Error."""
    name, equals, value = text.partition("=")
    option = _find(name.strip(), tuple(options))
    if option.kind == "check":
        value = {"0": "false", "1": "true"}.get(value.strip(), value)
    return option, value.strip() if equals else None


def read_option_command(command: str, text: str, options: Iterable[Option]) -> tuple[Option, OptionValue]:
    """The same for a command that is about one option alone. Raises Ox88Error."""
    value = text.strip()
    if command == "egtpath":
        kind, _, value = value.partition(" ")
        if kind != "syzygy":
            raise Ox88Error("expected is egtpath syzygy FOLDER: other tables are not used")
    return find_option(options, OPTION_COMMANDS[command]), value.strip()


def _find(name: str, options: tuple[Option, ...]) -> Option:
    same = (option for option in options if _written(option.name).lower() == _written(name).lower())
    return next(same, None) or find_option(options, name)
