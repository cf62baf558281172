"""The annotated games as PGN."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from ox88.apps.analyse.finished import Finished
from ox88.apps.files import written_at_once

_ROSTER: Final = ("Event", "Site", "Date", "Round", "White", "Black", "Result")  # The order that PGN's export has.


@contextlib.contextmanager
def pgn_writer(path: Path) -> Iterator[Callable[[Finished], None]]:
    """What takes one game after another; the file is there at the end."""
    with written_at_once(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        yield lambda game: print(game_text(game), end="\n\n", file=stream)


def game_text(game: Finished) -> str:
    """A game with its tags; one that cannot be read, as it was."""
    tags = game.tags if game.record["headers"] else {}
    first = [name for name in _ROSTER if name in tags]
    lines = [f'[{name} "{tags[name]}"]' for name in dict.fromkeys([*first, *tags])]
    return "\n".join(lines) + ("\n\n" if lines else "") + game.record["pgn"]
