"""Files of any bytes, for the campaign fuzz. Each is read as it should be, or refused by an Ox88Error."""

import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final

import chess
import chess.polyglot
import numpy as np

import ox88
from ox88.apps.journal import Journal
from ox88.apps.match.openings import Book
from ox88.batch.packed import PACKED
from ox88.batch.packed_file import MAGIC, VERSION
from ox88.convert import from_chess_board, from_chess_move
from ox88.engines.book import book_move, book_moves
from ox88.engines.modern.network.file import write_network
from ox88.engines.modern.network.records import HIDDEN, MOST_INPUT_WEIGHT, MOST_OUTPUT_WEIGHT
from ox88.engines.modern.tablebase import Tablebase
from ox88.errors import Ox88Error
from ox88.types import NO_MOVE
from tests.protocols.fake import book_entry
from tests.test_fen import is_legal_for_python_chess
from tools.proof.campaign import FailureError, Tally
from tools.proof.fuzz.inputs import BYTES, Kind, boards, changed, same
from tools.proof.fuzz.pgn import pgn, pgn_file
from tools.proof.fuzz.reading import check_position, epd_lines, suite
from tools.proof.placing import place

# --- Inputs -----------------------------------------------------------------------------------------------------------


@cache
def _packed_rows() -> tuple[bytes, ...]:
    fens = [board.fen(shredder=True, en_passant="fen") for board in boards()]
    return tuple(row.tobytes() for row in ox88.Positions.from_fens(fens).pack())


def packed_rows(dice: Random) -> bytes:
    """Some packed positions, perhaps damaged, in 32 bytes each."""
    return b"".join(changed(dice, _packed_rows(), BYTES, 32).ljust(32, b"\0") for _ in range(dice.randint(1, 8)))


def position_file(dice: Random) -> bytes:
    """A file of packed positions, perhaps damaged."""
    rows = b"".join(dice.choices(_packed_rows(), k=dice.randint(0, 8)))
    header = MAGIC + struct.pack("<IIQ40x", VERSION, PACKED.itemsize, len(rows) // PACKED.itemsize)
    return changed(dice, (header + rows,), BYTES)


@cache
def _books() -> tuple[bytes, ...]:
    entries = sorted(
        book_entry(board, move.uci(), 5) for board in boards()[:40] for move in list(board.legal_moves)[:3]
    )
    return (*[b"".join(entries)] * 10, *entries[:10])


def book(dice: Random) -> tuple[chess.Board, bytes]:
    return dice.choice(boards()[:40]), changed(dice, _books(), BYTES)


TABLES: Final = ("KRvK", "KPvK", "KQvKR", "KBNvK")
_MAGIC: Final = {"rtbw": b"\x71\xe8\x23\x5d", "rtbz": b"\xd7\x66\x0c\xa5"}


def tables(dice: Random) -> tuple[chess.Board, dict[str, bytes]]:
    """A position of few pieces, and Syzygy files by name. Some are right; the length of most is."""
    files = {f"{name}.{kind}": _table(dice, name, kind) for name in TABLES for kind in _MAGIC}
    white, _, black = dice.choice(TABLES).partition("v")
    return place(white + black.lower(), dice), files


def _table(dice: Random, name: str, kind: str) -> bytes:
    """A table of one value for each side, in which something is changed, or which goes on as noise.

    A nibble for each piece, for both sides to move, and a mark and a value for each side come after the head.
    """
    white, _, black = name.partition("v")
    pieces = bytes(0x11 * ("PNBRQK".index(letter) + 1) for letter in white)
    pieces += bytes(0x11 * ("PNBRQK".index(letter) + 9) for letter in black)
    data = _MAGIC[kind] + bytes((dice.randrange(4), 0)) + pieces
    data += bytes(len(data) % 2) + bytes((0x80, dice.randrange(5), 0x80, dice.randrange(5)))
    if dice.random() < 0.5:
        noise = bytes(dice.choice((0, 0, 1, 0x80, dice.randrange(256))) for _ in range(dice.choice((6, 70, 198))))
        data = changed(dice, (data + noise, data[: dice.randint(5, len(data))] + noise), BYTES, 2000)
    return data if dice.random() < 0.1 else data.ljust(16 + 64 * ((len(data) + 47) // 64), b"\0")


JOURNAL_SETTINGS: Final = {"nodes": 100, "files": ["a", "b"]}


@cache
def _journals() -> tuple[bytes, ...]:
    found = []
    for count in (0, 3, 200):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.journal"
            with Journal(path, JOURNAL_SETTINGS) as journal:
                for number in range(count):
                    journal.add(b"key %d" % number, bytes([number]) * 50)
            found.append(path.read_bytes())
    return tuple(found)


def journal(dice: Random) -> dict[str, bytes]:
    """A journal's files by their endings: the file itself, and perhaps what SQLite might have left beside it."""
    files = {"": changed(dice, _journals(), BYTES, 1 << 17)}
    if dice.random() < 0.2:
        files["-wal"] = changed(dice, (b"\x37\x7f\x06\x82\0\x2d\xe2\x18\0\0\x10\0" + bytes(5000),), BYTES)
    return files


def network(dice: Random) -> bytes:
    """The file of a network, most of them small: damaged, or with weights up to their limits or beyond."""
    hidden = dice.choice((1, 2, 3, HIDDEN))
    numbers = np.random.default_rng(dice.getrandbits(64))
    inputs, bias, outputs = (
        numbers.choice(np.array((-most, -1, 0, 1, most), np.int16), shape)
        for most, shape in (
            (MOST_INPUT_WEIGHT, (768, hidden)),
            (MOST_INPUT_WEIGHT, hidden),
            (MOST_OUTPUT_WEIGHT, (8, 2, hidden)),
        )
    )
    output_bias = numbers.integers(-(1 << 24), 1 << 24, 8, np.int64)
    scale = np.full(8, dice.choice((1, 400, 9999)))
    made = ox88.Network(inputs, bias, outputs, output_bias, scale, {"name": "x"})
    if dice.random() < 0.3:
        weights = dice.choice((made.input_weights, made.input_bias))
        weights.flat[-1] = dice.choice((-1, 1)) * (MOST_INPUT_WEIGHT + 1)
    if dice.random() < 0.2:
        made.output_weights.flat[-1] = dice.choice((-1, 1)) * (MOST_OUTPUT_WEIGHT + 1)
    if dice.random() < 0.2:
        made.scale[-1] = dice.choice((0, 10_000))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.npz"
        write_network(path, made)
        data = path.read_bytes()
    return data if dice.random() < 0.3 else changed(dice, (data,), BYTES, 1 << 20)


# --- Checks -----------------------------------------------------------------------------------------------------------


@contextmanager
def written(data: bytes) -> Iterator[Path]:
    """A temporary file with this content."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(data)
        yield path


def check_journal(files: dict[str, bytes], tally: Tally) -> None:
    """A journal is opened, read and added to."""
    with written(files[""]) as path:
        for ending, data in files.items():
            path.with_name(path.name + ending).write_bytes(data)
        try:
            with Journal(path, JOURNAL_SETTINGS) as journal:
                found = [journal.get(b"key %d" % number) for number in range(3)]
                same("the number of results", len(journal) >= 3 - found.count(None), True)
                journal.size(b"key")
                journal.forget([b"key 1"])
                if b"new" not in journal:
                    journal.add(b"new", b"result")
                same("what was added", journal.get(b"new"), b"result")
        except Ox88Error:
            tally.counts["journals that were refused"] += 1
        else:
            tally.counts["journals that were used"] += 1


def check_book(sample: tuple[chess.Board, bytes], tally: Tally) -> None:
    """The moves of a book are legal, the heaviest first, and all that the file has."""
    board, data = sample
    with written(data) as path:
        try:
            moves = book_moves(str(path), board)
            chosen = book_move(str(path), board)
        except Ox88Error:
            same("a book of entries of 16 bytes was refused", len(data) % 16 == 0, False)
            tally.counts["books that were refused"] += 1
            return
        expected = _in_book(path, board)
    if expected is not None:
        same("the moves with their weights", sorted(moves), expected)
    legal = {from_chess_move(move, board) for move in board.legal_moves}
    same("legal moves", {move for move, _ in moves} <= legal, True)
    same("the order", moves, sorted(moves, key=lambda move: -move[1]))
    same("the move is one of them", chosen in {move for move, _ in moves} or (not moves and chosen == NO_MOVE), True)
    tally.counts["moves of books"] += len(moves)


def _in_book(path: Path, board: chess.Board) -> list[tuple[int, int]] | None:
    """The legal moves that any entry has for a position, with their weights; None for a file that is not in order.

    There a search by halves, as it is done in books, may miss some.
    """
    known = {
        chess.Move.from_uci(text): from_chess_move(move, board)
        for move in board.legal_moves
        for text in (board.uci(move), board.uci(move, chess960=True))
    }
    with chess.polyglot.open_reader(path) as reader:
        entries = list(reader)
    key = chess.polyglot.zobrist_hash(board)
    if any(one.key > other.key for one, other in pairwise(entries)):
        return None
    found = (entry for entry in entries if entry.key == key and entry.weight and entry.move in known)
    return sorted((known[entry.move], entry.weight) for entry in found)


def check_tables(sample: tuple[chess.Board, dict[str, bytes]], tally: Tally) -> None:
    """Of the moves some are kept."""
    board, files = sample
    moves = [from_chess_move(move, board) for move in board.legal_moves]
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        looked = Tablebase(folder).look_up(from_chess_board(board), moves)
    same("the moves that are kept", {*looked.moves} <= {*moves} and bool(looked.moves) == bool(moves), True)
    tally.counts["positions found in Syzygy tables" if looked.hits else "positions not found in Syzygy tables"] += 1


def check_network(data: bytes, tally: Tally) -> None:
    """A network is read and evaluates positions."""
    with written(data) as path:
        try:
            values = ox88.Positions.from_boards(boards()[:20]).evaluate(by=path)
        except ox88.NetworkError:
            tally.counts["networks that were refused"] += 1
            return
    if np.abs(values).max() > 30_000:
        raise FailureError(f"the evaluations are {values}")
    tally.counts["networks that were used"] += 1


def check_position_file(data: bytes, tally: Tally) -> None:
    """The positions of a file are legal, and the same in parts."""
    with written(data) as path:
        try:
            found = ox88.Positions.load(path)
            with ox88.PositionFile(path, chunk=2) as file:
                parts = list(file)
        except (ox88.PositionFileError, ox88.RowError):
            tally.counts["position files that were refused"] += 1
            return
    same("in parts", ox88.Positions.concatenate(parts), found)
    for row in range(len(found)):
        check_position(found[row : row + 1])
    tally.counts["positions of files"] += len(found)


def check_packed(data: bytes, tally: Tally) -> None:
    """Each of 32 bytes is refused, or a legal position that is packed so again."""
    array = np.frombuffer(data, PACKED)
    for row in range(len(array)):
        try:
            found = ox88.Positions.from_packed(array[row : row + 1])
        except ox88.RowError:
            tally.counts["packed positions that were refused"] += 1
            continue
        same("packed again", found.pack().tobytes(), array[row].tobytes())
        same("legal for python-chess", is_legal_for_python_chess(found[0]), True)
        check_position(found)
        tally.counts["packed positions that were read"] += 1


def openings(dice: Random) -> bytes:
    """A file of openings: games, or positions, perhaps packed."""
    return dice.choice((pgn, pgn_file, epd_lines, suite))(dice)


def check_openings(data: bytes, tally: Tally) -> None:
    """Each opening leads to a legal position."""
    with written(data) as path:
        try:
            book = Book(path, seed=1)
            board = book.opening(0).board()
        except Ox88Error:
            tally.counts["files of openings that were refused"] += 1
            return
    same("legal", board.is_valid() and not board.is_game_over(), True)
    tally.counts["files of openings that were used"] += 1


KINDS: Final = (
    Kind("packed positions", packed_rows, check_packed, 80),
    Kind("file of positions", position_file, check_position_file, 30),
    Kind("journal", journal, check_journal, 25),
    Kind("Polyglot book", book, check_book, 25),
    Kind("Syzygy tables", tables, check_tables, 10),
    Kind("openings", openings, check_openings, 10),
    Kind("network", network, check_network, 20),
)
