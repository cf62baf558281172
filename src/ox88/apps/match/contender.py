"""Who plays: an engine's command, name, options and pace, read from one line of text."""

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from ox88.apps.labels import label
from ox88.apps.match.pace import Pace
from ox88.apps.time_control import parse_time_control
from ox88.engines.registry import ENGINES
from ox88.types import Ox88Error

Protocol = Literal["uci", "xboard"]

_OWN: Final = ("name", "protocol", "tc", "nodes", "depth", "time")
_FORM: Final = "COMMAND; name=NAME; protocol=uci|xboard; tc=5+0.05; nodes=N; depth=N; time=SECONDS; OPTION=VALUE"


@dataclass(frozen=True, slots=True)
class Contender:
    """An engine in a match.

    command: words of a program to start; empty for an engine of Ox88. builtin: that engine's name. source: the checkout
    to run it from, empty for this one. options: names and values that the engine must have. common: others, for the
    engines that have them.
    """

    name: str
    pace: Pace
    command: tuple[str, ...] = ()
    builtin: str = ""
    source: str = ""
    protocol: Protocol = "uci"
    options: tuple[tuple[str, str], ...] = ()
    common: tuple[tuple[str, str], ...] = ()


def read_contender(text: str, pace: Pace, common: tuple[tuple[str, str], ...] = ()) -> Contender:
    """Read `COMMAND; KEY=VALUE; ...`; what is no key of ours is an option of the engine. Raises Ox88Error.

    COMMAND: a program with its arguments, Ox88, micro-Max, or a folder with another checkout of Ox88. pace: for an
    engine that has none of its own. common: options for all engines that have them.
    """
    command, *settings = (part.strip() for part in text.split(";"))
    own, options = _split(settings, text)
    known = _from_command(command, text)
    contender = replace(known, options=tuple(options.items()), common=common, pace=_pace(own) or pace)
    if not contender.pace:
        raise Ox88Error(f"{command!r} has no limit: give --tc, --nodes, --depth or --time")
    name = label(own.get("name", "")) or label(contender.name) or "?"
    return replace(contender, protocol=_protocol(own), name=name)


def _split(settings: Sequence[str], text: str) -> tuple[dict[str, str], dict[str, str]]:
    """The settings that are ours, and the engine's options."""
    own: dict[str, str] = {}
    options: dict[str, str] = {}
    for setting in filter(None, settings):
        name, equals, value = (part.strip() for part in setting.partition("="))
        if not name or not equals:
            raise Ox88Error(f"{setting!r} in {text[:80]!r} is no setting: {_FORM} is expected")
        (own if name in _OWN else options)[name] = value
    return own, options


def _from_command(command: str, text: str) -> Contender:
    for entry in ENGINES:
        if command.lower() == entry.name.lower():
            return Contender(entry.name, Pace(), builtin=entry.name)
    checkout = _checkout(command)
    if checkout is not None:
        return Contender(checkout.name, Pace(), builtin=ENGINES[0].name, source=str(checkout))
    try:
        words = shlex.split(command, posix=os.name != "nt")
    except ValueError as error:
        raise Ox88Error(f"the command {command[:80]!r} cannot be read: {error}") from None
    if not words:
        raise Ox88Error(f"{text[:80]!r} names no engine: {_FORM} is expected")
    program = os.path.expanduser(words[0].strip('"'))  # noqa: PTH111 - It leaves what it does not know alone.
    return Contender(Path(program).stem, Pace(), command=(program, *words[1:]))


def _checkout(command: str) -> Path | None:
    """The folder that a command is, if it holds Ox88."""
    folder = Path(os.path.expanduser(command))  # noqa: PTH111 - The same.
    try:
        return folder.resolve() if command and (folder / "src" / "ox88").is_dir() else None
    except OSError:  # A text that no folder can bear as its name.
        return None


def _protocol(own: dict[str, str]) -> Protocol:
    match own.get("protocol", "uci"):
        case "uci":
            return "uci"
        case "xboard":
            return "xboard"
        case other:
            raise Ox88Error(f"the protocol {other[:40]!r} is unknown: it is uci or xboard")


def _pace(own: dict[str, str]) -> Pace:
    clock = parse_time_control(own["tc"]) if "tc" in own else None
    return Pace(clock, _whole(own, "nodes"), _whole(own, "depth"), _seconds(own))


def _whole(own: dict[str, str], name: str) -> int | None:
    text = own.get(name)
    if text is None:
        return None
    if re.fullmatch(r"0*[1-9][0-9]{0,17}", text) is None:
        raise Ox88Error(f"{name}={text[:40]} is no limit: a whole number from 1 on is expected")
    return int(text)


def _seconds(own: dict[str, str]) -> float | None:
    text = own.get("time")
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        raise Ox88Error(f"time={text[:40]} is no limit: seconds a move are expected, such as 0.1") from None


def with_own_names(contenders: Sequence[Contender]) -> tuple[Contender, ...]:
    """The contenders, told apart by a number where they bear one name."""
    names: set[str] = set()
    told_apart = []
    for contender in contenders:
        name, number = contender.name, 2
        while name in names:
            name, number = f"{contender.name} ({number})", number + 1
        names.add(name)
        told_apart.append(replace(contender, name=name))
    return tuple(told_apart)
