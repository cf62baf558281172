"""The openings of a match: from a PGN or EPD file in an order that a seed fixes, random moves, or none."""

import hashlib
import io
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import chess
import chess.pgn

from ox88.apps.streams import label
from ox88.convert import clean_fen_tag
from ox88.errors import Ox88Error
from ox88.setup import format_fen, parse_epd

RANDOM_PLIES: Final = 8
_SUFFIXES: Final = (".pgn", ".epd", ".fen", ".txt")  # The files that are read from a zip archive.
_BLOCK: Final = 1 << 20  # Bytes.
_TAG: Final = re.compile(r'\[[A-Za-z0-9_]+\s+"')
_CHESS960_POSITIONS: Final = 960
_CHECKED: Final = 500  # Openings that are checked before a match begins. Later ones are checked when they are played.


@dataclass(frozen=True, slots=True)
class Opening:
    """A start position and moves in UCI's notation. fen: empty for the usual start position."""

    fen: str = ""
    moves: tuple[str, ...] = ()
    chess960: bool = False

    def board(self) -> chess.Board:
        """The position after the moves, which are on the board's stack."""
        board = chess.Board(self.fen or chess.STARTING_FEN, chess960=self.chess960)
        for move in self.moves:
            board.push_uci(move)
        return board


class OpeningFile:
    """The openings of a file, in an order that depends on the seed; after the last comes the first again.

    path: the file. name: for people. identity: equal in two books if all their openings are equal.
    """

    def __init__(self, path: Path, seed: int, chess960: bool = False) -> None:
        """Raises Ox88Error if the file cannot be read or has no opening, or if one of the first cannot be used."""
        from ox88.batch.pgn.files import CutOffError, read_texts

        self.path = path
        self.name = f"{label(path.name)}, seed {seed}{' (Chess960)' if chess960 else ''}"
        self._chess960 = chess960
        try:
            data = b"\n".join(b"".join(blocks) for blocks in read_texts(path, _BLOCK, _SUFFIXES))
        except CutOffError as error:
            raise Ox88Error(f"the openings {path} are incomplete or damaged: {error}") from None
        self.identity = f"book {hashlib.sha256(data).hexdigest()}, seed {seed}, chess960 {chess960}"
        lines = data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._is_pgn = any(_TAG.match(line) for line in lines[:100])
        if self._is_pgn:
            from ox88.batch.pgn.game_text import split_games  # It imports the compiler, which workers do not need.

            self._texts = [(number, game.text) for number, game in enumerate(split_games(data), 1)]
        else:
            numbered = ((number, line.strip()) for number, line in enumerate(lines, 1))
            self._texts = [(number, line) for number, line in numbered if line and not line.startswith("#")]
        if not self._texts:
            raise Ox88Error(f"{path} holds no opening: expected games (PGN) or positions (EPD, FEN)")
        random.Random(seed).shuffle(self._texts)  # noqa: S311 - An order, no secret.
        for number in range(min(len(self._texts), _CHECKED)):
            self.opening(number)

    def opening(self, number: int) -> Opening:
        """Raises Ox88Error if the opening cannot be used."""
        place, text = self._texts[number % len(self._texts)]
        try:
            return _read_game(text, self._chess960) if self._is_pgn else _read_line(text, self._chess960)
        except (ValueError, IndexError) as error:
            name = f"game {place}" if self._is_pgn else f"line {place}"
            raise Ox88Error(f"{self.path}: {name} is not an opening: {label(str(error))}") from None


class RandomOpenings:
    """Random moves from the start position, or in Chess960 from a random start position."""

    def __init__(self, seed: int, plies: int = RANDOM_PLIES, chess960: bool = False) -> None:
        self._seed = seed
        self._plies = plies
        self._chess960 = chess960
        self.identity = f"random {plies}, seed {seed}, chess960 {chess960}"
        if plies:
            self.name = f"{plies} random plies, seed {seed}{' (Chess960)' if chess960 else ''}"
        else:
            self.name = f"the starts of Chess960, seed {seed}" if chess960 else "the start"

    def opening(self, number: int) -> Opening:
        chance = random.Random(f"{self._seed} {number}")  # noqa: S311 - A game, no secret.
        while True:
            start = chance.randrange(_CHESS960_POSITIONS) if self._chess960 else None
            board = chess.Board() if start is None else chess.Board.from_chess960_pos(start)
            fen = board.fen() if self._chess960 else ""
            for _ in range(self._plies):
                moves = sorted(board.legal_moves, key=str)
                if not moves:
                    break
                board.push(chance.choice(moves))
            if not board.is_game_over() and not board.is_check():
                return Opening(fen, tuple(board.uci(move) for move in board.move_stack), self._chess960)


Openings = OpeningFile | RandomOpenings  # Each number from 0 on has an opening, the same in every run.


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    def end_headers(self) -> None:
        clean_fen_tag(self.game.headers)


def _read_game(text: str, chess960: bool) -> Opening:
    game: chess.pgn.Game | None = chess.pgn.read_game(io.StringIO(text), Visitor=_Builder)
    if game is None:
        raise ValueError("it has no moves")
    if game.errors:
        raise ValueError(str(game.errors[0]))
    board = game.board()
    if board.uci_variant != "chess":
        raise ValueError(f"it is a game of {board.uci_variant}, not of chess")
    fen = board.fen(en_passant="fen")
    fen = "" if fen == chess.STARTING_FEN else fen
    moves = []
    for move in game.mainline_moves():
        moves.append(board.uci(move, chess960=chess960))
        board.push(move)
    return _checked(Opening(fen, tuple(moves), chess960 or board.chess960))


def _read_line(text: str, chess960: bool) -> Opening:
    """A line with the six fields of FEN, or the four fields of EPD and operations."""
    setup = parse_epd(text)[0].check()
    return _checked(Opening(format_fen(setup), (), chess960 or setup.is_chess960()))


def _checked(opening: Opening) -> Opening:
    if "0000" in opening.moves:
        raise ValueError("an opening cannot have a null move")
    if opening.board().is_game_over():
        raise ValueError("the game is over there")
    return opening
