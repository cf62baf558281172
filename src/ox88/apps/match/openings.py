"""Where games begin: openings from PGN or EPD files, plain or zipped, drawn in an order that a seed fixes."""

import io
import random
import re
import zipfile
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import chess
import chess.pgn

from ox88.types import Ox88Error

RANDOM_PLIES: Final = 8
_ENDINGS: Final = (".pgn", ".epd", ".fen", ".txt")
_TAG: Final = re.compile(r'\[[A-Za-z0-9_]+\s+"')
_BOARDS: Final = 960


@dataclass(frozen=True, slots=True)
class Opening:
    """A position, as the moves to it from a start. fen: empty for the usual start. moves: in UCI's notation."""

    fen: str = ""
    moves: tuple[str, ...] = ()
    chess960: bool = False

    def board(self) -> chess.Board:
        """The position, with the moves to it on its stack."""
        board = chess.Board(self.fen or chess.STARTING_FEN, chess960=self.chess960)
        for move in self.moves:
            board.push_uci(move)
        return board


class Openings(Protocol):
    """As many openings as a match may want: each number from 0 on names one, the same in every run."""

    @abstractmethod
    def opening(self, number: int) -> Opening:
        """Raises Ox88Error where there is something wrong with it."""


class Book:
    """The openings of a file, in an order that the seed fixes; after the last the first comes again."""

    def __init__(self, path: Path, seed: int, chess960: bool = False) -> None:
        """Raises Ox88Error for a file that cannot be read, or holds no opening."""
        self._path = path
        self._chess960 = chess960
        text = _read_text(path)
        self._is_pgn = any(_TAG.match(line) for line in text.splitlines()[:100])
        self._texts = split_games(text) if self._is_pgn else _lines(text)
        if not self._texts:
            raise Ox88Error(f"{path} holds no opening: games (PGN) or positions (EPD, FEN) are expected")
        random.Random(seed).shuffle(self._texts)  # noqa: S311 - An order, no secret.
        self.opening(0)

    def opening(self, number: int) -> Opening:
        text = self._texts[number % len(self._texts)]
        try:
            return _of_game(text, self._chess960) if self._is_pgn else _of_line(text, self._chess960)
        except (ValueError, IndexError) as error:
            shown = " ".join(text.split())[:120]
            raise Ox88Error(f"{self._path}: the opening {shown!r} cannot be used: {error}") from None


class RandomOpenings:
    """A few random moves from the start; in Chess960 from one of its starts."""

    def __init__(self, seed: int, plies: int = RANDOM_PLIES, chess960: bool = False) -> None:
        self._seed = seed
        self._plies = plies
        self._chess960 = chess960

    def opening(self, number: int) -> Opening:
        chance = random.Random(f"{self._seed} {number}")  # noqa: S311 - A game, no secret.
        while True:
            board = chess.Board.from_chess960_pos(chance.randrange(_BOARDS)) if self._chess960 else chess.Board()
            fen = board.fen() if self._chess960 else ""
            for _ in range(self._plies):
                moves = sorted(board.legal_moves, key=str)
                if not moves:
                    break
                board.push(chance.choice(moves))
            if not board.is_game_over() and not board.is_check():
                return Opening(fen, tuple(board.uci(move) for move in board.move_stack), self._chess960)


class StartPosition:
    """The start position alone, for engines that vary by themselves."""

    def opening(self, number: int) -> Opening:  # noqa: ARG002 - There is but one.
        return Opening()


def split_games(text: str) -> list[str]:
    """The texts of a PGN file's games: a tag after moves begins another."""
    games: list[list[str]] = []
    in_moves = True
    for line in text.splitlines():
        is_tag = _TAG.match(line) is not None
        if is_tag and in_moves:
            games.append([])
        in_moves = (in_moves and not is_tag) or bool(line.strip() and not is_tag)
        if games:
            games[-1].append(line)
    return ["\n".join(game) for game in games]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _of_game(text: str, chess960: bool) -> Opening:
    game = chess.pgn.read_game(io.StringIO(text))
    if game is None:
        raise ValueError("it has no moves")
    if game.errors:
        raise ValueError(str(game.errors[0]))
    board = game.board()
    fen = "" if board.fen() == chess.STARTING_FEN else board.fen()
    moves = tuple(board.uci(move, chess960=chess960) for move in _pushed(board, game.mainline_moves()))
    return _checked(Opening(fen, moves, chess960 or board.chess960))


def _pushed(board: chess.Board, moves: Iterable[chess.Move]) -> Iterable[chess.Move]:
    """Each move while the board stands before it."""
    for move in moves:
        yield move
        board.push(move)


def _of_line(text: str, chess960: bool) -> Opening:
    """A line of FEN's six fields, or of EPD's four with operations behind them."""
    fields = text.split()
    if len(fields) >= 6 and fields[4].isdecimal() and fields[5].isdecimal():
        return _checked(Opening(" ".join(fields[:6]), (), chess960))
    return _checked(Opening(" ".join(fields[:4]) + " 0 1", (), chess960))


def _checked(opening: Opening) -> Opening:
    board = opening.board()
    if not board.is_valid():
        raise ValueError("the position is illegal")
    if board.is_game_over():
        raise ValueError("the game is over there")
    return opening


def _read_text(path: Path) -> str:
    try:
        data = _unzipped(path) if zipfile.is_zipfile(path) else path.read_bytes()
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Ox88Error(f"the openings {path} cannot be read: {reason}") from None
    return data.decode("utf-8", errors="replace")


def _unzipped(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        names: Sequence[str] = [name for name in archive.namelist() if Path(name).suffix.lower() in _ENDINGS]
        if not names:
            raise Ox88Error(f"the openings {path} cannot be read: in it is no file {', '.join(_ENDINGS)}")
        return archive.read(names[0])
