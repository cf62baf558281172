"""SPSA: it finds a known optimum, goes on where it stopped, and writes and draws what it found."""

import math
import random
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from ox88.engines.modern.options import NUMBERS, PARAMETERS
from ox88.errors import Ox88Error
from tests.apps.inline import InlineWorkers
from tests.tools.conftest import interrupted_after
from tools.selfplay import Pairs, Parameters
from tools.spsa import __main__ as command
from tools.spsa.drawing import draw_paths
from tools.spsa.spsa import Number, Spsa, read_numbers

OPTIMUM = {"small": 7, "middle": 130, "large": 2300}
TUNED = [Number("small", 4, 0, 20, 0.8), Number("middle", 100, 0, 500, 12), Number("large", 3000, 0, 9000, 250)]


def strength(parameters: Parameters) -> float:
    """Elo: two steps beside the optimum lose 40."""
    steps = {number.name: number.step for number in TUNED}
    return -sum(10.0 * ((value - OPTIMUM[name]) / steps[name]) ** 2 for name, value in parameters)


def play(first: Parameters, second: Parameters, chance: random.Random) -> int:
    """The wins of the first player minus its losses, in eight games of which half are drawn on average."""
    expected = 1 / (1 + 10 ** ((strength(second) - strength(first)) / 400))
    outcomes = chance.choices((-1, 0, 1), [max(0.75 - expected, 0), 0.5, max(expected - 0.25, 0)], k=8)
    return sum(outcomes)


def distance(values: list[float]) -> float:
    """From the optimum, in steps."""
    steps = ((value - OPTIMUM[number.name]) / number.step for number, value in zip(TUNED, values, strict=True))
    return math.hypot(*steps)


def test_a_known_optimum_is_found() -> None:
    iterations, chance = 4000, random.Random(88)
    spsa = Spsa(TUNED, iterations, 0.004, 1)
    before = distance(spsa.values)
    for iteration in range(1, iterations + 1):
        spsa.learn(iteration, play(*spsa.players(iteration), chance))
    assert before > 4
    assert distance(spsa.values) < 1


def test_without_any_difference_the_values_stay_near() -> None:
    chance = random.Random(88)
    spsa = Spsa(TUNED, 1000, 0.002, 1)
    for iteration in range(1, 1001):
        spsa.learn(iteration, chance.choice((-1, 1)))
    assert all(abs(value - number.start) < number.step for number, value in zip(TUNED, spsa.values, strict=True))


def test_players_are_mirrored_about_the_values_within_the_range() -> None:
    numbers = [*TUNED, Number("edge", 1, 1, 2, 5.0)]
    spsa = Spsa(numbers, 50, 0.002, 1)
    totals = np.zeros(len(numbers))
    for iteration in range(1, 51):
        assert spsa.players(iteration) == spsa.players(iteration)
        for place, (one, other) in enumerate(zip(*spsa.players(iteration), strict=True)):
            number = numbers[place]
            assert one[0] == other[0] == number.name
            assert number.minimum <= min(one[1], other[1]) < max(one[1], other[1]) <= number.maximum
            totals[place] += one[1] + other[1]
    for number, total in zip(TUNED, totals, strict=False):
        assert total / 100 == pytest.approx(number.start, abs=0.3)


def test_numbers_by_name() -> None:
    assert [number.name for number in read_numbers([], PARAMETERS)] == [option.name for option in NUMBERS]
    (number,) = read_numbers(["null_move_base=0.7"], PARAMETERS)
    assert (number.name, number.start, number.step) == ("null_move_base", 4, 0.7)


@pytest.mark.parametrize("text", ["nothing", "null_move_base=0", "null_move_base=x", "null_move_base=nan", "=1"])
def test_numbers_that_are_refused(text: str) -> None:
    with pytest.raises(Ox88Error, match=r"is no number of the search|the step is a number above 0"):
        read_numbers([text], PARAMETERS)


# --- The command ------------------------------------------------------------------------------------------------------

GAMES = 48
ARGUMENTS = ("--number", "null_move_base", "--number", "futility_base=30", "--games", str(GAMES), "--nodes", "40")


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = tmp_path / "book.epd"
    path.write_text("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n")
    return str(path)


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch) -> InlineWorkers:
    inline = InlineWorkers(Pairs)
    monkeypatch.setattr(command, "make_workers", lambda *_: inline)
    return inline


def test_a_run_that_is_stopped_goes_on(tmp_path: Path, book: str, workers: InlineWorkers) -> None:
    path, plot = tmp_path / "tuning", tmp_path / "paths.svg"
    with interrupted_after(3):
        stopped = CliRunner().invoke(command.main, [str(path), "--openings", book, *ARGUMENTS])
    assert stopped.exit_code == 130
    assert "of 6 iterations are done; the same command resumes from there" in stopped.stderr
    workers.jobs.clear()
    finished = CliRunner().invoke(command.main, [str(path), "--openings", book, *ARGUMENTS, "--plot", str(plot)])
    assert finished.exit_code == 0, finished.stderr
    assert f"{GAMES} of {GAMES} games" in finished.stdout
    assert [job.number for job in workers.jobs] == [4, 5, 6]
    assert plot.read_text().startswith("<?xml")
    again = CliRunner().invoke(command.main, [str(path), "--openings", book, *ARGUMENTS])
    assert len(workers.jobs) == 3
    assert again.stdout.split()[-8:] == finished.stdout.split()[-8:]
    other = CliRunner().invoke(command.main, [str(path), "--openings", book, *ARGUMENTS, "--gain", "0.1"])
    assert other.exit_code == 2
    assert "was made with other settings: gain 0.002, and now 0.1" in other.stderr


def test_values_are_written_into_the_options(tmp_path: Path) -> None:
    path = tmp_path / "options.py"
    shutil.copy(command.SOURCE, path)
    command.write_defaults({"null_move_base": 7, "futility_base": 1234}, path)
    names: dict[str, object] = {"__file__": str(path)}
    exec(path.read_text(), names)  # noqa: S102 - Our own file.
    defaults = {option.name: option.default for option in names["NUMBERS"]}  # type: ignore[attr-defined]
    expected = {option.name: option.default for option in NUMBERS} | {"null_move_base": 7, "futility_base": 1234}
    assert defaults == expected


def test_a_picture_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(Ox88Error, match="cannot be written"):
        draw_paths(TUNED, [[4.0, 100.0, 3000.0]], 8, tmp_path / "no" / "paths.svg")
