"""`ox88.explain` on positions whose reasons are known, and on positions where there is nothing to say."""

import chess
import pytest

import ox88

NODES = 5_000
FOOLS = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"
BACK_RANK = "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "move", "text", "theme", "gain"),
    [
        (FOOLS, "g4", "Allows mate: 2... Qh4#.", "mateIn1", "mate"),
        (BACK_RANK, "h3", "Misses a back-rank mate: 1. Rb8#.", "backRankMate", "mate"),
        (BACK_RANK, "Rb8#", "1. Rb8# gives a back-rank mate.", "backRankMate", "mate"),
    ],
)
def test_a_reason(fen: str, move: str, text: str, theme: str | None, gain: str) -> None:
    reason = ox88.explain(chess.Board(fen), move, nodes=NODES)
    assert (reason.text, reason.theme, reason.gain) == (text, theme, gain)
    assert reason.san == chess.Board(fen).variation_san(reason.line).replace("...", "... ")


@pytest.mark.parametrize(("fen", "move"), [(chess.STARTING_FEN, "a3"), (chess.STARTING_FEN, "e4")])
def test_nothing_is_said_of_a_quiet_move(fen: str, move: str) -> None:
    reason = ox88.explain(chess.Board(fen), move, nodes=NODES)
    assert (reason.text, reason.theme, reason.gain) == ("", None, "")
    assert reason.line
