"""Checks a whole game, with its variations, as strictly as `read_pgn` reads the main line.

What is wrong is left out of the text, so that a lenient reader makes no other moves of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from ox88.batch.pgn.arrays import decode
from ox88.batch.pgn.game_text import in_usual_layout
from ox88.batch.pgn.reading import TagNames, read_heads
from ox88.batch.pgn.records import (
    LAST_HARMLESS,
    NO_CHESS,
    NOTHING_READ,
    OPEN_VARIATION,
    RESULT_TAG,
    GameError,
    describe_error,
)
from ox88.batch.pgn.splitting import one_game
from ox88.batch.pgn.trees import Tree, read_tree

_NO_TAGS: Final = TagNames([])


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """A game without what is wrong in it.

    Attributes:
        text: The game in the usual layout; the main line and each variation end before their first error.
        errors: What is wrong, in the order of the text. The number of the game is 0.
        reason: Why the main line ends early; empty if it does not.
        is_readable: False if it is no game of chess, so that nothing of it can be read.
        has_words: True if movetext has words that are no moves, and that `read_pgn` passes over.
    """

    text: str
    errors: list[GameError]
    reason: str = ""
    is_readable: bool = True
    has_words: bool = False


class _Fault(NamedTuple):
    """An error, where the wrong text begins and ends, where the line goes on (0 for in it), in how many variations.

    move: The number of the move that cannot be read, in words.
    """

    error: np.int64
    begin: int
    end: int
    stop: int = 0
    depth: int = 0
    move: str = ""


def check_game(text: str) -> CheckedGame:
    """Check the text of one game, which may have any layout."""
    data = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace")
    chunk = one_game(data)
    games, values, setups = read_heads(chunk, _NO_TAGS)
    game = games[0]
    faults = list(_of_game(game))
    if game.error > LAST_HARMLESS:
        game.movetext = game.end
    with np.errstate(over="ignore"):  # Kernels that run as plain Python let integers wrap around.
        tree = read_tree(chunk.text, games, values, setups, "English")
    faults += [*_of_lines(tree, setups[game.setup]), *_of_game(game)]
    if not (faults or len(tree.moves) or game.tags or values[0, RESULT_TAG, 0] >= 0):
        faults.append(_Fault(NOTHING_READ, int(game.start), int(game.end)))
    reasons = [describe_error(fault.error, decode(data[fault.begin : fault.end])) for fault in faults]
    errors = [
        GameError(0, data.count(b"\n", 0, fault.begin) + 1, fault.move + reason)
        for fault, reason in zip(faults, reasons, strict=True)
    ]
    cuts = [reason for reason, fault in zip(reasons, faults, strict=True) if fault.stop and not fault.depth]
    is_readable = all(fault.error not in NO_CHESS for fault in faults)
    has_words = bool(tree.state.has_words)
    return CheckedGame(in_usual_layout(_without(data, faults)), errors, "".join(cuts[:1]), is_readable, has_words)


def _of_game(game: Any) -> Iterator[_Fault]:
    """What is wrong in the tags, or harmless in the movetext."""
    if game.error:
        yield _Fault(game.error, int(game.error_start), int(game.error_end))


def _of_lines(tree: Tree, setup: Any) -> Iterator[_Fault]:
    """The errors that end lines, in the order of the text; then the variations that are not closed."""
    for line in sorted(tree.lines[tree.lines.error > 0], key=lambda line: int(line.begin)):
        ply = 2 * int(setup.fullmove_number) + int(setup.turn) + int(line.plies)
        move = f"move {ply // 2}{'...' if ply % 2 else ''}: "
        yield _Fault(line.error, int(line.begin), int(line.end), int(line.stop), int(line.depth), move)
    for line in tree.lines[tree.lines.is_open > 0]:
        yield _Fault(OPEN_VARIATION, int(line.start), int(line.start) + 1, 0, int(line.depth))


def _without(data: bytes, faults: list[_Fault]) -> str:
    """The text without the faulty ends of its lines."""
    kept, at = [], 0
    for fault in faults:
        if fault.stop > fault.begin:
            kept.append(data[at : fault.begin])
            at = fault.stop
    return b"".join([*kept, data[at:]]).decode()
