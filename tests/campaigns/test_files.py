"""Files that are nearly right: each is read as it should be, or refused by an Ox88Error."""

import bz2
import contextlib
import gzip
import io
import struct
import tempfile
import zipfile
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import chess
import chess.polyglot
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ox88
from ox88.apps.journal import Journal
from ox88.apps.match.openings import OpeningFile
from ox88.batch.positions.packed import MAGIC, PACKED, VERSION
from ox88.convert import from_chess_board, from_chess_move
from ox88.engines.host import book_moves
from ox88.engines.modern.network.file import write_network
from ox88.engines.modern.network.records import HIDDEN
from ox88.engines.modern.tablebase import Tablebase
from ox88.errors import Ox88Error
from tests.batch.pgn import samples
from tests.campaigns.changing import BYTES, boards, changed, fuzzing
from tests.campaigns.test_texts import check_position, epds, games, pgn
from tests.engines.modern.network.naive import random_network
from tests.positions import place
from tests.protocols.fake import book_entry

pytestmark = pytest.mark.slow


@contextlib.contextmanager
def written(**files: bytes) -> Iterator[Path]:
    """A temporary folder with files, by their names."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        yield Path(folder)


# --- Games and openings -----------------------------------------------------------------------------------------------


def zipped(text: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(zipfile.ZipInfo("a.pgn"), text, zipfile.ZIP_DEFLATED)
        archive.writestr(zipfile.ZipInfo("b.txt"), b"")
    return file.getvalue()


@cache
def packed_games() -> list[bytes]:
    """Files in every packing and encoding, and a bomb: many megabytes without an end of a game, in little."""
    texts = [b"".join(games()[first : first + 2]) for first in range(0, 40, 2)]
    packings = (lambda text: gzip.compress(text, mtime=0), bz2.compress, samples.zstd.compress, zipped)
    packed = [pack(text) for text in texts for pack in packings]
    encoded = [texts[0].decode("latin-1").encode(name) for name in ("utf-16", "utf-8-sig", "utf-32")]
    return [*packed, *encoded, gzip.compress(texts[0] + b"1. e4 e5 " * 1_000_000, mtime=0)]


pgn_files = st.deferred(lambda: changed(packed_games(), BYTES, 1 << 20))


@fuzzing
@given(data=pgn_files)
def test_files_of_games(data: bytes) -> None:
    """A file that may be damaged is read up to the damage, or refused; read in parts it has the same games."""
    with contextlib.suppress(Ox88Error):
        games = ox88.read_pgn(data, threads=1)
        parts = list(ox88.iter_pgn(data, chunk=2, threads=1))
        assert sum(map(len, parts)) == len(games)
        assert [move for part in parts for move in part.moves.tolist()] == games.moves.tolist()


@fuzzing
@given(data=pgn | pgn_files | st.lists(epds, max_size=5).map(lambda fens: "\n".join(fens).encode(errors="replace")))
def test_openings(data: bytes) -> None:
    with written(file=data) as folder, contextlib.suppress(Ox88Error):
        board = OpeningFile(folder / "file", seed=1).opening(0).board()
        assert board.is_valid()
        assert not board.is_game_over()


@cache
def books() -> list[bytes]:
    moves = [(board, move.uci()) for board in boards()[:40] for move in list(board.legal_moves)[:3]]
    entries = sorted(book_entry(board, move, 1 + number % 7) for number, (board, move) in enumerate(moves))
    return [b"".join(entries), *entries[:10]]


@fuzzing
@given(data=st.deferred(lambda: changed(books(), BYTES)), number=st.integers(0, 39))
def test_books(data: bytes, number: int) -> None:
    """The moves are legal, the heaviest first, and all that the file has."""
    board = boards()[number]
    with written(book=data) as folder:
        path = str(folder / "book")
        try:
            moves = book_moves(path, board)
        except Ox88Error:
            assert len(data) % 16
            return
        expected = in_book(path, board)
    assert expected is None or sorted(moves) == expected
    assert moves == sorted(moves, key=lambda move: -move[1])
    assert {move for move, _ in moves} <= {from_chess_move(move, board) for move in board.legal_moves}


def in_book(path: str, board: chess.Board) -> list[tuple[int, int]] | None:
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


# --- Positions --------------------------------------------------------------------------------------------------------


@cache
def rows() -> list[bytes]:
    fens = [board.fen(shredder=True, en_passant="fen") for board in boards()]
    return [row.tobytes() for row in ox88.Positions.from_fens(fens).pack()]


@cache
def position_files() -> list[bytes]:
    header = MAGIC + struct.pack("<IIQ40x", VERSION, PACKED.itemsize, 8)
    return [header + b"".join(rows()[first : first + 8]) for first in range(0, 80, 8)]


@fuzzing
@given(data=st.deferred(lambda: changed(position_files(), BYTES)))
def test_files_of_positions(data: bytes) -> None:
    with written(file=data) as folder, contextlib.suppress(ox88.PositionFileError, ox88.RowError):
        found = ox88.Positions.load(folder / "file")
        with ox88.PositionFile(folder / "file", chunk=2) as file:
            assert ox88.Positions.concatenate(list(file)) == found
        for row in range(len(found)):
            check_position(found[row : row + 1])


# --- What engines and commands keep -----------------------------------------------------------------------------------

TABLES = ("KRvK", "KPvK", "KQvKR", "KBNvK")
HEADS = {"rtbw": b"\x71\xe8\x23\x5d", "rtbz": b"\xd7\x66\x0c\xa5"}


def tables(name: str, kind: str) -> st.SearchStrategy[bytes]:
    """A table of one value for each side, in which something is changed; most have a length that is right.

    A nibble for each piece, for both sides to move, and a mark and a value for each side come after the head.
    """
    white, _, black = name.partition("v")
    pieces = bytes(0x11 * ("PNBRQK".index(letter) + 1) for letter in white)
    pieces += bytes(0x11 * ("PNBRQK".index(letter) + 9) for letter in black)
    head = HEADS[kind] + bytes((1, 0)) + pieces + bytes(len(pieces) % 2)
    seeds = [head + bytes((0x80, value, 0x80, value)) + end for value in range(5) for end in (b"", bytes(70))]
    damaged = changed(seeds, [*BYTES, b"\0", b"\1", b"\x80"], 2000)
    return damaged | damaged.map(lambda data: data.ljust(16 + 64 * ((len(data) + 47) // 64), b"\0"))


@fuzzing
@given(
    files=st.fixed_dictionaries({f"{name}.{kind}": tables(name, kind) for name in TABLES for kind in HEADS}),
    name=st.sampled_from(TABLES),
    seed=st.integers(0, 1 << 32),
)
def test_tables(files: dict[str, bytes], name: str, seed: int) -> None:
    """Of the legal moves some are kept."""
    white, _, black = name.partition("v")
    board = place(white + black.lower(), Random(seed))
    moves = [from_chess_move(move, board) for move in board.legal_moves]
    with written(**files) as folder:
        kept = Tablebase(str(folder)).look_up(from_chess_board(board), moves).moves
    assert {*kept} <= {*moves}
    assert bool(kept) == bool(moves)


SETTINGS = {"nodes": 100, "files": ["a", "b"]}


@cache
def journals() -> list[bytes]:
    found = []
    for count in (0, 3, 200):
        with written() as folder:
            with Journal(folder / "a", SETTINGS) as journal:
                for number in range(count):
                    journal.add(b"key %d" % number, bytes([number]) * 50)
            found.append((folder / "a").read_bytes())
    return found


LOG = b"\x37\x7f\x06\x82\0\x2d\xe2\x18\0\0\x10\0" + bytes(5000)  # As SQLite might leave it beside the file.


@fuzzing
@given(data=st.deferred(lambda: changed(journals(), BYTES, 1 << 17)), log=st.none() | changed([LOG], BYTES))
def test_journals(data: bytes, log: bytes | None) -> None:
    """A journal is opened, read and added to, or refused."""
    files = {"a": data} | ({"a-wal": log} if log is not None else {})
    with written(**files) as folder, contextlib.suppress(Ox88Error), Journal(folder / "a", SETTINGS) as journal:
        found = [journal.get(b"key %d" % number) for number in range(3)]
        assert len(journal) >= 3 - found.count(None)
        journal.size(b"key")
        journal.forget([b"key 1"])
        if b"new" not in journal:
            journal.add(b"new", b"result")
        assert journal.get(b"new") == b"result"


@cache
def network_files() -> list[bytes]:
    """Of networks with weights that are small, or up to their limits."""
    with written() as folder:
        for number, (most, hidden) in enumerate(((0.1, HIDDEN), (1.0, HIDDEN), (1.0, 2))):
            write_network(folder / str(number), random_network(most=most, hidden=hidden))
        return [path.read_bytes() for path in sorted(folder.iterdir())]


@fuzzing
@given(data=st.deferred(lambda: changed(network_files(), BYTES, 1 << 20)))
def test_networks(data: bytes) -> None:
    """A network is refused, or its evaluations are in range."""
    with written(network=data) as folder, contextlib.suppress(ox88.NetworkError):
        values = ox88.Positions.from_boards(boards()[:20]).evaluate(by=folder / "network")
        assert np.abs(values).max() <= 30_000
