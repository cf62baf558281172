"""Standard streams that no byte can break."""

import io
import sys
from collections.abc import Iterator
from typing import TextIO


def lenient(stream: TextIO) -> TextIO:
    """The stream, which from now on reads and writes question marks for characters outside its encoding."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream


def input_lines() -> Iterator[str]:
    """The lines of standard input, each as soon as it is there."""
    return iter(lenient(sys.stdin).readline, "")
