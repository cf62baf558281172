"""Texts for people. They may have undecodable or unprintable characters: standard streams, names of others."""

import io
import sys
from collections.abc import Iterator
from typing import Final, TextIO

import click

SHOWN_REPORTS: Final = 20


def lenient(stream: TextIO) -> TextIO:
    """The stream. From now on it reads and writes question marks for characters outside its encoding."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream


def input_lines() -> Iterator[str]:
    """The lines of standard input, each as soon as it is there."""
    return iter(lenient(sys.stdin).readline, "")


class Reports:
    """Lines on stderr about what is wrong with the input. Of many lines only the first are shown.

    count: how many there are.
    """

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, text: str) -> None:
        self.count += 1
        if self.count <= SHOWN_REPORTS:
            click.echo(f"ox88: {text}", err=True)

    def close(self) -> None:
        """Say how many lines were not shown."""
        if self.count > SHOWN_REPORTS:
            click.echo(f"ox88: ... and {self.count - SHOWN_REPORTS:,} more", err=True)


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def label(text: str) -> str:
    """The text made safe for PGN tags and terminals: one printable line, no double quotes, no backslashes."""
    return printable(text).replace('"', "'").replace("\\", "/")


def printable(text: str) -> str:
    """The text in one line, made safe for terminals."""
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))
