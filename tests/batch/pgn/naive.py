"""The slow, obvious twin of read_pgn, by python-chess: main lines up to the first illegal move."""

import io
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import chess
import chess.pgn
import numpy as np

from ox88.batch.pgn.comments import LARGEST, LONGEST_CLOCK
from ox88.convert import from_chess_move
from ox88.types import NO_MOVE

_MATE = 10_000.0
_HIGHEST = 9_000.0


@dataclass
class Game:
    headers: dict[str, str] = field(default_factory=dict)
    moves: list[int] = field(default_factory=list)
    clocks: list[float] = field(default_factory=list)
    evals: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    depths: list[float] = field(default_factory=list)
    positions: list[chess.Board] = field(default_factory=list)
    errors: list[Exception] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)  # Without a result that only the movetext has.

    @property
    def points(self) -> float:
        return {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}.get(self.headers.get("Result", "*"), math.nan)


class _Visitor(chess.pgn.BaseVisitor[Game]):
    def __init__(self) -> None:
        self.game = Game()

    def begin_headers(self) -> chess.pgn.Headers:
        self.tags = chess.pgn.Headers({})
        return self.tags

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.tags[tagname] = tagvalue

    def end_headers(self) -> None:
        self.game.tags = dict(self.tags)

    def begin_variation(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def visit_result(self, result: str) -> None:
        if not self.game.errors and self.tags.get("Result", "*") == "*":
            self.tags["Result"] = result

    def visit_board(self, board: chess.Board) -> None:
        if not self.game.positions:
            self.game.positions.append(board.copy())

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        if self.game.errors:
            return
        self.game.moves.append(from_chess_move(move, board) if move else NO_MOVE)
        for values in (self.game.clocks, self.game.evals, self.game.times, self.game.depths):
            values.append(math.nan)
        self.game.positions.append(board.copy(stack=False))
        self.game.positions[-1].push(move)

    def visit_comment(self, comment: str) -> None:
        if not self.game.moves or self.game.errors:
            return
        comment = re.sub("[\t-\r\x1c-\x1f ]+", " ", comment).replace(" ]", "]")
        turn = self.game.positions[-1].turn
        if (match := _MATCH.match(comment)) and (match["sign"] or match["time"]):
            self._note(self.game.times, float(match["time"] or math.nan))
            self._note_eval(_match_pawns(match) * (1 if turn == chess.BLACK else -1), float(match["depth"]))
        self._note(self.game.clocks, _seconds(comment, "clk", chess.pgn.ChildNode.clock))
        self._note(self.game.times, _seconds(comment, "emt", chess.pgn.ChildNode.emt))
        if command := chess.pgn.EVAL_REGEX.search(comment):
            self._note_eval(_pawns(command, turn), float(command["depth"] or math.nan))

    def _note_eval(self, pawns: float, depth: float) -> None:
        if math.isnan(self.game.evals[-1]):
            self.game.evals[-1], self.game.depths[-1] = pawns, min(depth, LARGEST)

    def _note(self, values: list[float], value: float) -> None:
        if math.isnan(values[-1]):
            values[-1] = value

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)

    def result(self) -> Game:
        self.game.headers = dict(self.tags)
        return self.game


_MATCH = re.compile(  # What cutechess and fastchess write, as +0.31/15 2.3s, with a comma in older files.
    r" ?(?P<sign>[+-](?=[\d.M])|(?=\d))(?:M(?P<plies>\d+)|(?P<pawns>(?=\.?\d)\d{0,10}\.\d{0,2}))/(?P<depth>\d+)"
    r"(?:,? (?P<time>\d+(\.\d*)?)s)?",
    re.ASCII,
)


def _match_pawns(match: re.Match[str]) -> float:
    if match["pawns"]:
        pawns = min(_HIGHEST, float(match["pawns"]))
    else:  # Who mates needs one ply less after the move.
        left = int(match["plies"]) - (match["sign"] == "+")
        pawns = _MATE - min((left + 1) // 2, 999)
    return -pawns if match["sign"] == "-" else pawns


def _seconds(comment: str, name: str, read: Callable[[chess.pgn.ChildNode], float | None]) -> float:
    """python-chess's clock, but for times that Ox88 takes for none: then the next one counts."""
    try:
        seconds = read(chess.pgn.ChildNode(chess.pgn.Game(), chess.Move.null(), comment=comment))
    except (OverflowError, ValueError):  # More digits than Python reads.
        seconds = math.inf
    if seconds is None:
        return math.nan
    return seconds if seconds < LONGEST_CLOCK else _seconds(comment.replace(f"[%{name}", "", 1), name, read)


def _pawns(match: re.Match[str], turn: chess.Color) -> float:
    if match["cp"]:
        return max(-_HIGHEST, min(_HIGHEST, float(match["cp"])))
    mate = int(match["mate"])
    sign = (1 if turn == chess.BLACK else -1) if mate == 0 else math.copysign(1, mate)
    return sign * (_MATE - min(abs(mate), 999))


def read_pgn(text: bytes) -> list[Game]:
    """All games, as python-chess reads them from a file opened as text."""
    handle = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8", errors="surrogateescape")
    games = []
    while (game := chess.pgn.read_game(handle, Visitor=_Visitor)) is not None:
        games.append(game)
    return games


def read_trees(text: str) -> list[chess.pgn.Game]:
    """All games with their variations."""
    handle = io.StringIO(text)
    return list(iter(lambda: chess.pgn.read_game(handle), None))


def moves_of(games: Any) -> list[list[int]]:
    """The moves of each game."""
    return [games.moves[begin:end].tolist() for begin, end in zip(games.offsets[:-1], games.offsets[1:], strict=True)]


def check_same(games: Any, twins: list[Game]) -> None:
    """Check that Ox88's Games are those of python-chess, except for what only python-chess reads.

    Ox88 reads what follows the fourth field of a FEN, and is not a clock, as operations of EPD, 11 as two empty
    squares, and castling rights in any order. It stops with an error where python-chess reads on: at an illegal FEN, in
    other variants, at a null move in check, and at a word that names a square and is no move, in which python-chess
    finds another move, or that stands in the place of a move.
    """
    assert len(games) == len(twins)
    headers = {name: column.tolist() for name, column in games.headers.items()}
    reasons = {error.number: error.reason for error in games.errors}
    results = games.results
    for number, (moves, twin) in enumerate(zip(moves_of(games), twins, strict=True)):
        if any(_READ_BY_OX88.match(str(error)) for error in twin.errors):
            continue
        result = headers["Result"][number] if "Result" in headers else ""
        _check_reason(reasons.get(number, ""), twin, len(moves), result)
        assert moves == twin.moves
        assert {name: _shown(twin.headers.get(name, "")) for name in headers} == {
            name: column[number] for name, column in headers.items()
        }
        assert np.array_equal(results[number], np.float32(twin.points), equal_nan=True)
        plies = slice(games.offsets[number], games.offsets[number + 1])
        for name in ("clocks", "evals", "times", "depths"):
            found, expected = getattr(games, name)[plies], np.array(getattr(twin, name), np.float32)
            if "is not a move" in reasons.get(number, "") and np.isnan(found[-1:]).all():
                expected[-1:] = np.nan  # python-chess has read a comment behind the word, too.
            assert np.allclose(found, expected, rtol=1e-6, atol=0, equal_nan=True), name


def _check_reason(reason: str, twin: Game, length: int, result: str) -> None:
    """Check that python-chess has found the same error. If it does not look for it, cut the twin where Ox88 stops."""
    if "is not a legal position" in reason or "is not chess" in reason:
        _cut(twin, 0)
    elif "illegal in check" in reason or "is not a move" in reason:
        _cut(twin, length)
        if twin.tags.get("Result", "*") == "*" and result:  # It may stand before the error.
            twin.headers = twin.tags | {"Result": result}
    elif "legal move" in reason or "drops" in reason:
        assert twin.errors, reason
    else:
        assert not twin.errors, (reason, twin.errors)


_READ_BY_OX88 = re.compile(
    "invalid (half-move clock|fullmove number) in fen|fen string has more parts|two subsequent digits in position part"
    "|invalid castling part in fen: '\\S+ [wb] (?=[A-HKQ]*[a-hkq]+[A-HKQ])[A-HKQa-hkq]{2,4} "
)


def _cut(twin: Game, length: int) -> None:
    """Keep only the first `length` moves, and remove a result that stands after the moves."""
    for values in (twin.moves, twin.clocks, twin.evals, twin.times, twin.depths):
        del values[length:]
    twin.headers = twin.tags


def _shown(text: str) -> str:
    """A tag's text as Ox88 decodes it: as UTF-8, else as Latin-1, and without PGN's backslashes."""
    text = re.sub(r'\\(["\\])', r"\1", text)
    encoded = text.encode("utf-8", "surrogateescape")
    try:
        return encoded.decode()
    except UnicodeDecodeError:
        return encoded.decode("latin-1")
