"""`ox88 perft`: output, checks of EPD files, errors, interrupts."""

import json
import os
import re
import signal
from pathlib import Path

import chess
import pytest

from tests.conftest import DATA, RunPython
from tests.processes import PATIENCE, python, wait_for_work

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_options(call_ox88: RunPython) -> None:
    for options, told in (
        ([], "(bitboard, bulk"),
        (["--threads", "2"], "(bitboard, bulk"),
        (["--hash", "1"], "(bitboard, hashed"),
        (["--mode", "made"], "(bitboard, made"),
        (["--board", "rotated"], "(rotated, listed"),
        (["--mode", "made", "--board", "mailbox"], "(mailbox, made"),
    ):
        process = call_ox88("perft", KIWIPETE, "3", *options)
        assert (process.returncode, process.stderr) == (0, "")
        assert process.stdout.startswith("97862 nodes, ")
        assert told in process.stdout
    assert call_ox88("perft", KIWIPETE, "0").stdout.startswith("1 nodes, ")
    fen = "1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 1"
    for options in ([], ["--chess960"]):  # Told from the position, or asked for.
        assert "c1b1: 1" in call_ox88("perft", fen, "1", "--divide", *options).stdout.splitlines()
    assert "e1h1: 1" in call_ox88("perft", KIWIPETE, "1", "--divide", "--chess960").stdout.splitlines()


def test_divide_lists_every_move(call_ox88: RunPython) -> None:
    lines = call_ox88("perft", KIWIPETE, "2", "--divide").stdout.splitlines()
    expected = {}
    board = chess.Board(KIWIPETE)
    for move in list(board.legal_moves):
        board.push(move)
        expected[move.uci()] = board.legal_moves.count()
        board.pop()
    assert lines[:-1] == sorted(f"{move}: {count}" for move, count in expected.items())


def test_json(call_ox88: RunPython) -> None:
    result = json.loads(call_ox88("perft", "startpos", "3", "--json", "--divide").stdout)
    assert (result["nodes"], result["depth"], result["board"], result["mode"]) == (8902, 3, "bitboard", "bulk")
    assert sum(result["divide"].values()) == 8902
    assert "divide" not in json.loads(call_ox88("perft", "startpos", "3", "--json").stdout)


def test_a_file_of_counts(call_ox88: RunPython) -> None:
    process = call_ox88("perft", "--epd", str(DATA / "perft" / "classics.epd"), "--max-nodes", "100000")
    assert (process.returncode, process.stderr) == (0, "")
    assert re.fullmatch(r"\d+ counts right, 0 wrong, 0 unread lines, \d+ nodes, [\d.]+ Mnps\n", process.stdout)


def test_wrong_counts_and_bad_lines_are_named(call_ox88: RunPython, tmp_path: Path) -> None:
    path = tmp_path / "some.epd"
    lines = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 401 ;D3 8902",
        "",
        "nonsense ;D1 20",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 twenty",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/8/8/8/8/8/8/K7 w - - 0 1 ;D1 3",
        "8/8/8/8/8/8/8/K6k w - - ;D1 3; D2 9",
    ]
    path.write_text("\n".join(lines))
    process = call_ox88("perft", "--epd", str(path))
    assert process.returncode == 1
    first, tally = process.stdout.splitlines()
    assert first.startswith(f"{path}:1: depth 2: 400 nodes, not 401: rnbqkbnr/")
    assert tally.startswith("4 counts right, 1 wrong, 4 unread lines, ")
    errors = process.stderr.splitlines()
    assert [error.partition(f"{path}:")[2].partition(":")[0] for error in errors] == ["3", "4", "5", "6"]
    assert "'D1 twenty' is not an expected count such as D4 197281" in errors[1]
    assert "Black has no king" in errors[3]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["8/8/8/8/8/8/8/K7 w - -", "3"], "Black has no king"),
        (["nonsense", "3"], "the board has 1 rank"),
        (["startpos", "-1"], "-1"),
        (["startpos", "deep"], "'deep' is no number of plies; a FEN needs quotes around it"),
        (["startpos"], "give FEN and DEPTH"),
        ([], "give FEN and DEPTH"),
        (["startpos", "3", "--epd", "x"], "leave out FEN"),
        (["--epd", "no such file.epd"], "no such file.epd cannot be read"),
        (["--epd", os.devnull], f"{os.devnull} has no positions"),
        (["startpos", "3", "--board", "wooden"], "wooden"),
        (["startpos", "3", "--board", "mailbox", "--hash", "1"], "for the bitboard only"),
        (["startpos", "3", "--threads", "0"], "threads"),
        (["startpos", "3", "--hash", "99999999999"], "does not fit into memory"),
    ],
)
def test_what_is_refused(arguments: list[str], reason: str, call_ox88: RunPython) -> None:
    process = call_ox88("perft", *arguments)
    assert process.returncode == 2
    assert reason in process.stderr
    assert process.stdout == ""


@pytest.mark.slow
@pytest.mark.posix("signals")
@pytest.mark.parametrize("board", ["bitboard", "rotated", "mailbox"])
def test_interrupting_a_count(board: str, call_ox88: RunPython) -> None:
    call_ox88("perft", "startpos", "1", "--board", board)  # So that nothing is compiled later, which would be told.
    with python("-m", "ox88", "perft", "startpos", "20", "--threads", "2", "--board", board) as process:
        wait_for_work(process)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert (output, errors.strip()) == ("", "")
