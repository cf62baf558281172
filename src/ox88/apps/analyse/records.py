"""A game and what was found out about it, as plain data: what the journal keeps, and every output is made from.

Evaluations and chances are White's. FENs are X-FEN, moves are UCI's, both in Chess960 as python-chess writes them.
"""

import json
import zlib
from typing import Literal, TypedDict


class EvaluationRecord(TypedDict, total=False):
    """One of the two: centipawns, or moves to mate (0: it is on the board)."""

    cp: int
    mate: int


class LineRecord(TypedDict):
    """What the engine would have played."""

    eval: EvaluationRecord
    depth: int
    moves: list[str]
    san: list[str]


class MoveRecord(TypedDict):
    """A move. fen, eval, win: of the position after it; win in percent. accuracy: in percent. lines: instead of it, the
    best first. clock: seconds left to the player.
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


class StartRecord(TypedDict):
    """The position that a game begins from."""

    fen: str
    eval: EvaluationRecord
    win: float


class PlayerRecord(TypedDict):
    """A player in a game. acpl: the average centipawn loss. None without a move."""

    accuracy: float | None
    acpl: int | None
    inaccuracies: int
    mistakes: int
    blunders: int


class FlawRecord(TypedDict):
    """What is wrong in a game. line: of its text, from 0."""

    line: int
    reason: str


class GameRecord(TypedDict):
    """A game. start, white, black: None where nothing could be analysed. pgn: without the tags that are in headers."""

    headers: list[tuple[str, str]]
    start: StartRecord | None
    moves: list[MoveRecord]
    white: PlayerRecord | None
    black: PlayerRecord | None
    flaws: list[FlawRecord]
    nodes: int
    pgn: str


def pack(record: GameRecord) -> bytes:
    return zlib.compress(json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode())


def unpack(data: bytes) -> GameRecord:
    record: GameRecord = json.loads(zlib.decompress(data).decode())
    return record
