"""Typed moves, why moves are illegal, and how games end."""

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.rules import GameEnd, MoveError, game_end, lost_by, parse_move, why_illegal, win_of
from tests.positions import boards

START = chess.STARTING_FEN
PROMOTION = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"
CAPTURE = "1n2k3/P7/8/8/8/8/1p6/2R1K3 w - - 0 1"
BISHOP_OR_PAWN = "4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1"


@pytest.mark.parametrize(
    ("text", "uci", "fen"),
    [
        ("e2e4", "e2e4", START),
        ("E2-E4", "e2e4", START),
        (" e4 ", "e2e4", START),
        ("Nf3", "g1f3", START),
        ("nf3", "g1f3", START),
        ("NF3", "g1f3", START),
        ("E4", "e2e4", START),
        ("bb5", "f1b5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
        ("bc4", "b3c4", "4k3/8/8/8/2p5/1P6/8/4K3 w - - 0 1"),
        ("bxc4", "b3c4", BISHOP_OR_PAWN),
        ("Bc4", "f1c4", BISHOP_OR_PAWN),
        ("e7e8", "e7e8q", PROMOTION),
        ("e7e8n", "e7e8n", PROMOTION),
        ("e7e8=R", "e7e8r", PROMOTION),
        ("e8=B", "e7e8b", PROMOTION),
        ("e8Q", "e7e8q", PROMOTION),
        ("e8", "e7e8q", PROMOTION),
        ("E8", "e7e8q", PROMOTION),
        ("e8+", "e7e8q", PROMOTION),
        ("axb8", "a7b8q", CAPTURE),
        ("ab8", "a7b8q", CAPTURE),
        ("bxc1", "b2c1q", CAPTURE.replace("w", "b")),
        ("B4", "b2b4", START),
        ("B1c3", "e1c3", "4k3/8/8/4B3/8/8/8/1N2B1K1 w - - 0 1"),
        ("b1c3", "b1c3", "4k3/8/8/4B3/8/8/8/1N2B1K1 w - - 0 1"),
        *(
            (f"exd6{mark}", "e5d6", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
            for mark in ("e.p.", "ep", " e.p.", " (ep)", "e. p.+", " E.P.")
        ),
        *((text, "g1f3", START) for text in ("1.Nf3", "1. Nf3!", "12 ... g1f3 ?!", "1…Nf3")),
        ("1.0-0", "e1g1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("O-O", "e1g1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("0-0", "e1g1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("o-o-o", "e1c1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"),
        ("e1h1", "e1g1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("exf6", "e5f6", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"),
    ],
)
def test_what_people_type(text: str, uci: str, fen: str) -> None:
    assert parse_move(text, chess.Board(fen)) == chess.Board(fen).parse_uci(uci)


@pytest.mark.parametrize(
    ("text", "reason", "fen"),
    [
        ("e2e5", "e2e5: the pawn on e2 cannot reach e5", START),
        ("e3e4", "e3e4: there is no piece on e3", START),
        ("e7e5", "e7e5: the pawn on e7 is Black's, and White is to move", START),
        ("d1d2", "d1d2: White's own pawn stands on d2", START),
        ("e2e4q", "e2e4q: only a pawn that reaches the last rank is promoted", START),
        ("e7e8k", "e7e8k: a pawn becomes a knight, a bishop, a rook or a queen", PROMOTION),
        ("Nf6", "Nf6: no knight of White can go to f6", START),
        ("exd5", "exd5: no pawn of White can go to d5", START),
        ("a2a3", "a2a3: White is in check, and this does not end it", "4k3/8/8/8/4r3/8/P7/4K3 w - - 0 1"),
        ("f2f3", "f2f3: it leaves White's king in check", "4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1"),
        ("Ne2", "Ne2: it leaves White's king in check", "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1"),
        ("Rd1", "Rd1: this can mean several moves: Rad1, Rfd1", "4k3/8/8/8/8/8/K7/R4R2 w - - 0 1"),
        ("bc4", "bc4: this can mean several moves: bxc4, Bxc4", BISHOP_OR_PAWN),
        ("BC4", "BC4: this can mean several moves: bxc4, Bxc4", BISHOP_OR_PAWN),
        ("nf6", "nf6: no knight of White can go to f6", START),
        ("O-O", "White may no longer castle on the king's side", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
        ("O-O-O", "castling on the queen's side is blocked by the piece on b1", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1"),
        ("O-O", "White is in check, and cannot castle out of it", "4k3/8/8/8/4r3/8/8/4K2R w K - 0 1"),
        ("e1g1", "White's king would pass or reach an attacked square", "4k3/8/8/8/5r2/8/8/4K2R w K - 0 1"),
        ("e1c1", "White may no longer castle on the queen's side", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
        ("e1e4", "e1e4: the king on e1 cannot reach e4", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
        ("e1h5", "e1h5: the king on e1 cannot reach h5", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
        ("b8", "b8: the move to b8 is axb8=Q", CAPTURE),
        ("a8=K", "a8=K: a pawn becomes a knight, a bishop, a rook or a queen", CAPTURE),
        ("b8", "b8: it leaves White's king in check", "8/KP5r/8/8/8/8/8/4k3 w - - 0 1"),
        ("e4=Q", "e4=Q: only a pawn that reaches the last rank is promoted", START),
        ("Nad2", "Nad2: the move to d2 is Nbd2 or Nfd2", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"),
        ("N1d2", "N1d2: the move to d2 is Nd2", "4k3/8/8/8/8/1N6/8/4K3 w - - 0 1"),
        ("Kg1", "Kg1: no king of White can go to g1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("Nd2", "Nd2: it leaves White's king in check", "4k3/4r3/8/8/4N3/8/8/4K3 w - - 0 1"),
        ("Nbd2", "Nbd2: the move to d2 is Nd2", "4k3/8/8/1b6/8/3N4/8/4KN2 w - - 0 1"),
        ("xyzzy", "'xyzzy' is not a move", START),
        ("", "'' is not a move", START),
        ("e2", "e2: no pawn of White can go to e2", START),
        ("--", "--: passing is not a move in chess", START),
        ("e2e2", "e2e2: a piece must go to another square", START),
        ("e2e4 e7e5", "is not a move", START),
    ],
)
def test_why_a_move_is_refused(text: str, reason: str, fen: str) -> None:
    with pytest.raises(MoveError) as raised:
        parse_move(text, chess.Board(fen))
    assert reason in str(raised.value)


@settings(max_examples=50)
@given(boards(), st.data())
def test_every_pair_of_squares_is_a_move_or_has_a_reason(board: chess.Board, data: st.DataObject) -> None:
    squares = st.sampled_from(chess.SQUARES)
    for _ in range(20):
        move = chess.Move(data.draw(squares), data.draw(squares), data.draw(st.sampled_from([None, 1, 2, 5, 6])))
        if not board.is_legal(move):
            assert why_illegal(move, board)


@settings(max_examples=150)
@given(
    boards(),
    st.one_of(st.text(max_size=8), st.from_regex(r"[KQRBNa-hO0]{0,2}[a-h1-8x\-O=]{0,4}[1-8QNk+#O]?", fullmatch=True)),
)
def test_noise_is_a_legal_move_or_refused(board: chess.Board, text: str) -> None:
    try:
        move = parse_move(text, board)
    except MoveError as error:
        assert str(error)  # noqa: PT017  # Noise may be refused or not; either way there is something to hold to.
    else:
        assert board.is_legal(move)


@settings(max_examples=50)
@given(boards())
def test_all_legal_moves_are_read_in_both_notations(board: chess.Board) -> None:
    for move in board.legal_moves:
        assert parse_move(board.san(move), board) == move
        if not board.chess960:
            assert parse_move(board.uci(move), board) == move


@pytest.mark.parametrize(
    ("fen", "result", "reason"),
    [
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "1-0", "checkmate"),
        ("4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1", "0-1", "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2", "stalemate"),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "1/2-1/2", "insufficient material"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 100 90", "1/2-1/2", "fifty-move rule"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 150 90", "1/2-1/2", "fifty-move rule"),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 90", "1-0", "checkmate"),
    ],
)
def test_games_end_by_the_rules(fen: str, result: str, reason: str) -> None:
    end = game_end(chess.Board(fen))
    assert end == GameEnd(result, reason)
    assert str(end) == f"{reason}, {result}"
    assert GameEnd.parse(str(end)) == end


@pytest.mark.parametrize("fen", [START, "4k3/8/8/8/8/8/4P3/4K3 w - - 99 90", "4k3/8/8/8/8/8/8/2NNK3 w - - 0 1"])
def test_games_that_go_on(fen: str) -> None:
    assert game_end(chess.Board(fen)) is None


def test_repetition_needs_no_claim() -> None:
    board = chess.Board()
    ends = []
    for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        board.push_uci(move)
        ends.append(game_end(board))
    assert ends == [None] * 7 + [GameEnd("1/2-1/2", "threefold repetition")]


@settings(max_examples=100)
@given(boards())
def test_game_ends_are_those_of_python_chess(board: chess.Board) -> None:
    end, outcome = game_end(board), board.outcome(claim_draw=False)
    if outcome is not None:
        assert end is not None
        assert end.result == outcome.result()
    elif end is not None:
        assert board.is_repetition() or board.is_fifty_moves()


@pytest.mark.parametrize("side", chess.COLORS)
def test_losing_on_time(side: chess.Color) -> None:
    assert lost_by(side, "late", chess.Board()) == GameEnd(win_of(not side), "late")
    bare_black_king = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    draw, win = GameEnd("1/2-1/2", "late; the other side cannot mate"), GameEnd("1-0", "late")
    assert lost_by(side, "late", bare_black_king) == (draw if side == chess.WHITE else win)
