"""The state of micro-Max and its two root calls, think and make a move: the listing's `main()` without the printing.

A `Machine` plays by the listing's own rules and knows no others; `driver.py` adds the rules of chess.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.engines.base import EngineError
from ox88.engines.micromax import search as listing
from ox88.fen import STARTPOS
from ox88.setup import Setup, parse_fen
from ox88.types import (
    KIND_NAMES,
    KING,
    PAWN,
    WHITE,
    from_listing,
    make_piece,
    piece_colour,
    piece_kind,
    square_name,
    to_listing,
)

NODE_LIMIT = 10_000_000
ENDLESS = 1 << 62  # Nodes; no search gets there.
DEPTH_LIMIT = 96  # The deepest iteration, as the listing prints depths.
KEY_BYTES = 1035
FIRST_RANDOM = 0x88  # The bytes before it stay 0, so that an empty square changes no key.
PIECE_SYMBOLS = ".?+nkbrq?*?NKBRQ"  # Indexed by piece & 15: White's pawn is *, Black's +.

_A8, _A1 = 0x00, 0x70  # The listing's squares.
_SIDES = (listing.WHITE, listing.BLACK)  # By colour.
_TYPES = dict(zip(KIND_NAMES[2:], (3, 5, 6, 7, 4), strict=True))
_CASTLING_KINGS = {0: 4, 7: 60}  # King's square by rank: micro-Max castles only from the e-file.


@dataclass(frozen=True, slots=True)
class Iteration:
    """A finished iteration as the listing prints it. Squares are a1 = 0; a8a8 means no move."""

    depth: int
    nodes: int
    score: int
    from_square: int
    to_square: int

    @property
    def move_text(self) -> str:
        return square_name(self.from_square) + square_name(self.to_square)


class Snapshot(NamedTuple):
    """Everything that a move changes, to undo it: the side to move, and fields of the record."""

    side: int
    board: bytes
    evaluation: int
    en_passant: int
    root_from: int
    root_to: int


class Machine:
    """One micro-Max. Its record holds the board and the hash table of 200 MB, which takes memory only as it fills.

    kernels: a module with the kernels `search` and `clear_table` for records of the type `dtype`.
    """

    def __init__(self, kernels: Any = listing, dtype: np.dtype[np.void] = listing.MICROMAX) -> None:
        self._kernels = kernels
        self.record: Any = np.zeros(1, dtype).view(np.recarray)[0]
        self.record.steps[:] = listing.STEPS
        self.record.first_step[:] = listing.FIRST_STEP
        self.record.piece_values[:] = listing.PIECE_VALUES
        self.record.key_words[:] = key_words()
        self.record.generation = 1
        self._table_is_used = False
        for file in range(8):
            for rank in range(8):
                self.record.board[16 * rank + file + listing.CENTRE] = int((file - 4) ** 2 + (rank - 3.5) ** 2)
        self.set_position(parse_fen(STARTPOS))

    def set_position(self, setup: Setup, evaluation: int | None = None) -> None:
        """Set up a position, with an empty table.

        evaluation: the listing's Q, for the side to move, with 99 for a pawn; the material balance by default.
        Raises IllegalPositionError, and EngineError for castling rights that micro-Max does not know.
        """
        _check_castling(setup.check())
        unmoved = setup.castling | {_CASTLING_KINGS[rook >> 3] for rook in setup.castling}
        board = self.record.board
        for square in range(64):
            piece = setup.board[square]
            virgin = listing.VIRGIN if square in unmoved else 0
            board[to_listing(square)] = listing_piece(piece) + virgin if piece else 0
        board[listing.DUMMY] = 0
        self.side = _SIDES[setup.turn]
        self.record.evaluation = material_balance(setup) if evaluation is None else evaluation
        passed = listing.DUMMY if setup.en_passant is None else to_listing(setup.en_passant)
        self.record.en_passant = _as_char(passed)
        self.record.root_from = self.record.root_to = self.record.stop = 0
        self.clear_table()

    def clear_table(self) -> None:
        """Empty the hash table. Skipped for an unused one: setting up a position must not compile anything."""
        if self._table_is_used:
            self._kernels.clear_table(self.record)
            self._table_is_used = False

    def think(self, nodes: int = NODE_LIMIT, depth: int = DEPTH_LIMIT) -> int:
        """Search for the side to move, and return the score. `root_move` returns the move.

        A new iteration starts while fewer than `nodes` nodes and fewer than `depth` plies are done.
        """
        record = self.record
        record.node_limit = min(nodes, ENDLESS)
        record.depth_limit = depth + 2
        record.nodes = record.log_length = record.aborted = 0
        board = record.board.copy()
        score = self._search(listing.THINK, 0)
        if record.aborted:
            record.board[:] = board
        return score

    def stop(self) -> None:
        """Stop a running search at once, from any thread. Setting up a position clears the stop flag."""
        self.record.stop = 1

    def make_move(self, from_square: int, to_square: int) -> bool:
        """Make a move if the listing finds it legal. Returns True if it was made."""
        record = self.record
        record.root_from = to_listing(from_square)
        record.root_to = to_listing(to_square)
        record.stop = record.aborted = 0
        made = self._search(listing.MAKE_MOVE, 2) == listing.INFINITY
        if made:
            record.en_passant = _as_char(int(record.en_passant))
            self.side = listing.BOTH_COLOURS - self.side
        return made

    def _search(self, call: int, depth: int) -> int:
        self._table_is_used = True
        window, keys = (-listing.INFINITY, listing.INFINITY), (1, 1)
        arguments = (self.side, *window, self.record.evaluation, *keys, self.record.en_passant, call, depth)
        return int(self._kernels.search(self.record, *map(np.int64, arguments)))

    def underpromote(self, square: int, kind: int) -> None:
        """Replace the queen to which a pawn has just promoted. An addition: the listing promotes to queens only."""
        code = _TYPES[KIND_NAMES[kind]]
        place = to_listing(square)
        self.record.board[place] = (self.record.board[place] & ~listing.TYPE_MASK) | code
        gain = listing.PAWN_VALUE * (listing.PIECE_VALUES[code] - 1)
        self.record.evaluation += listing.PROMOTION_GAIN - gain

    def root_move(self) -> tuple[int, int]:
        """From and to square (a1 = 0) of the best move of the last think; a8a8 means no move."""
        return from_listing(int(self.record.root_from)), from_listing(int(self.record.root_to))

    def en_passant_square(self) -> int | None:
        """The square that a pawn, or a castling king, has just passed; None if there is none."""
        square = int(self.record.en_passant)
        return None if square == _as_char(listing.DUMMY) else from_listing(square)

    def iterations(self, start: int = 0, end: int | None = None) -> list[Iteration]:
        """Iterations `start` to `end` (exclusive; default all finished) of the running or last think."""
        length = int(self.record.log_length) if end is None else end
        if length > listing.LOG_SIZE:
            raise EngineError(f"the log holds {listing.LOG_SIZE} iterations, not {length}")
        return [
            Iteration(
                *map(int, (line.depth, line.nodes, line.score, *map(from_listing, (line.best_from, line.best_to))))
            )
            for line in self.record.log[start:length]
        ]

    def snapshot(self) -> Snapshot:
        numbers = (int(self.record[name]) for name in Snapshot._fields[2:])
        return Snapshot(self.side, self.record.board.tobytes(), *numbers)

    def restore(self, snapshot: Snapshot) -> None:
        self.side = snapshot.side
        self.record.board[:] = np.frombuffer(snapshot.board, np.int8)
        for name in Snapshot._fields[2:]:
            self.record[name] = getattr(snapshot, name)

    def board_text(self) -> str:
        """The board as the listing prints it."""
        ranks = (self.record.board[square : square + 8] for square in range(_A8, _A1 + 1, 16))
        return "".join("".join(f" {PIECE_SYMBOLS[piece & 15]}" for piece in rank) + " \n" for rank in ranks)


def listing_piece(piece: int) -> int:
    """The listing's code for a piece of types.py, without the virgin bit."""
    colour, kind = piece_colour(piece), piece_kind(piece)
    if kind == PAWN:
        return _SIDES[colour] + (listing.WHITE_PAWN if colour == WHITE else listing.BLACK_PAWN)
    return _SIDES[colour] + _TYPES[KIND_NAMES[kind]]


def _check_castling(setup: Setup) -> None:
    for rook in setup.castling:
        king = make_piece(KING, piece_colour(setup.board[rook]))
        if setup.board[_CASTLING_KINGS[rook >> 3]] != king or rook & 7 not in (0, 7):
            raise EngineError(
                f"micro-Max cannot castle with the rook on {square_name(rook)}: "
                "it castles only with the king on the e-file and a rook in the corner"
            )


def material_balance(setup: Setup) -> int:
    """Material of the side to move less that of the other, with 99 for a pawn."""
    balance = 0
    for piece in (setup.board[square] for square in setup.occupied()):
        value = listing.PAWN_VALUE * listing.PIECE_VALUES[listing_piece(piece) & listing.TYPE_MASK]
        balance += value if piece_colour(piece) == setup.turn else -value
    return balance


def _as_char(value: int) -> int:
    """A value as a signed char, which the listing uses for the en passant square: the dummy square 128 becomes -128."""
    return (value + 128) % 256 - 128


# --- Random numbers for the hash keys ---------------------------------------------------------------------------------


def glibc_random(seed: int = 1) -> Iterator[int]:
    """The numbers that glibc's random() returns after srandom(seed): r[i] = r[i-3] + r[i-31] modulo 2**32.

    A linear congruential generator makes the first 31. The next 310 are discarded, and each later one is shifted right
    by one bit. (Peter Selinger, "The GLIBC random number generator", 2007.)
    """
    state = [seed]
    for _ in range(30):
        state.append(16807 * state[-1] % 0x7FFFFFFF)
    state += state[:3]
    for number in itertools.count():
        state = [*state[1:], (state[-3] + state[-31]) & 0xFFFFFFFF]
        if number >= 310:
            yield state[-1] >> 1


def key_bytes() -> bytes:
    """The listing's T: zeros, then random bytes from FIRST_RANDOM on."""
    numbers = glibc_random()
    return bytes(FIRST_RANDOM) + bytes(next(numbers) >> 9 & 0xFF for _ in range(KEY_BYTES - FIRST_RANDOM))


def key_words() -> NDArray[np.int32]:
    """The little-endian 32-bit word at every byte of T, since the listing reads them unaligned."""
    text = np.frombuffer(key_bytes(), np.uint8)
    windows = np.lib.stride_tricks.sliding_window_view(text, 4)
    return np.ascontiguousarray(windows).view("<i4").astype(np.int32).ravel()


# --- Traces -----------------------------------------------------------------------------------------------------------


def trace(
    fen: str, nodes: int = NODE_LIMIT, plies: int = 1, evaluation: int = 0, machine: Machine | None = None
) -> dict[str, Any]:
    """Let micro-Max play both sides for some plies, and return everything that the listing would print, for JSON.

    machine: to be reused, since a new one is slow to make; its position is replaced. Raises FenError,
    IllegalPositionError and EngineError.
    """
    machine = machine or Machine()
    machine.set_position(parse_fen(fen), evaluation)
    played = []
    for _ in range(plies):
        played.append(_trace_ply(machine, nodes))
        if "result" in played[-1]:
            break
    return {"fen": fen, "node_limit": nodes, "eval": evaluation, "plies": played}


def _trace_ply(machine: Machine, nodes: int) -> dict[str, Any]:
    score = machine.think(nodes)
    from_square, to_square = machine.root_move()
    ply: dict[str, Any] = {
        "iterations": [[line.depth, line.nodes, line.score, line.move_text] for line in machine.iterations()],
        "move": square_name(from_square) + square_name(to_square),
        "score": score,
        "nodes": int(machine.record.nodes),
    }
    machine.clear_table()
    if not machine.make_move(from_square, to_square):
        return ply | {"result": "illegal or none"}
    passed = machine.en_passant_square()
    return ply | {
        "eval_after": int(machine.record.evaluation),
        "en_passant_square": None if passed is None else square_name(passed),
    }
