"""Positions about which all boards, python-chess and Stockfish must agree, with slow twins as the judges."""

from collections.abc import Iterable
from random import Random
from typing import ClassVar, Final

import chess
import numpy as np

from ox88 import zobrist
from ox88.apps.bench.perft import StockfishPerft, find_stockfish
from ox88.bitboard import attacks, position
from ox88.bitboard.moves import do_move, undo_move
from ox88.bitboard.records import UNDO, make_record
from ox88.bitboard.see import see, see_ge
from ox88.bitboard.tables import board_tables
from ox88.mailbox import attacks as mailbox_attacks
from ox88.mailbox import position as mailbox
from ox88.mailbox.records import tables as mailbox_tables
from ox88.perft import BOARDS, Perft
from ox88.types import Ox88Error, Setup, to_uci
from tests.bitboard import naive
from tools.proof.campaign import Campaign, FailureError, Tally

PERFT_EVERY: Final = 49  # One position in so many is counted to PERFT_DEPTH; odd, so that half of these are Chess960.
PERFT_DEPTH: Final = 5


class Stockfish(StockfishPerft):
    """Tells of checks as well."""

    def checkers(self, fen: str) -> list[str]:
        """The squares of the pieces that give check. Raises Ox88Error."""
        self._commands.write(f"position fen {fen}\nd\n")
        for line in self._answers:
            title, _, squares = line.partition(":")
            if title == "Checkers":
                return squares.split()
        raise Ox88Error(f"Stockfish has ended while it showed {fen}")


class Equals(Campaign):
    """A case is a position of a random game with many captures, castlings and promotions; half are Chess960."""

    goal: ClassVar = 100_000
    block: ClassVar = 1000
    watched: ClassVar = True
    most_seconds: ClassVar = 600.0  # To count a position to PERFT_DEPTH on three boards.
    most_waiting: ClassVar = 600.0  # For Stockfish to count it.

    def __init__(self) -> None:
        """Raises Ox88Error without Stockfish."""
        command = find_stockfish()
        if command is None:
            raise Ox88Error("Stockfish is not installed: it is one of the judges")
        self._stockfish = Stockfish(command)

    def run(self, case: int, seed: int, tally: Tally) -> None:
        board = position_of(case, seed)
        setup = naive.to_setup(board)
        same_moves(setup, board, self._stockfish, tally)
        same_checks(setup, board, self._stockfish)
        same_keys(setup, board, tally)
        same_exchanges(setup, board, tally)
        if case % PERFT_EVERY == 0:
            same_counts(setup, board, self._stockfish, tally)


def position_of(case: int, seed: int) -> chess.Board:
    """The position of a case. Each game gives one, so that no two cases are near each other."""
    game = [board for board, _ in naive.random_game(seed << 32 | case)]
    return Random(f"{seed} {case}").choice(game)  # noqa: S311 - No secrets.


def same_moves(setup: Setup, board: chess.Board, stockfish: StockfishPerft, tally: Tally) -> None:
    expected = naive.legal_moves(board)
    for name in BOARDS:
        found = sorted(Perft(setup, name).divide(1))
        if found != expected:
            raise _different(board, f"legal moves of {name}", _texts(found), _texts(expected))
    words = sorted(stockfish.divide(board.shredder_fen(), 1))
    if words != (own := _texts(expected)):
        raise _different(board, "legal moves of Stockfish", words, own)
    tally.counts["legal moves, on three boards, by python-chess and by Stockfish"] += len(expected)


def same_checks(setup: Setup, board: chess.Board, stockfish: Stockfish) -> None:
    """The rotated bitboards find checks by the code of the others."""
    found = int(attacks.checkers(position.make_position(setup), board_tables()))
    if found != int(board.checkers()):
        raise _different(board, "checkers", chess.SquareSet(found), board.checkers())
    if bool(mailbox_attacks.is_check(mailbox.make_position(setup), mailbox_tables())) != board.is_check():
        raise _different(board, "check on the 0x88 board", not board.is_check(), board.is_check())
    names = [chess.square_name(square) for square in board.checkers()]
    if (told := sorted(stockfish.checkers(board.shredder_fen()))) != sorted(names):
        raise _different(board, "checkers of Stockfish", told, sorted(names))


def same_keys(setup: Setup, board: chess.Board, tally: Tally) -> None:
    """A key is the same on both boards, and a move on the bitboards changes it to that of the position after it."""
    made, expected = position.make_position(setup), zobrist.key_of(setup)
    for name, found in (("bitboard", made.key), ("mailbox", mailbox.make_position(setup).key)):
        if int(found) != expected:
            raise _different(board, f"key of {name}", int(found), expected)
    undo, before = make_record(UNDO), made.tobytes()
    for move in board.legal_moves:
        after = board.copy(stack=False)
        after.push(move)
        do_move(made, board_tables(), undo, np.int64(naive.to_int(board, move)))
        if int(made.key) != (key := zobrist.key_of(naive.to_setup(after))):
            raise _different(board, f"key after {move.uci()}", int(made.key), key)
        undo_move(made, undo)
        if made.tobytes() != before:
            raise FailureError(f"{board.shredder_fen()}: {move.uci()} was not taken back whole")
        tally.counts["keys after a move, by the bitboard"] += 1


def same_exchanges(setup: Setup, board: chess.Board, tally: Tally) -> None:
    made = position.make_position(setup)
    for move in board.legal_moves:
        number, expected = np.int64(naive.to_int(board, move)), naive.see(board, move)
        if (found := int(see(made, board_tables(), number))) != expected:
            raise _different(board, f"exchange {move.uci()}", found, expected)
        for threshold in (0, expected, expected + 1):
            if bool(see_ge(made, board_tables(), number, np.int64(threshold))) != (expected >= threshold):
                raise _different(board, f"exchange {move.uci()} >= {threshold}", expected < threshold, expected)
        tally.counts["exchanges, by a slow twin"] += 1


def same_counts(setup: Setup, board: chess.Board, stockfish: StockfishPerft, tally: Tally) -> None:
    """Perft of each root move."""
    expected = stockfish.divide(board.shredder_fen(), PERFT_DEPTH)
    for name in BOARDS:
        counts = Perft(setup, name).divide(PERFT_DEPTH)
        found = {to_uci(move, chess960=True): count for move, count in counts.items()}
        if found != expected:
            raise _different(board, f"perft {PERFT_DEPTH} of {name}", found, expected)
    tally.counts[f"positions counted to depth {PERFT_DEPTH}, beside Stockfish"] += 1
    tally.counts[f"their leaves, on each of {len(BOARDS)} boards"] += sum(expected.values())


def _different(board: chess.Board, what: str, found: object, expected: object) -> FailureError:
    return FailureError(f"{board.shredder_fen()}: {what}: {found}, expected {expected}")


def _texts(moves: Iterable[int]) -> list[str]:
    return sorted(to_uci(move, chess960=True) for move in moves)
