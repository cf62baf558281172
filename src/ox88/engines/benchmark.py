"""The benchmark: varied positions, searched to a fixed depth. The sum of the nodes is an engine's signature."""

from collections.abc import Iterator
from typing import Final

from ox88.engines.base import Engine, Info, Limit
from ox88.fen import STARTPOS
from ox88.setup import parse_fen

DEPTH: Final = 12  # Plies: some seconds for the strong engine.

OPENINGS: Final = (
    STARTPOS,
    "rnbqkbnr/pp2pppp/8/2ppP3/3P4/8/PPP2PPP/RNBQKBNR w KQkq - 0 4",
    "rnbqkb1r/pp2pppp/2p2n2/3p4/2PP4/5N2/PP2PPPP/RNBQKB1R w KQkq - 0 4",
    "rnbq1rk1/ppppppbp/5np1/6B1/3P4/4PN2/PPP2PPP/RN1QKB1R w KQ - 1 5",
    "r1bqkb1r/pp2pppp/2n2n2/2pp4/2P5/2N2NP1/PP1PPP1P/R1BQKB1R w KQkq d6 0 5",
    "rnbqk2r/ppp1bppp/4pn2/6B1/3PN3/8/PPP2PPP/R2QKBNR w KQkq - 1 6",
    "rn1qk1nr/pp2ppbp/2pp2p1/8/3PPPb1/2N2N2/PPP3PP/R1BQKB1R w KQkq - 2 6",
    "r1bqk1nr/pp3ppp/2nb4/1Bpp4/3P4/2P2N2/PP3PPP/RNBQK2R w KQkq - 4 7",
    "r1b1kb1r/pp1n1ppp/1qn1p3/3pP3/3p4/2PB1N2/PP2NPPP/R1BQK2R w KQkq - 0 9",
)
MIDDLEGAMES: Final = (
    "r1bqkb1r/pp1n1ppp/5n2/2pPp3/4P3/2N2N2/P1PB2PP/1R1QKB1R w Kkq - 2 11",
    "r2qkb1r/1p1b1ppp/p3pn2/3P4/P2N1P2/2N3Q1/1PP3PP/R1B2RK1 b kq - 0 12",
    "rn2kb1r/1b1qpppp/p4n2/P1p1N3/1pP2B2/3P2P1/4PPBP/RN1Q1RK1 b kq - 4 12",
    "r1bq1rk1/pp2bp2/2pp1n1p/4n1p1/P2NPPP1/2N4P/1PPB2B1/R2Q1RK1 b - f3 0 12",
    "r1bq1rk1/pp1nbpp1/5n1p/2pPp3/P3P3/2NB1N2/2PB2PP/1R2QRK1 b - a3 0 14",
    "r2q1rk1/1bbn1ppp/p3pn2/P1p1P3/1pP5/3P1NP1/1B1NQPBP/R4RK1 b - - 0 15",
    "r3kb1r/1q1npppp/p4n2/P1p1N3/QpP2B2/3P2P1/4PP1P/RN3RK1 w kq - 0 15",
    "r2q1rk1/1p2bpp1/pn3n1p/3PpR2/P1p1P3/2NB4/2PB2PP/1R2Q1K1 w - - 0 18",
    "r2q1rk1/1p3pp1/pn3n1p/3PpR2/P1pbP2Q/2N5/2PBB1PP/1R5K b - - 5 20",
    "r2q1rk1/3n1ppp/2bNp2n/2p1P3/1bP3P1/p2P1N1P/4QPB1/1RB2RK1 w - - 2 24",
    "2r1k1r1/1p1qbpBp/p3n3/5B2/2p5/1PQ5/P6K/4R1R1 w - - 0 29",
    "3r2k1/1bp2r1p/4p2P/QB2pqp1/8/P3P3/1P4P1/2R1K2R w - - 3 30",
    "4r1k1/R4ppp/p1np1b1B/3P4/b7/2PK2Q1/6PP/8 b - - 2 32",
    "3r2k1/r4npp/8/2pNp3/1bP2PP1/3P3P/p5K1/R1B2R2 b - f3 0 33",
    "3r2r1/p7/p1B2k2/3p1PNR/2n2B2/8/1bn5/5R1K b - - 1 39",
)
TACTICS: Final = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/3b2kp/4p1p1/pr1n4/N1N4P/1P4P1/1K3P2/3R4 w - - 0 1",
    "r1b2rk1/1p1n1ppp/p1p2q2/4p3/P1B1Pn2/1QN2N2/1P3PPP/3R1RK1 b - - 0 1",
    "3r2k1/p6p/2Q3p1/4q3/2P1p3/P3Pb2/1P3P1P/2K2BR1 b - - 0 1",
    "8/p2b2kp/1q1p2p1/1P1Pp3/4P3/3B2P1/P2Q3P/2Nn3K b - - 0 1",
    "4k1r1/2p3r1/1pR1p3/3pP2p/3P2qP/P4N2/1PQ4P/5R1K b - - 0 1",
    "k5r1/p4b2/2P5/5p2/3P1P2/4QBrq/P5P1/4R1K1 w - - 0 1",
)
ENDGAMES: Final = (
    "6k1/5ppp/8/1p2r3/1np4P/4p3/p2r2P1/2RB1RK1 b - - 2 46",
    "8/p4p2/5nkp/2P2N2/5K2/7r/8/3R4 w - - 2 49",
    "5Q2/2kp4/1p2p3/6P1/3P4/4PK2/7q/8 w - - 5 52",
    "3Q4/5k2/6p1/7p/8/5PP1/4P1KP/8 w - - 1 47",
    "8/3p1k2/1K2p3/6P1/3P1P2/8/8/8 b - - 0 58",
    "1n6/p2RKp2/2P4p/6k1/2rN4/8/8/8 w - - 19 60",
    "8/8/5pp1/8/6bP/4k1P1/2n5/5K2 b - - 1 66",
    "8/8/5pP1/8/8/6kb/2n5/6K1 b - - 0 69",
    "8/p3R3/8/3p4/2kb4/p5R1/7K/r7 w - - 2 71",
    "8/8/R7/3p4/8/1k6/p6K/r7 w - - 2 77",
    "8/8/1R6/1R2p3/8/2k4K/1p6/2q5 w - - 3 78",
    "8/8/8/1k1p4/8/8/p1R5/7K b - - 0 80",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/1p1k4/1P1p4/3P1K2/8/8/8 w - - 0 1",
    "8/8/8/4k3/8/8/8/4KBN1 w - - 0 1",
    "8/8/8/8/8/4k3/4p3/4K2R b - - 99 120",
)
ENDED: Final = (
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",  # Checkmate.
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",  # Stalemate.
)
FENS: Final = (*OPENINGS, *MIDDLEGAMES, *TACTICS, *ENDGAMES, *ENDED)


def run(engine: Engine, depth: int = DEPTH) -> Iterator[tuple[str, Info]]:
    """Search all positions to a depth in plies, starting with `new_game`. Yields (FEN, last Info) of each.

    With one thread, the nodes depend only on the engine and its options, not on the machine.
    """
    engine.new_game()
    for fen in FENS:
        engine.set_position(parse_fen(fen))
        *_, last = engine.search(Limit(depth=depth))
        yield fen, last
