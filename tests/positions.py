"""Positions for tests: random games with python-chess, Chess960 among them, and mutated FENs."""

import random

import chess
from hypothesis import strategies as st

from ox88.fen import STARTPOS

FENS = (
    STARTPOS,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 1",
    "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
)

EN_PASSANT_FENS = (
    "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1",  # Legal.
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",  # No pawn is there to capture.
    "8/8/8/8/k1Pp3R/8/8/4K3 b - c3 0 1",  # Both pawns would leave the rank.
    "8/8/8/8/1kPp4/8/8/4K3 b - c3 0 1",
    "3r3k/8/8/3pP3/8/8/8/3K4 w - d6 0 1",
    "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",  # The pawn is pinned.
)


def random_board(seed: int, plies: int, chess960: int | None = None) -> chess.Board:
    """The position after some random moves; chess960 is the number of the start position, or None."""
    board = chess.Board() if chess960 is None else chess.Board.from_chess960_pos(chess960)
    choice = random.Random(seed)
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(choice.choice(moves))
    return board


def boards() -> st.SearchStrategy[chess.Board]:
    """Positions of random games."""
    return st.builds(
        random_board, st.integers(0, 2**32), st.integers(0, 120), st.one_of(st.none(), st.integers(0, 959))
    )


@st.composite
def fens_with_any_rights(draw: st.DrawFn) -> str:
    """FENs of kings and rooks near their castling squares, and pawns, with rights that are mostly impossible."""
    squares = draw(st.permutations([*chess.SquareSet(chess.BB_RANK_1), chess.C2, chess.G2]))
    board = chess.Board(None)
    for colour in chess.COLORS:
        pieces = [chess.KING, *[chess.ROOK] * draw(st.integers(0, 3)), *[chess.QUEEN] * draw(st.integers(0, 1))]
        for kind, square in zip(pieces, draw(st.permutations(squares)), strict=False):
            board.set_piece_at(square if colour else chess.square_mirror(square), chess.Piece(kind, colour))
    for square in draw(st.lists(st.sampled_from([*chess.SquareSet(chess.BB_RANK_4 | chess.BB_RANK_5)]), max_size=6)):
        board.set_piece_at(square, chess.Piece(chess.PAWN, square < chess.A5))
    board.turn = draw(st.booleans())
    white, black = (draw(st.text("KQABCDEFGH", max_size=2)) for _ in chess.COLORS)
    likely = chess.SQUARE_NAMES[40:48] if board.turn else chess.SQUARE_NAMES[16:24]
    en_passant = draw(st.sampled_from(likely) | st.sampled_from(["-", *chess.SQUARE_NAMES]))
    return f"{board.board_fen()} {'wb'[not board.turn]} {white + black.lower() or '-'} {en_passant} 3 40"


@st.composite
def mutated_fens(draw: st.DrawFn) -> str:
    """FENs with a few characters replaced, left out, doubled or moved, and now and then plain noise."""
    text = list(draw(st.one_of(st.sampled_from(FENS), boards().map(chess.Board.fen), st.text(max_size=90))))
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(text)))
        inserted = draw(st.one_of(st.sampled_from(list("kKqQrRpPnNbB12345678/ -wbaehAH0;+\t?\xa0")), st.characters()))
        text[place : place + draw(st.integers(0, 2))] = [inserted] * draw(st.integers(0, 2))
    return "".join(text)


def place(men: str, choice: random.Random) -> chess.Board:
    """A legal position with these men, as the letters of FEN; either side is to move, and no side may castle."""
    while True:
        board = chess.Board(None)
        for letter, square in zip(men, choice.sample(chess.SQUARES, len(men)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = choice.random() < 0.5
        if board.is_valid():
            return board


def either_colour(board: chess.Board, choice: random.Random) -> chess.Board:
    """The board or, as likely, the board with the colours changed."""
    return board if choice.random() < 0.5 else board.mirror()
