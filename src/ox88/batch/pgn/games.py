"""Games: many of them as arrays."""

import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ox88.batch.packed import PACKED
from ox88.batch.pgn.columns import Column, join_columns, join_offsets, take_ranges
from ox88.batch.pgn.errors import GameError, word_fault
from ox88.batch.pgn.files import Target, write_text
from ox88.batch.pgn.headers import Headers
from ox88.batch.pgn.records import BLACK_WINS, DRAW, NO_FAULT, UNKNOWN, WHITE_WINS
from ox88.batch.pgn.replay import replay_all, replay_some
from ox88.batch.pgn.setups import usual_position
from ox88.batch.pgn.writing import write_games
from ox88.batch.positions import Positions
from ox88.batch.rows import as_rows

_POINTS: Final = {WHITE_WINS: 1.0, DRAW: 0.5, BLACK_WINS: 0.0, UNKNOWN: np.nan}


@dataclass(frozen=True, slots=True)
class GameArrays:
    """What Games are made of; each array with a row a game, but for setups, and for moves, clocks, evals and packed."""

    moves: NDArray[np.uint16]
    clocks: NDArray[np.float32] | None  # None where no game has one.
    evals: NDArray[np.float32] | None
    packed: NDArray[Any] | None  # PACKED; None where nobody has asked for them.
    offsets: NDArray[np.int64]
    setups: NDArray[Any]  # POSITION; the first is the usual one.
    setup_rows: NDArray[np.int64]
    results: NDArray[np.int64]
    numbers: NDArray[np.int64]
    faults: NDArray[np.int64]
    fault_lines: NDArray[np.int64]
    fault_texts: Column
    columns: dict[str, Column]


class Games:
    """Games as arrays; no method changes them. Made by `ox88.read_pgn` and `ox88.iter_pgn`.

    `len`, slices, arrays of rows and masks work as on a NumPy array and give Games; so does one row. `+` joins two.
    """

    __slots__ = ("_arrays",)

    def __init__(self, arrays: GameArrays) -> None:
        self._arrays = arrays

    @property
    def moves(self) -> NDArray[np.uint16]:
        """uint16[plies]: those of game i are `moves[offsets[i]:offsets[i + 1]]`, each as `ox88.to_uci` reads it."""
        return _fixed(self._arrays.moves)

    @property
    def offsets(self) -> NDArray[np.int64]:
        """int64[n + 1]: where the moves of each game begin, and where the last one's end."""
        return _fixed(self._arrays.offsets)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """int64[n]: how many moves each game has, in plies."""
        return np.diff(self._arrays.offsets)

    @property
    def clocks(self) -> NDArray[np.float32]:
        """float32[plies]: seconds that the mover has left after a move, from `[%clk 0:03:00]`; NaN without one.

        Below four hours a float32 tells thousandths of a second apart.
        """
        return self._annotations(self._arrays.clocks)

    @property
    def evals(self) -> NDArray[np.float32]:
        """float32[plies]: pawns, for White, after a move, from `[%eval 0.25]`; NaN without one.

        Mate in n moves for White, `[%eval #3]`, is 10000 - n, and -10000 + n for Black. What is not mate is at most
        9000, and at least -9000.
        """
        return self._annotations(self._arrays.evals)

    @property
    def packed(self) -> NDArray[Any] | None:
        """PACKED[plies]: what `positions(final=False).pack()` is, where the reader was asked for it; else None."""
        return None if self._arrays.packed is None else _fixed(self._arrays.packed)

    @property
    def results(self) -> NDArray[np.float32]:
        """float32[n]: White's points, 1, 0.5 or 0; NaN where the game is not over, or nobody says how it ended."""
        points = np.array([_POINTS[result] for result in range(len(_POINTS))], np.float32)
        return points[self._arrays.results]

    @property
    def headers(self) -> Headers:
        """The tags that were asked for when the games were read: `headers["White"]` is an array of str, object[n]."""
        return Headers(self._arrays.columns)

    @property
    def numbers(self) -> NDArray[np.int64]:
        """int64[n]: the number of each game in its file, from 0."""
        return _fixed(self._arrays.numbers)

    @property
    def errors(self) -> list[GameError]:
        """What is wrong with games that are broken, in the order of the games. Their moves up to there are kept."""
        arrays = self._arrays
        rows = np.flatnonzero(arrays.faults != NO_FAULT)
        texts = arrays.fault_texts.take(rows).texts()
        return [
            GameError(int(arrays.numbers[row]), int(arrays.fault_lines[row]) + 1, word_fault(arrays.faults[row], text))
            for row, text in zip(rows, texts, strict=True)
        ]

    def positions(
        self,
        game: ArrayLike | None = None,
        ply: ArrayLike | None = None,
        *,
        final: bool = True,
        threads: int | None = None,
    ) -> Positions:
        """The positions of the games.

        Without arguments all of them, game by game: before each move, and the last; those of game i begin at
        `offsets[i] + i`. With final=False the last is left out, so that positions and `moves` go together.
        game alone: those of one game, or of several. game and ply, numbers or arrays as long: one position each, after
        so many moves; -1 is the last, -2 the one before. ply alone: that of every game.

        Raises IndexError where there is no such game or ply, TypeError for what is no whole number.
        """
        if ply is None:
            return self._all_positions(final, threads) if game is None else self[game]._all_positions(final, threads)
        rows = np.arange(len(self)) if game is None else self._rows(game)
        return Positions._of(replay_some(self._arrays, rows, ply, threads))

    def _all_positions(self, final: bool, threads: int | None) -> Positions:
        return Positions._of(replay_all(self._arrays, final, threads))

    def to_pgn(self, target: Target | None = None, *, threads: int | None = None) -> str | None:
        """The games as PGN: main lines with clocks and evaluations, and the tags that were kept.

        target: a path, packed as its name says (.gz, .bz2, .zst), or an open file; without one the text is returned.
        The seven tags that every game has are written in any case, and FEN and SetUp where a game begins elsewhere.
        A clock is written to the thousandth of a second.
        """
        parts = write_games(self._arrays, threads)
        if target is None:
            return "".join(parts)
        write_text(target, parts)
        return None

    def __len__(self) -> int:
        return len(self._arrays.numbers)

    def __getitem__(self, rows: Any) -> "Games":
        return Games(_take(self._arrays, self._rows(rows)))

    def __iter__(self) -> "Iterator[Games]":
        return (self[row] for row in range(len(self)))

    def __add__(self, other: "Games") -> "Games":
        return join_games([self, other]) if isinstance(other, Games) else NotImplemented

    def __repr__(self) -> str:
        return f"<Games: {len(self)}, {len(self._arrays.moves)} moves>"

    def _rows(self, rows: Any) -> NDArray[np.int64]:
        """int64[m]: the games meant. Raises IndexError, TypeError."""
        is_number = isinstance(rows, (int, np.integer)) and not isinstance(rows, bool)
        return np.atleast_1d(np.arange(len(self))[operator.index(rows) if is_number else as_rows(rows)])

    def _annotations(self, values: NDArray[np.float32] | None) -> NDArray[np.float32]:
        return np.full(len(self._arrays.moves), np.nan, np.float32) if values is None else _fixed(values)


def _fixed(array: NDArray[Any]) -> NDArray[Any]:
    """The array, not to be written to: positions are replayed from moves that are legal."""
    view = array.view()
    view.flags.writeable = False
    return view


def _take(arrays: GameArrays, rows: NDArray[np.int64]) -> GameArrays:
    chosen, offsets = take_ranges(arrays.offsets, rows)
    return GameArrays(
        moves=arrays.moves[chosen],
        clocks=None if arrays.clocks is None else arrays.clocks[chosen],
        evals=None if arrays.evals is None else arrays.evals[chosen],
        packed=None if arrays.packed is None else arrays.packed[chosen],
        offsets=offsets,
        setups=arrays.setups,
        setup_rows=arrays.setup_rows[rows],
        results=arrays.results[rows],
        numbers=arrays.numbers[rows],
        faults=arrays.faults[rows],
        fault_lines=arrays.fault_lines[rows],
        fault_texts=arrays.fault_texts.take(rows),
        columns={name: column.take(rows) for name, column in arrays.columns.items()},
    )


def no_games(names: Iterable[str]) -> Games:
    """None, with the columns of some tags."""
    none = np.zeros(0, np.int64)
    column = Column(np.zeros(0, np.uint8), np.zeros(1, np.int64), np.zeros(0, np.bool_))
    return Games(
        GameArrays(
            moves=np.zeros(0, np.uint16),
            clocks=None,
            evals=None,
            packed=np.zeros(0, PACKED),
            offsets=np.zeros(1, np.int64),
            setups=usual_position(),
            setup_rows=none,
            results=none,
            numbers=none,
            faults=none,
            fault_lines=none,
            fault_texts=column,
            columns=dict.fromkeys(names, column),
        )
    )


def join_games(parts: list[Games]) -> Games:
    """Games put one behind the other. Those tags are kept that all have been asked for."""
    arrays = [part._arrays for part in parts]
    names = [name for name in arrays[0].columns if all(name in part.columns for part in arrays)]
    return Games(
        GameArrays(
            moves=np.concatenate([part.moves for part in arrays]),
            clocks=_join_annotations([(part.clocks, len(part.moves)) for part in arrays]),
            evals=_join_annotations([(part.evals, len(part.moves)) for part in arrays]),
            packed=_join_packed([part.packed for part in arrays]),
            offsets=join_offsets([part.offsets for part in arrays]),
            setups=np.concatenate([arrays[0].setups[:1], *(part.setups[1:] for part in arrays)]),
            setup_rows=_join_rows(arrays),
            results=np.concatenate([part.results for part in arrays]),
            numbers=np.concatenate([part.numbers for part in arrays]),
            faults=np.concatenate([part.faults for part in arrays]),
            fault_lines=np.concatenate([part.fault_lines for part in arrays]),
            fault_texts=join_columns([part.fault_texts for part in arrays]),
            columns={name: join_columns([part.columns[name] for part in arrays]) for name in names},
        )
    )


def _join_annotations(parts: list[tuple[NDArray[np.float32] | None, int]]) -> NDArray[np.float32] | None:
    if all(values is None for values, _ in parts):
        return None
    return np.concatenate(
        [np.full(length, np.nan, np.float32) if values is None else values for values, length in parts]
    )


def _join_packed(parts: list[NDArray[Any] | None]) -> NDArray[Any] | None:
    known = [packed for packed in parts if packed is not None]
    return np.concatenate(known) if len(known) == len(parts) else None


def _join_rows(arrays: list[GameArrays]) -> NDArray[np.int64]:
    """Rows of the setups put one behind the other: the usual one, which all begin with, stands there once."""
    rows, before = [], 0
    for part in arrays:
        rows.append(np.where(part.setup_rows > 0, part.setup_rows + before, 0))
        before += len(part.setups) - 1
    return np.concatenate(rows)
