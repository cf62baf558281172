"""Engines as the commands of people make them: by an entry of the registry, with options set."""

from collections.abc import Mapping

import click

from ox88.engines.base import Engine, EngineEntry, OptionValue, get_ready
from ox88.types import Ox88Error

Settings = Mapping[str, OptionValue]


def make_engine(entry: EngineEntry, settings: Settings, tell: bool = True) -> Engine:
    """An engine with its options set; `tell` its remarks on them on stderr. Raises EngineError."""
    engine = entry.make()
    for name, value in settings.items():
        remark = engine.set_option(name, value)
        if remark and tell:
            click.echo(f"ox88: {remark}", err=True)
    return engine


def make_ready_engine(entry: EngineEntry, settings: Settings, tell: bool = True) -> Engine:
    """The same, compiled before any clock runs."""
    return get_ready(make_engine(entry, settings, tell))


def has_option(entry: EngineEntry, name: str) -> bool:
    return any(option.name == name for option in entry.options)


def read_settings(texts: tuple[str, ...]) -> dict[str, OptionValue]:
    """The options of texts such as `Hash=16`; a text without `=` presses a button. Raises Ox88Error."""
    settings: dict[str, OptionValue] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name.strip():
            raise Ox88Error(f"the option {text!r} has no name: Name=Value is expected, such as Hash=16")
        settings[name.strip()] = value.strip() if equals else None
    return settings
