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


# What random games meet too rarely.
TRICKY = (
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",  # Both pawns leave the king's rank at once.
    "8/8/8/K1PpP2r/8/8/8/4k3 w - d6 0 1",
    "8/8/8/2k5/3Pp3/8/5B2/3K4 b - d3 0 1",  # Capturing uncovers the diagonal of the pawn that has passed.
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
    "4k3/8/8/3pP3/2K5/8/8/8 w - d6 0 1",  # The pawn that has passed gives check.
    "2b1k3/8/8/3pP3/6K1/8/8/8 w - d6 0 1",  # Another piece gives check, over the passed square.
    "4k3/8/4r3/3pP3/8/8/8/4K3 w - d6 0 1",  # The capturing pawn is pinned along the file,
    "8/8/8/k2pP2R/8/8/8/4K3 w - d6 0 1",  # Both pawns leave the other king's rank.
    "4k3/6b1/8/3pP3/8/2K5/8/8 w - d6 0 1",  # along a diagonal,
    "8/8/8/4k3/3Pp3/8/8/B3K3 b - d3 0 1",
    "7k/8/8/8/1pP5/8/8/3KB3 b - c3 0 1",  # and along its way.
    "1r2k3/8/8/8/8/8/8/rRK5 w B - 0 1",  # A castling rook that is pinned on the back rank.
    "4k3/8/8/8/8/8/8/rR2K2R w HB - 0 1",
    "4k3/8/8/8/8/8/8/R1K4r w A - 0 1",
    "4k3/8/8/8/8/8/8/1RK4R w HB - 0 1",
    "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",  # King and rook change places.
    "q3k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "4k3/8/8/8/8/8/8/qR1K4 w B - 0 1",
    "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1",  # The king's way is attacked; the rook's may be.
    "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
    "4k3/8/8/8/8/8/3p1p2/4K3 w - - 0 1",  # Two pawns give check, or a bishop and a rook.
    "4k3/8/8/8/1b6/8/3p4/4K2r w - - 0 1",
    "4k3/8/8/8/r3K3/8/8/8 w - - 0 1",  # The king shelters no square behind it.
    "3rk3/4P3/8/8/8/8/8/3K4 w - - 0 1",  # A promotion captures the checker; a pawn steps between.
    "r6K/1P6/8/8/8/8/8/4k3 w - - 0 1",
    "8/8/8/8/r6K/8/1P6/4k3 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",  # 218 moves.
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",  # None.
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
)


def boards_to_try(step: int = 1) -> list[chess.Board]:
    """Every `step`th position of random games, and what they meet too rarely, by White and by Black."""
    tricky = [chess.Board(fen, chess960=True) for fen in TRICKY]
    return [*positions()[::step], *(mirrored for board in tricky for mirrored in (board, board.mirror()))]


@functools.cache
def positions() -> tuple[chess.Board, ...]:
    """Every position of some random games; every second game is Chess960, every fourth double Chess960."""
    return tuple(board for seed in range(GAMES) for board, _ in random_game(seed))


def random_positions(count: int) -> Iterator[chess.Board]:
    """Random positions that are legal. Many cannot occur in a game: they have many queens, or triple checks."""
    for board in map(random_position, range(count)):
        if not to_setup(board).broken_rules():
            yield board


def random_position(seed: int) -> chess.Board:
    """Kings and up to 15 other pieces a side on any squares; not always legal."""
    generator = random.Random(seed)
    board = chess.Board(None, chess960=True)
    squares = generator.sample(range(64), 32)
    for colour in chess.COLORS:
        board.set_piece_at(squares.pop(), chess.Piece(chess.KING, colour))
        for _ in range(generator.randrange(15)):
            square = squares.pop()
            kinds = range(1 + (chess.square_rank(square) in (0, 7)), 6)
            board.set_piece_at(square, chess.Piece(generator.choice(kinds), colour))
    board.turn = generator.choice(chess.COLORS)
    return board


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


def contents(record: Any) -> bytes:
    """All bytes of a record's fields, without the padding between them."""
    return b"".join(record[name].tobytes() for name in record.dtype.names)


def sorted_moves(moves: Any) -> list[int]:
    """The moves of a MOVE_LIST."""
    return sorted(int(move) for move in moves.moves[: int(moves.length)])
