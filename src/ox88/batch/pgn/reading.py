"""Reading PGN files: text to pieces, pieces to Games by threads, Games put together."""

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ox88.batch.chunks import count_threads
from ox88.batch.packed import PACKED
from ox88.batch.pgn.characters import characters
from ox88.batch.pgn.columns import make_column
from ox88.batch.pgn.files import Source, read_texts
from ox88.batch.pgn.games import GameArrays, Games, join_games, no_games
from ox88.batch.pgn.movetext import count_lines, read_movetexts
from ox88.batch.pgn.pieces import Piece, cut_into_pieces
from ox88.batch.pgn.pipeline import in_order
from ox88.batch.pgn.records import FEN_TAG, GAME, ILLEGAL_FEN, LAST_HARMLESS, NO_FAULT, OWN_TAGS, READER
from ox88.batch.pgn.setups import CHESS, first_positions
from ox88.batch.pgn.tags import read_tags
from ox88.batch.pgn.writing import SEVEN_TAGS
from ox88.bitboard.records import make_record
from ox88.bitboard.tables import board_tables
from ox88.types import Ox88Error

BLOCK: Final = 1 << 21  # Bytes.
_CHUNK: Final = 50_000  # Games.

_Result = TypeVar("_Result")


def read_pgn(source: Source, *, headers: Iterable[str] = SEVEN_TAGS, threads: int | None = None) -> Games:
    """All games of a PGN file: their main lines, without variations and comments.

    source: a path, or an open file; plain, or packed by gzip, bzip2, Zstandard or as zip. headers: the tags to keep.
    threads: all cores by default; what comes of it is the same. The whole result is in memory, some 10 bytes a move
    and the tags: for more than that there is `iter_pgn`.

    A game that is broken stands in `errors` and keeps its moves up to there; which games there are, and what they
    say, is as in python-chess. Raises Ox88Error where the file cannot be read, TypeError for what is no file.
    """
    return join_games([no_games(Tags(headers).asked), *read_parts(source, _itself, headers=headers, threads=threads)])


def iter_pgn(
    source: Source, *, chunk: int = _CHUNK, headers: Iterable[str] = SEVEN_TAGS, threads: int | None = None
) -> Generator[Games]:
    """The games of a PGN file of whatever size, `chunk` of them at a time; the rest is as for `read_pgn`."""
    if isinstance(chunk, bool) or not isinstance(chunk, int):
        raise TypeError(f"chunk is {chunk!r}: a whole number of games is expected")
    if chunk < 1:
        raise Ox88Error(f"chunks of {chunk} games: at least 1 is expected")
    return _regroup(read_parts(source, _itself, headers=headers, threads=threads), chunk)


def read_parts(
    source: Source,
    work: Callable[[Games], _Result],
    *,
    first: int = 0,
    headers: Iterable[str] = SEVEN_TAGS,
    packed: bool = False,
    threads: int | None = None,
) -> Iterator[_Result]:
    """What comes of work on the games of a PGN file, some at a time, in the thread that has read them.

    first: the number of the first game to read; those before are only counted. packed: whether the games shall have
    their positions, which the reader has at hand anyway.
    """
    tags, workers = Tags(headers), count_threads(threads)
    pieces = cut_into_pieces(read_texts(source, BLOCK))
    wanted = (piece for piece in pieces if len(piece.starts) > 1 and piece.number + len(piece.starts) - 1 > first)

    def read(piece: Piece) -> _Result:
        return work(read_piece(piece, tags, packed)[max(first - piece.number, 0) :])

    return in_order(read, wanted, workers)


def _itself(games: Games) -> Games:
    return games


def _regroup(parts: Iterable[Games], size: int) -> Generator[Games]:
    waiting: list[Games] = []
    count = 0
    for part in parts:
        begin = 0
        while count + len(part) - begin >= size:
            end = begin + size - count
            yield join_games([*waiting, part[begin:end]])
            waiting, count, begin = [], 0, end
        waiting.append(part[begin:])
        count += len(part) - begin
    if count:
        yield join_games(waiting)


class _Names(NamedTuple):
    """Names for kernels: uint8, one after another, and int64 offsets."""

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]


def _to_names(names: Iterable[str]) -> _Names:
    encoded = [name.encode() for name in names]
    lengths = np.array([0, *map(len, encoded)], np.int64)
    return _Names(np.frombuffer(bytearray(b"".join(encoded)), np.uint8), np.cumsum(lengths))


class Tags:
    """The tags to look for: those that say how to read a game, and those that were asked for."""

    def __init__(self, headers: Iterable[str]) -> None:
        names = [headers] if isinstance(headers, (str, bytes)) else list(headers)
        if names == [headers] or not all(isinstance(name, str) for name in names):
            raise TypeError(f'headers is {headers!r}: the names of tags are expected, such as ["White", "Black"]')
        self.asked = tuple(dict.fromkeys(names))
        self.all = tuple(dict.fromkeys((*OWN_TAGS, *self.asked)))
        self.names = _to_names(self.all)
        self.variants = _to_names(CHESS)


def read_piece(piece: Piece, tags: Tags, is_packed: bool = False) -> Games:
    text = piece.text
    games = _new_games(piece)
    values = np.empty((len(games), len(tags.all), 2), np.int64)
    read_tags(text, games, characters(), *tags.names, *tags.variants, values)
    setups = _set_up(text, games, values[:, FEN_TAG])
    room = len(text) // 2 + 1
    moves, clocks, evals = np.empty(room, np.uint16), np.empty(room, np.float32), np.empty(room, np.float32)
    packed = np.empty(room if is_packed else 0, PACKED).view(np.recarray)
    reader, tables = make_record(READER), board_tables()
    count = read_movetexts(text, games, setups, reader, tables, characters(), values, moves, clocks, evals, packed)
    _set_last_fault(piece, games[-1])
    return Games(
        GameArrays(
            moves=moves[:count].copy(),
            clocks=clocks[:count].copy() if reader.clock_count else None,
            evals=evals[:count].copy() if reader.eval_count else None,
            packed=packed[:count] if is_packed else None,
            offsets=np.append(games.first, count),
            setups=setups,
            setup_rows=games.setup.copy(),
            results=games.result.copy(),
            numbers=np.arange(piece.number, piece.number + len(games)),
            faults=games.fault.copy(),
            fault_lines=games.line.copy(),
            fault_texts=make_column(text, np.stack([games.fault_from, games.fault_to], axis=1)),
            columns={name: make_column(text, values[:, tags.all.index(name)]) for name in tags.asked},
        )
    )


def _new_games(piece: Piece) -> Any:
    games = np.zeros(len(piece.starts) - 1, GAME).view(np.recarray)
    games.start, games.end, games.line = piece.starts[:-1], piece.starts[1:], piece.lines[:-1]
    return games


def _set_up(text: NDArray[np.uint8], games: Any, places: NDArray[np.int64]) -> Any:
    """The positions that the games begin with; a game with a FEN that is none is at fault."""
    rows = np.flatnonzero((places[:, 0] >= 0) & (games.fault <= LAST_HARMLESS))
    setups, games.setup[rows] = first_positions(text, places[rows])
    wrong = rows[games.setup[rows] < 0]
    games.setup[wrong] = 0
    games.fault[wrong] = ILLEGAL_FEN
    games.fault_from[wrong], games.fault_to[wrong] = places[wrong].T
    return setups


def _set_last_fault(piece: Piece, game: Any) -> None:
    """What is wrong with a game because its text ends counts more than what comes of that."""
    if piece.last_fault != NO_FAULT:
        game.fault, game.fault_from, game.fault_to = piece.last_fault, game.end, game.end
        game.line = piece.lines[-2] + count_lines(piece.text, np.int64(game.start), np.int64(game.end))
