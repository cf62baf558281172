"""Training chunks of Leela Chess Zero, version 6: a game as records of 8,356 bytes, packed by gzip; many in a .tar.

A record has eight positions of 13 planes as `ox88.Env(observation="leela")` shows them (input format 1), one bit a
square, the a-file the highest bit of a byte; 1,858 probabilities in the layout "compact", -1 for illegal moves;
castling, side to move, halfmove clock; and values for the side to move, from -1 to 1.

Written are: 1 for the move played, 0 for the other legal ones; the score as `best_q`, by lc0's centipawns, which are
90 * tan(1.5637541897 * q) and end at 12,780, or the result, as `best_d` too, and no visits where there is none; the
result. Positions before are the rows before, as far as their moves lead from one to the next; repetitions are not
noted. Read are: the position, with the en passant square that the position before shows, the move `played_idx`,
`best_q`, `result_q`; the ply is the number of the record. Records know no Chess960.

Source: "Training data format versions" in the wiki of github.com/LeelaChessZero/lc0.
"""

import gzip
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.learning.policy import SIZES
from ox88.batch.positions.packed import CASTLING_ROOK, MAX_PIECES, PACKED
from ox88.batch.positions.positions import Positions
from ox88.batch.rows.arguments import IllegalMoveError, RowError
from ox88.batch.text.uci import need_chess960
from ox88.batch.training.entries import NO_SCORE, TrainingData, joined
from ox88.errors import Ox88Error
from ox88.types import BLACK_BIT, EMPTY, ROOK

_FLOATS: Final = (
    *("root_q", "best_q", "root_d", "best_d", "root_m", "best_m", "plies_left", "result_q", "result_d"),
    *("played_q", "played_d", "played_m", "orig_q", "orig_d", "orig_m"),
)
_CASTLING: Final = {"us_ooo": 0, "us_oo": 7, "them_ooo": 56, "them_oo": 63}  # The squares of the rooks.
RECORD: Final = np.dtype(
    [("version", "<u4"), ("input_format", "<u4"), ("probabilities", "<f4", 1858), ("planes", "u1", (8, 13, 8))]
    + [(name, "u1") for name in (*_CASTLING, "side_to_move", "rule50", "invariance", "unused")]
    + [(name, "<f4") for name in _FLOATS]
    + [("visits", "<u4"), ("played_idx", "<u2"), ("best_idx", "<u2"), ("policy_kld", "<f4"), ("reserved", "<u4")]
)
_VERSION, _INPUT_FORMAT = 6, 1
PAST: Final = 8  # Positions, of which one is the present.
_TAN: Final = 1.5637541897
_PAWN: Final = 90.0
_BLOCK: Final = 1 << 10  # Records.


def is_leela(path: Path) -> bool:
    """True if a file .gz has such records; or if it is empty or to be written, and its name tells of nothing else."""
    is_named_so = not Path(path.stem).suffix[1:].isalpha()
    if not path.is_file():  # What a pipe has can be read once.
        return not path.exists() and is_named_so
    try:
        with gzip.open(path) as file:
            head = file.read(4)
            return head[1:] == bytes(3) if head else is_named_so
    except (OSError, EOFError, zlib.error):
        return False


def read_leela(path: Path, threads: int | None = None) -> Iterator[TrainingData]:
    """The positions of a chunk, some at a time. Raises Ox88Error, OSError."""
    with path.open("rb") as file:
        yield from _read_chunk(str(path), file, threads)


def read_chunks(path: Path, threads: int | None = None) -> Iterator[TrainingData]:
    """The positions of all chunks in a .tar, some at a time. Raises Ox88Error, OSError."""
    parts = list[TrainingData]()
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                file = archive.extractfile(member) if member.name.endswith(".gz") else None
                parts += _read_chunk(f"{path}: {member.name}", file, threads) if file else []
                if sum(map(len, parts)) >= _BLOCK:
                    yield joined(parts)
                    parts = []
    except tarfile.TarError as error:
        reason = str(error).split(":\n")[0]  # What each method of unpacking says comes in lines of its own.
        raise Ox88Error(f"{path} cannot be unpacked: {reason}") from None
    if parts:
        yield joined(parts)


def _read_chunk(name: str, packed: IO[bytes], threads: int | None) -> Iterator[TrainingData]:
    first = 0
    try:
        with gzip.open(packed) as file:
            while data := file.read(_BLOCK * RECORD.itemsize):
                if rest := len(data) % RECORD.itemsize:
                    where = first + len(data) // RECORD.itemsize
                    raise Ox88Error(f"{name}: record {where}: {rest} bytes, and a record has {RECORD.itemsize:,}")
                yield _of_records(name, first, np.frombuffer(data, RECORD), threads)
                first += len(data) // RECORD.itemsize
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise Ox88Error(f"{name} cannot be unpacked: {error}") from None


def _of_records(name: str, first: int, records: NDArray[Any], threads: int | None) -> TrainingData:
    for row in np.flatnonzero((records["version"] != _VERSION) | (records["input_format"] != _INPUT_FORMAT))[:1]:
        found = f"version {records['version'][row]} with input format {records['input_format'][row]}"
        raise Ox88Error(f"{name}: record {first + row}: {found}: version 6 with input format 1 is expected")
    try:
        positions = Positions.from_packed(_packed(records, first), threads=threads)
        for row in np.flatnonzero(records["played_idx"] >= SIZES["compact"])[:1].tolist():
            raise RowError(row, f"played_idx {records['played_idx'][row]}: 0 to {SIZES['compact'] - 1} are expected")
        moves = positions.policy_move(records["played_idx"], "compact", threads=threads)
    except RowError as error:
        raise Ox88Error(f"{name}: record {first + error.row}: {error.reason}") from None
    best, results = np.nan_to_num(records["best_q"]).astype(np.float64), np.nan_to_num(records["result_q"])
    scores = np.rint(_PAWN * np.tan(np.clip(best, -1, 1) * _TAN))
    scores = np.where(records["visits"] == 0, NO_SCORE, scores).astype(np.int16)
    plies = (first + np.arange(len(records))) & 0xFFFF
    return TrainingData(positions, moves, scores, np.sign(results).astype(np.int8), plies)


def _packed(records: NDArray[Any], first: int) -> NDArray[Any]:
    """PACKED[n] of records, of which the first has a number. Black's board is flipped. Raises RowError."""
    turn = records["side_to_move"] != 0
    bits = np.unpackbits(records["planes"][:, :2, :12], axis=3).reshape(len(records), 2, 12, 64)
    kinds = np.array([side * 8 + kind for side in range(2) for kind in range(1, 7)], np.uint8)
    board = (bits[:, 0] * kinds[:, np.newaxis]).max(axis=1)
    for name, square in _CASTLING.items():
        may_castle = records[name] != 0
        for row in np.flatnonzero(may_castle & (board[:, square] & 7 != ROOK))[:1].tolist():
            raise RowError(row, f"{name} without a rook in that corner")
        board[may_castle, square] += CASTLING_ROOK - ROOK
    theirs = bits[:, :, 6].astype(np.int8).reshape(-1, 2, 8, 8)
    went = theirs[:, 0] - theirs[:, 1]  # Their pawn has left the seventh rank for the fifth.
    files = (went[:, 6] == -1) & (went[:, 4] == 1) & (np.count_nonzero(bits[:, 1], axis=(1, 2)) > 0)[:, np.newaxis]
    passed = np.where(files.sum(axis=1) == 1, 40 + files.argmax(axis=1), 0)
    board[turn] = np.where(board[turn] == EMPTY, EMPTY, board[turn] ^ BLACK_BIT)[:, np.arange(64) ^ 56]
    pieces = np.take_along_axis(board, np.argsort(board == EMPTY, axis=1, kind="stable")[:, :MAX_PIECES], axis=1)
    packed = np.zeros(len(records), PACKED)
    packed["occupied"] = np.packbits(board != EMPTY, axis=1, bitorder="little").view("<u8")[:, 0]
    packed["pieces"] = pieces[:, ::2] | pieces[:, 1::2] << 4
    packed["turn"], packed["halfmove_clock"] = turn, records["rule50"]
    packed["en_passant"] = np.where(turn & (passed > 0), passed ^ 56, passed)
    packed["fullmove_number"] = np.minimum((first + np.arange(len(records))) // 2 + 1, 0xFFFF)
    return packed


def write_leela(data: TrainingData, begin: int = 0) -> bytes:
    """The records of the rows from `begin` on, packed; they show the rows before as past positions. Raises RowError."""
    return gzip.compress(_records(data)[begin:].tobytes(), 6, mtime=0)


def _records(data: TrainingData) -> NDArray[Any]:
    """RECORD[n]: the positions of some training data. Raises RowError."""
    records = np.zeros(len(data), RECORD)
    positions, rows = data.positions, np.arange(len(data))
    for row in np.flatnonzero(~positions.is_legal(data.moves))[:1].tolist():
        raise IllegalMoveError(row, int(data.moves[row]), positions._records[row])
    for row in np.flatnonzero(need_chess960(positions._records))[:1].tolist():
        raise RowError(row, "castling of Chess960: a record has only kings on the e-file and rooks in corners")
    indices = positions.policy_index(data.moves, "compact")
    records["version"], records["input_format"] = _VERSION, _INPUT_FORMAT
    records["probabilities"] = np.where(positions.policy_mask("compact"), 0, -1)
    records["probabilities"][rows, indices] = 1
    _write_planes(records["planes"], data)
    castling, turn = positions.planes(np.uint8, view="mover")[:, 12:16, 0, 0], positions.turn
    for name, plane in (("us_oo", 0), ("us_ooo", 1), ("them_oo", 2), ("them_ooo", 3)):
        records[name] = castling[:, plane]
    records["side_to_move"], records["rule50"] = turn, np.minimum(positions.halfmove_clock, 255)
    known = data.scores != NO_SCORE
    records["best_q"] = np.where(known, np.clip(np.arctan(data.scores / _PAWN) / _TAN, -1, 1), data.results)
    records["root_q"] = records["played_q"] = records["best_q"]
    records["result_q"], records["result_d"] = data.results, data.results == 0
    records["best_d"] = records["root_d"] = records["played_d"] = ~known & (data.results == 0)
    records["orig_q"] = records["orig_d"] = records["orig_m"] = np.nan
    records["visits"], records["played_idx"], records["best_idx"] = known, indices, indices
    return records


def _write_planes(planes: NDArray[np.uint8], data: TrainingData) -> None:
    """Write the pieces of each position and of the seven before, as the side to move sees them."""
    pieces = np.packbits(data.positions.planes(np.uint8)[:, :12], axis=3)[..., 0]
    seen = np.stack([pieces, np.roll(pieces, 6, axis=1)[..., ::-1]])  # By White and by Black.
    goes_on = np.zeros(len(data), np.bool_)
    after = data.positions[:-1].push(data.moves[:-1]).key
    goes_on[1:] = (after == data.positions.key[1:]) & (np.diff(data.plies.astype(np.int64)) == 1)
    turn, rows = data.positions.turn, np.arange(len(data))
    is_there = np.ones(len(data), np.bool_)
    for back in range(PAST):
        planes[is_there, back, :12] = seen[turn[is_there], rows[is_there] - back]
        is_there[back + 1 :] &= goes_on[1 : max(len(data) - back, 1)]
        is_there[: back + 1] = False
