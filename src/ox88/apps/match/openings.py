"""Where games begin: openings from PGN or EPD files, plain or zipped, drawn in an order that a seed fixes."""

import hashlib
import io
import lzma
import random
import re
import zipfile
import zlib
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import chess
import chess.pgn

from ox88.apps.labels import label
from ox88.convert import from_chess_board
from ox88.fen import format_fen, parse_epd
from ox88.types import Ox88Error

RANDOM_PLIES: Final = 8
_ENDINGS: Final = (".pgn", ".epd", ".fen", ".txt")
_TAG: Final = re.compile(r'\[[A-Za-z0-9_]+\s+"')
_MARK: Final = re.compile("[{};]")
_BOARDS: Final = 960
_CHECKED: Final = 500  # Openings that are read before a match begins; of larger books the others in their turn.
_UNREADABLE: Final = (OSError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, RuntimeError, EOFError, ValueError)


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

    identity: str  # What differs where the openings do.

    @abstractmethod
    def opening(self, number: int) -> Opening:
        """Raises Ox88Error where there is something wrong with it."""


class Book:
    """The openings of a file, in an order that the seed fixes; after the last the first comes again."""

    def __init__(self, path: Path, seed: int, chess960: bool = False) -> None:
        """Raises Ox88Error for a file that cannot be read, holds no opening, or has a wrong one among the first."""
        self._path = path
        self._chess960 = chess960
        text = _read_text(path)
        self.identity = f"book {hashlib.sha256(text.encode()).hexdigest()}, seed {seed}, chess960 {chess960}"
        self._is_pgn = any(_TAG.match(line) for line in text.split("\n")[:100])
        self._texts = split_games(text) if self._is_pgn else _lines(text)
        if not self._texts:
            raise Ox88Error(f"{path} holds no opening: games (PGN) or positions (EPD, FEN) are expected")
        random.Random(seed).shuffle(self._texts)  # noqa: S311 - An order, no secret.
        for number in range(min(len(self._texts), _CHECKED)):
            self.opening(number)

    def opening(self, number: int) -> Opening:
        text = self._texts[number % len(self._texts)]
        try:
            return _of_game(text, self._chess960) if self._is_pgn else _of_line(text, self._chess960)
        except (ValueError, IndexError) as error:
            shown = label(text[:200])[:100]
            raise Ox88Error(f"{self._path}: the opening {shown!r} cannot be used: {label(str(error))}") from None


class RandomOpenings:
    """A few random moves from the start; in Chess960 from one of its starts."""

    def __init__(self, seed: int, plies: int = RANDOM_PLIES, chess960: bool = False) -> None:
        self._seed = seed
        self._plies = plies
        self._chess960 = chess960
        self.identity = f"random {plies}, seed {seed}, chess960 {chess960}"

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

    identity = "start"

    def opening(self, number: int) -> Opening:  # noqa: ARG002 - There is but one.
        return Opening()


def split_games(text: str) -> list[str]:
    """The texts of a PGN file's games: a line that begins with a bracket, after moves and in no comment, begins one."""
    games: list[list[str]] = []
    in_moves, in_comment = True, False
    for line in text.split("\n"):
        if line.startswith("[") and not in_comment:
            if in_moves:
                games.append([])
            in_moves = False
        elif line.strip() and not (line.startswith("%") and not in_comment):
            in_moves, in_comment = True, _ends_in_comment(line, in_comment)
        if games:
            games[-1].append(line)
    return ["\n".join(game) for game in games]


def _ends_in_comment(line: str, in_comment: bool) -> bool:
    """Whether a comment in braces goes on behind a line of moves; in_comment: whether one does before it."""
    for mark in _MARK.findall(line):
        if mark == ";" and not in_comment:
            return False
        if mark != ";":
            in_comment = mark == "{"
    return in_comment


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip() and not line.startswith("#")]


def _of_game(text: str, chess960: bool) -> Opening:
    game = chess.pgn.read_game(io.StringIO(text))
    if game is None:
        raise ValueError("it has no moves")
    if game.errors:
        raise ValueError(str(game.errors[0]))
    board = game.board()
    if board.uci_variant != "chess":
        raise ValueError(f"it is no game of chess, but of {board.uci_variant}")
    from_chess_board(board).check()
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
    setup = parse_epd(text)[0].check()
    return _checked(Opening(format_fen(setup), (), chess960 or setup.is_chess960()))


def _checked(opening: Opening) -> Opening:
    if "0000" in opening.moves:
        raise ValueError("a null move is no move of a game")
    if opening.board().is_game_over():
        raise ValueError("the game is over there")
    return opening


def _read_text(path: Path) -> str:
    try:
        data = path.read_bytes()
        if zipfile.is_zipfile(io.BytesIO(data)):
            data = _unzipped(data)
    except _UNREADABLE as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise Ox88Error(f"the openings {path} cannot be read: {reason}") from None
    return data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n")


def _unzipped(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names: Sequence[str] = [name for name in archive.namelist() if Path(name).suffix.lower() in _ENDINGS]
        if not names:
            raise OSError(f"in it is no file {', '.join(_ENDINGS)}")
        return archive.read(names[0])
