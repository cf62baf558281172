"""Thousands of lines that no GUI sends: the session lives on, its position stays legal, each go gets one bestmove."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.convert import to_chess_board
from ox88.engines.base import EngineEntry
from ox88.engines.registry import MICROMAX, MODERN
from ox88.protocols.uci import Session
from ox88.protocols.uci_go import parse_go
from tests.positions import FENS
from tests.protocols.fake import Dialogue, first_legal, remembering
from tests.protocols.fuzz import mutated_lines, shortened

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
mutated_commands = mutated_lines(SEEDS, (*"-98", "moves", " fen ", "name ", "value "), "position fen ")


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


@pytest.mark.slow
@settings(max_examples=300)
@given(lines=st.lists(mutated_commands, max_size=30))
def test_a_session_survives_everything(lines: list[str]) -> None:
    dialogue = Dialogue(first_legal, first_legal)
    dialogue.send(*lines, "stop", "isready")
    check_answers(lines, dialogue.out)
    assert dialogue.engine.board.is_valid()
    assert not any("failed" in line for line in dialogue.out)


def converse(entry: EngineEntry, lines: Sequence[str]) -> bool:
    """True if the engine's position is legal at the end of a session that hears the lines."""
    out: list[str] = []
    entry, made = remembering(entry)
    Session([entry], out.append).run(["setoption name Hash value 1", *lines, "stop", "isready"])
    check_answers(lines, out)
    assert not any("failed" in line for line in out)
    return to_chess_board(made[-1].setup).is_valid()


@settings(max_examples=40)
@given(lines=st.lists(mutated_commands, min_size=5, max_size=30))
def test_micromax_survives_everything(lines: list[str]) -> None:
    assert converse(MICROMAX, lines)


@settings(max_examples=25)
@given(lines=st.lists(mutated_commands, min_size=5, max_size=30))
def test_the_strong_engine_survives_everything(lines: list[str]) -> None:
    assert converse(MODERN, [shortened(line, r"(hash|threads)( value)? ") for line in lines])


@settings(max_examples=100)
@given(lines=st.lists(mutated_commands, max_size=20), last=st.sampled_from(SEEDS[20:27]))
def test_a_good_position_is_taken_whatever_came_before(lines: list[str], last: str) -> None:
    dialogue = Dialogue()
    dialogue.send(*lines, "stop")
    expected = Dialogue()
    dialogue.send(last)
    expected.send("isready", last)
    if not any(line.startswith("info string") for line in expected.out):
        assert dialogue.engine.setup == expected.engine.setup
