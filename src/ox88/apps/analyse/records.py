"""An analysed game as plain data, from which every output is made.

Evaluations and winning chances are White's. FENs are X-FEN and moves are in UCI's notation; in Chess960 both are as
python-chess writes them. Chances and accuracies are in percent.
"""

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

from ox88.apps.analyse.opening_names import Opening


class EvaluationRecord(TypedDict, total=False):
    """Either centipawns or moves to mate; 0 moves is checkmate."""

    cp: int
    mate: int


class LineRecord(TypedDict):
    """A line that the engine proposes. fens: of the positions along it, if the move played is an error."""

    eval: EvaluationRecord
    depth: int
    moves: list[str]
    san: list[str]
    fens: NotRequired[list[str]]


class MoveRecord(TypedDict):
    """A move. fen, eval, win: of the position after it. lines: what the engine would have played, the best first.

    clock: seconds that the player has left. judgement: inaccuracy, mistake, blunder or None. commands: in the comment,
    such as [%clk 0:01:00] [%cal Ge2e4]. reason: why the move is an error, in a sentence, if that is sure.
    """

    ply: int
    color: Literal["white", "black"]
    san: str
    uci: str
    fen: str
    eval: EvaluationRecord
    win: float
    accuracy: float
    judgement: str | None
    clock: float | None
    comment: str
    lines: list[LineRecord]
    commands: NotRequired[str]
    reason: NotRequired[str]


class StartRecord(TypedDict):
    """The position before the first move. commands: as of a move."""

    fen: str
    eval: EvaluationRecord
    win: float
    commands: NotRequired[str]


class PlayerRecord(TypedDict):
    """A player. acpl: average centipawn loss. accuracy and acpl are None if the player has made no move."""

    accuracy: float | None
    acpl: int | None
    inaccuracies: int
    mistakes: int
    blunders: int


class ErrorRecord(TypedDict):
    """An error in a game's text. line: counted from the start of the text, from 0. reason: one printable line."""

    line: int
    reason: str


class GameRecord(TypedDict):
    """A game. start, white, black: None if nothing could be analysed. pgn: the movetext, or the whole text if that
    cannot be read.
    """

    headers: list[tuple[str, str]]
    start: StartRecord | None
    moves: list[MoveRecord]
    white: PlayerRecord | None
    black: PlayerRecord | None
    errors: list[ErrorRecord]
    nodes: int
    pgn: str


def pack(record: GameRecord) -> bytes:
    return zlib.compress(json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode())


def unpack(data: bytes) -> GameRecord:
    record: GameRecord = json.loads(zlib.decompress(data).decode())
    return record


def format_evaluation(evaluation: EvaluationRecord) -> str:
    """Such as +0.35, 0.00 or #-3."""
    if "mate" in evaluation:
        return f"#{evaluation['mate']}"
    return f"{evaluation['cp'] / 100:+.2f}" if evaluation["cp"] else "0.00"


def fens_of(record: GameRecord) -> list[str]:
    """The positions of a game, from the first to the last."""
    start = [record["start"]["fen"]] if record["start"] else []
    return start + [move["fen"] for move in record["moves"]]


@dataclass(frozen=True, slots=True)
class AnalysedGame:
    """A game as outputs need it. number: in the input, from 1. file, line: where it begins."""

    number: int
    file: str
    line: int
    record: GameRecord
    opening: Opening | None

    @property
    def tags(self) -> dict[str, str]:
        """The game's tags; ECO and Opening are added if it has none."""
        tags = dict(self.record["headers"])
        if self.opening is not None:
            tags = tags | {"ECO": self.opening.eco, "Opening": self.opening.name} | tags
        return tags

    @property
    def errors(self) -> Iterator[str]:
        """The errors in its text, as messages."""
        for error in self.record["errors"]:
            yield f"{self.file}:{self.line + error['line']}: game {self.number}: {error['reason']}"
