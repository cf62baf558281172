import datetime
import io
import itertools

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ox88.apps.game import ChessClock, Game
from ox88.convert import to_chess_board
from ox88.rules import MoveError
from ox88.setup import parse_fen

TODAY = datetime.date(2026, 2, 1)
DRAWN = "draw agreed, 1/2-1/2"


def play(fen: str, moves: str) -> Game:
    game = Game(board=to_chess_board(parse_fen(fen)))
    for move in moves.split():
        game.play(move, 0.0)
    return game


def test_no_move_after_the_end() -> None:
    game = play("startpos", "f3 e5 g4 Qh4")
    assert str(game.end) == "checkmate, 0-1"
    with pytest.raises(MoveError, match=r"a3: the game is over \(checkmate, 0-1\)"):
        game.play("a3", 0.0)
    assert game.undo() == "Qh4#"
    assert game.end is None


Seconds = list[float]


def timed(seconds: Seconds) -> Game:
    """A game of knight moves that have taken so many seconds, with a clock."""
    game = Game(board=chess.Board(), clock=ChessClock(600.0, 5.0))
    assert game.clock is not None
    now = 0.0
    for used, move in zip(seconds, itertools.cycle(("Nf3", "Nf6", "Ng1", "Ng8")), strict=False):
        game.clock.start(game.board.turn, now)
        now += used
        game.play(move, now)
    return game


@given(st.lists(st.floats(0, 50), min_size=1, max_size=7), st.data())
def test_undo_gives_the_time_back(seconds: Seconds, data: st.DataObject) -> None:
    """The clocks are those of a game in which the moves were never made, even after a loss on time."""
    game, count = timed(seconds), data.draw(st.integers(1, len(seconds)))
    assert game.clock is not None
    game.clock.start(game.board.turn, 1e6)
    game.clock.stop(2e6)
    game.lose_on_time(game.board.turn)
    game.clock.start(game.board.turn, 3e6)
    for _ in range(count):
        game.undo()
    expected = timed(seconds[: len(seconds) - count])
    assert expected.clock is not None
    assert (game.board, game.clocks, game.end) == (expected.board, expected.clocks, None)
    assert (game.clock.left, game.clock.running) == (expected.clock.left, None)


def test_one_clock_starts_and_the_other_stops() -> None:
    clock = ChessClock(10.0, 0.0)
    for side, now in ((chess.WHITE, 0.0), (chess.BLACK, 4.0), (chess.BLACK, 5.0)):
        clock.start(side, now)
    clock.stop(9.0)
    assert (clock.left, clock.running) == ({chess.WHITE: 6.0, chess.BLACK: 5.0}, None)


def test_how_players_end_a_game() -> None:
    for end, text in ((lambda game: game.resign(chess.WHITE), "White resigns, 0-1"), (Game.agree_draw, DRAWN)):
        game = play("startpos", "e4")
        end(game)
        assert str(game.end) == text
        for more in (Game.agree_draw, lambda game: game.resign(chess.BLACK)):
            with pytest.raises(MoveError, match=r"the game is over \("):
                more(game)
        assert str(game.end) == text
        assert f'[Result "{text.split(", ")[1]}"]' in game.to_pgn("A", "B", TODAY)
        game.undo()
        assert game.end is None


def test_pgn_reads_back() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 20"
    game = play(fen, "O-O Kd8 Rfd1 Ke7")
    text = game.to_pgn("A", "B", TODAY)
    read = chess.pgn.read_game(io.StringIO(text))
    assert read is not None
    assert not read.errors
    assert (read.headers["White"], read.headers["FEN"], read.headers["Result"]) == ("A", fen, "*")
    assert read.end().board() == game.board
    ended = chess.pgn.read_game(io.StringIO(play("startpos", "f3 e5 g4 Qh4").to_pgn("A", "B", TODAY)))
    assert ended is not None
    assert (ended.headers["Result"], ended.headers["Termination"]) == ("0-1", "checkmate")
