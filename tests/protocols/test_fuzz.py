"""Thousands of lines that no GUI sends: a session lives on, its position stays legal, each question has its answers."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.convert import to_chess_board
from ox88.engines.registry import MICROMAX, MODERN
from ox88.protocols import uci, xboard
from ox88.protocols.uci_text import parse_go
from ox88.setup import parse_fen
from tests.campaigns.changing import TEXTS, changed
from tests.positions import FENS, mutated_fens
from tests.protocols.fake import Dialogue, first_legal, remembering


def on_one_line(text: str) -> str:
    """The text as a line that does not end the session."""
    return " ".join("quid" if word == "quit" else word for word in text.split())


def noisy(seeds: Sequence[str], before_fen: str) -> st.SearchStrategy[str]:
    """Good commands that were changed, joined or replaced by noise. before_fen: the command that a FEN follows."""
    lines = changed(seeds, (*TEXTS, *seeds))
    return (lines | lines | mutated_fens().map(before_fen.__add__) | st.text()).map(on_one_line)


# --- UCI --------------------------------------------------------------------------------------------------------------

COMMANDS = {"uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop", "ponderhit"}
FOR_PEOPLE = {"d", "eval", "bench", "flip"}
POSITIONS = (
    "position startpos", "position startpos moves e2e4 e7e5 g1f3", "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5",
    *(f"position fen {fen} moves e1g1" for fen in FENS),
)  # fmt: skip
UCI_SEEDS = (
    "uci", "isready", "ucinewgame", "stop", "ponderhit", "debug on", "d", "eval", "flip", "bench", "register later",
    "setoption name Hash value 32", "setoption name Clear Hash", "setoption name Move Overhead value 5",
    "setoption name UCI_Chess960 value true", "setoption name UCI_ShowWDL value true",
    "setoption name OwnBook value true", "setoption name Book File value /no/such/book.bin",
    "setoption name Engine value Fake1", "setoption name Engine value micro-Max", *POSITIONS,
    "go depth 2", "go nodes 100", "go movetime 1", "go infinite", "go ponder wtime 1000 btime 1000", "go mate 2",
    "go wtime 100 btime 100 winc 1 binc 1 movestogo 3", "go searchmoves e2e4 d2d4 nodes 50", "go perft 2",
)  # fmt: skip


def is_search(line: str) -> bool:
    """True if a line asks for a bestmove: its first command is `go`, without `perft`."""
    for number, word in enumerate(line.split()):
        if word in COMMANDS or (number == 0 and word in FOR_PEOPLE):
            rest = " ".join(line.split()[number + 1 :])
            return word == "go" and "perft" not in parse_go(rest).numbers
    return False


def check_uci(lines: Sequence[str], out: Sequence[str]) -> None:
    assert sum(line.startswith("bestmove ") for line in out) == sum(map(is_search, lines))
    assert out[-1] == "readyok"
    assert not any("\n" in line or "\r" in line for line in out)


# --- XBoard's protocol ------------------------------------------------------------------------------------------------

WAIT = "ping 33333"  # What is sent next waits for its answer: the engine has moved then, if it was to move.
XBOARD_SEEDS = (
    "xboard", "protover 2", "new", "force", "go", "go", "playother", "analyze", "analyze", "exit", "?", ".", "undo",
    "remove", "hint", "bk", "draw", "post", "nopost", "hard", "easy", "ping 1", "ping 2", "result 1-0 {White mates}",
    "level 40 5 0", "level 0 0:01 0.1", "level 2 0 1", "st 0.01", "sd 2", "nps 1000", "time 100", "otim 100", "cores 2",
    "memory 2", "egtpath syzygy /no/such", "option Clear_Hash", "option Move_Overhead=5", "option Engine=Fake1",
    "option OwnBook=1", "option Book_File=/no/such", "accepted ping", "name x", "computer", "variant fischerandom",
    *(f"usermove {move}" for move in ("e2e4", "e7e5", "g1f3", "b8c6", "a2a3", "a7a5", "e1g1", "O-O", "O-O-O")),
    "e2e4", "d7d5", "e4d5", "d8d5", "a7a8q",
    *(f"setboard {fen}" for fen in FENS),
)  # fmt: skip
ANSWER = re.compile(
    r"feature .+|pong.*|move .+|Error \([^()]*\): .*|Illegal move \([^()]*\): .*|tellusererror .+|# .+|Hint: .+| .+|"
    r"stat01: .+|offer draw|(1-0|0-1|1/2-1/2) \{.+\}|\d+ -?\d+ \d+ \d+ \d+ \d+ \d+\t.+|"
)


def check_xboard(lines: Sequence[str], out: Sequence[str]) -> None:
    assert out[-1] == "pong 77777"
    assert sum(line.startswith("pong") for line in out) == 1 + sum(line.split()[:1] == ["ping"] for line in lines)
    for line in out:
        assert ANSWER.fullmatch(line), line


# --- Tests ------------------------------------------------------------------------------------------------------------


class Protocol(NamedTuple):
    """A session, lines for it, and what must come back.

    small: sets a small table. last: ends the search, and asks for an answer. sizes: a pattern of what comes before the
    number of megabytes or threads.
    """

    session: type[uci.Session | xboard.Session]
    lines: st.SearchStrategy[str]
    small: str
    last: tuple[str, str]
    check: Callable[[Sequence[str], Sequence[str]], None]
    sizes: str


PROTOCOLS: Final = {
    "uci": Protocol(
        uci.Session,
        noisy(UCI_SEEDS, "position fen "),
        "setoption name Hash value 1",
        ("stop", "isready"),
        check_uci,
        "(hash|threads)( value)? ",
    ),
    "xboard": Protocol(
        xboard.Session,
        noisy(XBOARD_SEEDS, "setboard "),
        "option Hash=1",
        ("force", "ping 77777"),
        check_xboard,
        r"(hash=|threads=|memory|cores)\s*",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PROTOCOLS)
@settings(max_examples=300)
@given(data=st.data())
def test_a_session_survives_everything(name: str, data: st.DataObject) -> None:
    protocol = PROTOCOLS[name]
    waits = st.just(WAIT) if name == "xboard" else protocol.lines
    lines = data.draw(st.lists(protocol.lines | protocol.lines | waits, max_size=40))
    dialogue = Dialogue(first_legal, first_legal, speaks=protocol.session)
    for number, line in enumerate(lines, 1):
        dialogue.send(line)
        if line == WAIT:
            dialogue.send("?")
            dialogue.expect(WAIT.replace("ping", "pong"), lines[:number].count(WAIT))
    dialogue.send(*protocol.last)
    protocol.check(lines, dialogue.out)
    assert dialogue.engine.board.is_valid()
    assert not any("failed" in line for line in dialogue.out)


@pytest.mark.parametrize("entry", [MICROMAX, MODERN], ids=lambda entry: entry.name)
@pytest.mark.parametrize("name", PROTOCOLS)
@settings(max_examples=10)
@given(data=st.data())
def test_an_engine_survives_everything(name: str, entry: Any, data: st.DataObject) -> None:
    """Tables and threads are of moderate number: what they cost is not what is tried."""
    protocol, out = PROTOCOLS[name], list[str]()
    lines = data.draw(st.lists(protocol.lines, min_size=5, max_size=30))
    lines = [re.sub(rf"(?i)({protocol.sizes})\d+", r"\g<1>2", line) for line in lines]
    remembered, made = remembering(entry)
    protocol.session([remembered], out.append).run([protocol.small, *lines, *protocol.last])
    protocol.check(lines, out)
    assert to_chess_board(made[-1].setup).is_valid()
    assert not any("failed" in line for line in out)


@settings(max_examples=25)
@given(lines=st.lists(PROTOCOLS["uci"].lines, max_size=20), last=st.sampled_from(POSITIONS))
def test_a_good_position_of_uci_is_taken_whatever_came_before(lines: list[str], last: str) -> None:
    dialogue, expected = Dialogue(), Dialogue()
    dialogue.send(*lines, "stop", last)
    expected.send("isready", last)
    if not any(line.startswith("info string") for line in expected.out):
        assert dialogue.engine.setup == expected.engine.setup


@settings(max_examples=25)
@given(lines=st.lists(PROTOCOLS["xboard"].lines, max_size=20), fen=st.sampled_from(FENS))
def test_a_good_position_of_xboard_is_taken_whatever_came_before(lines: list[str], fen: str) -> None:
    dialogue = Dialogue(speaks=xboard.Session)
    dialogue.send(*lines, "new", "force", f"setboard {fen}", "go", "ping 77777")
    dialogue.expect("pong 77777")
    assert dialogue.engine.board.root() == to_chess_board(parse_fen(fen))
