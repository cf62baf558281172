"""The text of a game as a tree: what python-chess reads, and the errors in the rest."""

import io
import re
import time
from pathlib import Path

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ox88
from ox88.apps.analyse.parsing import parse_game
from ox88.apps.streams import label
from ox88.batch.pgn.game_text import split_games
from ox88.batch.pgn.words import unescaped
from ox88.convert import from_chess_move
from ox88.types import NO_MOVE
from tests.batch.pgn import naive, samples
from tests.batch.pgn.test_words import WORDS
from tests.conftest import DATA

TOKENS = ["1.", "e4", "e5", "Nf3", "Nc6", "Bb5", "O-O", "a6", "d4", "exd4", "e9", "--", "??", "$3", "$" + "9" * 5000]
TOKENS += ["(", ")", "{", "{ c }", "; r\n", "%", "\n", "\n\n", "1-0", "*"]
TOKENS += ['[Event "x"]\n', '[Event "\\"x\\""]\n', '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n']


def sans(text: str) -> list[str]:
    parsed = parse_game(text)
    board = parsed.game.board()
    return [board.san_and_push(move) for move in parsed.moves]


def check_as_read_pgn(pgn: bytes) -> None:
    """Main lines and errors are read_pgn's; only variations may have more errors."""
    read = ox88.read_pgn(pgn, threads=1)
    reasons = {error.number: error for error in read.errors if "are they one game?" not in error.reason}
    for number, text in enumerate(split_games(pgn, as_written=True)):
        parsed, error = parse_game(text.text), reasons.get(number)
        board, moves = parsed.game.board(), []
        for move in parsed.game.mainline_moves():
            moves.append(from_chess_move(move, board) if move else NO_MOVE)
            board.push(move)
        assert moves == (naive.moves_of(read[number])[0] if parsed.is_readable else [])
        errors = [(found["line"], re.sub(r"^move \d+(\.\.\.)?: ", "", found["reason"])) for found in parsed.errors]
        found = [reason for _, reason in errors if "passes at ply" not in reason]
        if error is not None:
            assert (error.line - text.line, label(error.reason)) in errors
        elif "(" not in text.text:
            assert found in ([], ["there are no moves that can be read"])


@pytest.mark.parametrize("path", sorted((DATA / "pgn" / "odd").iterdir()), ids=lambda path: path.name)
def test_real_files_as_read_pgn_reads_them(path: Path) -> None:
    check_as_read_pgn(path.read_bytes())


def test_words_as_read_pgn_reads_them() -> None:
    check_as_read_pgn(
        "".join(f'[Event "{number}"]\n\n1. e4 {word} 2. d4 1-0\n\n' for number, word in enumerate(WORDS)).encode()
    )


@settings(max_examples=50)
@given(samples.broken_texts())
def test_broken_games_as_read_pgn_reads_them(text: bytes) -> None:
    check_as_read_pgn(text)


def test_a_game_that_can_be_read() -> None:
    parsed = parse_game('[White "A"]\n\n1. e4 { [%clk 0:01:00] } ( 1. d4 1-0 ) 1... e5 $1 1-0')
    assert (parsed.errors, parsed.is_readable) == ([], True)
    assert [move.uci() for move in parsed.moves] == ["e2e4", "e7e5"]
    assert parsed.last_board() == parsed.game.end().board()
    assert parsed.game.headers["White"] == "A"
    assert [node.san() for node in parsed.game.variations] == ["e4", "d4"]


@pytest.mark.parametrize(
    ("text", "moves", "line", "reason"),
    [
        ("1. d4 Nf9 2. d5", ["d4"], 0, "move 1...: 'Nf9' is not a move"),
        ("1. d4 d5\n(1... Nf6 2. xx e6) 2. c4", ["d4", "d5", "c4"], 1, "move 2: 'xx' is not a move"),
        ('[FEN "4k3/8/8/8/8/8/8/4K3 b - - 0 9"]\n\n9... Kd8 10. Ke9', ["Kd8"], 2, "move 10: 'Ke9' is not a move"),
        ("1. e4 e5\n2. Nf6 ) Nc6 *", ["e4", "e5"], 1, "'Nf6' is not a legal move"),
        ("1. e4 e5 ( 1... Sc6 ) 2. Nf3 *", ["e4", "e5", "Nf3"], 0, "'Sc6' is not a move in PGN"),
        ("1. e4 e5\n( 1... c5\n2. Nf3", ["e4", "e5"], 1, "a variation is not closed"),
        ('[Event "a"]\n[White "Half\n\n1. e4 *', ["e4"], 1, "'[White 'Half' is not a tag"),
        ("1. e4 -- 2. d4 *", ["e4"], 0, "a side passes at ply 2"),
    ],
)
def test_errors(text: str, moves: list[str], line: int, reason: str) -> None:
    assert sans(text) == moves
    (error,) = parse_game(text).errors
    assert (error["line"], reason in error["reason"]) == (line, True)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('[Event "a"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *', 1, "White has no king"),
        ('[Variant "Atomic"]\n\n1. e4 *', 0, "'atomic' is not chess"),
        ("nothing at all", 0, "the game has no tag, move or result"),
        ('[Event "a"]\n\n1. <script>alert(1)</script> *', 0, "there are no moves that can be read"),
        ("\x1b[31m\x00", 0, "the game has no tag, move or result"),
        (f"1. e4 ${'9' * 5000} e5 *", 0, "a glyph has a number of too many digits"),
    ],
)
def test_what_is_not_chess(text: str, line: int, reason: str) -> None:
    parsed = parse_game(text)
    assert not parsed.is_readable
    (error,) = parsed.errors
    assert error["line"] == line
    assert reason.lower() in error["reason"].lower()
    assert error["reason"].isprintable()


def test_a_game_without_moves_has_no_error() -> None:
    for text in ("*", '[Event "x"]', "1/2-1/2"):
        parsed = parse_game(text)
        assert (parsed.moves, parsed.errors, parsed.is_readable) == ((), [], True)


@pytest.mark.parametrize("variant", ["", "Standard chess", "FromPosition", "wild/0", "Illegal"])
def test_every_name_of_chess(variant: str) -> None:
    (game,) = split_games(f'[Variant "{variant}"]\n\n1. e4 *')
    assert (sans(game.text), parse_game(game.text).errors) == (["e4"], [])


def test_chess960_and_a_result_with_a_dash() -> None:
    start = chess.Board.from_chess960_pos(0)
    parsed = parse_game(f'[Variant "Chess960"]\n[FEN "{start.fen()}"]\n[Result "½\u2013½"]\n\n1. e4 e5 1/2-1/2')
    assert parsed.game.board().chess960
    assert len(parsed.moves) == 2
    assert parsed.game.headers["Result"] == "1/2-1/2"


@pytest.mark.parametrize("text", ["1. e1c1 *", "1. g3 ( 1. e1c1 g6 ) *"])
def test_castling_by_the_kings_square_in_chess960(text: str) -> None:
    """python-chess alone would refuse it."""
    parsed = parse_game(f'[Variant "Chess960"]\n[FEN "1r2k1r1/6pp/8/8/8/8/6PP/1R2K1R1 w KQkq - 0 1"]\n\n{text}')
    assert parsed.errors == []
    assert [node.san() for node in parsed.game.variations][-1] == "O-O-O"


def test_a_game_that_never_ends() -> None:
    parsed = parse_game("1. Nf3 Nf6 2. Ng1 Ng8 " * 5000)
    assert len(parsed.moves) == 17_697
    reason = "the game has more than 17697 plies, which the 75-move rule makes impossible"
    assert parsed.errors == [{"line": 0, "reason": reason}]


@pytest.mark.parametrize("text", ["{" * 400_000, "1. e4 e5\n" + "Sf3 Sc6\n" * 100_000])
def test_the_time_is_proportional_to_the_length(text: str) -> None:
    began = time.process_time()
    assert parse_game(text).errors
    assert time.process_time() - began < 20  # With its square it would be a minute.


@settings(max_examples=50)
@given(st.lists(st.sampled_from(TOKENS), max_size=30).map(" ".join))
def test_any_tokens(text: str) -> None:
    """Any text can be parsed. If it has no error, the tree is python-chess's own."""
    for one in split_games(text):
        parsed = parse_game(one.text)
        assert len(sans(one.text)) == len(parsed.moves)  # SAN exists for legal moves alone.
        if not parsed.errors:
            game = chess.pgn.read_game(io.StringIO(one.text)) or chess.pgn.Game()
            for name, value in game.headers.items():
                game.headers[name] = unescaped(value)
            assert str(game) == str(parsed.game)


@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    parsed = parse_game(text)
    assert parsed.is_readable or parsed.errors
    assert all(error["reason"].isprintable() for error in parsed.errors)
