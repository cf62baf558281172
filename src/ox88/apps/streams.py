"""Standard streams that no byte can break."""

import io
from typing import TextIO


def lenient(stream: TextIO) -> TextIO:
    """The stream, which from now on reads and writes question marks for what its encoding has not."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream
