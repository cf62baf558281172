"""`ox88.explain` on positions whose reasons are known, and on positions where there is nothing to say."""

import doctest
import math
from typing import Any

import chess
import chess.variant
import pytest

import ox88
from tests.apps.reasons.claims import check

NODES = 20_000
DEEPER = ("Bg4", "Nxd7", "Bxh5")  # With fewer nodes another line of nearly the same value is found.
FOOLS = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"
BACK_RANK = "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1"
CASES = [
    (FOOLS, "g4", "Allows mate: 2... Qh4#.", "mateIn1", "mate"),
    (BACK_RANK, "h3", "Misses a back-rank mate: 1. Rb8#.", "backRankMate", "mate"),
    (BACK_RANK, "Rb8#", "1. Rb8# gives a back-rank mate.", "backRankMate", "mate"),
    ("7k/R7/8/8/8/8/1R6/K7 w - - 0 1", "Ka2", "1. Ka2 gives mate in 2.", "mateIn2", "mate in 2"),
    ("6k1/R7/8/8/8/1R6/8/K7 w - - 0 1", "Rf7", "Misses mate: 1. Rb8#.", "mateIn1", "mate"),
    ("r5rk/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", "Nf7", "1. Nf7# gives a smothered mate.", "smotheredMate", "mate"),
    (
        "rn1qkb1r/pp2pppp/5n2/1N6/8/5P2/PPPP2PP/R1BQK1NR b KQkq - 0 8", "Qd5",
        "Allows 9. Nc7+, which attacks king, queen and rook and wins a queen for a knight.", "fork",
        "a queen for a knight",
    ),
    (
        "r1bqkb1r/pp2pppp/3p1n2/2p1n3/4PQ2/2PP4/PP3PPP/RNB1K1NR b KQkq - 0 8", "Ng6",
        "Misses 8... Nxd3+, which attacks king and queen and wins a queen and a pawn for a knight.", "fork",
        "a queen and a pawn for a knight",
    ),
    (
        "r1bqk1nr/pppp1ppp/2nb4/8/2B1Pp2/5N2/PPPP2PP/RNBQK2R w KQkq - 0 5", "Ng5",
        "Ng5 leaves the knight on g5 unprotected: 5... Qxg5 wins it.", "hangingPiece", "a knight",
    ),
    (
        "rnbqr1k1/ppp2ppp/8/3p4/3Pn3/P1P2N2/2PBBPPP/R2QK2R w KQ - 1 10", "Ng5",
        "Ng5 leaves the knight on g5 attacked twice and protected once: 10... Nxg5 wins it.", None, "a knight",
    ),
    (
        "r1b2rk1/ppp2ppp/8/3Np1q1/2B1P2n/3PR1P1/PPP2P1P/R2Q2K1 b - - 0 13", "Bg4",
        "Bg4 leaves the knight on h4 attacked by a pawn: 14. gxh4 wins a knight for a pawn.", None,
        "a knight for a pawn",
    ),
    (
        "r1b2rk1/1pp2ppp/p7/8/2B1P3/2P5/P1n2PPP/1RB2RK1 w - - 0 15", "Rb2",
        "Misses 15. Bb3, which traps the knight on c2 and wins a knight.", "trappedPiece", "a knight",
    ),
    (
        "r4r2/pp1qb1pk/3p3p/2p5/4n3/PQP5/1P2KPPP/RNR5 w - - 0 18", "Qc2",
        "Allows 18... Rxf2+, which attacks the king and the queen behind it and wins a queen and a pawn for a rook.",
        "skewer", "a queen and a pawn for a rook",
    ),
    (
        "rnbqk1nr/pp4pp/2pbBp2/8/8/2NP1N2/PPP1QPPP/R1B1K2R b KQkq - 0 8", "Nd7",
        "Allows 9. Bxg8+, which gives a discovered check and wins a knight.", "discoveredCheck", "a knight",
    ),
    (
        "r6r/pp1kn1pp/2q1bp2/3p4/1Q1P4/8/PPP2PPP/2K1RB1R b - - 5 23", "Rhe8",
        "Allows 24. Bb5, which pins the queen on c6 and wins a queen for a bishop.", "pin", "a queen for a bishop",
    ),
    (
        "kr5r/p4p2/5n1p/1qPp4/1P1Pp2p/1Q2P1P1/1P3PB1/R4RK1 b - - 0 26", "Qxb4",
        "Allows 27. Rxa7+, which draws the king to a7 and wins a queen for a rook.", "attraction",
        "a queen for a rook",
    ),
    (
        "3r1rk1/Q3bppp/4p3/2p5/2P1q3/8/PP1P1RPP/R1B3K1 w - - 0 17", "a3",
        "Allows 17... Bf6, which wins a pawn.", None, "a pawn",
    ),
    (
        "8/P4k2/1p6/8/8/1P6/4K3/1r6 w - - 0 1", "Kd3", "Misses 1. a8=Q, which makes a new queen.", "promotion",
        "a new queen",
    ),
    (
        "6k1/pp6/3b3p/3p2p1/3Pp1q1/P1Q4N/6K1/5R2 w - - 1 37", "Kh1",  # lichess.org/training/MpYl2
        "Allows 37... Bg3, which cuts the queen off from the knight on h3 and wins a knight.", "interference",
        "a knight",
    ),
    (
        "r2q2k1/pbppbrP1/1p2p3/3n4/3PN2P/2PB4/PPQ2P2/2K3RR b - - 0 17", "Nf4",  # lichess.org/training/oCqPj
        "Allows 18. Nf6+, which clears the way of the bishop to h7 and wins a queen for a knight and a pawn.",
        "clearance", "a queen for a knight and a pawn",
    ),
    (
        "3k3r/2qb1p2/3ppN1n/p7/1pr1P2P/P1N2P2/1PPQ4/2K3RR w - - 1 24", "Nxd7",  # lichess.org/training/ZVnuc
        "Allows 24... bxc3, which comes before taking back on d7 and wins a knight.", "intermezzo", "a knight",
    ),
    (
        "4k2r/pQ2nppp/4p3/q3P3/5PPP/P3R3/1P3K2/n4B2 b k - 0 23", "Qb6",  # lichess.org/training/Clv1o
        "Allows 24. Bb5+, which is protected by the queen on b7 through the queen and wins a queen for a bishop.",
        "xRayAttack", "a queen for a bishop",
    ),
    (
        "r3k2r/4qp1p/3p1n2/p1p1p2b/PpP1P3/3P2pP/1P1Q1PPN/R2B1RK1 w kq - 0 19", "Bxh5",  # An intermezzo says less.
        "Bxh5 leaves the knight on h2 attacked by a pawn: 19... gxh2+ wins a knight for a pawn.", None,
        "a knight for a pawn",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("fen", "move", "text", "theme", "gain"), CASES)
def test_a_reason(fen: str, move: str, text: str, theme: str | None, gain: str) -> None:
    reason = ox88.explain(chess.Board(fen), move, nodes=5 * NODES if move in DEEPER else NODES)
    assert (reason.text, reason.theme, reason.gain) == (text, theme, gain)
    check(chess.Board(fen), chess.Board(fen).parse_san(move), reason)
    assert reason.san == chess.Board(fen).variation_san(reason.line).replace("...", "... ")


@pytest.mark.parametrize(
    ("moves", "move"),
    [("", "a3"), ("", "e4"), ("e4 e5 Nf3 Nc6 Bb5 a6", "Bxc6"), ("e4 e5 Nf3 Nc6 Bb5 a6 Bxc6", "dxc6")],
)
def test_nothing_is_said_of_quiet_moves_and_equal_trades(moves: str, move: str) -> None:
    board = chess.Board()
    for san in moves.split():
        board.push_san(san)
    reason = ox88.explain(board, move, nodes=NODES)
    assert (reason.text, reason.theme, reason.gain) == ("", None, "")
    assert reason.line


@pytest.mark.parametrize(
    ("fen", "move", "text"),
    [
        ("3B2k1/p1P2p2/6p1/3BR1Kp/r7/8/8/8 b - - 1 41", "Rg4+", ""),  # A mate in 3, else White makes a queen.
        ("8/R7/p5pk/1p4Np/2p4P/P2r4/1P2r3/5K2 b - - 7 38", "Rexb2", "Allows mate: 39. Rh7#."),  # It is mate anyway.
    ],
)
def test_only_a_plain_mate_is_told_where_all_is_lost(fen: str, move: str, text: str) -> None:
    assert ox88.explain(chess.Board(fen), move, nodes=NODES).text == text


def test_an_engine_of_ones_own() -> None:
    with ox88.Engine() as engine:
        assert ox88.explain(chess.Board(FOOLS), "g4", engine=engine, nodes=2000).text == "Allows mate: 2... Qh4#."


@pytest.mark.parametrize(
    ("board", "move", "words"),
    [
        (chess.Board(), "e5", "e5: no pawn of White can go to e5"),
        (chess.Board(), chess.Move.null(), "0000: passing is not a move in chess"),
        (chess.Board("8/8/8/8/8/8/8/K7 w - - 0 1"), "Ka2", "illegal position: Black has no king"),
        (chess.variant.AtomicBoard(), "e4", "expected a chess.Board of chess without variants"),
    ],
)
def test_what_is_refused(board: chess.Board, move: chess.Move | str, words: str) -> None:
    with pytest.raises(ox88.Ox88Error, match=words):
        ox88.explain(board, move, nodes=10)


def test_bad_numbers_and_engines() -> None:
    for nodes in (0, -1):
        with pytest.raises(ox88.Ox88Error, match=f"nodes is {nodes}: at least 1 is expected"):
            ox88.explain(chess.Board(), "e4", nodes=nodes)
    others: list[Any] = [None, math.nan, math.inf, 1.5, True, "7"]
    for nodes in others:
        with pytest.raises(TypeError, match=f"nodes is {nodes!r}: a whole number is expected"):
            ox88.explain(chess.Board(), "e4", nodes=nodes)
    engine: Any = "stockfish"
    with pytest.raises(TypeError, match=r"the engine is 'stockfish': expected an ox88\.Engine"):
        ox88.explain(chess.Board(), "e4", engine=engine)


def test_the_example() -> None:
    (example,) = doctest.DocTestFinder().find(ox88.explain, globs={"ox88": ox88, "chess": chess})
    assert doctest.DocTestRunner().run(example).failed == 0
