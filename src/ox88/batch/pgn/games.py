"""The class Games, which `read_pgn` returns: many games as arrays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn import arrays
from ox88.batch.pgn.arrays import Column, GameArrays, decode
from ox88.batch.pgn.files import Target, write_text
from ox88.batch.pgn.move_texts import read_games
from ox88.batch.pgn.openings import Openings, find_openings
from ox88.batch.pgn.records import BLACK_WINS, DRAW, NO_ERROR, UNKNOWN, WHITE_WINS, GameError, describe_error
from ox88.batch.pgn.replay import find_reached, find_repetitions, replay_all, replay_some, with_plies
from ox88.batch.pgn.trees import find_comments, find_nags, find_variations
from ox88.batch.pgn.writing import unchanged_games, write_games
from ox88.batch.positions.arrow import ArrowArray, ArrowStream, import_pyarrow
from ox88.batch.positions.positions import Positions
from ox88.batch.rows.arguments import Errors, Row, Rows, as_rows, is_row
from ox88.batch.rows.ragged import Ragged, to_offsets
from ox88.batch.rules.moves import Numbers
from ox88.errors import Ox88Error
from ox88.setup import Setup, parse_fen

if TYPE_CHECKING:
    import pyarrow

MoveTexts = Iterable[str | Iterable[str]] | ArrowArray | ArrowStream
Fens = Iterable[str | None] | ArrowArray | ArrowStream

_MATERIAL: Final = re.compile("K[QRBNP]*v?K[QRBNP]*")
_SIDES: Final = re.compile("K[QRBNP]*")
_POINTS = np.empty(4, np.float32)
_POINTS[[WHITE_WINS, DRAW, BLACK_WINS, UNKNOWN]] = 1, 0.5, 0, np.nan


class Games:
    """Many games as read-only arrays, one after another; `ox88.read_pgn`, `ox88.iter_pgn` and `from_moves` make them.

    A slice, an array of rows, a mask or a single row selects games, as in a NumPy array. The result is always a Games.
    Iteration gives Games of one game each. `+` joins two, `sum` and `Games.concatenate` several.
    """

    __slots__ = ("_arrays",)

    def __init__(self, arrays: GameArrays) -> None:
        self._arrays = arrays

    @classmethod
    def concatenate(cls, parts: Iterable[Games]) -> Games:
        """Join Games, in their order, with the tags that all of them have.

        Raises Ox88Error if there are none, TypeError for anything but Games.
        """
        joined = list(parts)
        for number, part in enumerate(joined):
            if not isinstance(part, Games):
                raise TypeError(f"part {number} is of type {type(part).__name__}: ox88.Games are expected")
        if not joined:
            raise Ox88Error("no parts to join: one ox88.Games or more are expected")
        return join_games(joined)

    @classmethod
    def from_moves(
        cls,
        moves: MoveTexts,
        fens: Fens | None = None,
        *,
        headers: Mapping[str, Iterable[str]] | None = None,
        errors: Errors = "raise",
        threads: int | None = None,
    ) -> Games:
        """Make games of moves in UCI's notation or SAN, such as the columns of Lichess's puzzles and of Hugging Face.

        Args:
            moves: For each game a text such as "e2e4 e7e5" or "1. e4 e5 1-0", or a list of moves. Or a column of such
                texts or lists of a library that speaks Arrow, such as pyarrow, Polars and DuckDB; it needs pyarrow.
            fens: For each game the FEN of its first position; None or "" for the start position.
            headers: Tags by name, such as {"White": names}, with a text for each game.
            errors: What to do with a row that has an illegal FEN or move: "raise" its RowError, "skip" it, or a
                function that is called with its RowError before it is skipped.
            threads: Number of threads; all cores by default.

        Returns:
            The games, in the order of the rows; `numbers` are the rows.

        Raises:
            RowError: A FEN is illegal, or a word is no legal move; the error names the row and the ply, from 0.
            TypeError: An argument has the wrong type.
            Ox88Error: There is not a FEN, or not a text of a tag, for each game.
        """
        return cls(read_games(moves, fens, headers or {}, errors, threads))

    @property
    def moves(self) -> NDArray[np.uint16]:
        """uint16[plies]: the moves of game i are `moves[offsets[i]:offsets[i + 1]]`; `ox88.format_uci` writes them."""
        return _read_only(self._arrays.moves)

    @property
    def offsets(self) -> NDArray[np.int64]:
        """int64[n + 1]: where the moves of each game begin, and at the end the number of all moves."""
        return _read_only(self._arrays.offsets)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """int64[n]: the number of moves of each game, in plies."""
        return np.diff(self._arrays.offsets)

    @property
    def clocks(self) -> NDArray[np.float32]:
        """float32[plies]: seconds on the mover's clock after each move, from `[%clk 0:03:00]`; NaN if not given.

        Below four hours a float32 is exact to a thousandth of a second.
        """
        return self._annotation("clocks")

    @property
    def evals(self) -> NDArray[np.float32]:
        """float32[plies]: evaluation after each move in pawns, for White, from `[%eval 0.25]`; NaN if not given.

        Evaluations in the comments of matches (see `times`) are read too, and turned to White.
        Mate in n moves, `[%eval #n]`, is 10000 - n for White and n - 10000 for Black; `+M3`, three plies before White's
        move, is one move after it. Other evaluations are limited to -9000 to 9000.
        """
        return self._annotation("evals")

    @property
    def times(self) -> NDArray[np.float32]:
        """float32[plies]: seconds spent on each move, from `[%emt 0:00:02]` or the comment of a match, else NaN.

        cutechess, fastchess and fishtest comment moves by `+0.31/15 2.3s`: evaluation for the mover, depth and time.
        """
        return self._annotation("times")

    @property
    def depths(self) -> NDArray[np.float32]:
        """float32[plies]: the depth of each evaluation, from `[%eval 0.25,15]` or the comment of a match; else NaN."""
        return self._annotation("depths")

    @property
    def packed(self) -> NDArray[Any] | None:
        """PACKED[plies]: `positions(final=False).pack()`, if it was requested from the reader; else None."""
        return None if self._arrays.packed is None else _read_only(self._arrays.packed)

    @property
    def results(self) -> NDArray[np.float32]:
        """float32[n]: White's points, 1, 0.5 or 0; NaN if the result is `*` or not given."""
        return _POINTS.take(self._arrays.games["result"])

    @property
    def headers(self) -> Headers:
        """The tags that were read: `headers["White"]` is an array of str, object[n]."""
        return Headers(self._arrays.columns)

    @property
    def numbers(self) -> NDArray[np.int64]:
        """int64[n]: the number of each game in its file, from 0."""
        return _read_only(self._arrays.games["number"])

    @property
    def files(self) -> NDArray[np.object_]:
        """object[n] of str: the name of the file that each game was read from; "" if it has none."""
        names = np.array([*(file.name for file in self._arrays.files), ""], np.object_)
        return names[self._arrays.games["file"]] if self._arrays.files else np.full(len(self), "", np.object_)

    @property
    def errors(self) -> list[GameError]:
        """The errors, at most one for each game, in the order of the games. The moves before an error are kept."""
        rows = np.flatnonzero(self._arrays.games["error"] != NO_ERROR)
        games, texts = self._arrays.games[rows], self._arrays.error_texts.take(rows).texts()
        return [
            GameError(
                int(game["number"]), int(game["line"]) + 1, describe_error(game["error"], text), self._shown(game)
            )
            for game, text in zip(games, texts, strict=True)
        ]

    def positions(
        self,
        game: Row | Rows | None = None,
        ply: Row | Numbers | None = None,
        *,
        final: bool = True,
        threads: int | None = None,
    ) -> Positions:
        """The positions of all games, of some games, or one position of each.

        Args:
            game: The row of a game, or an array of rows; by default all games.
            ply: The number of moves played before the position; -1 is the last position, -2 the one before it. One for
                all games, or an array with one for each row of `game`. By default all positions of the games.
            final: False leaves out the last position of each game, so that positions and `moves` have the same rows.
            threads: Number of threads; all cores by default.

        Returns:
            Positions. All games are in their order: game i begins at row `offsets[i] + i`, or at `offsets[i]` if final
            is False. Their `game` and `ply` tell where each comes from.

        Raises:
            IndexError: There is no such game or ply.
            TypeError: A game or a ply is not a whole number.
        """
        rows = np.arange(len(self)) if game is None else self._rows(game)
        if ply is None:
            chosen = self._arrays if game is None else self._arrays.take(rows)
            lengths = np.diff(chosen.offsets) + final
            return Positions._of(replay_all(chosen, final, threads), lambda: _origins(rows, lengths))
        rows, plies = with_plies(self._arrays, rows, ply)
        return Positions._of(replay_some(self._arrays, rows, plies, threads), np.stack([rows, plies], axis=1))

    def moves_before(self, *, final: bool = True) -> NDArray[np.uint16]:
        """uint16[rows of `positions()`, 2]: the last move before each position and the one before it; 0 for none.

        final: as for `positions`.
        """
        starts = to_offsets(self.lengths + final)
        plies = np.arange(starts[-1]) - np.repeat(starts[:-1], np.diff(starts))
        places = np.repeat(self.offsets[:-1], np.diff(starts)) + plies
        moves = np.append(self.moves, np.zeros(2, np.uint16))  # The places -1 and -2 are before the first game.
        return np.stack([np.where(plies >= back, moves[places - back], 0) for back in (1, 2)], axis=1)

    def repetitions(self, *, final: bool = True, threads: int | None = None) -> NDArray[np.int64]:
        """int64[rows of `positions()`]: how often a position has occurred in its game: 1 at first, 3 at a threefold.

        As in the rules of chess, positions are the same if they have the same moves, those by castling and en passant
        included. They are compared by 64-bit keys.

        Args:
            final: False leaves out the last position of each game, so that the result and `moves` have the same rows.
            threads: Number of threads; all cores by default.
        """
        return find_repetitions(self._arrays, final, threads)[0]

    def openings(self, *, threads: int | None = None) -> Openings:
        """The opening of each game: `eco`, `name` and `ply`, arrays of n entries.

        It is that of the last named position which the game reaches, so the order of the moves does not matter. The
        names are Lichess's: https://github.com/lichess-org/chess-openings.

        Args:
            threads: Number of threads; all cores by default.

        Returns:
            eco: object[n] of str, codes of the Encyclopaedia of Chess Openings such as "C41"; "" for a game that
                reaches no named position. name: object[n] of str, such as "Philidor Defense"; or "". ply: int64[n], the
                number of moves played before that position; or -1. `pandas.DataFrame(openings._asdict())` makes a table
                of them.
        """
        return find_openings(self._arrays, threads)

    def variations(self, *, threads: int | None = None) -> Games:
        """Each line as a game from its beginning: the main line of a game, then its variations, as the file has them.

        Files are read again, with the letters that `read_pgn` was given. Tags and `numbers` are those of the game;
        clocks and evaluations are left out. A line ends before its first error, which is in `errors`. Variations that
        are 1,000 deep in others are left out. Raises Ox88Error as `save` does.
        """
        return join_games([self[:0], *map(Games, find_variations(self._arrays, threads))])

    def nags(self, *, threads: int | None = None) -> Ragged[np.uint16]:
        """The numeric annotation glyphs (NAGs) after each move of the main lines: `nags[ply]` is uint16[k].

        `moves` has the same rows. Signs are NAGs: ! is 1, ? 2, !! 3, ?? 4, !? 5 and ?! 6. Files are read again, as for
        `variations`.
        """
        return find_nags(self._arrays, threads)

    def comments(self, *, threads: int | None = None) -> NDArray[np.object_]:
        """object[plies] of str: the comment after each move of the main lines, "" without one, as the rows of `moves`.

        Several are joined by blanks; commands such as [%clk 0:03:00] are part of them. A comment before the first move
        is left out. Files are read again, as for `variations`.
        """
        return find_comments(self._arrays, threads)

    def reaches(self, sought: str | Setup | Positions, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: which games reach a position, or some material, at any ply.

        Args:
            sought: A position as a FEN or a Setup; Positions, of which one is enough; or material such as "KRPKR", a
                rook and a pawn against a rook, which either side may have. Positions are compared as in `repetitions`.
            threads: Number of threads; all cores by default.

        Raises:
            Ox88Error: The text is neither a legal FEN nor material.
            TypeError: It is of another type.
        """
        keys, counts = np.empty(0, np.uint64), np.empty((0, 2, 6), np.int64)
        if isinstance(sought, str) and "/" not in sought and sought != "startpos":
            sides = np.array(count_material(sought), np.int64)
            counts = np.stack([sides, sides[::-1]])
        elif isinstance(sought, Positions):
            keys = sought.key.copy()
        elif isinstance(sought, (str, Setup)):
            keys = Positions([parse_fen(sought) if isinstance(sought, str) else sought]).key.copy()
        else:
            raise TypeError(f"{type(sought).__name__} sought: a FEN, a Setup, Positions or material is expected")
        return find_reached(self._arrays, keys, counts, threads)

    def to_pgn(
        self, target: Target | None = None, *, headers: Literal["read", "all"] = "read", threads: int | None = None
    ) -> str | None:
        """Write the games as PGN: main lines with clocks and evaluations, and the tags that were read.

        The seven tags of every PGN are always written, and FEN and SetUp for games that begin from another position.
        Clocks are written to a thousandth of a second.

        Args:
            target: A path, whose suffix .gz, .bz2 or .zst chooses a compression, or an open file.
            headers: "all" to write each game as its file has it, byte for byte: with all tags, comments, variations and
                NAGs. The file is read again. One blank line comes after each game, and UTF-16 is written as UTF-8.
            threads: Number of threads; all cores by default.

        Returns:
            The text if there is no target, else None.

        Raises:
            Ox88Error: The file cannot be written; for "all", or the games' own has changed, or they have none.
        """
        if headers not in ("read", "all"):
            raise Ox88Error(f"headers {headers!r}: 'read' for the tags that were read, or 'all' is expected")
        texts = map(decode, unchanged_games(self._arrays)) if headers == "all" else write_games(self._arrays, threads)
        if target is None:
            return "".join(texts)
        write_text(target, unchanged_games(self._arrays) if headers == "all" else texts)
        return None

    def save(self, target: Target) -> None:
        """Write the games as their files have them, byte for byte, such as `games[mask].save("some.pgn.zst")`.

        It is `to_pgn(target, headers="all")`.
        """
        self.to_pgn(target, headers="all")

    def __len__(self) -> int:
        return len(self._arrays.games)

    def __getitem__(self, rows: Row | Rows) -> Games:
        return Games(self._arrays.take(self._rows(rows)))

    def take(self, rows: Row | Rows) -> Games:
        """The games of some rows, as `games[rows]`."""
        return self[rows]

    def __iter__(self) -> Iterator[Games]:
        return (self[row] for row in range(len(self)))

    def __add__(self, other: Games) -> Games:
        return join_games([self, other]) if isinstance(other, Games) else NotImplemented

    def __radd__(self, other: int) -> Games:
        """For `sum`, which begins with 0. It copies once for each part, `concatenate` once in all."""
        return self if is_row(other) and other == 0 else NotImplemented

    def __repr__(self) -> str:
        return f"<Games: {len(self)}, {len(self._arrays.moves)} moves>"

    def _rows(self, rows: Any) -> NDArray[np.int64]:
        """int64[m]: the numbers of the selected rows. Raises IndexError, TypeError."""
        return np.atleast_1d(np.arange(len(self))[rows if is_row(rows) else as_rows(rows)])

    def _shown(self, game: Any) -> str:
        """The name of a game's file for an error: "" if it was read alone."""
        file = self._arrays.files[game["file"]] if self._arrays.files else None
        return file.name if file and file.is_one_of_several else ""

    def _annotation(self, name: str) -> NDArray[np.float32]:
        return _read_only(self._arrays.annotation(name))


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A read-only view. Replaying does not check the moves, so nobody may change them."""
    view = array.view()
    view.flags.writeable = False
    return view


def _origins(rows: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64[total, 2]: for each position, its game's row and how many moves precede it. lengths: of the games."""
    starts = to_offsets(lengths)
    plies = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
    return np.stack([np.repeat(rows, lengths), plies], axis=1)


def join_games(parts: list[Games]) -> Games:
    """The games of all parts, with the tags that every part has."""
    return Games(arrays.join([part._arrays for part in parts]))


def count_material(text: str) -> list[list[int]]:
    """The pawns, knights, bishops, rooks, queens and kings of both sides of material such as KRPKR."""
    if not _MATERIAL.fullmatch(text):
        raise Ox88Error(f"the material is {text!r}: the pieces of two sides, such as KRPKR or KQvKR, are expected")
    return [[side.count(letter) for letter in "PNBRQK"] for side in _SIDES.findall(text)]


class Headers(Mapping[str, NDArray[np.object_]]):
    """The tags that were read: `headers[name]` is an array of str, object[n], "" for a game without the tag."""

    def __init__(self, columns: dict[str, Column]) -> None:
        self._columns = columns

    def __getitem__(self, name: str) -> NDArray[np.object_]:
        texts = self._column(name).texts()
        column = np.empty(len(texts), np.object_)
        column[:] = texts
        return column

    def _column(self, name: str) -> Column:
        if name not in self._columns:
            known = ", ".join(self._columns) or "none"
            raise KeyError(f"the tag {name!r} was not read with the games, only {known}: see headers= of read_pgn")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<Headers: {', '.join(self)}>"

    def has(self, name: str) -> NDArray[np.bool_]:
        """bool[n]: True if a game has the tag, even if its value is empty. Raises KeyError."""
        return self._column(name).present.copy()

    def numbers(self, name: str) -> NDArray[np.int64]:
        """int64[n]: the values of a tag such as WhiteElo as whole numbers of up to nine digits; 0 for anything else.

        Question marks after a number are ignored: Lichess marks provisional ratings by them. Raises KeyError.
        """
        return self._column(name).numbers()

    def to_arrow(self) -> pyarrow.Table:
        """A pyarrow table of strings, null for a game without the tag.

        Raises:
            Ox88Error: pyarrow is not installed.
        """
        pyarrow = import_pyarrow("to_arrow")
        return pyarrow.table({name: _to_arrow(pyarrow, column) for name, column in self._columns.items()})


def _to_arrow(pyarrow: Any, column: Column) -> Any:
    """A pyarrow array of strings, made without a copy if the whole column is valid UTF-8."""
    is_valid = np.packbits(column.present, bitorder="little")
    buffers = [pyarrow.py_buffer(part) for part in (is_valid, column.offsets, column.data)]
    array = pyarrow.LargeBinaryArray.from_buffers(pyarrow.large_binary(), len(column.present), buffers)
    try:
        return array.cast(pyarrow.large_string())
    except pyarrow.ArrowInvalid:
        return pyarrow.array(column.texts(), pyarrow.large_string(), mask=~column.present)
