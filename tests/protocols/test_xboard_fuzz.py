"""Thousands of lines that no GUI sends: the session lives on, plays legal moves, and answers each ping."""

import re
from collections.abc import Sequence

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.convert import to_chess_board
from ox88.engines.base import EngineEntry
from ox88.engines.registry import MICROMAX, MODERN
from ox88.protocols import xboard
from ox88.setup import parse_fen
from tests.positions import FENS
from tests.protocols.fake import Dialogue, first_legal, remembering
from tests.protocols.fuzz import mutated_lines, shortened

LAST = "ping 77777"
WAIT = "ping 33333"  # What is sent next waits for its answer: the engine has moved then, if it was to move.
SEEDS = (
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


mutated_commands = mutated_lines(SEEDS, (*":.=99(){}", "ping ", "usermove "), "setboard ")


def check_answers(lines: Sequence[str], out: Sequence[str]) -> None:
    assert out[-1] == "pong 77777"
    assert sum(line.startswith("pong") for line in out) == 1 + sum(line.split()[:1] == ["ping"] for line in lines)
    for line in out:
        assert ANSWER.fullmatch(line), line
    assert not any("failed" in line for line in out)


def converse(entry: EngineEntry, lines: Sequence[str]) -> chess.Board:
    """The board at the end of a session that hears the lines."""
    out: list[str] = []
    entry, made = remembering(entry)
    session = xboard.Session([entry], out.append)
    session.run(["option Hash=1", *lines, "force", LAST])
    check_answers(lines, out)
    return to_chess_board(made[-1].setup)


@pytest.mark.slow
@settings(max_examples=300)
@given(lines=st.lists(mutated_commands | mutated_commands | st.just(WAIT), max_size=40))
def test_a_session_survives_everything(lines: list[str]) -> None:
    dialogue = Dialogue(first_legal, first_legal, speaks=xboard.Session)
    for number, line in enumerate(lines, 1):
        dialogue.send(line)
        if line == WAIT:
            dialogue.send("?")
            dialogue.expect(WAIT.replace("ping", "pong"), lines[:number].count(WAIT))
    dialogue.send("force", LAST)
    check_answers(lines, dialogue.out)
    assert dialogue.engine.board.is_valid()


@settings(max_examples=40)
@given(lines=st.lists(mutated_commands, min_size=5, max_size=30))
def test_micromax_survives_everything(lines: list[str]) -> None:
    assert converse(MICROMAX, lines).is_valid()


@settings(max_examples=25)
@given(lines=st.lists(mutated_commands, min_size=5, max_size=30))
def test_the_strong_engine_survives_everything(lines: list[str]) -> None:
    assert converse(MODERN, [shortened(line, r"(hash=|threads=|memory|cores)\s*") for line in lines]).is_valid()


@settings(max_examples=100)
@given(lines=st.lists(mutated_commands, max_size=20), fen=st.sampled_from(FENS))
def test_a_good_position_is_taken_whatever_came_before(lines: list[str], fen: str) -> None:
    dialogue = Dialogue(speaks=xboard.Session)
    dialogue.send(*lines, "new", "force", f"setboard {fen}", "go", LAST)
    dialogue.expect("pong 77777")
    assert dialogue.engine.board.root() == to_chess_board(parse_fen(fen))
