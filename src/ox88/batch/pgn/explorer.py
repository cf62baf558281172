"""`Explorer`: what was played in a position, over many games."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn import index
from ox88.batch.pgn.game_text import read_text
from ox88.batch.pgn.games import Games
from ox88.batch.pgn.index import PgnFile, default_root, games_of, open_folder
from ox88.batch.pgn.openings import names_of_keys
from ox88.batch.pgn.records import BLACK_WINS, DRAW, WHITE_WINS
from ox88.batch.positions.positions import Positions
from ox88.convert import from_chess_board, to_chess_board
from ox88.errors import Ox88Error
from ox88.fen import STARTPOS
from ox88.rules import parse_move
from ox88.setup import Setup, parse_fen
from ox88.types import NO_MOVE

Place = str | chess.Board | Setup
FilePath = str | os.PathLike[str]

_GAMES_A_RUN: Final = 4096
_NUMBERS_AND_MARKS: Final = re.compile(r"(?:^|(?<=\s))\d+\.+|[!?]+(?=\s|$)")


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """How the games ended that reached a position, or in which a move was played there.

    Attributes:
        games: int64[count], the rows of these games in `Explorer.games`, those of the best rated players first.
        count: The number of games. A game without a result counts here alone.
        white: The number of games that White has won; `draws` and `black` are the others.
        rating: The average rating of the players to move; None if no game has one.
        date: The last date, such as 2024.05.12 or 2024; "" if no game has one.
        opening: Code and name of the position's opening, or of that after the move; "" if it has no name.
    """

    games: NDArray[np.int64] = field(repr=False)
    white: int
    draws: int
    black: int
    rating: float | None
    date: str
    opening: str

    @property
    def count(self) -> int:
        return len(self.games)


@dataclass(frozen=True, slots=True, eq=False)
class PlayedMove(Played):
    """A move that was played in a position. san and uci: such as Nf3 and g1f3."""

    san: str
    uci: str


@dataclass(frozen=True, slots=True, eq=False)
class PlayedHere(Played):
    """What was played in a position. moves: the most frequent one first; a game that ends here adds none."""

    moves: list[PlayedMove] = field(repr=False)


class Explorer:
    """What was played in each position of many games: `explorer["1. e4 c5"]` is a PlayedHere.

    A position is the one before a move: a chess.Board, a Setup, a FEN, or the moves to it from the start position, in
    SAN or UCI's notation. Positions count as equal as in `Games.repetitions`, so the order of the moves before does
    not matter. A game counts once for a position, with the move that followed the first time. Of a game with an error
    the moves before it count. Positions are compared by 64-bit keys: in ten million of them, another one is found by
    mistake once in a trillion questions.

    Args:
        games: Games, or the paths of PGN files, or one path. Their index is kept in `folder`, so that it is made once,
            and anew when a file has changed. Games have ratings if they were read with the headers WhiteElo and
            BlackElo.
        folder: Where to keep the index of files; by default in the user's cache folder.
        progress: Is called now and then with the share that is done, 0 to 1, while an index of files is made.
        threads: Number of threads; all cores by default.

    Attributes:
        games: All games, as `read_pgn` returns them; games of files have no clocks and evaluations.

    Raises:
        FileNotFoundError: There is no such file.
        Ox88Error: A file cannot be read or has no game, or the index cannot be kept in the folder.
        TypeError: `games` are neither Games nor paths.
    """

    def __init__(
        self,
        games: Games | FilePath | Iterable[FilePath],
        *,
        folder: FilePath | None = None,
        progress: Callable[[float], object] | None = None,
        threads: int | None = None,
    ) -> None:
        self._files: list[PgnFile] = []
        if isinstance(games, Games):
            arrays, found = games._arrays, np.arange(len(games))
            starts = range(0, max(len(games), 1), _GAMES_A_RUN)
            runs = [index.find_rows(arrays.take(found[start : start + _GAMES_A_RUN]), start) for start in starts]
            self._keys, self._rows, self._moves = index.join_runs(runs, threads)
            self.games: Games = games
            self._facts = index.find_facts(arrays)
            return
        paths = [games] if isinstance(games, (str, os.PathLike)) else games
        files = list(dict.fromkeys(map(PgnFile.of, paths)))  # A file that is named twice counts once.
        root = default_root() if folder is None else Path(folder)
        loaded, self._files = open_folder(files, root, progress, threads)
        self._keys, self._rows, self._moves = (loaded[f"rows.{name}"] for name in index.ROW.names or ())
        self.games, self._facts = games_of(loaded, self._files), loaded["facts"]

    def __getitem__(self, place: Place) -> PlayedHere:
        """What was played in a position. Raises Ox88Error if it, or a move to it, is illegal."""
        position = _position(place)
        first, end = (int(np.searchsorted(self._keys, position.key[0], side)) for side in ("left", "right"))
        rows, moves = self._rows[first:end].astype(np.int64), self._moves[first:end]
        facts = self._facts.take(rows, axis=1)  # Several times faster than an index.
        best_first = np.argsort(
            (0xFFFF - facts[index.WHITE_RATING] - facts[index.BLACK_RATING]).astype(np.uint16), kind="stable"
        )
        by_move = best_first[np.argsort(moves[best_first], kind="stable")]
        counts = np.bincount(moves, minlength=index.END + 1)
        starts = np.cumsum(counts) - counts  # In by_move.
        counts[index.END] = 0
        numbers = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)].astype(np.uint16)
        every = Positions._of(np.repeat(position.records, len(numbers)))
        keys = np.append(every.push(numbers, null_moves=True, threads=1).key, position.key)
        *openings, opening = _openings(keys)
        texts = zip(numbers, openings, _sans(every, numbers), every.format_uci(numbers), strict=True)
        of_moves, turn = facts.take(by_move, axis=1), int(position.turn[0])
        played = []
        for number, name, san, uci in texts:
            part = slice(starts[number], starts[number] + counts[number])
            tally = _tally(rows[by_move[part]], of_moves[:, part], turn)
            played.append(PlayedMove(**tally, opening=name, san=san, uci=uci))
        return PlayedHere(**_tally(rows[best_first], facts, turn), opening=opening, moves=played)

    def pgn(self, game: int) -> str:
        """The text of a game in its file, with comments and variations; `game` is its row in `games`.

        Raises:
            IndexError: There is no such game.
            Ox88Error: The file has changed or is gone, or the games come from no file.
        """
        file = self.file_of(game)
        if PgnFile.of(file)[:3] not in (known[:3] for known in self._files):
            raise Ox88Error(f"{file.name} has changed since its index was made")
        return read_text(file, int(self.games.numbers[game]))

    def file_of(self, game: int) -> Path:
        """The file of a game, by its row in `games`. Raises IndexError, or Ox88Error if the games come from no file."""
        if not 0 <= game < len(self.games):
            raise IndexError(f"there is no game {game}: there are {len(self.games)}, from 0 on")
        if not self._files:
            raise Ox88Error("the games come from no file: games[row].to_pgn() writes one")
        return Path(next(file.path for file in self._files if game < file.games))

    def __len__(self) -> int:
        return len(self.games)

    def __repr__(self) -> str:
        return f"<Explorer: {len(self.games):,} games, {len(self._keys):,} positions>"


def _tally(rows: NDArray[np.int64], facts: NDArray[np.int32], turn: int) -> dict[str, Any]:
    """The fields of Played but for the opening. turn: the side to move."""
    results = np.bincount(facts[index.RESULT], minlength=4)
    ratings = facts[index.WHITE_RATING + turn]
    rated = ratings[ratings > 0]
    return {
        "games": rows,
        "white": int(results[WHITE_WINS]),
        "draws": int(results[DRAW]),
        "black": int(results[BLACK_WINS]),
        "rating": float(rated.mean()) if len(rated) else None,
        "date": index.format_date(int(facts[index.DATE].max(initial=0))),
    }


# --- Positions --------------------------------------------------------------------------------------------------------


def read_line(text: str, start: str = STARTPOS) -> chess.Board:
    """The board after moves such as 1. e4 c5 2. Nf3, with or without numbers. Raises Ox88Error."""
    board = to_chess_board(parse_fen(start).check())
    for word in _NUMBERS_AND_MARKS.sub(" ", text).split():
        board.push(parse_move(word, board))
    return board


def _position(place: Any) -> Positions:
    if isinstance(place, str):
        is_fen = "/" in place.partition(" ")[0] or place == "startpos"
        place = parse_fen(place) if is_fen else read_line(place)
    if isinstance(place, chess.Board):
        place = from_chess_board(place)
    if not isinstance(place, Setup):
        kinds = "a chess.Board, a Setup, a FEN or moves from the start position"
        raise TypeError(f"the position is of type {type(place).__name__}: {kinds} are expected")
    return Positions([place.check()])


def _sans(positions: Positions, moves: NDArray[np.uint16]) -> list[str]:
    """The SAN of each move, and -- for a null move."""
    sans = np.full(len(moves), "--", np.object_)
    real = moves != NO_MOVE
    sans[real] = positions[real].format_san(moves[real], threads=1)
    return list(sans)


def _openings(keys: NDArray[np.uint64]) -> list[str]:
    """Codes and names of the openings of positions, "" for one without a name."""
    return [f"{eco} {name}".strip() for eco, name in zip(*names_of_keys(keys), strict=True)]
