import datetime
import io

import chess
import chess.pgn
import pytest

from ox88.apps.game import Game
from ox88.convert import to_chess_board
from ox88.fen import parse_fen
from ox88.rules import MoveError

TODAY = datetime.date(2026, 2, 1)


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
