"""What is not said, though a search finds a line that wins: invented searches, one for each rule."""

from collections.abc import Sequence

import chess
import pytest

from ox88.apps.analyse.accuracy import Evaluation
from ox88.apps.analyse.search import Line, PositionAnalysis
from ox88.apps.reasons.reason import after, explain_move
from ox88.apps.reasons.sentences import describe_motif
from ox88.motifs.find import find_motifs
from ox88.motifs.line import Line as MotifLine
from ox88.motifs.line import Motif
from tests.motifs.lines import read_line

# The bishop attacks the rook, which can leave or be protected by Nd2.
ROOK = "6k1/7p/5b2/8/8/8/7P/RN4K1 w - - 0 1"
SAVED, TAKEN = "Ra8+ Kf7 Nd2 Ke7", "Bxa1 Kf1 Kf8 Ke2"
AFTER = ["Kf1 Kf8 Ke2", "Kg2 Kf8 Kf1"]
MATE = 1000  # Centipawns.
SENTENCE = "h3 leaves the rook on a1 unprotected: 1... Bxa1 wins it."


def told(
    board: chess.Board, move: str, best: tuple[int, str], reply: tuple[int, str], *defences: tuple[int, str]
) -> str:
    """The sentence on a move. Each line has White's centipawns and its moves; the defences answer its first moves."""
    error = board.parse_san(move)
    searched = iter(defences)

    def analysis(at: chess.Board, line: tuple[int, str]) -> PositionAnalysis:
        ahead = at.copy()
        moves = [ahead.push_san(san) for san in line[1].split()]
        mate = None if abs(line[0]) < MATE else 1 if line[0] > 0 else -1
        return PositionAnalysis((Line(Evaluation(line[0], mate), 1, moves),), 1)

    def search(at: chess.Board, _: Sequence[chess.Move]) -> PositionAnalysis:
        return analysis(at, next(searched))

    return explain_move(search, board, error, analysis(board, best), analysis(after(board, error), reply)).text


@pytest.mark.parametrize(
    ("best", "line", "reply", "defences", "text"),
    [
        (0, SAVED, TAKEN, AFTER, SENTENCE),
        (0, SAVED, "Bxa1 Kf1", AFTER, ""),  # Who knows what is taken next?
        (-90, "Nd2 Bxa1 Nf1 Kf8 Kg2", TAKEN, AFTER, ""),  # It is lost anyway.
        (-290, SAVED, TAKEN, AFTER, ""),  # The value changes by a pawn.
    ],
)
def test_a_rook_that_is_lost(best: int, line: str, reply: str, defences: list[str], text: str) -> None:
    values = [(-400, moves) for moves in defences]
    assert told(chess.Board(ROOK), "h3", (best, line), (-400, reply), *values) == text


@pytest.mark.parametrize(
    ("value", "begin", "text"),
    [
        (-130, "", "Allows 1... Bxb2, which wins a pawn."),
        (-110, "", ""),  # The value changes by too little.
        (-130, "Kf8 Kf1 ", "Allows 1... Kf8, which wins a pawn."),
        (-130, "Kf8 Kf1 Kg8 Kg1 ", ""),  # It takes too long.
    ],
)
def test_a_pawn_that_is_lost_soon(value: int, begin: str, text: str) -> None:
    board, line = chess.Board("6k1/7p/5b2/8/8/8/1P5P/6K1 w - - 0 1"), f"{begin}Bxb2 Kf2 Kf7 Ke2"
    defences = [(value, line.split(" ", 1)[1])] * 2
    assert told(board, "h3", (0, "b4 Kf7 Kf2 Ke7"), (value, line), *defences) == text


@pytest.mark.parametrize(("waits", "text"), [(4, "Allows 1... Kf8, which wins a rook."), (5, "")])
def test_a_rook_that_is_lost_late(waits: int, text: str) -> None:
    """A gain of more than a pawn may take ten plies."""
    moves = " ".join([*["Kf8 Kf1", "Kg8 Kg1"] * 3][:waits])
    line = f"{moves} Bxa1 Kf2 Kf7 Ke2"
    defences = [(-400, line.split(" ", played)[-1]) for played in (1, 1, 3)]
    assert told(chess.Board(ROOK), "h3", (0, SAVED), (-400, line), *defences) == text


def test_taking_back_wins_nothing() -> None:
    board = chess.Board()
    for san in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6"]:
        board.push_san(san)
    assert told(board, "h6", (30, "dxc6 O-O f6 d4"), (330, "Ba4 Nf6 O-O Be7")) == ""


def test_a_defence_that_loses_less_is_believed() -> None:
    """The rook takes the bishop back after the check: what is won is a rook for a bishop."""
    board = chess.Board("6k1/7p/5b2/8/8/8/7P/R2R2K1 w - - 0 1")
    defences = (-400, "Kf2 Kf7 Ke2"), (-425, "Rxa1 Kf7 Kf2 Ke6")
    found = told(board, "h3", (100, "Rab1 Kf7 Kf2"), (-400, "Bxa1 Kf2 Kf7 Ke2"), *defences)
    assert found == "Allows 1... Bxa1, which wins the exchange."


@pytest.mark.parametrize(("value", "wins"), [(-400, "it"), (-800, "a queen and a knight")])
def test_a_second_reply_that_is_as_good_and_loses_less_is_believed(value: int, wins: str) -> None:
    board = chess.Board("r5k1/7p/8/N7/8/8/7P/1Q4K1 w - - 0 1")
    line = "Kg2 Rb5 Kg3 Rxb1 Kg2 Kg7"
    defences = (-400, line), (-800, "Kf2 Rb5 Kg3 Rxb1 Kg2 Kg7"), (value, "Qc2 Kg7 Kf2 Kf6")
    found = told(board, "h3", (400, "Nc6 Kg7 Kf2 Kf6"), (-400, f"Rxa5 {line}"), *defences)
    assert found == f"h3 leaves the knight on a5 unprotected: 1... Rxa5 wins {wins}."


def test_a_defence_that_is_mated_is_not_as_good_as_the_best_one() -> None:
    found = told(chess.Board(ROOK), "h3", (0, SAVED), (-900, TAKEN), (-900, AFTER[0]), (-MATE, "Kf2"))
    assert found == SENTENCE


def test_of_two_new_queens_one_is_told() -> None:
    """A bishop is won too."""
    board = chess.Board("8/k6P/8/8/8/8/p5K1/1B6 w - - 0 1")
    line = (-400, "axb1=Q h8=Q Ka6 Kf4")
    defences = (-400, "h8=Q Ka6 Kf4"), (-500, "Kf4 Ka6 h8=Q Kb6 Kf3")
    text = told(board, "Kg3", (0, "Bxa2 Kb6 h8=Q Kc5"), line, *defences)
    assert text == "Kg3 leaves the bishop on b1 unprotected: 1... axb1=Q makes a new queen."


@pytest.mark.parametrize(
    ("fen", "move", "words"),
    [
        ("4k3/8/2n5/8/8/8/8/4KB2 w - - 0 1", "Bb5", "pins the knight on c6"),
        ("4k3/8/2n5/1B6/8/8/8/4K3 w - - 0 1", "Kd1", ""),
        ("4k3/8/2n5/1B6/3P4/8/8/4K3 w - - 0 1", "d5", "attacks the pinned knight on c6"),
    ],
)
def test_a_pin_is_new_or_made_use_of(fen: str, move: str, words: str) -> None:
    board = chess.Board(fen)
    line = MotifLine(board, [board.parse_san(move)])
    assert describe_motif(line, Motif("pin", 0, (chess.B5, chess.C6))) == words


@pytest.mark.parametrize(
    ("fen", "moves", "theme", "words"),
    [
        (
            "3r2k1/p7/8/8/3n1B2/8/7P/3R2K1 w - - 0 1",
            "Bd6 a6 Rxd4",
            "interference",
            "cuts the rook off from the knight on d4",
        ),
        ("3r2k1/pn6/8/8/3n4/8/7P/3R2K1 w - - 0 1", "h3 Nd6 Rxd4", "interference", ""),  # Black does so itself.
        (
            "8/5k2/R1p2b2/1p2pN1p/2p1P3/2N3P1/2Pr1P1P/6K1 w - - 3 28",
            "Rxc6 Rxc2 Nxb5",
            "capturingDefender",
            "takes the pawn that protects the pawn on b5",
        ),
        ("4k3/8/8/8/8/8/R7/Q5K1 w - - 0 1", "Rb2 Kd8 Qa7", "clearance", "clears the way of the queen to a7"),
        ("4k3/8/8/8/8/2p5/Rp6/Q5K1 w - - 0 1", "Rxb2 cxb2 Qa7", "clearance", ""),  # A capture.
        ("4k3/8/8/8/8/8/K7/Q7 w - - 0 1", "Kb2 Kd8 Qa7", "clearance", ""),
    ],
)
def test_only_what_the_move_itself_is_about(fen: str, moves: str, theme: str, words: str) -> None:
    line = read_line(fen, moves)
    (motif,) = (motif for motif in find_motifs(line) if motif.theme == theme)
    assert describe_motif(line, motif) == words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (900, "1. Rxa2 takes the unprotected queen."),
        (250, "1. Rxa2 takes the unprotected queen."),
        (230, ""),
        (100, ""),
        (-290, ""),
    ],
)
def test_a_good_move_leaves_a_good_position(value: int, text: str) -> None:
    board = chess.Board("6k1/8/8/8/8/8/q7/R5K1 w - - 0 1")
    line = (value, "Rxa2 Kg7 Kf1 Kf6")
    defences = (value, "Kg7 Kf1 Kf6"), (value, "Kh7 Kf1 Kg6")
    assert told(board, "Rxa2", line, (value, "Kg7 Kf1 Kf6"), *defences) == text
