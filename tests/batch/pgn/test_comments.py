"""Commands and comments of matches: clocks, times, evaluations and depths as columns."""

import math

import chess
import chess.engine
import chess.pgn
import numpy as np
import pytest

import ox88
from tests.conftest import DATA

COLUMNS = ("clocks", "evals", "times", "depths")
nan = math.nan
# A comment on a move of White: clock, evaluation, time and depth; then the evaluation of the same comment by Black.
COMMENTS: dict[str, tuple[float, float, float, float, float]] = {
    "[%clk 1:00:00]": (3600, nan, nan, nan, nan),
    "[%clk\n1:00:00]": (3600, nan, nan, nan, nan),
    "[%clk\r\n1:00:00]": (3600, nan, nan, nan, nan),
    "so [%clk \t\r\n  0:01:02.5\r\n ] so": (62.5, nan, nan, nan, nan),
    "[%eval\r\n0.25\r\n]": (nan, 0.25, nan, nan, 0.25),
    "[%eval\r\n  #-3,\r\n]": (nan, nan, nan, nan, nan),
    "[%eval  -1.5,20 ]": (nan, -1.5, nan, 20, -1.5),
    "[%emt 0:00:05]": (nan, nan, 5, nan, nan),
    "[%emt\r\n1:02:03.25]": (nan, nan, 3723.25, nan, nan),
    "[%clk 1:00:] [%emt 0::05]": (nan, nan, nan, nan, nan),
    "[%eval +.5]": (nan, 0.5, nan, nan, 0.5),
    "[%eval 9000]": (nan, 9000, nan, nan, 9000),
    "[%eval #0]": (nan, 10_000, nan, nan, -10_000),  # By the side that has moved.
    "[%emt0:00:05] [%clk1:00:00] [%eval1]": (nan, nan, nan, nan, nan),
    "+0.31/15 2.3s": (nan, 0.31, 2.3, 15, -0.31),
    "+0.31/15, 2.3s, n=100": (nan, 0.31, 2.3, 15, -0.31),  # Of older fastchess.
    "+0.31/15,, 2.3s": (nan, 0.31, nan, 15, -0.31),
    "-0.71/23\r\n6.157s": (nan, -0.71, 6.157, 23, 0.71),
    " 0.00/30 12s, Draw by 3-fold repetition": (nan, 0, 12, 30, 0),
    "+M5/20 0.5s": (nan, 9998, 0.5, 20, -9998),
    "-M4/9 0.01s": (nan, -9998, 0.01, 9, 9998),
    "+M1/1 0s": (nan, 10000, 0, 1, -10000),
    "+0.31/15": (nan, 0.31, nan, 15, -0.31),
    "0.31/15": (nan, nan, nan, nan, nan),
    "1/2 2s": (nan, nan, nan, nan, nan),
    "+1/2 2s": (nan, nan, nan, nan, nan),
    "M5/20 0.5s": (nan, nan, nan, nan, nan),
    "book": (nan, nan, nan, nan, nan),
    "12.05.2001 5s": (nan, nan, nan, nan, nan),
    "so +0.31/15 2.3s": (nan, nan, nan, nan, nan),
    "+0.31/15 2.3s [%eval 0.5,7] [%emt 0:00:09] [%clk 0:00:01]": (1, 0.31, 2.3, 15, -0.31),
    "[%eval 0.5,7]} {+0.31/15 2.3s": (nan, 0.5, 2.3, 7, 0.5),
    "[%eval 0.5]} {+0.31/15 2.3s": (nan, 0.5, 2.3, nan, 0.5),
    "+0.31/15} {[%eval 0.5,7] [%emt 0:00:09]": (nan, 0.31, 9, 15, -0.31),
}


@pytest.mark.parametrize("comment", COMMENTS)
def test_a_comment(comment: str) -> None:
    clock, white, seconds, depth, black = COMMENTS[comment]
    games = ox88.read_pgn(f"1. e4 {{{comment}}} e5 {{{comment}}} 2. d4 *".encode())
    for name, expected in zip(COLUMNS, ([clock] * 2, [white, black], [seconds] * 2, [depth] * 2), strict=True):
        assert np.allclose(getattr(games, name), [*expected, nan], equal_nan=True), name
    again = ox88.read_pgn_text(games.to_pgn() or "")
    for name in COLUMNS:
        assert np.allclose(getattr(again, name), getattr(games, name), equal_nan=True), name


def test_columns_of_some_games() -> None:
    """They go with the games that are chosen and joined, whichever of them have annotations."""
    games = ox88.read_pgn(b"1. e4 *\n\n1. d4 {+0.31/15 2.3s} *\n\n1. c4 {[%clk 0:00:01]} *\n\n1. a4 *\n")
    assert np.allclose(games.times, [nan, 2.3, nan, nan], equal_nan=True)
    assert np.allclose(games[[2, 1]].depths, [nan, 15], equal_nan=True)
    assert np.allclose((games[:1] + games[1:2]).times, [nan, 2.3], equal_nan=True)
    assert np.allclose((games[2:] + games[:2]).clocks, [1, nan, nan, nan], equal_nan=True)
    assert np.isnan(games[0].times).all()


def test_a_comment_before_the_first_move_is_on_no_move() -> None:
    games = ox88.read_pgn(b"1. e4 *\n\n{[%clk 0:00:01] [%eval 0.5,7]} {+0.31/15 2.3s} 1. d4 *")
    assert len(games.moves) == 2
    assert all(np.isnan(getattr(games, name)).all() for name in COLUMNS)


def test_a_game_of_fishtest() -> None:
    games = ox88.read_pgn(DATA / "pgn" / "odd" / "fishtest-fastchess.pgn")
    assert np.allclose(games.evals[:4], [0.71, 0.89, 0.84, 0.92])  # Black begins.
    assert np.allclose(games.times[:4], [6.157, 11.09, 15.762, 13.171])
    assert games.depths[:4].tolist() == [23, 27, 26, 27]
    assert not np.isnan(games.evals[:-1]).any()


def test_what_our_own_matches_write() -> None:
    """As `ox88 match` does, by python-chess."""
    game = chess.pgn.Game()
    node = game.add_main_variation(chess.Move.from_uci("e2e4"))
    node.set_eval(chess.engine.PovScore(chess.engine.Cp(31), chess.WHITE), 15)
    node.set_clock(59.5)
    node.set_emt(2.25)
    games = ox88.read_pgn_text(str(game))
    assert [getattr(games, name).round(2).tolist() for name in COLUMNS] == [
        [59.5],
        [np.float32(0.31).round(2)],
        [2.25],
        [15],
    ]
