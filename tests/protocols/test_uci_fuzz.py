"""Thousands of lines that no GUI sends: the session lives on, its position stays legal, each go gets one bestmove."""

import re
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.convert import to_chess_board
from ox88.engines.registry import MICROMAX, MODERN
from ox88.protocols.uci import Session
from ox88.protocols.uci_go import parse_go
from tests.positions import FENS, mutated_fens
from tests.protocols.fake import Dialogue, first_legal, remembering

COMMANDS = {"uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop", "ponderhit"}
FOR_PEOPLE = {"d", "eval", "bench", "flip"}
SEEDS = (
    "uci", "isready", "ucinewgame", "stop", "ponderhit", "debug on", "d", "eval", "flip", "bench", "register later",
    "setoption name Hash value 32", "setoption name Clear Hash", "setoption name Move Overhead value 5",
    "setoption name UCI_Chess960 value true", "setoption name UCI_ShowWDL value true",
    "setoption name OwnBook value true",
    "setoption name Book File value /no/such/book.bin", "setoption name Engine value Fake1",
    "setoption name Engine value micro-Max",
    "position startpos", "position startpos moves e2e4 e7e5 g1f3", "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5",
    *(f"position fen {fen} moves e1g1" for fen in FENS),
    "go depth 2", "go nodes 100", "go movetime 1", "go infinite", "go ponder wtime 1000 btime 1000", "go mate 2",
    "go wtime 100 btime 100 winc 1 binc 1 movestogo 3", "go searchmoves e2e4 d2d4 nodes 50", "go perft 2",
)  # fmt: skip
INSERTED = (
    *" \t\0-0998",
    "moves",
    " fen ",
    "name ",
    "value ",
    "9" * 30,
    "é",
    "\N{ARABIC-INDIC DIGIT THREE}",
    "\u2028",
    "x" * 5000,
)


@st.composite
def mutated_commands(draw: st.DrawFn) -> str:
    """Commands with pieces replaced, left out or put in, joined, or plain noise; on one line. None of them is quit."""
    kinds = st.one_of(
        st.sampled_from(SEEDS), st.sampled_from(SEEDS), mutated_fens().map("position fen ".__add__), st.text()
    )
    text = draw(kinds)
    for _ in range(draw(st.integers(0, 2))):
        place, length = draw(st.integers(0, len(text))), draw(st.integers(0, 4))
        inserted = draw(st.one_of(st.sampled_from(INSERTED), st.sampled_from(SEEDS), st.just("")))
        text = text[:place] + inserted + text[place + length :]
    words = ["quid" if word == "quit" else word for word in text.split()]
    return " ".join(words)


def is_search(line: str) -> bool:
    """Whether a line asks for a bestmove: its first word that is a command is go, and it is no perft."""
    for number, word in enumerate(line.split()):
        if word in COMMANDS or (number == 0 and word in FOR_PEOPLE):
            rest = " ".join(line.split()[number + 1 :])
            return word == "go" and "perft" not in parse_go(rest).numbers
    return False


def check_answers(lines: Sequence[str], out: Sequence[str]) -> None:
    assert sum(line.startswith("bestmove ") for line in out) == sum(map(is_search, lines))
    assert out[-1] == "readyok"
    assert not any("\n" in line or "\r" in line for line in out)


@settings(max_examples=300)
@given(lines=st.lists(mutated_commands(), max_size=30))
def test_a_session_survives_everything(lines: list[str]) -> None:
    dialogue = Dialogue(first_legal, first_legal)
    dialogue.send(*lines, "stop", "isready")
    check_answers(lines, dialogue.out)
    assert dialogue.engine.board.is_valid()
    assert not any("failed" in line for line in dialogue.out)


@settings(max_examples=40)
@given(lines=st.lists(mutated_commands(), min_size=5, max_size=30))
def test_micromax_survives_everything(lines: list[str]) -> None:
    out: list[str] = []
    entry, made = remembering(MICROMAX)
    session = Session([entry], out.append)
    session.run([*lines, "stop", "isready"])
    check_answers(lines, out)
    assert to_chess_board(made[-1].setup).is_valid()
    assert not any("failed" in line for line in out)


@settings(max_examples=25)
@given(lines=st.lists(mutated_commands(), min_size=5, max_size=30))
def test_the_strong_engine_survives_everything(lines: list[str]) -> None:
    out: list[str] = []
    entry, made = remembering(MODERN)
    session = Session([entry], out.append)
    session.run(["setoption name Hash value 1", *map(shortened, lines), "stop", "isready"])
    check_answers(lines, out)
    assert to_chess_board(made[-1].setup).is_valid()
    assert not any("failed" in line for line in out)


def shortened(line: str) -> str:
    """Tables and threads of moderate number: what they cost is not what is tried."""
    return re.sub(r"(?i)(hash|threads)( value)? \d+", r"\1\2 2", line)


@settings(max_examples=100)
@given(lines=st.lists(mutated_commands(), max_size=20), last=st.sampled_from(SEEDS[20:27]))
def test_a_good_position_is_taken_whatever_came_before(lines: list[str], last: str) -> None:
    dialogue = Dialogue()
    dialogue.send(*lines, "stop")
    expected = Dialogue()
    dialogue.send(last)
    expected.send("isready", last)
    if not any(line.startswith("info string") for line in expected.out):
        assert dialogue.engine.setup == expected.engine.setup
