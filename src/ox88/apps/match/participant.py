"""The participants of a match: command, name, options and limits of an engine, read from one line of text."""

import contextlib
import difflib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import chess.engine

from ox88.apps.streams import label
from ox88.apps.time_control import TimeControl, parse_time_control
from ox88.engines.registry import ENGINES
from ox88.errors import Ox88Error

_MAX_SECONDS: Final = 1e6  # For a move.
_OWN_SETTINGS: Final = ("name", "protocol", "tc", "nodes", "depth", "time")
_FORM: Final = "COMMAND; name=NAME; protocol=uci|xboard; tc=5+0.05; nodes=N; depth=N; time=SECONDS; OPTION=VALUE"
_SUGGESTIONS: Final = 8  # So many option names in an error message.
_BOOLEANS: Final = {"true": True, "1": True, "false": False, "0": False}
_DEBIAN_GAMES: Final = "/usr/games"  # Debian installs engines there, and not every PATH has it.


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of an engine's searches. All limits that are given hold at once. seconds: for a move."""

    time_control: TimeControl | None = None
    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Raises Ox88Error if no engine can keep to the seconds."""
        if self.seconds is not None and not 0 < self.seconds <= _MAX_SECONDS:
            raise Ox88Error(f"{self.seconds:g} is not a time for a move: expected seconds above 0, such as 0.1")

    def __bool__(self) -> bool:
        return self != Limits()

    def __str__(self) -> str:
        limits = (
            ("{}", self.time_control),
            ("{} nodes", self.nodes),
            ("depth {}", self.depth),
            ("{:g} seconds a move", self.seconds),
        )
        return ", ".join(words.format(limit) for words, limit in limits if limit is not None)


@dataclass(frozen=True, slots=True)
class Participant:
    """An engine in a match: a program, or an engine of Ox88 (builtin) in this or another checkout (source).

    The engine must have the options, which are names and values; common_options are set if it has them.
    """

    name: str
    limits: Limits
    command: tuple[str, ...] = ()
    builtin: str = ""
    source: str = ""
    protocol: str = "uci"
    options: tuple[tuple[str, str], ...] = ()
    common_options: tuple[tuple[str, str], ...] = ()


def _search_path() -> str:
    """Where programs are looked for: Debian has its games where many users' PATH does not lead."""
    path = os.environ.get("PATH", os.defpath)
    return os.pathsep.join((path, _DEBIAN_GAMES)) if Path(_DEBIAN_GAMES).is_dir() else path


def find_program(name: str) -> str | None:
    """The path of a program, such as stockfish, if it is installed."""
    return shutil.which(name, path=_search_path())


def read_participant(text: str, limits: Limits, common_options: tuple[tuple[str, str], ...] = ()) -> Participant:
    """Read `COMMAND; KEY=VALUE; ...`. limits: for an engine without limits of its own. Raises Ox88Error.

    COMMAND is a program with its arguments, Ox88, micro-Max, or a folder with another checkout of Ox88. A KEY that is
    not a setting of the match is an option of the engine.
    """
    command, *settings = (part.strip() for part in text.split(";"))
    own: dict[str, str] = {}
    options: dict[str, str] = {}
    for setting in filter(None, settings):
        name, equals, value = (part.strip() for part in setting.partition("="))
        if not name or not equals:
            raise Ox88Error(f"{setting!r} in {text[:80]!r} is not a setting: expected {_FORM}")
        (own if name in _OWN_SETTINGS else options)[name] = value
    participant = _from_command(command, text)
    limits = _read_limits(own) or limits
    protocol = own.get("protocol", "uci")
    if protocol not in ("uci", "xboard"):
        raise Ox88Error(f"the protocol {protocol[:40]!r} is unknown: it is uci or xboard")
    if not limits:
        raise Ox88Error(f"{command!r} has no limit: give --tc, --nodes, --depth or --time")
    return replace(
        participant,
        name=label(own.get("name", "")) or label(participant.name) or "?",
        limits=limits,
        protocol=protocol,
        options=tuple(options.items()),
        common_options=common_options,
    )


def _from_command(command: str, text: str) -> Participant:
    for entry in ENGINES:
        if command.lower() == entry.name.lower():
            return Participant(entry.name, Limits(), builtin=entry.name)
    folder = Path(os.path.expanduser(command))  # noqa: PTH111 - Path.expanduser fails for unknown users.
    with contextlib.suppress(OSError):  # The text cannot be the name of a folder.
        if command and (folder / "src" / "ox88").is_dir():
            checkout = folder.resolve()
            return Participant(checkout.name, Limits(), builtin=ENGINES[0].name, source=str(checkout))
    try:
        is_path = os.path.isfile(os.path.expanduser(command))  # noqa: PTH111, PTH113 - It never raises.
        words = [command] if is_path else shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise Ox88Error(f"the command {command[:80]!r} cannot be read: {error}") from None
    if not words:
        raise Ox88Error(f"{text[:80]!r} names no engine: {_FORM} is expected")
    program = os.path.expanduser(words[0].strip('"'))  # noqa: PTH111 - Path.expanduser fails for unknown users.
    if os.path.isdir(program) and find_program(program) is None:  # noqa: PTH112 - It never raises.
        raise Ox88Error(f"{program[:80]} is a folder without src/ox88: an engine, or a checkout of Ox88, is expected")
    return Participant(Path(program).stem, Limits(), command=(program, *words[1:]))


def _read_limits(own: dict[str, str]) -> Limits:
    control = parse_time_control(own["tc"]) if "tc" in own else None
    for name in ("nodes", "depth"):
        if not re.fullmatch(r"0*[1-9][0-9]{0,17}", own.get(name, "1")):
            raise Ox88Error(f"{name}={own[name][:40]} is not a limit: expected a whole number from 1 on")
    nodes, depth = (int(own[name]) if name in own else None for name in ("nodes", "depth"))
    try:
        seconds = float(own["time"]) if "time" in own else None
    except ValueError:
        raise Ox88Error(f"time={own['time'][:40]} is not a limit: expected seconds per move, such as 0.1") from None
    return Limits(control, nodes, depth, seconds)


def with_distinct_names(participants: Sequence[Participant]) -> tuple[Participant, ...]:
    """The participants, with a number added to a name that another participant has already."""
    names: set[str] = set()
    distinct = []
    for participant in participants:
        name, number = participant.name, 2
        while name in names:
            name, number = f"{participant.name} ({number})", number + 1
        names.add(name)
        distinct.append(replace(participant, name=name))
    return tuple(distinct)


def command_line(participant: Participant) -> tuple[list[str], dict[str, str]]:
    """Program and arguments that start the engine, and the environment for it."""
    environment = dict(os.environ)
    environment["PATH"] = _search_path()
    if participant.source:
        environment["PYTHONPATH"] = str(Path(participant.source) / "src")
    if not participant.builtin:
        return list(participant.command), environment
    words = [sys.executable, "-P", "-m", "ox88", participant.protocol, "--engine", participant.builtin]
    return words + ["--expert"] * bool(participant.options or participant.common_options), environment


def engine_options(participant: Participant, available: Mapping[str, chess.engine.Option]) -> dict[str, Any]:
    """The options to set in an engine. available: the engine's options. Raises ValueError if one is missing."""
    for name, _ in participant.options:
        if name not in available:
            names = difflib.get_close_matches(name, available, _SUGGESTIONS, 0.4) or sorted(available)[:_SUGGESTIONS]
            raise ValueError(f"it has no option {name!r}; some of its options are {', '.join(names) or 'none'}")
        if available[name].is_managed():
            raise ValueError(f"its option {name} is set by the match itself")
    to_set = [pair for pair in participant.common_options if pair[0] in available] + list(participant.options)
    pairs = [(available[name], text) for name, text in to_set]
    return {option.name: _option_value(option, text) for option, text in pairs if not option.is_managed()}


def _option_value(option: chess.engine.Option, text: str) -> str | bool:
    """The text as a value of the option. python-chess checks all types but `check`. Raises ValueError."""
    if option.type != "check":
        return text
    if text.lower() not in _BOOLEANS:  # python-chess takes everything but `false` as true.
        raise ValueError(f"its option {option.name} is true or false, not {text!r}")
    return _BOOLEANS[text.lower()]
