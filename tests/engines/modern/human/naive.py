"""The slow twin of the features: sets of squares on python-chess's boards, from the words of features.py."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import chess

from ox88.engines.modern.human.features import GROUPS
from ox88.types import CASTLING_FLAG, castling_king_to
from tests.bitboard.naive import see

BY_SEARCH = next(number for number, (name, _) in enumerate(GROUPS) if name == "book")  # The groups from here on.
STEPS = {
    chess.KNIGHT: [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
    chess.BISHOP: [(1, 1), (1, -1), (-1, -1), (-1, 1)],
    chess.ROOK: [(1, 0), (0, -1), (-1, 0), (0, 1)],
}
STEPS[chess.QUEEN] = STEPS[chess.KING] = STEPS[chess.BISHOP] + STEPS[chess.ROOK]
CENTRE = {chess.D4, chess.E4, chess.D5, chess.E5}
WORTH = {chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}  # In pawns.


@dataclass
class Before:
    """The opponent's last move, that of the side to move before it (0 if unknown), and whether the last captured."""

    last: int = 0
    own: int = 0
    has_captured: bool = False


def reached(number: int, bounds: Sequence[int]) -> int:
    return len([bound for bound in bounds if number >= bound])


def target_of(move: int) -> int:
    return castling_king_to(move) if move & CASTLING_FLAG else move >> 6 & 63


def reach(kind: int, is_white: bool, square: int, occupied: set[int]) -> set[int]:
    """The squares that a piece attacks."""
    if kind == chess.PAWN:
        ahead = 1 if is_white else -1
        return {to for to in map(stepper(square), [(-1, ahead), (1, ahead)]) if to is not None}
    found = set()
    for file_step, rank_step in STEPS[chess.PieceType(kind)]:
        for times in range(1, 2 if kind in (chess.KNIGHT, chess.KING) else 8):
            to = stepper(square)((file_step * times, rank_step * times))
            if to is None:
                break
            found.add(to)
            if to in occupied:
                break
    return found


def stepper(square: int) -> Callable[[tuple[int, int]], int | None]:
    def step(by: tuple[int, int]) -> int | None:
        file, rank = chess.square_file(square) + by[0], chess.square_rank(square) + by[1]
        return chess.square(file, rank) if 0 <= file < 8 and 0 <= rank < 8 else None

    return step


@dataclass
class Move:
    """A legal move with what its features are made of."""

    board: chess.Board
    number: int

    def __post_init__(self) -> None:
        board = self.board
        self.us = board.turn
        self.origin, self.target = self.number & 63, target_of(self.number)
        self.is_castling = bool(self.number & CASTLING_FLAG)
        promotion = 0 if self.is_castling else self.number >> 12 & 7
        self.promotion = promotion
        self.kind = board.piece_type_at(self.origin)
        assert self.kind
        self.new_kind = promotion or self.kind
        self.python = chess.Move(self.origin, self.number >> 6 & 63, promotion or None)
        self.passes = not self.is_castling and board.is_en_passant(self.python)
        self.victim = chess.square(self.target % 8, self.origin // 8) if self.passes else self.target
        self.captured = 0 if self.is_castling else board.piece_type_at(self.victim) or 0
        self.occupied = set(chess.SquareSet(board.occupied))
        self.after = self.occupied - {self.origin} | {self.target}
        if self.passes:
            self.after.remove(self.victim)
        self.attacks_before = reach(self.kind, self.us, self.origin, self.occupied)
        self.attacks = reach(self.new_kind, self.us, self.target, self.after)

    def attackers(self, square: int, side: bool, occupied: set[int]) -> set[int]:
        """Pieces of a side that attack a square; pieces stand as before the move, but other squares may be occupied."""
        pieces = self.board.piece_map().items()
        return {
            at for at, piece in pieces
            if piece.color == side and square in reach(piece.piece_type, piece.color, at, occupied)
        }  # fmt: skip

    def kinds(self, squares: set[int]) -> list[int]:
        return [self.board.piece_type_at(square) or 0 for square in squares]

    def seen(self, square: int) -> int:
        """A square as the side to move sees it."""
        return square if self.us else chess.square_mirror(square)


def steps(first: int, second: int) -> int:
    return chess.square_distance(first, second)


def to_centre(square: int) -> int:
    return min(steps(square, each) for each in CENTRE)


def value(kind: int) -> int:
    return 3 if kind == chess.KNIGHT else kind  # A bishop is worth a knight.


def exchange(m: Move) -> int:
    gain = 0 if m.is_castling else see(m.board, m.python)
    if gain < 0:
        return 3 - reached(-gain, [101, 301, 501])
    if gain == 0:
        return 5 if m.captured else 4
    return 6 + reached(gain, [200, 400, 600])


def check(m: Move) -> int:
    if m.board.gives_check(m.python):
        return 3 if m.captured else 2 if not m.is_castling and see(m.board, m.python) < 0 else 1
    if not m.board.is_check():
        return 0
    if m.kind == chess.KING:
        return 4
    return 5 if m.captured and m.victim in m.board.checkers() else 6


def special(m: Move) -> int:
    if m.is_castling:
        return 1 if chess.square_file(m.target) == 6 else 2
    if m.promotion:
        return 3 if m.promotion == chess.QUEEN else 4
    return 5 if m.passes else 0


def flight(m: Move, last: int | None) -> int:
    theirs = m.attackers(m.origin, not m.us, m.occupied)
    if m.kind == chess.KING or not theirs:
        return 0
    if any(value(each) < value(m.kind or 0) for each in m.kinds(theirs)):
        found = 3
    else:
        found = 1 if m.attackers(m.origin, m.us, m.occupied) else 2
    return found + 4 * (last in theirs)


def landing(m: Move) -> int:
    theirs = m.attackers(m.target, not m.us, m.after) - {m.victim}
    ours = m.attackers(m.target, m.us, m.after) - {m.origin}
    if chess.PAWN in m.kinds(theirs):
        return 4
    return 2 * bool(theirs) + (not ours)


def threat(m: Move) -> int:
    higher, hanging = 0, 0
    for square in m.attacks & m.after - {m.target}:
        piece = m.board.piece_at(square)
        assert piece
        if piece.color == m.us or piece.piece_type == chess.KING:
            continue
        higher += value(piece.piece_type) > value(m.new_kind)
        if not m.attackers(square, not m.us, m.after) - {m.victim}:
            hanging = max(hanging, {1: 1, 2: 2, 3: 2, 4: 3, 5: 4}[piece.piece_type])
    return (min(higher, 2) * 5 + hanging) * 2 + (landing(m) >= 2)


def pawn_move(m: Move) -> int:
    if m.kind != chess.PAWN:
        return 0
    rank = m.seen(m.target) // 8
    enemies = [m.seen(square) for square in m.board.pieces(chess.PAWN, not m.us)]
    if not any(abs(square % 8 - m.target % 8) <= 1 and square // 8 > rank for square in enemies):
        return rank - 1
    protectors = m.attackers(m.target, m.us, m.after) - {m.origin}
    return 7 + 2 * (chess.PAWN in m.kinds(protectors)) + (abs(m.target - m.origin) == 16)


def kind_on(board: chess.Board, square: int | None, colour: chess.Color) -> int:
    """The kind of a side's piece, or 0."""
    piece = None if square is None else board.piece_at(square)
    return piece.piece_type if piece and piece.color == colour else 0


def rows(board: chess.Board, moves: Sequence[int], before: Before) -> Iterator[list[int]]:
    """The classes of each move in the order of GROUPS, without the groups of openings and values."""
    last = target_of(before.last) if before.last else None
    own = target_of(before.own) if before.own else None
    worth = sum(WORTH.get(piece.piece_type, 0) for piece in board.piece_map().values())
    late = int(worth < 34)
    ply = 2 * (board.fullmove_number - 1) + (not board.turn)
    own_king, enemy_king = board.king(board.turn), board.king(not board.turn)
    assert own_king is not None
    assert enemy_king is not None
    for number in moves:
        m = Move(board, number)
        assert m.kind
        kind = m.kind - 1
        gained = len(m.attacks) - len(m.attacks_before)
        climbed = m.seen(m.target) // 8 - m.seen(m.origin) // 8
        nearer = steps(m.origin, enemy_king) - steps(m.target, enemy_king)
        recaptures = m.captured and m.victim == last
        repeats = before.own and target_of(before.own) == m.origin
        is_shelter = m.kind == chess.PAWN and steps(m.origin, own_king) <= 2
        is_slider = m.kind in (chess.BISHOP, chess.ROOK, chess.QUEEN)
        yield [
            kind * 64 + m.seen(m.origin),
            kind * 64 + m.seen(m.target),
            kind * 6 + m.captured,
            exchange(m),
            (2 if before.has_captured else 1) if recaptures else 0,
            check(m),
            special(m),
            8 if last is None else steps(m.target, last),
            8 if last is None else steps(m.origin, last),
            kind * 8 + flight(m, last),
            kind * 5 + landing(m),
            threat(m),
            kind * 4 + min(3, len(m.attacks & reach(chess.KING, True, enemy_king, set()))),
            kind * 5 + reached(gained, [-4, -1, 1, 4]),
            (kind * 3 + (climbed > 0) + (climbed >= 0)) * 2 + late,
            kind * 7 + to_centre(m.origin) - to_centre(m.target) + 3,
            (max(-3, min(3, nearer)) + 3) * 2 + late,
            pawn_move(m),
            1 + reached(worth, [20, 34]) if is_shelter else 0,
            (2 if m.target == before.own & 63 else 1) if repeats else 0,
            kind * 5 + reached(worth, [8, 20, 34, 50]),
            reached(len(moves), [2, 3, 4, 7, 13, 21, 31, 41]),
            reached(ply, [4, 8, 12, 16, 24, 32, 48, 64]),
            (m.kind - 3) * 8 + 1 + steps(m.origin, m.target) if is_slider else 0,
            kind * 7 + kind_on(board, last, not board.turn),
            kind * 7 + kind_on(board, own, board.turn),
            8 if own is None else steps(m.target, own),
        ]
