import io

import chess
import chess.pgn
import pytest

from ox88.apps.game import Game
from ox88.engines.base import EngineError
from ox88.engines.micromax.driver import MicroMax
from ox88.fen import parse_fen
from ox88.rules import MoveError
from ox88.types import IllegalPositionError


@pytest.fixture(scope="module")
def engine() -> MicroMax:
    return MicroMax()


def play(engine: MicroMax, fen: str, moves: str) -> Game:
    game = Game(engine, parse_fen(fen))
    for move in moves.split():
        game.play_text(move)
    return game


@pytest.mark.parametrize(
    ("fen", "moves", "ending"),
    [
        ("startpos", "f3 e5 g4 Qh4", "checkmate, 0-1"),
        ("startpos", "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7", "checkmate, 1-0"),
        ("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "Qf7", "stalemate, 1/2-1/2"),
        ("8/8/8/4k3/8/8/4Kq2/8 w - - 0 1", "Kxf2", "insufficient material, 1/2-1/2"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "Ra2 Kd8", "fifty-move rule, 1/2-1/2"),
        ("startpos", "Nf3 Nf6 Ng1 Ng8 " * 2, "threefold repetition, 1/2-1/2"),
        ("startpos", "e4 e5", None),
    ],
)
def test_endings_have_their_names(fen: str, moves: str, ending: str | None, engine: MicroMax) -> None:
    end = play(engine, fen, moves).ending()
    assert (end and str(end)) == ending


def test_no_move_after_the_end(engine: MicroMax) -> None:
    game = play(engine, "startpos", "f3 e5 g4 Qh4")
    with pytest.raises(MoveError, match=r"a3: the game is over \(checkmate, 0-1\)"):
        game.play_text("a3")
    assert game.undo() == "Qh4#"
    assert game.ending() is None


def test_a_refused_position_changes_nothing(engine: MicroMax) -> None:
    game = play(engine, "startpos", "e4")
    before = game.board.fen()
    for fen, error in (("8/8/8/8/8/8/8/K7 w - -", IllegalPositionError), ("k7/8/8/8/8/8/8/1R1K4 w B -", EngineError)):
        with pytest.raises(error):
            game.start(parse_fen(fen))
        assert game.board.fen() == before
        game.play_text("e5")
        game.undo()


def test_pgn_reads_back(engine: MicroMax) -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 20"
    game = play(engine, fen, "O-O Kd8 Rfd1 Ke7")
    text = game.pgn("A", "B")
    read = chess.pgn.read_game(io.StringIO(text))
    assert read is not None
    assert not read.errors
    assert (read.headers["White"], read.headers["FEN"], read.headers["Result"]) == ("A", fen, "*")
    assert read.end().board() == game.board
    ended = chess.pgn.read_game(io.StringIO(play(engine, "startpos", "f3 e5 g4 Qh4").pgn("A", "B")))
    assert ended is not None
    assert (ended.headers["Result"], ended.headers["Termination"]) == ("0-1", "checkmate")
