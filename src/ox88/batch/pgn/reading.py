"""Reads PGN files: splits them into chunks of whole games, reads the chunks in threads, and joins the Games."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.arrays import GameArrays, decode, keep_games, make_columns, unescaped
from ox88.batch.pgn.files import SourceFile, Sources, encoded, read_texts, source_files
from ox88.batch.pgn.games import Games, join_games
from ox88.batch.pgn.movetext_reader import READER, read_movetexts
from ox88.batch.pgn.records import (
    ANNOTATIONS,
    FEN_TAG,
    GAME,
    GAME_ROW,
    ILLEGAL_FEN,
    LAST_HARMLESS,
    NO_ERROR,
    OTHER_VARIANT,
    OWN_TAGS,
    PARTED,
    VARIANT_TAG,
)
from ox88.batch.pgn.splitting import Chunk, one_game, padded, split_into_chunks
from ox88.batch.pgn.tags import read_tags
from ox88.batch.pgn.words import CHESS
from ox88.batch.pgn.writing import SEVEN_TAGS
from ox88.batch.positions.fens import read_unusual
from ox88.batch.positions.packed import PACKED
from ox88.batch.rows.arguments import check_number
from ox88.batch.rows.chunks import count_threads, in_order
from ox88.batch.text.bytes import PIECE_LETTERS, characters, count_lines
from ox88.batch.text.fen_reader import board_symbols, read_fens
from ox88.bitboard.position import set_position
from ox88.bitboard.records import POSITION, make_record
from ox88.bitboard.tables import board_tables
from ox88.errors import Ox88Error
from ox88.fen import STARTPOS
from ox88.setup import parse_fen

BLOCK: Final = 1 << 21  # Bytes.
_CHUNK: Final = 50_000  # Games.
_HEADERS: Final = tuple(SEVEN_TAGS)
_ENGLISH: Final = "English"
_FILE_NAME: Final = re.compile(r"[^\n]+\.pgn(\.\w+)?", re.IGNORECASE)

_Result = TypeVar("_Result")


def read_pgn(
    source: Sources, *, headers: Iterable[str] = _HEADERS, letters: str = _ENGLISH, threads: int | None = None
) -> Games:
    """Read the main lines of all games of PGN files into arrays, without variations and comments.

    Moves are understood as by python-chess, and games may have any layout that the standard's import format allows. An
    error in a game is in `Games.errors`; the moves before it are kept, and other games are not affected. The arrays
    take about 10 bytes for each move, and the bytes of the tags, so use `iter_pgn` for files of any size.

    Args:
        source: A path, an open file, or the bytes of a file; plain, compressed with gzip, bzip2 or Zstandard, or a zip
            archive. Or several of them in a list; a folder, of which the files .pgn, .pgn.gz, .pgn.bz2, .pgn.zst and
            .pgn.zip are read, also in its folders; or a pattern such as "twic/*.pgn". `read_pgn_text` reads a text.
        headers: Names of the tags to keep; by default the seven tags of every PGN.
        letters: The language of the letters of pieces: English, German, French, Spanish, Dutch or Italian. Chess
            symbols, such as those in ♘f3, are always read.
        threads: Number of threads; all cores by default. The result does not depend on it.

    Returns:
        The games, in the order of the file. Files are in the order of the list, those of a folder and a pattern in that
        of their names. `Games.files` names each game's file, and an error of several files names its own.

    Raises:
        FileNotFoundError: There is no such file, or the folder or the pattern has none.
        Ox88Error: The file cannot be opened or read, or there is no such language.
        TypeError: The source is neither a path nor a file nor bytes, or `headers` are not names.
    """
    headers = TagNames(headers).kept
    parts = read_parts(source, lambda games: games, headers=headers, letters=letters, threads=threads)
    return join_games([no_games(headers), *parts])


def read_pgn_text(
    text: str, *, headers: Iterable[str] = _HEADERS, letters: str = _ENGLISH, threads: int | None = None
) -> Games:
    """Read the main lines of all games of a PGN into arrays; see `read_pgn`.

    Args:
        text: The games, such as "1. e4 e5 2. Nf3 *".
        headers: Names of the tags to keep.
        letters: The language of the letters of pieces.
        threads: Number of threads; all cores by default.

    Raises:
        Ox88Error: `text` is the name of a file, or there is no such language.
        TypeError: `text` is no text, or `headers` are not names.
    """
    if not isinstance(text, str):
        raise TypeError(f"a PGN as {type(text).__name__}: a text is expected; read_pgn reads paths, files and bytes")
    if _FILE_NAME.fullmatch(text):
        raise Ox88Error(f"{text!r} is the name of a file, not a PGN: read_pgn reads files")
    return read_pgn(encoded(text), headers=headers, letters=letters, threads=threads)


def iter_pgn(
    source: Sources,
    *,
    chunk: int = _CHUNK,
    headers: Iterable[str] = _HEADERS,
    letters: str = _ENGLISH,
    threads: int | None = None,
) -> Generator[Games]:
    """Read a PGN file of any size, some games at a time; see `read_pgn`.

    Args:
        source: A file, or several, as for `read_pgn`.
        chunk: Number of games to read at a time.
        headers: Names of the tags to keep.
        letters: The language of the letters of pieces.
        threads: Number of threads; all cores by default.

    Returns:
        A generator of Games, with `chunk` games each; the last may have fewer.

    Raises:
        FileNotFoundError: There is no such file.
        Ox88Error: The file cannot be opened or read, `chunk` is less than 1, or there is no such language.
        TypeError: An argument has the wrong type.
    """
    check_number("chunk", chunk, 1)
    return _regroup(read_parts(source, lambda games: games, headers=headers, letters=letters, threads=threads), chunk)


def read_parts(
    source: Sources,
    work: Callable[[Games], _Result],
    *,
    first: int = 0,
    headers: Iterable[str] = _HEADERS,
    packed: bool = False,
    letters: str = _ENGLISH,
    threads: int | None = None,
) -> Iterator[_Result]:
    """Call `work` with some games of a PGN at a time, in the thread that has read them; yields its results.

    first: the number of the first game to read; games before it are only counted. packed: True to keep the positions
    that the reader makes in `Games.packed`.
    """
    return read_chunks(source, lambda games, _: work(games), first, headers, packed, letters, threads)


def read_chunks(
    source: Sources,
    work: Callable[[Games, Chunk], _Result],
    first: int = 0,
    headers: Iterable[str] = _HEADERS,
    packed: bool = False,
    letters: str = _ENGLISH,
    threads: int | None = None,
) -> Iterator[_Result]:
    """`read_parts`, where `work` is also called with the text in which the games are."""
    if letters not in PIECE_LETTERS:
        raise Ox88Error(f"letters is {letters!r}: one of {', '.join(PIECE_LETTERS)} is expected")
    tags, workers = TagNames(headers), count_threads(threads)
    to_read = (
        chunk
        for file in source_files(source, letters)
        for chunk in _chunks_of(file)
        if len(chunk.starts) > 1 and chunk.number + len(chunk.starts) - 1 > first
    )

    def read(chunk: Chunk) -> _Result:
        games = read_chunk(chunk, tags, packed, letters)
        return work(games[first - chunk.number :] if first > chunk.number else games, chunk)

    return in_order(read, to_read, workers)


def _chunks_of(file: SourceFile) -> Iterator[Chunk]:
    return (chunk._replace(file=file) for chunk in split_into_chunks(read_texts(file.source, BLOCK)))


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


class TagNames:
    """Names of tags: `kept` for the caller, and `all`, with those that the reader needs. Raises TypeError.

    For kernels they stand in `data`, name i at data[offsets[i]:offsets[i + 1]].
    """

    def __init__(self, headers: Iterable[str]) -> None:
        names = [headers] if isinstance(headers, (str, bytes)) else list(headers)
        if names == [headers] or not all(isinstance(name, str) for name in names):
            raise TypeError(f'headers is {headers!r}: the names of tags are expected, such as ["White", "Black"]')
        self.kept = tuple(dict.fromkeys(names))
        self.all = tuple(dict.fromkeys((*OWN_TAGS, *self.kept)))
        encoded = [name.encode() for name in self.all]
        self.data = np.frombuffer(b"".join(encoded), np.uint8)
        self.offsets = np.cumsum([0, *map(len, encoded)])


def no_games(headers: Iterable[str]) -> Games:
    """Games without a game: an empty column for each tag, and an empty `Games.packed`."""
    zero = np.zeros(1, np.int64)
    return read_chunk(Chunk(padded(b""), zero, zero), TagNames(headers), is_packed=True)


def read_chunk(chunk: Chunk, tags: TagNames, is_packed: bool = False, language: str = _ENGLISH) -> Games:
    text = chunk.text
    games, values, setups = read_heads(chunk, tags)
    room = len(text) // 2 + 1
    moves, annotations = np.empty(room, np.uint16), np.empty((len(ANNOTATIONS), room), np.float32)
    packed = np.empty(room if is_packed else 0, PACKED).view(np.recarray)
    reader, tables = make_record(READER), board_tables()
    records = (games, setups, reader, tables, characters(language), values)
    count = read_movetexts(text, *records, moves, annotations, packed)
    for some, annotated in zip(annotations, reader.annotated, strict=True):
        if annotated:
            some[annotated:count] = np.nan
    _report_parted(games, chunk.before)
    if chunk.last_error != NO_ERROR:  # This error replaces any that it has caused.
        last = games[-1]
        last.error, last.error_start, last.error_end = chunk.last_error, last.end, last.end
        last.line = chunk.lines[-2] + count_lines(text, np.int64(last.start), np.int64(last.end))
    (error_texts,) = make_columns(text, np.stack([games.error_start, games.error_end], axis=1)[:, np.newaxis], [0])
    columns = make_columns(text, values, [tags.all.index(name) for name in tags.kept])
    return Games(
        GameArrays(
            moves=moves[:count].copy(),
            annotations={
                name: some[:count].copy()
                for name, some, annotated in zip(ANNOTATIONS, annotations, reader.annotated, strict=True)
                if annotated
            },
            packed=packed[:count] if is_packed else None,
            offsets=np.append(games.first, count),
            setups=setups,
            games=_rows(games, chunk),
            error_texts=error_texts,
            columns=dict(zip(tags.kept, map(unescaped, columns), strict=True)),
            files=() if chunk.file is None else (chunk.file,),
        )
    )


def _rows(games: Any, chunk: Chunk) -> NDArray[Any]:
    """GAME_ROW[n]: what is kept of GAME[n]."""
    rows = np.empty(len(games), GAME_ROW)
    rows["file"] = -1 if chunk.file is None else 0
    ends = games.end.copy() if chunk.ends is None else chunk.ends
    keep_games(games, ends, np.int64(chunk.at), rows.view(np.recarray))
    return rows


def _report_parted(games: Any, before: bytes) -> None:
    """Set an error for moves alone that follow tags alone. before: the text of the game before the first."""
    if games.tags.all():
        return
    is_headless = (games.tags == 0) & (games.length > 0) & (games.error == NO_ERROR)
    is_bodiless = (games.tags > 0) & (games.length == 0) & (games.error == NO_ERROR)
    is_first = bool(is_headless[:1].any() and before) and _is_bodiless(before)
    parted = np.flatnonzero(is_headless & np.append(is_first, is_bodiless[:-1])[: len(games)])
    games.error[parted] = PARTED
    games.error_start[parted] = games.error_end[parted] = games.start[parted]


def _is_bodiless(text: bytes) -> bool:
    """True if a game has tags and no moves, without an error."""
    games = read_chunk(one_game(text), TagNames([]))
    (row,) = games._arrays.games
    return bool(row["tags"] > 0 and row["error"] == NO_ERROR and not len(games.moves))


def read_heads(chunk: Chunk, tags: TagNames) -> tuple[Any, NDArray[np.int64], Any]:
    """(GAME[n] with what the tags say, the tags' values as `read_tags` sets them, POSITION[m] with first positions).

    The first position, in row 0, is the start position. The others are those of FENs.
    """
    text, count = chunk.text, len(chunk.starts) - 1
    games = np.zeros(count, GAME).view(np.recarray)
    games.number = np.arange(chunk.number, chunk.number + count)
    games.start, games.end, games.line = chunk.starts[:-1], chunk.starts[1:], chunk.lines[:-1]
    values = np.empty((count, len(tags.all), 2), np.int64)
    read_tags(text, games, characters(), tags.data, tags.offsets, values)

    def fail(rows: NDArray[np.int64], error: np.int64, tag: int) -> None:
        games.error[rows] = error
        games.error_start[rows], games.error_end[rows] = values[rows, tag].T

    rows = np.flatnonzero(values[:, VARIANT_TAG, 0] >= 0)
    if len(rows):
        (variants,) = make_columns(text, values[rows], [VARIANT_TAG])
        fail(rows[[variant.lower() not in CHESS for variant in variants.texts()]], OTHER_VARIANT, VARIANT_TAG)
    rows = np.flatnonzero((values[:, FEN_TAG, 0] >= 0) & (games.error <= LAST_HARMLESS))
    starts, ends = np.ascontiguousarray(values[rows, FEN_TAG].T)
    setups, is_legal = np.zeros(len(rows) + 1, POSITION).view(np.recarray), np.zeros(len(rows), np.bool_)
    set_position(setups[0], parse_fen(STARTPOS))
    read_fens(text, starts, ends, board_symbols(), board_tables(), setups[1:], is_legal)
    read_unusual(text, starts, ends, lambda row: decode(text[starts[row] : ends[row]].tobytes()), setups[1:], is_legal)
    games.setup[rows] = np.where(is_legal, np.arange(1, len(setups)), 0)
    if not is_legal.all():
        fail(rows[~is_legal], ILLEGAL_FEN, FEN_TAG)
    return games, values, setups
