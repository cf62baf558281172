"""The campaign fuzz: its inputs can be made again, and what goes wrong is found."""

import gc
import hashlib
import os
import subprocess
import sys
from contextlib import nullcontext
from random import Random
from typing import Any

import chess
import psutil
import pytest

import ox88
from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.epd.suite import parse_case
from ox88.apps.web.positions import open_game
from ox88.engines.book import book_moves
from ox88.protocols import uci, xboard
from tests.protocols.fake import book_entry
from tests.tools.misbehaving import WRONG
from tools.proof import campaign, watching
from tools.proof.campaign import CAMPAIGNS, Block, FailureError, Tally
from tools.proof.fuzz import commands, dialogues, files, fuzz, inputs, pgn, reading, served
from tools.proof.fuzz.fuzz import KINDS, Fuzz, described, input_of
from tools.proof.fuzz.inputs import Kind, changed


@pytest.mark.posix("what a process leaves when it crashes")
def test_what_happens_to_a_process_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CAMPAIGNS, "wrong", ("tests.tools.misbehaving", "Misbehaving"))
    monkeypatch.setattr(watching, "MOST_MEMORY", 400 << 20)
    found = campaign.run_block(Block("wrong", 0, 10, 3))
    assert set(found.failures) == set(WRONG)
    assert found.tally.counts == {"cases that ended": 4, "seeds": 3 * 5}
    reasons = {
        1: ("in crash", "its process ends with the exit code -11"),
        2: ("in hang", "it takes more than 2 seconds of the processor"),
        4: ("", "its process ends with the exit code 7"),
        5: ("in take_memory", " MB of memory"),
        7: ("in wait", "it waits for more than 3 seconds"),
    }
    for case, (where, reason) in reasons.items():
        assert found.failures[case].startswith(f"the input of {case} of 3\n")
        assert where in found.failures[case]
        assert found.failures[case].endswith(reason)
    assert found.failures[8].endswith("KeyError: 'nobody has told of it'\n")


def test_a_campaign_that_cannot_begin_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CAMPAIGNS, "unable", ("tests.tools.misbehaving", "Unable"))
    with pytest.raises(RuntimeError, match=r"(?s)the exit code 1\n.*it has no board"):
        campaign.run_block(Block("unable", 0, 10, 3))


@pytest.mark.skipif(not psutil.LINUX, reason="only Linux tells how much memory a process has taken at most")
def test_the_memory_is_that_at_most() -> None:
    program = "taken = b'x' * (300 << 20); del taken; import psutil; from tools.proof.watching import Used"
    show = "process = psutil.Process(); print(Used.by(process).memory >> 20, process.memory_info().rss >> 20)"
    told = subprocess.run([sys.executable, "-c", f"{program}; {show}"], capture_output=True, text=True, check=True)
    most, now = map(int, told.stdout.split())
    assert now < 300 < most < 400


# --- Inputs -----------------------------------------------------------------------------------------------------------


def digest(first: int) -> str:
    """Of some inputs of every kind."""
    texts = (described(*input_of(case, 5)) for case in range(first, first + 200))
    return hashlib.sha256("\n".join(texts).encode(errors="backslashreplace")).hexdigest()


def test_a_number_makes_the_same_input_in_any_process() -> None:
    program = f"from {__name__} import digest; print(digest(4000))"
    environment = os.environ | {"PYTHONHASHSEED": "7"}
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert told.stdout.strip() == digest(4000)
    assert digest(5000) != digest(4000)


def test_each_kind_comes_as_often_as_its_share_says() -> None:
    kinds = [fuzz.kind_of(case).name for case in range(7000, 8000)]
    assert {kind.name: kinds.count(kind.name) for kind in KINDS} == {kind.name: kind.share for kind in KINDS}
    assert set(kinds[:60]) > {"move", "PGN", "UCI", "journal"}


@pytest.mark.parametrize("seeds", [("abc", "defghi"), (b"abc", b"defghi")])
def test_changes(seeds: Any) -> None:
    texts = [changed(Random(number), seeds, seeds[:1], 30) for number in range(300)]
    assert {*seeds} < {*texts}
    assert len({*texts}) > 150
    assert max(map(len, texts)) == 30
    assert seeds[0][:0] in texts


# --- What is wrong is found -------------------------------------------------------------------------------------------


def wrong_answer(_: str, tally: Tally) -> None:
    tally.counts["answers"] += 1
    raise FailureError("the move is e5, expected e4")


def wrong_exception(_: str, __: Tally) -> None:
    raise KeyError("nobody has told of it")


@pytest.mark.parametrize(
    ("check", "told"),
    [
        (wrong_answer, "fake: 'x'\nthe move is e5, expected e4"),
        (wrong_exception, "KeyError: 'nobody has told of it'\n"),
    ],
)
def test_contradictions_and_exceptions_are_told_with_the_input(
    check: Any, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "_KIND_OF", [Kind("fake", lambda _: "x", check, 1)])
    failure = campaign.run_case(Fuzz.__new__(Fuzz), 3, 1, Tally())
    assert failure is not None
    assert failure.startswith("fake: 'x'\n")
    assert failure.endswith(told)


def test_a_fen_that_is_read_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    reading.check_epd(ox88.STARTPOS, Tally())
    monkeypatch.setattr(reading, "read_one", lambda _: ox88.Setup("4k3/8/8/8/8/8/8/4K3"))
    with pytest.raises(FailureError, match="in bulk"):
        reading.check_epd(ox88.STARTPOS, Tally())


def test_a_move_that_is_read_or_written_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    reading.check_move((chess.Board(), "e4"), Tally())
    with monkeypatch.context() as patched:
        patched.setattr(reading, "parse_san", lambda *_: 5)
        with pytest.raises(FailureError, match="the move: 1804, expected 5"):
            reading.check_move((chess.Board(), "e4"), Tally())
    monkeypatch.setattr(ox88.Positions, "san", lambda *_: ["P-K4"])
    with pytest.raises(FailureError, match="SAN"):
        reading.check_move((chess.Board(), "e4"), Tally())


def test_a_game_that_is_read_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    pgn.check_pgn(b"1. e4 e5 1-0\n", Tally())
    monkeypatch.setattr(pgn, "read", lambda _: ox88.read_pgn(b"1. e4 e6 1-0\n"))
    with pytest.raises(FailureError, match="not as python-chess reads it"):
        pgn.check_pgn(b"1. e4 e5 1-0\n", Tally())


@pytest.mark.parametrize(
    ("text", "found", "told"),
    [
        ("e2e4", 1804, None),
        ("e2e5", 2316, None),
        ("0000", 0, None),
        ("e7e8k", "refused", None),
        ("P@e4", "refused", None),
        ("e2e4", 1805, "the move of UCI: 1805, expected 1804"),
        ("e2e5", 1804, "a legal move of UCI"),
        ("e2e2", 780, "it is UCI: True, expected False"),
        ("e2e4", "refused", "it is UCI: False, expected True"),
        ("0000", 1804, "the null move"),
    ],
)
def test_uci_that_is_read_otherwise(text: str, found: int | str, told: str | None) -> None:
    positions = ox88.Positions.from_fens([ox88.STARTPOS])
    with nullcontext() if told is None else pytest.raises(FailureError, match=told):
        reading.check_uci(chess.Board(), positions, text, found)


def test_a_solution_that_is_read_otherwise() -> None:
    line = f"{chess.Board().epd()} bm e4; am a3;"
    case = parse_case("suite", 1, line)
    reading.check_solutions(case, line, tally := Tally())
    assert tally.counts == {"solutions as python-chess reads them": 2}
    for text, told in ((line.replace("e4", "d4"), "bm of"), (line.replace("am a3;", ""), "am of")):
        with pytest.raises(FailureError, match=told):
            reading.check_solutions(case, text, Tally())


@pytest.mark.parametrize(
    "wrong", [{"parent": 0}, {"uci": "e7e4"}, {"san": "e6"}, {"fen": ox88.STARTPOS}, {"check": True}]
)
def test_a_tree_that_cannot_be_played(wrong: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *\n"
    pgn.check_game_tree(text, tally := Tally())
    assert tally.counts == {"positions of trees": 6}
    monkeypatch.setattr(pgn, "open_game", lambda *_: opened(wrong))
    with pytest.raises(FailureError):
        pgn.check_game_tree(text, Tally())


def opened(wrong: dict[str, Any]) -> dict[str, Any]:
    """The tree of 1. e4 e5, with something wrong in the second move."""
    found = open_game("1. e4 e5 *", OpeningNames({}))
    found["nodes"][2] |= wrong
    return found


def test_a_book_that_is_read_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    board = chess.Board()
    data = book_entry(board, "d2d4", 2) + book_entry(board, "e2e5", 2) + book_entry(board, "e2e4", 3)
    files.check_book((board, data), tally := Tally())
    assert tally.counts == {"moves of books": 2}
    monkeypatch.setattr(files, "book_moves", lambda *arguments: book_moves(*arguments)[:1])
    with pytest.raises(FailureError, match="the moves with their weights"):
        files.check_book((board, data), Tally())


def test_a_session_with_an_engine_leaves_no_tables() -> None:
    gc.collect()
    gc.disable()
    try:
        before = sessions()
        dialogues.check_engines_by_uci(["isready"], Tally())
        dialogues.check_engines_by_xboard(["ping 1"], Tally())
        assert sessions() == before
    finally:
        gc.enable()


def sessions() -> int:
    """The number of sessions in memory. Types are compared: isinstance fails on a weak reference to what is gone."""
    return sum(type(one) in (uci.Session, xboard.Session) for one in gc.get_objects())


def test_a_file_that_raises_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError

    files.check_journal({"": b"nonsense"}, Tally())
    monkeypatch.setattr(files, "Journal", broken)
    with pytest.raises(KeyError):
        files.check_journal({"": b"nonsense"}, Tally())


def test_a_server_that_fails_or_tells_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    request = served.Request("GET", "/", b"", [(b"host", b"localhost")], b"")
    answer = {"type": "http.response.start", "status": 500, "headers": [(b"x-frame-options", b"")]}
    monkeypatch.setattr(served, "_ask", lambda _: [answer, {"type": "http.response.body", "body": b"root:x:0"}])
    with pytest.raises(FailureError, match="the answer is 500"):
        served.check_request(request, Tally())
    answer["status"] = 200
    with pytest.raises(FailureError, match="the answer is 200, b'root:x:0'"):
        served.check_request(request, Tally())


def test_commands_stay_small_and_in_their_folder() -> None:
    given = commands.Command(["perft", "startpos", "17", "-o", "/etc/x", "--epd=../y", "r1/8 w"], "pgn /z\npgn ~/z")
    words, text = commands.limited(given)
    assert words == ["perft", "startpos", "2", "-o", "_etc_x", "--epd=__y", "r1/8 w"]
    assert text == "pgn _z\npgn __z"
    assert commands.limited(commands.Command(["play", "--depth", "99"], "")).arguments[-2:] == ["--nodes", "20"]


def test_positions_are_legal() -> None:
    assert all(board.is_valid() for board in inputs.boards())
    assert sum(board.chess960 for board in inputs.boards()) > 20
