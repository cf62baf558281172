"""Text that may have undecodable or unprintable characters: standard streams, names from programs and files."""

import io
import sys
from collections.abc import Iterator
from typing import TextIO


def lenient(stream: TextIO) -> TextIO:
    """The stream. From now on it reads and writes question marks for characters outside its encoding."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream


def input_lines() -> Iterator[str]:
    """The lines of standard input, each as soon as it is there."""
    return iter(lenient(sys.stdin).readline, "")


def label(text: str) -> str:
    """The text made safe for PGN tags and terminals: one printable line, no double quotes, no backslashes."""
    words = " ".join(text.split()).replace('"', "'").replace("\\", "/")
    return "".join(letter if letter.isprintable() else "?" for letter in words)
