"""Tuning: numbers found in the text, coefficients as the evaluation has them, a loss that falls."""

import ast
import shlex
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from click.testing import CliRunner

from ox88.bitboard.position import to_setup
from ox88.convert import to_chess_board
from ox88.engines.modern.evaluation import weights
from tests.tools.conftest import NODES, as_games, make_folder
from tools.games import Positions
from tools.packing import Packed, unpack
from tools.tune import __main__ as command
from tools.tune.fit import Objective, best_slope, loss, minimise, probability
from tools.tune.linear import Linear, evaluate_all, linearise
from tools.tune.source import GROUPS, Number, read_numbers, rewrite, with_commands, with_values

TEXT = Path(weights.__file__).read_text(encoding="utf-8")
NUMBERS = read_numbers(TEXT)
CHOSEN = [number for number in NUMBERS if number.group]
TABLES = vars(weights)


def tables_of(text: str) -> dict[str, Any]:
    """The names that a text of weights.py defines."""
    found: dict[str, Any] = {}
    exec(compile(text, "weights.py", "exec"), found)  # noqa: S102 - Our own.
    return found


def as_tuples(table: Any) -> Any:
    return tuple(as_tuples(row) for row in table) if isinstance(table, (tuple, list)) else table


# --- The text ---------------------------------------------------------------------------------------------------------


def test_the_numbers_are_those_of_the_tables() -> None:
    assert len(NUMBERS) > 800
    for number in NUMBERS:
        row = TABLES[number.name]
        for index in number.place:
            row = row[index]
        assert row == number.value
    assert rewrite(TEXT, CHOSEN, [number.value for number in CHOSEN]) == TEXT


def test_other_numbers_stand_where_the_old_ones_stood() -> None:
    values = [number.value * 13 - 7 for number in CHOSEN]
    written, expected = tables_of(rewrite(TEXT, CHOSEN, values)), with_values(CHOSEN, values, TABLES)
    changed = {name for name in expected if as_tuples(expected[name]) != TABLES[name]}
    assert changed == {number.name for number in CHOSEN}
    for name, table in expected.items():
        assert as_tuples(table) == written[name], name


def test_every_group_has_numbers_and_what_is_no_weight_has_no_group() -> None:
    groups = {number.name: number.group for number in NUMBERS}
    assert set(groups.values()) == {*GROUPS, ""}
    assert groups["PIECE_VALUES"] == "material"
    assert groups["QUEEN_MOBILITY"] == "mobility"
    assert groups["SHELTER"] == "king_safety"
    assert groups["SHELTER_UNITS"] == "king_danger"
    without = {name for name, group in groups.items() if not group}
    assert without >= {"PHASES", "FULL_PHASE", "MAX_VALUE", "DANGER_SHIFT", "KNOWN_WIN", "HARMLESS_UNITS", "FAR_KING"}


def test_the_text_tells_the_commands_of_the_last_tuning_alone() -> None:
    terms = " ".join(f"--terms {group}" for group in GROUPS)
    long = f"python -m tools.tune {terms} --results 0.3 --ridge 1e-06 --write some.ox88 more.ox88"
    text = with_commands(with_commands(TEXT, ["python -m some.thing else"]), [long, long])
    docstring = ast.get_docstring(ast.parse(text)) or ""
    assert max(map(len, docstring.splitlines())) <= 120
    said = docstring.partition("tuning.md):\n\n")[2]
    assert shlex.split(said.replace("\\\n", " ")) == shlex.split(long) * 2
    assert tables_of(text)["__doc__"].split("\n\n")[:2] == TABLES["__doc__"].split("\n\n")[:2]


# --- The evaluation as a linear function ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def positions(played: Packed) -> Any:
    return unpack(played)


@pytest.fixture(scope="module")
def linear(positions: Any) -> Linear:
    return linearise(positions, TABLES, CHOSEN)


def changed_by(linear: Linear, change: dict[Number, int]) -> Any:
    """By how much the linear function changes the values."""
    vector = np.array([change.get(number, 0) for number in CHOSEN], np.float32)
    return linear.features(slice(None)) @ vector


def test_values_are_the_evaluation_s(positions: Any, linear: Linear) -> None:
    assert np.array_equal(linear.values, evaluate_all(positions, TABLES)[0])


@pytest.mark.parametrize("group", [group for group in GROUPS if group != "king_danger"])
def test_a_change_of_weights_does_what_is_foretold(group: str, positions: Any, linear: Linear) -> None:
    chance = np.random.default_rng(3)
    numbers = [number for number in CHOSEN if number.group == group]
    # A small change of the shelter does not change where the king is best sheltered, nor its danger.
    most = 1 if group == "king_safety" else 20
    change = {number: int(chance.integers(-most, most + 1)) for number in numbers}
    values = [number.value + change[number] for number in numbers]
    after, _ = evaluate_all(positions, with_values(numbers, values, TABLES))
    errors = np.abs(after - linear.values - changed_by(linear, change))
    # Where the endgame's sign changes, it is scaled for the other side.
    assert np.mean(errors < 2.5) > 0.97
    assert np.std(after - linear.values) > 1.0


def test_a_change_of_danger_does_about_what_is_foretold(positions: Any, linear: Linear) -> None:
    for number in CHOSEN:
        if number.is_unit and abs(number.value) >= 40:
            change = number.value // 8
            after, _ = evaluate_all(positions, with_values([number], [number.value + change], TABLES))
            foretold = changed_by(linear, {number: change})
            assert np.abs(after - linear.values - foretold).mean() < 1.0, number
            if np.std(foretold) > 1.0:
                assert np.corrcoef(after - linear.values, foretold)[0, 1] > 0.9, number


def test_pieces_and_the_tempo_are_counted(positions: Any, linear: Linear) -> None:
    def counts(name: str, *place: int) -> Any:
        (weight,) = [n for n, number in enumerate(CHOSEN) if (number.name, number.place) == (name, (*place, 0))]
        column, half = linear.columns[weight]
        assert half == 0
        return linear.counts[:, column]

    boards = [to_chess_board(to_setup(position)) for position in positions]
    for kind in (chess.PAWN, chess.KNIGHT, chess.QUEEN):
        expected = [len(board.pieces(kind, chess.WHITE)) - len(board.pieces(kind, chess.BLACK)) for board in boards]
        assert list(counts("PIECE_VALUES", kind)) == expected
    assert list(counts("TEMPO")) == [1 if board.turn else -1 for board in boards]


# --- The loss ---------------------------------------------------------------------------------------------------------


def random_objective(ridge: float) -> tuple[Objective, Any]:
    """(an objective of random positions whose targets come from changed weights, that change)."""
    chance = np.random.default_rng(1)
    columns = ((0, 0), (0, 1), (1, 0), (1, 1), (0, None))
    middlegame = chance.random(10_000)
    linear = Linear(
        values=chance.normal(0, 100, 10_000).astype(np.float32),
        shares=np.stack((middlegame, 1 - middlegame)).astype(np.float32),
        counts=chance.integers(-3, 4, (10_000, 2)).astype(np.int16),
        slopes=chance.normal(0, 0.5, (10_000, 1)).astype(np.float32),
        columns=columns,
    )
    change = np.array([10.0, -5.0, 0.0, 20.0, 30.0])
    targets = probability(linear.values + linear.features(slice(None)) @ change, 0.01)
    moved = np.array([1.0, 0.0, 0.0, 0.0, 2.0])
    return Objective(linear, targets, 0.01, ridge, np.array([1.0, 1.0, 1.0, 1.0, 5.0]), moved), change


def test_derivatives_are_those_of_the_value() -> None:
    objective, change = random_objective(1e-4)
    at = change / 2
    gradient, hessian = objective.derivatives(at)
    for weight, step in enumerate(0.5 * np.eye(5)):
        rise = objective.value(at + step) - objective.value(at - step)
        assert rise == pytest.approx(gradient[weight], rel=2e-3, abs=1e-6)
        slopes = objective.derivatives(at + step)[0] - objective.derivatives(at - step)[0]
        assert slopes == pytest.approx(hessian[weight], rel=1e-2, abs=1e-7)


def test_the_least_loss_is_where_the_targets_come_from() -> None:
    objective, change = random_objective(1e-12)
    assert minimise(objective, np.zeros(5)) == pytest.approx(change, abs=0.1)


def test_a_ridge_holds_weights_where_they_are() -> None:
    sizes = []
    for ridge in (1e-7, 1e-5, 1e-3, 1.0):
        objective, _ = random_objective(ridge)
        found = minimise(objective, np.zeros(5))
        sizes.append(np.abs(found + objective.moved).max())
        assert objective.value(found) < objective.value(np.zeros(5))
    assert sizes == sorted(sizes, reverse=True)
    assert found == pytest.approx(-objective.moved, abs=0.1)


def test_the_slope_is_found_again() -> None:
    values = np.random.default_rng(2).normal(0, 300, 5000)
    assert best_slope(values, probability(values, 0.0071)) == pytest.approx(0.0071)


def test_the_loss_is_the_cross_entropy_however_large_a_value() -> None:
    values, targets = np.array([-50.0, 0.0, 120.0]), np.array([0.0, 0.5, 0.9])
    chances = probability(values, 0.01)
    naive = -np.mean(targets * np.log(chances) + (1 - targets) * np.log(1 - chances))
    assert loss(values, targets, 0.01) == pytest.approx(naive)
    assert loss(np.array([1e6, -1e6]), np.array([1.0, 0.0]), 1.0) == 0.0
    assert loss(np.array([1e6]), np.array([0.0]), 1.0) == 1e6


# --- The command ------------------------------------------------------------------------------------------------------


def with_better_scores(records: Packed) -> Packed:
    """The same positions, with the evaluation's values for a larger tempo as scores."""
    better = records.copy()
    middlegame, endgame = weights.TEMPO
    tables = {**TABLES, "TEMPO": (middlegame + 30, endgame + 30)}
    better["score"] = evaluate_all(unpack(records), tables)[0]
    return better


@pytest.fixture
def data(positions_played: Positions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The name of a folder whose games have better scores."""
    settings = {"openings": ["a.pgn", "b.epd"], "nodes": NODES, "random_plies": [6, 9], "seed": 1}
    better = positions_played._replace(settings=settings, records=with_better_scores(positions_played.records))
    monkeypatch.setattr(command, "read_positions", lambda _: better)
    return tmp_path / "games"


def test_it_finds_better_weights_and_writes_how_they_were_made(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "weights.py"
    source.write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr(command, "SOURCE", source)
    arguments = ["--terms", "mobility", "--terms", "tempo", "--results", "0", "--ridge", "1e-8", str(data)]

    told = CliRunner().invoke(command.main, arguments, catch_exceptions=False)
    assert told.exit_code == 0
    before, first, second = (float(line.split()[3]) for line in told.stdout.splitlines())
    assert max(first, second) < before
    assert source.read_text(encoding="utf-8") == TEXT

    again = CliRunner().invoke(command.main, [*arguments, "--write"], catch_exceptions=False)
    assert again.stdout == told.stdout
    written = source.read_text(encoding="utf-8")
    tables = tables_of(written)
    changed = {number.group for number in NUMBERS if tables[number.name] != TABLES[number.name]}
    assert {"tempo"} <= changed <= {"mobility", "tempo"}  # The better scores have another tempo alone.
    assert min(np.array(tables["TEMPO"]) - weights.TEMPO) > 15
    said = shlex.split(tables["__doc__"].partition("tuning.md):")[2].replace("\\\n", " "))
    books = "--openings a.pgn --openings b.epd"
    numbers = f"--games 96 --nodes {NODES} --random-plies 6 9 --seed 1"
    datagen = f"python -m tools.datagen {books} {numbers} --evaluation handcrafted"
    tune = "python -m tools.tune --terms mobility --terms tempo --results 0 --ridge 1e-08 --rounds 2 --write"
    assert said == [*shlex.split(datagen), data.name, *shlex.split(tune), data.name]


def test_without_a_ridge_it_tries_several(data: Path) -> None:
    told = CliRunner().invoke(command.main, ["--terms", "tempo", "--rounds", "1", str(data)], catch_exceptions=False)
    before, *tries, after = (float(line.split()[3]) for line in told.stdout.splitlines())
    assert len(tries) == len(command.RIDGES)
    assert after == min(tries) < before


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["missing"], "missing cannot be read"),
        (["--terms", "magic", "missing"], "'magic' is not one of 'material', 'tempo',"),
        (["--ridge", "0", "missing"], "--ridge"),
        (["--results", "2", "missing"], "--results"),
        ([], "FOLDER"),
    ],
)
def test_what_is_refused(arguments: list[str], reason: str) -> None:
    told = CliRunner().invoke(command.main, arguments)
    assert (told.exit_code, told.stdout) == (2, "")
    assert reason in told.stderr


def test_too_few_positions_are_refused(tmp_path: Path) -> None:
    make_folder(tmp_path / "games", [as_games([])])
    told = CliRunner().invoke(command.main, [str(tmp_path / "games")])
    assert told.exit_code == 2
    assert "too few positions" in told.stderr
