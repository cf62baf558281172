"""What the rules of chess say of many positions: legal moves, moves played, moves as texts, checks, ends of games.

Most methods take `moves` in one of these forms, with one move for each position:

    uint16[n]     numbers, as `legal_moves`, `parse_san` and `search` return them; any whole numbers from 0 to 65,535
    texts         a list of n texts in UCI's notation or SAN, such as ["e2e4", "Nf6"], or of chess.Moves
    LegalMoves    all legal moves of the positions; then the result has a row for each of these moves
"""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray

from ox88.batch.rows.arguments import Colours
from ox88.batch.rules import moves as board_moves
from ox88.batch.rules import status
from ox88.batch.rules.fields import Fields
from ox88.batch.rules.legal_moves import LegalMoves, legal_moves
from ox88.batch.rules.move_arguments import Moves, Texts, each_move
from ox88.batch.text.san_reader import parse_sans
from ox88.batch.text.san_writer import format_sans
from ox88.batch.text.uci import format_ucis, parse_ucis


class Playing(Fields):
    """Positions as the rules of chess see them. The module's docstring describes the argument `moves`."""

    __slots__ = ()

    # --- Moves --------------------------------------------------------------------------------------------------------

    def legal_moves(self, *, captures: bool = False, threads: int | None = None) -> LegalMoves:
        """All legal moves: `legal[i]` is uint16[k], the moves of position i, and `legal.moves` has those of all.

        `ox88.format_uci` and `san` write moves; ox88.types describes their bits.

        Args:
            captures: True for captures alone, en passant among them.
            threads: Number of threads; all cores by default.
        """
        return legal_moves(self._records, threads, captures)

    def push(self, moves: Moves, *, null_moves: bool = False, threads: int | None = None) -> Self:
        """Play moves[i] in position i; with LegalMoves, every legal move.

        Args:
            moves: uint16[n], texts such as ["e2e4", "Nf6"], or LegalMoves.
            null_moves: True to let the side to move pass where its move is 0 (as text 0000 or --). In check it cannot.
            threads: Number of threads; all cores by default.

        Returns:
            New Positions, one for each move.

        Raises:
            IllegalMoveError: A move is not legal; the error has its row.
            RowError: A text is not a move, or fits several.
            TypeError: `moves` is of another type.
        """
        each = each_move(self._records, moves, threads)
        return self._of(board_moves.push(self._records, each, null_moves, threads))

    def is_legal(self, moves: Moves, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if moves[i] is a legal move in position i.

        Args:
            moves: uint16[n], texts such as ["e2e4", "Nf6"], or LegalMoves.
            threads: Number of threads; all cores by default.

        Raises:
            RowError: A text is not a move, or fits several.
        """
        each = each_move(self._records, moves, threads, may_be_illegal=True)
        return board_moves.is_legal(self._records, each, threads)

    def is_capture(self, moves: Moves, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if moves[i] captures, perhaps en passant. Takes and raises what `push` does."""
        return self._are(board_moves.CAPTURE, moves, threads)

    def is_en_passant(self, moves: Moves, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if moves[i] captures en passant. Takes and raises what `push` does."""
        return self._are(board_moves.EN_PASSANT, moves, threads)

    def is_castling(self, moves: Moves, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if moves[i] is castling. Takes and raises what `push` does."""
        return self._are(board_moves.CASTLING, moves, threads)

    def gives_check(self, moves: Moves, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if the other side is in check after moves[i]. Takes and raises what `push` does."""
        return self._are(board_moves.CHECK, moves, threads)

    def _are(self, kind: np.int64, moves: Moves, threads: int | None) -> NDArray[np.bool_]:
        return board_moves.are_of_kind(self._records, each_move(self._records, moves, threads), kind, threads)

    def see(self, moves: Moves, *, threads: int | None = None) -> NDArray[np.int16]:
        """int16[n]: static exchange evaluation of moves[i] in position i, in centipawns (ox88.bitboard.see).

        Takes and raises what `push` does.
        """
        return board_moves.see(self._records, each_move(self._records, moves, threads), threads)

    def perft(self, depth: int, *, threads: int | None = None) -> NDArray[np.int64]:
        """int64[n]: perft, the number of sequences of legal moves of a given length from each position.

        Args:
            depth: The length in plies, 0 to 100.
            threads: Number of threads; all cores by default.
        """
        return board_moves.perft(self._records, depth, threads)

    # --- Moves as texts -----------------------------------------------------------------------------------------------

    def format_uci(self, moves: Moves, *, threads: int | None = None) -> list[str]:
        """Each move in UCI's notation, such as `e2e4`, `e7e8q`, or `0000` for no move. It need not be legal.

        Castling is written as `e1g1`, or as `e1h1` in positions that only Chess960 has. `moves` is as for `push`.
        """
        return format_ucis(self._records, each_move(self._records, moves, threads))

    def parse_uci(self, texts: Texts, *, threads: int | None = None) -> NDArray[np.uint16]:
        """uint16[n]: the moves that are written in UCI's notation. They need not be legal.

        Args:
            texts: n texts such as `e2e4` or `e7e8q`; castling as `e1g1` or `e1h1`; `0000` for no move, which is 0.
            threads: Number of threads; all cores by default.

        Raises:
            RowError: A text is not a move.
        """
        return parse_ucis(self._records, texts, threads)

    def format_san(self, moves: Moves, *, threads: int | None = None) -> list[str]:
        """The SAN of each move, such as `Nf3`, `exd8=Q#` or `O-O`. Takes and raises what `push` does."""
        each = each_move(self._records, moves, threads)
        board_moves.check_legal(self._records, each, threads)
        return format_sans(self._records, each, threads)

    def parse_san(self, texts: Texts, *, threads: int | None = None) -> NDArray[np.uint16]:
        """uint16[n]: the legal moves that are written in SAN or in UCI's notation, as python-chess reads them.

        Args:
            texts: n texts such as `Nf3`, `exd8=Q#`, `O-O`, `0-0`, `Ng1f3` or `g1f3`; `--` and `0000` for a null move,
                which is 0.
            threads: Number of threads; all cores by default.

        Raises:
            IllegalMoveError: A text fits no legal move; the error has its row.
            RowError: A text is not a move, or fits several.
        """
        return parse_sans(self._records, texts, threads)

    # --- Checks and outcomes ------------------------------------------------------------------------------------------

    def checkers(self, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: bitboards of the pieces that give check to the side to move."""
        return status.checkers(self._records, threads)

    def is_check(self, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if the side to move is in check."""
        return np.not_equal(self.checkers(threads=threads), 0)

    def is_checkmate(self, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if the side to move is checkmated."""
        return np.equal(self.outcome(threads=threads), status.Outcome.CHECKMATE)

    def is_stalemate(self, *, threads: int | None = None) -> NDArray[np.bool_]:
        """bool[n]: True if the side to move has no legal move and is not in check."""
        return np.equal(self.outcome(threads=threads), status.Outcome.STALEMATE)

    def outcome(self, *, claim_draw: bool = False, threads: int | None = None) -> NDArray[np.int8]:
        """int8[n]: the `ox88.Outcome` of each position, 0 if the game goes on.

        Repetitions are not found: `Games.repetitions` counts them.

        Args:
            claim_draw: True to count fifty moves without capture or pawn move as a draw, as seventy-five always do.
                They must have been played; python-chess counts the move to come, too.
            threads: Number of threads; all cores by default.
        """
        return status.outcome(self._records, claim_draw, threads)

    def attacks(self, colour: Colours | None = None, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: bitboards of the squares that a side attacks, including those of its own protected pieces.

        Args:
            colour: `ox88.WHITE` = 0, `ox88.BLACK` = 1, python-chess's `chess.WHITE` or `chess.BLACK`, or n of these; by
                default the side to move.
            threads: Number of threads; all cores by default.

        Raises:
            TypeError: `colour` is an array of bools, which could mean either convention, or something else.
        """
        return status.attacks(self._records, self.turn if colour is None else colour, threads)

    def pinned(self, colour: Colours | None = None, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: bitboards of the pieces that are pinned to their own king. `colour` is as for `attacks`."""
        return status.pinned(self._records, self.turn if colour is None else colour, threads)
