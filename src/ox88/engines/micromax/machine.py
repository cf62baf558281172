"""The state of micro-Max and its two root calls: think, and make a move. What its `main()` does, without the printing.

A `Machine` plays by the listing's own rules and knows no others; `driver.py` makes an engine of it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ox88.engines.base import EngineError
from ox88.engines.micromax import search as listing
from ox88.engines.micromax.keys import key_words
from ox88.types import (
    KIND_NAMES,
    KING,
    PAWN,
    WHITE,
    Setup,
    from_listing,
    make_piece,
    piece_colour,
    piece_kind,
    square_name,
    to_listing,
)

NODE_LIMIT = 10_000_000
ENDLESS = 1 << 62  # Nodes; more than any search counts.
DEPTH_LIMIT = 96  # The deepest iteration, counted as it prints.
PIECE_SYMBOLS = ".?+nkbrq?*?NKBRQ"  # Indexed by piece & 15: White's pawn is *, Black's +.
LAST_PRINTED = 121

_A8, _A1 = 0x00, 0x70  # The listing's squares.
_SIDES = (listing.WHITE, listing.BLACK)  # By colour.
_TYPES = dict(zip(KIND_NAMES[2:], (3, 5, 6, 7, 4), strict=True))
_CASTLING_KINGS = {0: 4, 7: 60}  # King's square by rank: micro-Max castles from the e-file with a rook in the corner.


@dataclass(frozen=True, slots=True)
class Iteration:
    """A finished iteration as the listing's trace prints it; squares are a1 = 0. No move is a8a8."""

    depth: int
    nodes: int
    score: int
    from_square: int
    to_square: int

    @property
    def move_text(self) -> str:
        return square_name(self.from_square) + square_name(self.to_square)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a move changes, for taking it back."""

    board: bytes
    side: int
    evaluation: int
    en_passant: int
    root_from: int
    root_to: int


class Machine:
    """One micro-Max: its record, which holds the board and the hash table of 200 MB (touched only as it fills)."""

    def __init__(self) -> None:
        self.record: Any = np.zeros(1, listing.MICROMAX).view(np.recarray)[0]
        self.record.steps[:] = listing.STEPS
        self.record.first_step[:] = listing.FIRST_STEP
        self.record.piece_values[:] = listing.PIECE_VALUES
        self.record.key_words[:] = key_words()
        self.record.generation = 1
        self._table_is_used = False
        for file in range(8):
            for rank in range(8):
                self.record.board[16 * rank + file + listing.CENTRE] = int((file - 4) ** 2 + (rank - 3.5) ** 2)
        self.set_start()

    def set_start(self) -> None:
        """Set up the initial position as the listing does: no FEN, one list of piece types."""
        board = self._empty_board()
        for file, piece_type in enumerate(listing.BACK_RANK):
            board[_A8 + file] = listing.BLACK + listing.VIRGIN + piece_type
            board[_A1 + file] = listing.WHITE + listing.VIRGIN + piece_type
            board[_A8 + 0x10 + file] = listing.BLACK + listing.BLACK_PAWN
            board[_A1 - 0x10 + file] = listing.WHITE + listing.WHITE_PAWN
        self._start_afresh(listing.WHITE, 0, None)

    def set_position(self, setup: Setup, evaluation: int | None = None) -> None:
        """Put a position on the board, with a clear table, as the listing starts.

        evaluation: the listing's Q for the side to move in units of 99 a pawn; the material balance by default.
        Raises IllegalPositionError, and EngineError where micro-Max lacks the castling right.
        """
        _check_castling(setup.check())
        self._fill_board(setup)
        balance = material_balance(setup) if evaluation is None else evaluation
        self._start_afresh(_SIDES[setup.turn], balance, setup.en_passant)

    def _start_afresh(self, side: int, evaluation: int, en_passant: int | None) -> None:
        self.side = side
        self.record.evaluation = evaluation
        self.record.en_passant = _as_char(listing.DUMMY if en_passant is None else to_listing(en_passant))
        self.record.root_from = self.record.root_to = self.record.stop = 0
        self.clear_table()

    def _fill_board(self, setup: Setup) -> None:
        unmoved = setup.castling | {_CASTLING_KINGS[rook >> 3] for rook in setup.castling}
        board = self._empty_board()
        for square in setup.occupied():
            virgin = listing.VIRGIN if square in unmoved else 0
            board[to_listing(square)] = listing_piece(setup.board[square]) + virgin

    def _empty_board(self) -> Any:
        board = self.record.board
        board[[to_listing(square) for square in range(64)]] = 0
        board[listing.DUMMY] = 0
        return board

    def clear_table(self) -> None:
        """Empty the hash table. An unused one is, so that setting up a position needs no compiled code yet."""
        if self._table_is_used:
            listing.clear_table(self.record)
            self._table_is_used = False

    def think(self, nodes: int = NODE_LIMIT, depth: int = DEPTH_LIMIT) -> int:
        """Search for the side to move until the limits; returns the score. The move is in root_from and root_to.

        A new iteration starts while fewer than `nodes` positions were counted and fewer than `depth` plies printed.
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
        """Let a running search end at once, from any thread; a new position takes this back."""
        self.record.stop = 1

    def make_move(self, from_square: int, to_square: int) -> bool:
        """Play a move of the side to move, if the listing finds it legal, and give the other side the turn."""
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
        arguments = (
            self.side,
            -listing.INFINITY,
            listing.INFINITY,
            self.record.evaluation,
            1,
            1,
            self.record.en_passant,
            call,
            depth,
        )
        return int(listing.search(self.record, *(np.int64(argument) for argument in arguments)))

    def underpromote(self, square: int, kind: int) -> None:
        """Replace the queen that a pawn has just become. Not the listing's: it knows queens only."""
        code = _TYPES[KIND_NAMES[kind]]
        place = to_listing(square)
        self.record.board[place] = (self.record.board[place] & ~listing.TYPE_MASK) | code
        gain = listing.PAWN_VALUE * (listing.PIECE_VALUES[code] - 1)
        self.record.evaluation += listing.PROMOTION_GAIN - gain

    def root_move(self) -> tuple[int, int]:
        """From and to square of the last think's best move, a1 = 0; a8a8 is no move."""
        return from_listing(int(self.record.root_from)), from_listing(int(self.record.root_to))

    def en_passant_square(self) -> int | None:
        """The square that a pawn, or a castling king, has just passed."""
        square = int(self.record.en_passant)
        return None if square == _as_char(listing.DUMMY) else from_listing(square)

    def iterations(self, start: int = 0, end: int | None = None) -> list[Iteration]:
        """The iterations of the running or last think, from number `start` to before `end`, or to the last."""
        length = int(self.record.log_length) if end is None else end
        if length > listing.LOG_SIZE:
            raise EngineError(f"the log holds {listing.LOG_SIZE} iterations, not {length}")
        return [
            Iteration(
                int(line.depth),
                int(line.nodes),
                int(line.score),
                from_listing(int(line.best_from)),
                from_listing(int(line.best_to)),
            )
            for line in self.record.log[start:length]
        ]

    def snapshot(self) -> Snapshot:
        record = self.record
        return Snapshot(
            record.board.tobytes(),
            self.side,
            int(record.evaluation),
            int(record.en_passant),
            int(record.root_from),
            int(record.root_to),
        )

    def restore(self, snapshot: Snapshot) -> None:
        record = self.record
        record.board[:] = np.frombuffer(snapshot.board, np.int8)
        self.side = snapshot.side
        record.evaluation = snapshot.evaluation
        record.en_passant = snapshot.en_passant
        record.root_from = snapshot.root_from
        record.root_to = snapshot.root_to

    def board_text(self) -> str:
        """The board as the listing prints it: one loop over all squares, which jumps the unused half at each rank."""
        text = ""
        square = 0
        while square < LAST_PRINTED:
            if square & 8:
                text += " \n"
                square += 7
            else:
                text += " " + PIECE_SYMBOLS[self.record.board[square] & 15]
            square += 1
        return text


def listing_piece(piece: int) -> int:
    """The listing's code of a piece of types.py, without the virgin bit."""
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
                "it knows castling from the e-file with a rook in the corner only"
            )


def material_balance(setup: Setup) -> int:
    """The side to move's material less the other's, in the listing's units of 99 a pawn."""
    balance = 0
    for piece in (setup.board[square] for square in setup.occupied()):
        value = listing.PAWN_VALUE * listing.PIECE_VALUES[listing_piece(piece) & listing.TYPE_MASK]
        balance += value if piece_colour(piece) == setup.turn else -value
    return balance


def _as_char(value: int) -> int:
    """The listing keeps the en passant square in a signed char: the dummy square 128 reads as -128 at the root."""
    return (value + 128) % 256 - 128
