"""The annotated games as PGN."""

from typing import Final, TextIO

from ox88.apps.analyse.finished import Finished

_ROSTER: Final = ("Event", "Site", "Date", "Round", "White", "Black", "Result")  # The order that PGN's export has.


def write_pgn(stream: TextIO, game: Finished) -> None:
    """A game with its tags; one that cannot be read, as it was."""
    tags = game.tags if game.record["headers"] else {}
    first = [name for name in _ROSTER if name in tags]
    lines = [f'[{name} "{tags[name]}"]' for name in dict.fromkeys([*first, *tags])]
    stream.write("\n".join(lines) + ("\n\n" if lines else "") + game.record["pgn"] + "\n\n")
