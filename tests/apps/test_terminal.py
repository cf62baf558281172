"""Sessions of `ox88 play`: scripted on a pipe, and typed on a real terminal."""

import contextlib
import io
import os
import re
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import pytest
from rich.console import Console

from ox88.apps.screen import PlainScreen, TerminalScreen, coloured_board, plain_board
from ox88.apps.terminal import TerminalGame
from ox88.apps.time_control import TimeControl
from ox88.engines.base import Clock, Info, Limit
from ox88.engines.micromax.driver import MicroMax
from ox88.fen import STARTPOS
from tests.conftest import RunPython
from tests.processes import PATIENCE


@pytest.fixture(scope="module")
def engine() -> MicroMax:
    return MicroMax()


def session(engine: Any, text: str, nodes: int | None = 100, side: str = "both", **options: Any) -> str:
    """What the screen shows of a game in which these lines are typed."""
    output = io.StringIO()
    screen = PlainScreen(io.StringIO(text), output)
    TerminalGame(engine, screen, Limit(nodes=nodes), side=side, **options).run()
    return output.getvalue()


def test_an_empty_line_makes_the_engine_move(engine: MicroMax) -> None:
    output = session(engine, "e2e4\n\n")
    assert "You: 1. e4" in output
    assert re.search(r"micro-Max 3.2: 1\.\.\. \S+   \(depth \d+, ", output)


def test_with_a_side_chosen_the_engine_answers_by_itself(engine: MicroMax) -> None:
    output = session(engine, "e4\nd4\n", side="white")
    assert re.findall(r"^(You|micro-Max 3.2): (\d+\.+)", output, re.MULTILINE) == [
        ("You", "1."), ("micro-Max 3.2", "1..."), ("You", "2."), ("micro-Max 3.2", "2..."),
    ]  # fmt: skip
    assert "micro-Max 3.2: 1. " in session(engine, "", side="black")
    assert "micro-Max 3.2: 1. " in session(engine, "black\n")


def test_the_engine_plays_both_sides_to_the_end(engine: MicroMax) -> None:
    output = session(engine, "pgn\n", fen="8/8/8/8/8/5k2/7q/4K3 b - - 0 1", side="none", nodes=3000)
    assert "Checkmate, 0-1." in output
    assert '[Termination "checkmate"]' in output
    assert '[White "micro-Max 3.2"]' in output


def test_refused_lines_change_nothing(engine: MicroMax) -> None:
    output = session(engine, "e2e5\nNd5\nxyzzy\nundo\nundo now\nfen 8/8/8/8 w\nfen 8/8/8/8/8/8/8/K7 w - -\nfen\n")
    assert output.splitlines()[-8:] == [
        "e2e5: the pawn on e2 cannot reach e5",
        "Nd5: no knight of White can go to d5",
        "'xyzzy' is not a move; write it as e2e4, e7e8n, Nf3 or O-O; help lists the commands",
        "there is no move to take back",
        "'undo now' is not a move; write it as e2e4, e7e8n, Nf3 or O-O; help lists the commands",
        "FEN '8/8/8/8 w': the board has 4 ranks, not 8",
        "illegal position: Black has no king",
        STARTPOS,
    ]


def test_undo_takes_the_answer_back_too(engine: MicroMax) -> None:
    output = session(engine, "e4\nundo\nfen\n", side="white")
    assert re.search(r"^Taken back: e4, \S+$", output, re.MULTILINE)
    assert output.endswith(f"{STARTPOS}\n")
    # As Black the engine's first move can be taken back too; then it waits to be asked.
    output = session(engine, "undo\nfen\n", side="black")
    assert output.endswith(f"{STARTPOS}\n")


def test_every_ending_is_named_and_the_engine_rests(engine: MicroMax) -> None:
    output = session(engine, "f3\ne5\ng4\nQh4\n\nhint\na3\nundo\n\nquit\nnever read\n")
    for words in (
        "Checkmate, 0-1.",
        "The game is over (checkmate, 0-1): undo, new, pgn or quit.",
        "There is no move.",
        "a3: the game is over",
        "Taken back: Qh4#",
    ):
        assert words in output
    assert "never read" not in output


def test_fen_new_hint_flip_help(engine: MicroMax) -> None:
    output = session(engine, "fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\nhint\nflip\nnew\nfen\nhelp\n", nodes=2000)
    assert re.search(r"^Ra8#   \(depth \d+, #1\)\n1\. Ra8# gives a back-rank mate\.$", output, re.MULTILINE)
    for words in ("     h g f e d c b a", f"{STARTPOS}\n", "take your last move back"):
        assert words in output


def test_an_engine_that_tells_nothing_has_no_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MicroMax, "search", lambda *_: iter(()))
    assert session(MicroMax(), "hint\n").endswith("There is no move.\n")


def test_the_board_as_the_engine_prints_it(engine: MicroMax) -> None:
    output = session(engine, "e4\nboard\n")
    assert output.splitlines()[-9:] == [
        " r n b q k b n r ",
        " + + + + + + + + ",
        *[" . . . . . . . . "] * 2,
        " . . . . * . . . ",
        " . . . . . . . . ",
        " * * * * . * * * ",
        " R N B Q K B N R ",
        "",
    ]


def test_analyse_shows_the_line(engine: MicroMax) -> None:
    output = session(engine, "analyse\nfen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\nanalyse\n", nodes=2000)
    assert re.search(r"^depth \d+  \S+  [\d,]+ nodes  \S+ M nodes/s  [a-hN]\S+", output, re.MULTILINE)
    assert output.endswith("There is no move.\n")


class Person(PlainScreen):
    """Somebody who types their lines and then watches the clock until it stops. pause: seconds for a line."""

    now = 0.0

    def __init__(self, text: str, pause: float) -> None:
        self.output = io.StringIO()
        self._pause = pause
        super().__init__(io.StringIO(text), self.output)

    def ask(self, prompt: Callable[[], str], /) -> str | None:
        self.say(prompt())
        self.now += self._pause
        line = super().ask(prompt)
        while line is None and prompt() != "> ":
            self.say(prompt())
            self.now += 0.5
        return line


@pytest.fixture
def timed(engine: MicroMax, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[list[str], str]]:
    """Plays with a clock of 50 seconds and 5 more a move, which runs for the person alone: White's times, the text."""

    def play(text: str, pause: float = 30.0) -> tuple[list[str], str]:
        person = Person(text, pause)
        monkeypatch.setattr("ox88.apps.terminal.time", SimpleNamespace(monotonic=lambda: person.now))
        TerminalGame(engine, person, Limit(nodes=100), side="white", control=TimeControl(50.0, 5.0)).run()
        shown = person.output.getvalue()
        return re.findall(r"^White to move \((\S+)\)> $", shown, re.MULTILINE), shown

    return play


Timed = Callable[..., tuple[list[str], str]]


def test_the_flag_falls_by_itself(timed: Timed) -> None:
    times, text = timed("e4\n", pause=0.0)
    assert times[:4] == ["0:50", "0:55", "0:55", "0:55"]
    assert times[-2:] == ["1.0", "0.5"]
    assert len(times) == 112
    assert "White's time is out, 0-1." in text


def test_undo_gives_the_time_back(timed: Timed) -> None:
    times, text = timed("e4\nd4\nd5\nundo\nd4\nundo\nundo\nquit\n")
    assert "White's time is out, 0-1." in text
    assert times == ["0:50", "0:55", "0:30", "0:55", "0:30", "0:55", "0:50"]


def test_the_clock_runs_out(timed: Timed) -> None:
    times, text = timed("e4\nd4\nd5\nc4\npgn\nquit\n")
    assert times == ["0:50", "0:55", "0:30"]
    assert "c4: the game is over (White's time is out, 0-1)" in text
    assert '[Termination "White\'s time is out"]' in text


def test_the_clock_runs_while_a_resignation_is_confirmed(timed: Timed) -> None:
    _, text = timed("e4\nresign\nyes\nquit\n")
    assert "White's time is out, 0-1." in text
    assert "White resigns, " not in text


def test_the_engine_keeps_to_its_clock(engine: MicroMax) -> None:
    output = session(engine, "", fen="7k/8/8/8/8/8/7p/K7 w - - 0 1", side="none", nodes=None, control=TimeControl(2.0))
    assert "time is out" not in output
    assert re.search(
        r"^(Checkmate, 0-1|(Stalemate|Insufficient material|Threefold repetition|Fifty-move rule), 1/2-1/2)\.$",
        output,
        re.MULTILINE,
    )


def test_the_engine_is_told_of_its_clock_and_increment(engine: MicroMax, monkeypatch: pytest.MonkeyPatch) -> None:
    limits, search = [], MicroMax.search

    def recorded(engine: MicroMax, limit: Limit) -> Iterator[Info]:
        limits.append(limit)
        return search(engine, Limit(nodes=100))

    monkeypatch.setattr(MicroMax, "search", recorded)
    monkeypatch.setattr("ox88.apps.terminal.time", SimpleNamespace(monotonic=lambda: 0.0))
    session(engine, "e4\nd4\nquit\n", nodes=7, side="white", control=TimeControl(50.0, 5.0))
    assert limits == [Limit(nodes=7, clock=Clock(50.0, 5.0)), Limit(nodes=7, clock=Clock(55.0, 5.0))]


def test_the_engine_is_ready_before_its_clock_runs(call_ox88: RunPython, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first search compiles it, which takes a minute here. No other time passes."""
    seconds, search = [0.0], MicroMax.search

    def slow_at_first(engine: MicroMax, limit: Limit) -> Iterator[Info]:
        seconds[0] = 60.0
        return search(engine, limit)

    monkeypatch.setattr(MicroMax, "search", slow_at_first)
    monkeypatch.setattr("ox88.apps.terminal.time", SimpleNamespace(monotonic=lambda: seconds[0]))
    output = call_ox88("play", "--nodes", 100, "--tc", "10", input="e4\n").stdout
    assert "time is out" not in output
    assert "micro-Max 3.2: 1... " in output


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--tc soon", "cannot be read"),
        ("--tc 0", "leaves no time"),
        ("--tc 40/60", "only ox88 match"),
        *(
            (f"--original {other}", "--original is micro-Max's own limit")
            for other in ("--engine Ox88", "--nodes 5", "--time 1", "--depth 2", "--tc 60")
        ),
    ],
)
def test_options_that_cannot_be(words: str, reason: str, call_ox88: RunPython) -> None:
    process = call_ox88("play", *words.split())
    assert process.returncode == 2
    assert reason in process.stderr


@pytest.mark.parametrize(
    ("side", "text", "end"),
    [
        ("white", "resign\nyes\n", "White resigns, 0-1"),
        ("black", "resign\nyes\n", "Black resigns, 1-0"),
        ("both", "resign\nyes\n", "White resigns, 0-1"),
        ("both", "e4\nresign\nY\n", "Black resigns, 1-0"),
    ],
)
def test_resigning(engine: MicroMax, side: str, text: str, end: str) -> None:
    output = session(engine, f"{text}resign\npgn\n", side=side)
    assert f"{end.partition(',')[0]}? Type yes, or no to play on." in output
    assert output.count(f"{end}.") == 1
    assert f"the game is over ({end})" in output
    assert f'[Termination "{end.partition(",")[0]}"]' in output


@pytest.mark.parametrize("answer", ["no\ne4\n", "\ne4\n", "e4\ne4\n", ""])
def test_who_does_not_confirm_plays_on(engine: MicroMax, answer: str) -> None:
    output = session(engine, f"resign\n{answer}")
    assert "White resigns? " in output
    assert "White resigns, " not in output
    assert output.count("You: 1. e4") == answer.count("e4\n", 1)


class Level:
    """An engine with a level, which notes its options at each search."""

    name = "Leveller"

    def __init__(self) -> None:
        self._engine = MicroMax()
        self.is_limited = True
        self.searches: list[tuple[bool, Limit]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def set_option(self, name: str, value: object = None) -> None:
        assert name == "UCI_LimitStrength"
        self.is_limited = value is True

    def search(self, limit: Limit) -> Iterator[Info]:
        self.searches.append((self.is_limited, limit))
        return self._engine.search(Limit(nodes=100))


def test_who_asks_for_advice_gets_that_of_full_strength() -> None:
    """The level has no limit: for advice there must be one. The engine's own moves keep the level."""
    engine = Level()
    session(engine, "hint\nanalyse\n\n", nodes=None, has_level=True)
    session(engine, "hint\n", nodes=7, has_level=True)
    advice = (False, Limit(time=3.0))
    assert engine.searches == [advice, advice, (True, Limit()), (False, Limit(nodes=7))]
    assert engine.is_limited


def test_the_level_of_a_game_is_lifted_for_a_hint(call_ox88: RunPython) -> None:
    """At level 400 a person seldom sees that a knight can be taken."""
    arguments = ("--engine", "Ox88", "--elo", 500, "--nodes", 800, "--fen")
    fen = "rnbqkb1r/pppppppp/8/3n4/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 1"
    output = call_ox88("play", *arguments, fen, input="hint\n" * 5).stdout
    assert len(re.findall(r"^Nxd5 ", output, re.MULTILINE)) == 5


def test_offering_a_draw(engine: MicroMax) -> None:
    assert "Draw agreed, 1/2-1/2." in session(engine, "draw\n")
    bare_king = "k7/8/8/8/8/8/P7/K7 w - - 0 1"  # It sees nothing better than a draw.
    declined = "micro-Max 3.2 declines: for 3 moves it must have seen nothing better."
    output = session(engine, "draw\nKb2\nKb3\ndraw\nKb4\ndraw\ndraw\n", fen=bare_king, side="white")
    assert output.count(declined) == 2
    assert output.count("Draw agreed, 1/2-1/2.") == 1
    assert "the game is over (draw agreed, 1/2-1/2)" in output
    output = session(engine, "Kb2\nKb3\nKb4\nundo\ndraw\n", fen=bare_king, side="white")
    assert output.count(declined) == 1  # The score of a move that was taken back does not count.
    assert declined in session(engine, "e4\ne5\nKb4\ndraw\n", fen="7k/8/8/8/8/8/r3P3/K7 w - - 0 1", side="white")


def test_pgn_is_added_to_a_file(engine: MicroMax, tmp_path: Path) -> None:
    file = tmp_path / "my game.pgn"
    output = session(engine, f"e4\npgn {file}\npgn {file}\npgn {tmp_path}\npgn \0\n")
    assert re.search(r"^pgn: .*null", output, re.MULTILINE)
    assert output.count(f"Added to {file}.") == 2
    assert file.read_text().count("1. e4 *") == 2
    assert re.search(r"^pgn: .*directory", output, re.MULTILINE) or os.name == "nt"


def test_boards_show_the_position() -> None:
    board = chess.Board()
    board.push_uci("e2e4")
    assert plain_board(board).splitlines()[4] == "  4  . . . . P . . ."
    assert plain_board(board, flipped=True).splitlines()[3] == "  4  . . . P . . . ."
    assert coloured_board(board).plain.splitlines()[4] == "  4              ♟          "
    assert coloured_board(board, figures=False).plain.splitlines()[0].split() == ["8", *"rnbqkbnr"]


@pytest.mark.parametrize("colours", ["truecolor", None])
@pytest.mark.parametrize("width", [5, 11, 12, 19, 20, 27, 28, 80])
def test_no_board_wraps(width: int, colours: Any) -> None:
    output = io.StringIO()
    console = Console(file=output, width=width, force_terminal=True, color_system=colours, legacy_windows=False)
    TerminalScreen(console).board(chess.Board(), False)
    lines = re.sub(r"\x1b\[[\d;]*m", "", output.getvalue()).splitlines()
    whole = [*"87654321"] if colours else [*"87654321", ""]
    assert [line.strip()[:1] for line in lines] == ["", *whole, "a" if width > 5 or colours else "", ""]
    assert max(map(len, lines)) <= width
    assert max(map(len, lines)) >= min(width, 20) - 8


def test_squares_are_as_wide_as_there_is_room() -> None:
    widths = {
        columns: len(coloured_board(chess.Board(), columns=columns).plain.splitlines()[0]) for columns in range(80)
    }
    assert all(found <= columns for columns, found in widths.items() if columns >= 12)
    assert {columns: widths[columns] for columns in (12, 19, 20, 27, 28, 79)} == {
        12: 12, 19: 12, 20: 20, 27: 20, 28: 28, 79: 28,
    }  # fmt: skip


# --- What the command makes of its options ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "limit", "greeting"),
    [
        ("", Limit(time=1.0), "It takes about a second for a move.\nWith --original it thinks as its listing does."),
        (
            "--original",
            Limit(),
            "It thinks as long as its listing does: ten million positions a move, perhaps a minute",
        ),
        ("--nodes 10000000", Limit(nodes=10_000_000), "Its search for a move ends after 10,000,000 positions."),
        ("--time 2 --depth 5", Limit(time=2.0, depth=5), "Its search for a move ends after 2 seconds or 5 plies."),
        ("--tc 5:00+3", Limit(), "The clock is set to 5:00+3."),
        ("--engine Ox88", Limit(time=1.0), "It plays at full strength; --elo 1000 would make it a beginner."),
        (
            "--engine Ox88 --elo 700",
            Limit(),
            "It chooses its moves as people rated 700 on Lichess do; levels go from 400 to 3000.",
        ),
        (
            "--engine Ox88 --elo 2201",
            Limit(),
            "Levels above 2200, up to 3000, search for the best move, the higher the longer.",
        ),
    ],
)
def test_limits_and_greetings(
    words: str, limit: Limit, greeting: str, call_ox88: RunPython, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[Any, ...]] = []

    class Recorded(TerminalGame):
        def __init__(self, *arguments: Any) -> None:
            made.append(arguments)
            super().__init__(*arguments)

    monkeypatch.setattr("ox88.apps.terminal.TerminalGame", Recorded)
    process = call_ox88("play", *words.split(), input="pgn\n")
    assert (process.returncode, process.stderr) == (0, "")
    level = words.partition("--elo ")[2]
    name = f"Ox88 (level {level})" if level else "Ox88" if "Ox88" in words else "micro-Max 3.2"
    assert process.stdout.startswith(f"You play White against {name}.\n")
    assert greeting in process.stdout
    assert "\nType a move such as e2e4, or type help.\n" in process.stdout
    assert f'[Black "{name}"]' in process.stdout
    ((_, _, found, *_),) = made
    assert found == limit


@pytest.mark.parametrize(
    ("side", "words"),
    [
        ("black", "You play Black against micro-Max 3.2."),
        ("both", "You play both sides; an empty line lets micro-Max 3.2 move."),
        ("none", "micro-Max 3.2 plays both sides; Ctrl-C ends that."),
    ],
)
def test_who_plays_is_said(side: str, words: str, call_ox88: RunPython) -> None:
    fen = "8/8/8/8/8/5k2/7q/4K3 b - - 0 1"
    assert call_ox88("play", "--side", side, "--nodes", 100, "--fen", fen).stdout.startswith(f"{words}\n")


def test_noise_on_the_pipe(call_ox88: RunPython) -> None:
    process = call_ox88("play", "--nodes", "100", input="\x00\x1b[A\n" + "x" * 100_000 + "\n♞\ne4\n\n")
    assert (process.returncode, process.stderr) == (0, "")
    assert "You: 1. e4" in process.stdout
    assert process.stdout.count("a b c d e f g h") == 3


@pytest.mark.posix("pseudo-terminals")
class TestOnATerminal:
    """Typed into a pseudo-terminal, read back like a screen."""

    def test_interrupting_the_engine_makes_it_move(self) -> None:
        with Typist("--side", "black", "--time", "1000") as typist:
            typist.wait_for(r"depth \d+ .* nodes/s", "\x03")
            typist.wait_for(r"micro-Max 3.2: 1\. ")
            typist.wait_for(r"Black to move> ", "\x03")
            typist.type("\r")  # After an interrupt before its wait for a key, CPython's readline waits for the key.
            assert typist.exit_code() == 0

    def test_an_analysis_goes_on_until_an_interrupt(self) -> None:
        with Typist("--engine", "Ox88", "--tc", "5:00+3", "--side", "both") as typist:
            typist.wait_for(r"White to move \(5:00\)> ", "analyse\r")
            typist.wait_for(r"Analysing; Ctrl-C ends it.")
            typist.wait_for(r"depth \d+ .* nodes/s  \S+ \S+ ", "\x03")
            typist.wait_for(r"White to move \(5:00\)> ", "e4\r")
            typist.wait_for(r"Black to move \(5:00\)> ", "quit\r")
            assert typist.exit_code() == 0

    def test_the_clock_ticks_and_the_flag_falls_while_a_move_is_typed(self) -> None:
        with Typist("--nodes", "100", "--side", "both", "--tc", "3") as typist:
            typist.wait_for(r"White to move \(3\.0\)> ", "e4\r")
            typist.wait_for(r"Black to move \(3\.0\)> ")
            typist.wait_for(r"\rBlack to move \([0-2]\.\d\)> \x1b8", "e")
            typist.wait_for(r"\rBlack to move \([0-2]\.\d\)> \x1b8")
            typist.wait_for(r"Black's time is out, 1-0\.")
            typist.wait_for(r"> ", "undo\r")
            typist.wait_for(r"Taken back: e4")
            typist.wait_for(r"White to move \(3\.0\)> ")
            typist.type("\x04")  # The end of input.
            assert typist.exit_code() == 0
            assert "Traceback" not in typist.seen


class Typist:
    """A person at a terminal: types, waits for what the screen shows."""

    def __init__(self, *arguments: str) -> None:
        import pty

        self.seen = ""
        self._read = 0  # How far `wait_for` has read.
        self._process, self._terminal = pty.fork()
        if self._process == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(sys.executable, [sys.executable, "-m", "ox88", "play", *arguments])  # noqa: S606  # Ourselves.

    def __enter__(self) -> "Typist":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._terminal)
        with contextlib.suppress(ProcessLookupError):  # It has left by itself.
            os.kill(self._process, signal.SIGKILL)

    def type(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def wait_for(self, pattern: str, keys: str = "") -> None:
        """Read on until the pattern appears after the match of the last call. keys: are typed then."""
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.seen[self._read :])):
            self._read_some(deadline)
        self._read += found.end()
        self.type(keys)

    def exit_code(self) -> int:
        """The exit code of the process, when all of its output has been read."""
        deadline = time.monotonic() + PATIENCE
        try:
            while True:
                self._read_some(deadline)
        except OSError:  # The terminal's other end is closed.
            return os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])

    def _read_some(self, deadline: float) -> None:
        ready, _, _ = select.select([self._terminal], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"nothing came within {PATIENCE} s of: {self.seen}"
        text = os.read(self._terminal, 4096)
        if not text:
            raise OSError("end of the terminal")
        self.seen += text.decode(errors="replace")
