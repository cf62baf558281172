"""Slow, obvious twins of the bitboard kernels, on python-chess, and what carries positions and moves over."""

import functools
import random
from collections.abc import Iterator
from typing import Any

import chess

from ox88.setup import Setup, parse_fen
from ox88.types import CASTLING_FLAG, make_castling, make_move

SEE_VALUES = (0, 100, 300, 300, 500, 900, 0)  # By kind.
GAMES = 40
PLIES = 90


@functools.cache
def positions() -> tuple[chess.Board, ...]:
    """Every position of some random games; every second game is Chess960, every fourth double Chess960."""
    return tuple(board for seed in range(GAMES) for board, _ in random_game(seed))


def random_game(seed: int) -> Iterator[tuple[chess.Board, chess.Move]]:
    """(position, move played) of a random game with many captures, checks, castlings and promotions."""
    choice = random.Random(seed)
    board = start_board(seed, choice)
    for _ in range(PLIES):
        moves = list(board.legal_moves)
        if not moves:
            return
        rare = [move for move in moves if board.is_castling(move) or board.is_en_passant(move) or move.promotion]
        forcing = [move for move in moves if board.is_capture(move) or board.gives_check(move)]
        kinds = [kind for kind in (moves, moves, forcing, rare) if kind]
        move = choice.choice(choice.choice(kinds))
        yield board.copy(stack=False), move
        board.push(move)


def start_board(seed: int, choice: random.Random) -> chess.Board:
    if seed % 2 == 0:
        return chess.Board(chess960=True)
    board = chess.Board.from_chess960_pos(choice.randrange(960))
    if seed % 4 == 3:
        black = chess.Board.from_chess960_pos(choice.randrange(960))
        for square in chess.SquareSet(chess.BB_RANK_8):
            board.set_piece_at(square, black.piece_at(square))
        board.castling_rights = board.castling_rights & chess.BB_RANK_1 | black.castling_rights & chess.BB_RANK_8
    return board


def to_setup(board: chess.Board) -> Setup:
    return parse_fen(board.fen(shredder=True, en_passant="fen"))


def to_int(board: chess.Board, move: chess.Move) -> int:
    """A move of a board in Chess960 mode, where castling takes the rook, as types.py writes it."""
    if board.is_castling(move):
        return make_castling(move.from_square, move.to_square)
    return make_move(move.from_square, move.to_square, move.promotion or 0)


def legal_moves(board: chess.Board) -> list[int]:
    return sorted(to_int(board, move) for move in board.legal_moves)


def is_quiet(board: chess.Board, move: chess.Move) -> bool:
    return not move.promotion and (board.is_castling(move) or not board.is_capture(move))


def pseudo_legal_moves(board: chess.Board) -> list[int]:
    """python-chess's, but with castling asking for nothing but the right to it and free squares."""
    moves = [to_int(board, move) for move in board.pseudo_legal_moves if not board.is_castling(move)]
    return sorted([*moves, *_free_castlings(board)])


def _free_castlings(board: chess.Board) -> Iterator[int]:
    king = board.king(board.turn)
    assert king is not None
    for rook in chess.SquareSet(board.clean_castling_rights() & board.occupied_co[board.turn]):
        king_file, rook_file = (6, 5) if rook > king else (2, 3)
        rank = chess.square_rank(king)
        way = {king, rook}
        for start, end in ((king, chess.square(king_file, rank)), (rook, chess.square(rook_file, rank))):
            way |= set(range(min(start, end), max(start, end) + 1))
        if all(square in (king, rook) or not board.piece_at(square) for square in way):
            yield king | rook << 6 | CASTLING_FLAG


def see(board: chess.Board, move: chess.Move) -> int:
    """Static exchange evaluation of a legal move by trying every order that the rules of see.py allow."""
    if board.is_castling(move):
        return 0
    occupied = board.occupied & ~chess.BB_SQUARES[move.from_square] | chess.BB_SQUARES[move.to_square]
    captured = board.piece_type_at(move.to_square) or 0
    if board.is_en_passant(move):
        captured = chess.PAWN
        occupied &= ~chess.BB_SQUARES[move.to_square ^ 8]
    mover = move.promotion or board.piece_type_at(move.from_square) or 0
    gain = SEE_VALUES[captured] + (SEE_VALUES[mover] - SEE_VALUES[chess.PAWN] if move.promotion else 0)
    return gain - _best_capture(board, not board.turn, move.to_square, occupied, SEE_VALUES[mover])


def _best_capture(board: chess.Board, colour: chess.Color, square: int, occupied: int, victim: int) -> int:
    own, other = (
        list(chess.SquareSet(board.attackers_mask(side, square, occupied) & occupied)) for side in (colour, not colour)
    )
    if not own:
        return 0
    capturer = min(own, key=lambda s: board.piece_type_at(s) or 0)
    kind = board.piece_type_at(capturer) or 0
    if kind == chess.KING and other:
        return 0
    after = occupied & ~chess.BB_SQUARES[capturer]
    return max(0, victim - _best_capture(board, not colour, square, after, SEE_VALUES[kind]))


def board_bytes(record: Any) -> bytes:
    """A record's content, to compare."""
    return bytes(record.tobytes())
