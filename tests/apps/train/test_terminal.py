"""`ox88 train`: sessions on a pipe, and its options."""

import dataclasses
import io
import json
import signal
import subprocess
from pathlib import Path

import pytest

from ox88.apps.screen import PlainScreen
from ox88.apps.store import Store
from ox88.apps.train.records import Records
from ox88.apps.train.sessions import Trainer, What
from ox88.apps.train.terminal import TerminalTraining
from tests.apps.train.conftest import NOON, Clock, named
from tests.conftest import DATA, RunPython
from tests.processes import PATIENCE, python


def session(trainer: Trainer, text: str, what: What = "mistakes") -> list[str]:
    """What the screen shows of a session in which these lines are typed, without the boards."""
    output = io.StringIO()
    trainer.begin(what)
    TerminalTraining(trainer, PlainScreen(io.StringIO(text), output)).run()
    return [line for line in output.getvalue().splitlines() if line and not line.startswith(" ")]


@pytest.fixture
def trainer(trainer: Trainer) -> Trainer:
    trainer.records.keep([named("a"), named("b")])
    return trainer


SOLVED = [
    "The solution: 16...Bf4 17. Qxf4 Qxf4+.",
    "Bf4 pins the queen.",
    "Themes: pin, short.",
]
FIRST = [
    "Puzzle 1 of 2, rated 1000.",
    "White has played 16. Ba4.",
    "In a game you played 16...Qa5. Find a better move.",
]
SECOND = ["Puzzle 2 of 2, rated 1000.", *FIRST[1:]]


def test_a_session(trainer: Trainer) -> None:
    assert session(trainer, "Qa5\nhint\nBf4\nQxf4\n\nBf4\nc7f4\n\n") == [
        *FIRST,
        "Qa5 is not the move. Try again, or type hint, show or next.",
        "The bishop on d6 moves.",
        "16...Bf4 is right. The answer is 17. Qxf4.",
        "Solved.", *SOLVED, "It comes back tomorrow.",
        *SECOND,
        "16...Bf4 is right. The answer is 17. Qxf4.",
        "Solved.", *SOLVED, "It comes back in 2 days.",
        "1 of 2 solved at once. The first to come back comes tomorrow.",
    ]  # fmt: skip


def test_what_is_shown_or_left_comes_back(trainer: Trainer) -> None:
    said = session(trainer, "SHOW\nshow\nBf4\nnext\nQa5\nnext\n")
    over = "this puzzle is over: go on to the next one"
    assert said[3:9] == [*SOLVED, "It comes back tomorrow.", over, over]
    assert said[-1] == "0 of 2 solved at once. The first to come back comes tomorrow."


def test_refused_lines_change_nothing(trainer: Trainer) -> None:
    said = session(trainer, "Ke2\nxyzzy\nquit\nBf4\n")
    assert said[3:] == [
        "Ke2: no king of Black can go to e2",
        "'xyzzy' is not a move; write it as e2e4, e7e8n, Nf3 or O-O; help lists the commands",
    ]
    assert list(trainer.records.answers()) == []


def test_help_and_statistics(trainer: Trainer, clock: Clock) -> None:
    said = session(trainer, "Qa5\nhelp\nstatistics\nquit\n")
    assert "hint                    the piece that moves" in said
    assert said[-5:] == [
        "Your rating: 1500, give or take 700.",
        "Due today: 0. Due tomorrow: 1. New mistakes: 1.",
        "Answers today: 1. Days in a row: 1. Best rush: 0.",
        "pin                      0 of     1 at once",
        "short                    0 of     1 at once",
    ]
    clock.pass_days(1)
    assert session(trainer, "")[0] == "Puzzle 1 of 2, which comes back, rated 1000."


def test_themes_are_in_words(trainer: Trainer) -> None:
    trainer.records.keep([dataclasses.replace(named("c", NOON + 1), themes=("mateIn2", "backRankMate", "mateIn5"))])
    assert "Themes: mate in 2, back-rank mate, mate in 5 or more." in session(trainer, "show\nquit\n")


def test_other_good_moves_are_right_and_named(trainer: Trainer) -> None:
    trainer.records.keep([dataclasses.replace(named("c", NOON + 1), also=("d6h2", "c7c4"))])
    said = session(trainer, "Qc4\nquit\n")
    assert said[3:5] == ["Solved.", "The solution: 16...Bf4 17. Qxf4 Qxf4+. Also good: Bxh2, Qc4."]


def test_the_rating_changes_with_the_open_set(trainer: Trainer) -> None:
    assert any(line.startswith("Your rating: 1") for line in session(trainer, "show\n", "open"))


def test_a_rush_goes_on_by_itself_and_ends(trainer: Trainer) -> None:
    said = session(trainer, "show\nshow\nshow\n", "rush")
    assert [line.split(",")[0] for line in said if line.startswith("Puzzle")] == ["Puzzle 1", "Puzzle 2", "Puzzle 3"]
    assert said[-1] == "0 of 3 solved at once. The first to come back comes tomorrow."


def test_the_time_of_a_rush_runs_at_the_prompt(trainer: Trainer, clock: Clock) -> None:
    prompts = []

    class SlowScreen(PlainScreen):
        def ask(self, prompt: object, /) -> str | None:
            for _ in range(4):
                prompts.append(prompt())  # type: ignore[operator]
                clock.now += 60
            return "Bf4"

    output = io.StringIO()
    trainer.begin("rush")
    TerminalTraining(trainer, SlowScreen(io.StringIO(), output)).run()
    assert [text.split("(")[1] for text in prompts] == ["3:00)> ", "2:00)> ", "1:00)> "]
    assert output.getvalue().endswith("0 of 0 solved at once.\n")


@pytest.mark.parametrize("is_asked", [True, False])
def test_ctrl_c_leaves_quietly_at_a_question_and_between_two(trainer: Trainer, is_asked: bool) -> None:
    class Interrupted(io.StringIO):
        """Ctrl-C comes where it is used after the first answer."""

        def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
            self._interrupt()
            return super().readline(size)

        def write(self, text: str, /) -> int:
            self._interrupt()
            return super().write(text)

        def _interrupt(self) -> None:
            if any(trainer.records.answers()):
                raise KeyboardInterrupt

    kinds = (Interrupted, io.StringIO) if is_asked else (io.StringIO, Interrupted)
    output = kinds[1]()
    trainer.begin("mistakes")
    TerminalTraining(trainer, PlainScreen(kinds[0]("Qa5\nBf4\n"), output)).run()
    assert "Find a better move" in output.getvalue()
    assert ("is not the move" in output.getvalue(), "solved at once" in output.getvalue()) == (is_asked, False)
    assert [answer.grade for answer in trainer.records.answers()] == ["again"]


# --- The command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a mistake."""
    with Store(tmp_path / "games.sqlite3") as store:
        Records(store).keep([named("fork")])
    return tmp_path


def test_the_command_keeps_what_is_answered(call_ox88: RunPython, data: Path) -> None:
    def train(*arguments: object, folder: Path = data, text: str = "") -> tuple[str, str]:
        done = call_ox88("train", "--data", folder, *arguments, input=text)
        return done.stdout, done.stderr

    said, errors = train(text="Qa5\nquit\n")
    assert "In a game you played 16...Qa5." in said
    assert errors == ""
    none = "ox88: no mistake is due, and there are no new ones: learn from a game first\n"
    assert train("--mistakes") == ("", none)
    assert train(text="Bf4\n")[0].startswith("The session that you left goes on.\n")
    assert "Solved." in train(text="Qxf4\n")[0]
    assert train()[0].startswith("Type a move")  # The session is over: the open set is next.
    assert train("--export", data / "all.json") == ("", "")
    assert len(json.loads((data / "all.json").read_text())["answers"]) == 1
    other = data / "other"
    said = f"{data / 'all.json'}: 1 new puzzle and 1 new answer.\n"
    assert train("--import", data / "all.json", folder=other) == (said, "")
    refused = train("--import", data / "games.sqlite3", folder=other)[1]
    assert refused.startswith(f"ox88: {data / 'games.sqlite3'}: this is no training that was exported: ")


@pytest.mark.slow
def test_it_learns_from_a_file(call_ox88: RunPython, tmp_path: Path) -> None:
    games = ("--games", DATA / "games" / "famous.pgn", "--player", "Kieseritzky, Lionel")
    said = call_ox88("train", "--data", tmp_path, *games, input="show\n").stdout
    assert "Game 1 of 1, Anderssen, Adolf - Kieseritzky, Lionel, 1851.06.21: " in said
    assert "you played" in said


def test_what_is_refused(call_ox88: RunPython, data: Path) -> None:
    for arguments, words in (
        ("--games x.pgn", "--games and --player belong together: a PGN file, and your name in it"),
        ("--theme= --rush", "--theme is one of several kinds of sessions: leave out the other one"),
        ("--theme=", "the open set has no puzzles of the theme ''"),
        ("--games x.pgn --player=", "--player has no name: your name in the games is expected"),
        ("--theme fork --rush", "--theme is one of several kinds of sessions: leave out the other one"),
        ("--theme spoon", "the open set has no puzzles of the theme 'spoon': `fork` is one that it has"),
        ("--games none.pgn --player A", "'none.pgn' cannot be opened: No such file or directory"),
        ("--import none.json", "none.json cannot be read: No such file or directory"),
        ("--export none/none.json", "none/none.json cannot be written: No such file or directory"),
    ):
        done = call_ox88("train", "--data", data, *arguments.split())
        assert done.returncode == 2
        assert words in done.stderr


@pytest.mark.parametrize("name", ["fsrs", "glicko2"])
def test_without_its_libraries_it_says_what_to_install(
    call_ox88: RunPython, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("ox88.apps.train.cli.find_spec", lambda wanted: None if wanted == name else wanted)
    done = call_ox88("train")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"ox88: train needs {name}, which is not installed: pip install 'ox88[train]'\n"


def test_nothing_imports_the_libraries_before_an_answer(run_python: RunPython) -> None:
    code = """
import sys, ox88, ox88.protocols.uci
print("ox88.motifs" in sys.modules)
import ox88.apps.web.app, ox88.apps.train.terminal
print([name for name in ("fsrs", "glicko2", "ox88.apps.puzzles.puzzles", "numba") if name in sys.modules])
"""
    assert run_python("-c", code).stdout == "False\n[]\n"


@pytest.mark.slow
@pytest.mark.posix("signals")
def test_ctrl_c_leaves_quietly(data: Path) -> None:
    with python("-m", "ox88", "train", "--data", data, stdin=subprocess.PIPE) as process:
        assert process.stdout is not None
        while "Find a better move" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")
