"""Training: inputs, gradients and steps against slow twins, runs that are stopped, networks that predict better."""

import contextlib
import dataclasses
import json
import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np
import pytest
from click.testing import CliRunner, Result

import ox88
from ox88.engines.modern.network.file import Network, read_network, write_network
from ox88.engines.modern.network.records import BUCKETS
from tests.engines.modern.network import naive
from tests.engines.modern.network.naive import random_network
from tests.positions import random_board
from tests.processes import but_compiling
from tests.tools.conftest import Played, as_games, make_folder, random_moves
from tools.games import Games, Positions
from tools.packing import PACKED, Packed, unpack
from tools.train import __main__ as command
from tools.train.adamw import learning_rate, round_parameters, state_type, take_step
from tools.train.centipawns import centipawns_of
from tools.train.data import best_slope, read_data
from tools.train.drawing import draw_strengths, strengths
from tools.train.gradient import AIMS, add_gradients, list_inputs, scratch_type, sum_losses
from tools.train.parameters import (
    as_floats,
    initial_parameters,
    parameters_of,
    parameters_type,
    quantised,
    sections,
    widened,
)
from tools.train.trainer import Plan, Trainer

HIDDEN: Final = 8

# --- The inputs -------------------------------------------------------------------------------------------------------

BOARDS: Final = [
    chess.Board(),
    chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/2KR3R b kq - 1 1"),
    chess.Board("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    chess.Board("8/2p5/3p4/1P5r/1R2Pp1k/3K4/6P1/8 b - e3 0 1"),
    chess.Board("1q5k/8/8/8/8/8/5PPP/3R2K1 b - - 31 40"),
]


def packed(boards: list[chess.Board], score: int = 0, result: int = 1) -> Any:
    """PACKED[n], with a score and a result for White."""
    records = np.array(ox88.Positions.from_fens([board.fen() for board in boards]).pack()).view(PACKED)
    records["score"], records["result"] = score, result
    return records.view(np.recarray)


def make_scratch(hidden: int = HIDDEN) -> Any:
    return np.zeros(1, scratch_type(hidden)).view(np.recarray)[0]


def inputs_of(record: Any) -> list[list[int]]:
    """As the kernel lists them: of the side to move, then of the other side."""
    inputs = make_scratch().inputs
    return [sorted(side[: list_inputs(record, inputs)]) for side in inputs]


def plain_inputs(board: chess.Board) -> list[list[int]]:
    """Each side sees itself as White, with its king on files a to d."""
    found = []
    for side in (board.turn, not board.turn):
        seen = board.copy(stack=False) if side == chess.WHITE else board.mirror()
        king = seen.king(chess.WHITE)
        assert king is not None
        if chess.square_file(king) >= 4:
            seen = seen.transform(chess.flip_horizontal)
        found.append(
            sorted(
                (0 if piece.color == chess.WHITE else 384) + 64 * (piece.piece_type - 1) + square
                for square, piece in seen.piece_map().items()
            )
        )
    return found


def test_inputs_are_the_pieces_as_each_side_sees_them() -> None:
    """Mirrored and flipped positions have the same inputs."""
    assert any(board.has_castling_rights(chess.BLACK) for board in BOARDS)
    boards = [*BOARDS, *(board.mirror() for board in BOARDS)]
    for board in BOARDS:
        boards.append(board.transform(chess.flip_horizontal))
        boards[-1].castling_rights = chess.BB_EMPTY
    for record, board in zip(packed(boards), boards, strict=True):
        assert inputs_of(record) == plain_inputs(board)
    own_king = {number for board in BOARDS for side in plain_inputs(board) for number in side if number // 64 == 5}
    assert len(own_king) > 3


@pytest.mark.parametrize(
    "change",
    [{"turn": 2}, {"occupied": 0}, {"pieces": 0}, {"occupied": 2**64 - 1}, {"pieces": 0x11}, {"pieces": 0xEE}],
)
def test_a_malformed_record_has_none(change: dict[str, int]) -> None:
    (record,) = packed(BOARDS[:1])
    for name, value in change.items():
        record[name] = value
    assert list_inputs(record, make_scratch().inputs) == -1


# --- The gradient -----------------------------------------------------------------------------------------------------

SCALE, RESULTS = 210.0, 0.3


def sigmoid(value: Any) -> Any:
    return 1 / (1 + np.exp(-value))


def twin_output(parameters: dict[str, Any], inputs: list[list[int]]) -> tuple[float, Any]:
    """(output, neurons) in float64."""
    bucket = (len(inputs[0]) - 1) // 4
    neurons = np.array([parameters["input_bias"] + parameters["input_weights"][side].sum(axis=0) for side in inputs])
    return float(
        parameters["output_bias"][bucket] + np.sum(parameters["output_weights"][bucket] * np.clip(neurons, 0, 1) ** 2)
    ), neurons


def twin_target(record: Any) -> float:
    by_score, result = sigmoid(float(record["score"]) / SCALE), float(record["result"]) / 2
    white = (1 - RESULTS) * by_score + RESULTS * result
    return float(white if record["turn"] == 0 else 1 - white)


def twin_loss(parameters: dict[str, Any], records: Any, power: float) -> float:
    outputs = [twin_output(parameters, inputs_of(record))[0] for record in records]
    targets = [twin_target(record) for record in records]
    return float(np.sum(np.abs(sigmoid(np.array(outputs)) - targets) ** power))


def as_doubles(record: Any) -> dict[str, Any]:
    return {name: np.array(record[name], np.float64) for name in record.dtype.names}


@pytest.fixture
def parameters() -> Any:
    """Large enough for neurons below 0, between 0 and 1, and above 1."""
    found = initial_parameters(HIDDEN, 5)
    found.input_weights *= 15
    found.output_weights *= 5
    found.output_bias = 0.25
    return found


@pytest.fixture
def few(played: Packed) -> Any:
    return np.concatenate([played[::40], packed(BOARDS, -700, 2)]).view(np.recarray)


@pytest.mark.parametrize("power", [2.0, 2.5])
def test_the_gradient_is_the_slope_of_a_plain_loss(parameters: Any, few: Any, power: float) -> None:
    doubles = as_doubles(parameters)
    neurons = np.concatenate([twin_output(doubles, inputs_of(record))[1] for record in few])
    assert min(np.mean(neurons < 0), np.mean(neurons > 1), np.mean((neurons > 0) & (neurons < 1))) > 0.1
    assert {int(turn) for turn in few.turn} == {0, 1}
    gradient = np.zeros(1, parameters_type(HIDDEN)).view(np.recarray)[0]
    aims = np.array([(SCALE, RESULTS, power)], AIMS).view(np.recarray)[0]
    rows = np.arange(len(few), dtype=np.uint32)
    loss = add_gradients(few, rows, parameters, make_scratch(), aims, gradient)
    assert loss == pytest.approx(twin_loss(doubles, few, power), rel=1e-5)
    assert sum_losses(few, rows, parameters, make_scratch(), aims) == pytest.approx(loss, rel=1e-6)
    step = 1e-7  # So small that no neuron passes 0 or 1, where the slope changes.
    used = {row for record in few for side in inputs_of(record) for row in side}
    assert set(np.flatnonzero(np.any(gradient.input_weights, axis=1))) <= used
    places: list[tuple[str, tuple[int, ...]]] = [("input_weights", (row, row % HIDDEN)) for row in sorted(used)[::7]]
    places += [("input_bias", (column,)) for column in range(HIDDEN)]
    places += [("output_weights", place) for place in np.ndindex(BUCKETS, 2, HIDDEN)][::3]
    places += [("output_bias", (bucket,)) for bucket in range(BUCKETS)]
    for name, place in places:
        losses = []
        for sign in (1, -1):
            moved = {other: values.copy() for other, values in doubles.items()}
            moved[name][place] += sign * step
            losses.append(twin_loss(moved, few, power))
        slope = (losses[0] - losses[1]) / (2 * step)
        assert gradient[name][place] == pytest.approx(slope, rel=1e-3, abs=2e-5), (name, place)


# --- AdamW ------------------------------------------------------------------------------------------------------------


def test_steps_are_those_of_a_plain_adamw() -> None:
    chance = np.random.default_rng(88)
    parts = sections(HIDDEN)
    count = int(parts.last[-1])
    state = np.zeros(1, state_type(count)).view(np.recarray)[0]
    state.parameters[:] = chance.normal(size=count)
    limit = np.concatenate([np.full(part.last - part.first, part.limit) for part in parts])
    twin, first, second = state.parameters.astype(np.float64), np.zeros(count), np.zeros(count)
    losses = np.zeros(2)
    for step in range(1, 30):
        gradients = chance.normal(size=(3, count)).astype(np.float32)
        slope = gradients.sum(axis=0, dtype=np.float64) / 7
        rate = 0.1 / step
        take_step(state, parts, gradients, 1 / 7, rate, losses, 0.5)
        assert not np.any(gradients)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        change = (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        twin = np.clip(twin - rate * (change + 0.01 * twin), -limit, limit)
    np.testing.assert_allclose(state.parameters, twin, rtol=1e-3, atol=1e-4)
    assert np.mean(np.abs(state.parameters) >= limit) > 0.001
    assert state.step == 29
    assert losses.tolist() == [14.5, 0]


def test_the_learning_rate_rises_and_falls() -> None:
    rates = [learning_rate(step, 1000, 0.5) for step in range(1000)]
    top = rates.index(max(rates))
    assert 5 < top < 50
    assert rates[: top + 1] == sorted(rates[: top + 1])
    assert rates[top:] == sorted(rates[top:], reverse=True)
    assert rates[0] < 0.1
    assert max(rates) == 0.5
    assert 0 < rates[-1] < 1e-4
    assert learning_rate(0, 1, 0.5) == 0.5


# --- Training ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def data(jobs_done: list[Games], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("train") / "games"
    make_folder(path, jobs_done)
    return path


JOBS: Final = 12
MATERIAL: Final = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900}


def random_job(chance: random.Random) -> Games:
    """Random games. The score of a position is its material, and the result of a game depends on its last score."""
    games: list[Played] = []
    for _ in range(12):
        boards, moves = zip(*random_moves(chance, 120), strict=True)
        scores = [material(board) for board in boards]
        result = sum(chance.random() < sigmoid(scores[-1] / 200) for _ in range(2))
        games.append((boards[0], list(moves), scores, result))
    return as_games(games)


def material(board: chess.Board) -> int:
    return sum(
        value * (len(board.pieces(kind, chess.WHITE)) - len(board.pieces(kind, chess.BLACK)))
        for kind, value in MATERIAL.items()
    )


@pytest.fixture(scope="session")
def random_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose scores a small network can learn."""
    path, chance = tmp_path_factory.mktemp("random") / "games", random.Random(88)
    make_folder(path, [random_job(chance) for _ in range(JOBS)])
    return path


PLAN: Final = Plan(HIDDEN, 12, 128, 0.01, RESULTS, 0.0, 2.0, 0, False, 1)


@pytest.fixture(scope="session")
def trained(random_data: Path) -> Trainer:
    trainer = Trainer(PLAN, read_data([random_data]), 2)
    assert sum(trainer.train()) == PLAN.epochs
    return trainer


def test_the_positions_held_out_are_other_games(data: Path, positions_played: Positions) -> None:
    found = read_data([data, data])
    first = positions_played.records[positions_played.job == 0]
    assert len(found.held_out) == 2 * len(first)
    assert sorted([*found.fitted, *found.held_out]) == list(range(len(found.records)))
    assert found.records[found.held_out[: len(first)]].tobytes() == first.tobytes()
    games = positions_played.game.max() + 1
    assert found.games.tolist() == [*positions_played.game, *(positions_played.game + games)]
    assert 20 < found.scale < 2000
    assert found.about["positions"] == len(found.fitted)


def test_the_slope_that_made_results_is_found_again() -> None:
    scores = np.random.default_rng(2).normal(0, 300, 5000).astype(np.int16)
    results = 1 / (1 + np.exp(-0.0071 * scores))
    assert best_slope(scores, results) == pytest.approx(0.0071)


def test_the_loss_falls_on_positions_held_out(trained: Trainer) -> None:
    assert trained.step == trained.steps == PLAN.epochs * trained.steps_an_epoch
    assert not np.any(np.isnan(trained.losses))
    assert trained.losses[-1, 1] < 0.8 * trained.losses[0, 1]
    assert trained.losses[-1, 0] < 0.8 * trained.losses[0, 0]
    assert trained.positions == trained.all_positions
    untrained = Trainer(PLAN, trained.data, 1)
    assert trained.losses[-1, 1] < 0.9 * untrained._validate()


def test_the_number_of_threads_does_not_matter(trained: Trainer) -> None:
    alone = Trainer(PLAN, trained.data, 1)
    assert sum(alone.train()) == PLAN.epochs
    assert alone.checkpoint() == trained.checkpoint()


@pytest.mark.parametrize("step", [1, 20, 61])
def test_a_checkpoint_is_all_that_was_learnt(trained: Trainer, step: int) -> None:
    first = Trainer(PLAN, trained.data, 2)
    for _ in first.train():
        if first.step == step:
            break
    second = Trainer(PLAN, trained.data, 2)
    second.restore(first.checkpoint())
    assert second.last_losses() == first.last_losses()
    for _ in second.train():
        pass
    assert second.checkpoint() == trained.checkpoint()


def test_another_seed_gives_another_network(trained: Trainer) -> None:
    first, second = (Trainer(dataclasses.replace(PLAN, seed=seed), trained.data, 2) for seed in (1, 2))
    same = trained.checkpoint()[: first._states.nbytes] + first.losses.tobytes()
    for trainer in (first, second):
        trainer.restore(same)
        trainer._state.step = 0  # The order of the positions alone is different.
        next(trainer.train())
    assert first.checkpoint() != second.checkpoint()
    assert not np.array_equal(initial_parameters(HIDDEN, 1), initial_parameters(HIDDEN, 2))


# --- Whole numbers ----------------------------------------------------------------------------------------------------


def whole_value(network: Network, inputs: list[list[int]]) -> int:
    """As the engine computes it, in Python's whole numbers."""
    bucket = (len(inputs[0]) - 1) // 4
    total = 0
    for side, rows in enumerate(inputs):
        neurons = network.input_bias.astype(int) + network.input_weights[rows].astype(int).sum(axis=0)
        total += int(np.sum(np.clip(neurons, 0, 255) ** 2 * network.output_weights[bucket, side].astype(int)))
    return (total // 255 + int(network.output_bias[bucket])) * int(network.scale[bucket]) // (255 * 64)


def best_factor(values: Any, wanted: Any) -> float:
    """The factor with which the values come nearest to the others, by least squares."""
    return float(np.linalg.lstsq(np.array(values)[:, None], wanted, rcond=None)[0].item())


def test_values_are_as_large_as_handcrafted_evaluations(trained: Trainer) -> None:
    """For each number of pieces. An output of 10 is added, and the value that the scale of all positions gives it."""
    doubles, records = as_doubles(trained.parameters), trained.data.records[trained.data.held_out]
    inputs = [inputs_of(record) for record in records]
    outputs = np.array([twin_output(doubles, pieces)[0] for pieces in inputs])
    buckets = np.array([(len(pieces[0]) - 1) // 4 for pieces in inputs])
    by_hand = ox88.Positions._of(unpack(np.asarray(records))).evaluate(by="handcrafted", view="mover")
    of_all = best_factor(outputs, by_hand)
    scale = centipawns_of(trained.parameters, trained.data)
    assert len(set(scale)) > 4
    for bucket in range(BUCKETS):
        is_there = buckets == bucket
        wanted = best_factor([*outputs[is_there], 10], [*by_hand[is_there], 10 * of_all])
        assert abs(scale[bucket] - wanted) < 1
    values = outputs * scale[buckets]
    assert best_factor(values, by_hand) == pytest.approx(1, abs=0.05)


def test_a_number_of_pieces_without_positions_keeps_its_scale(trained: Trainer) -> None:
    start = quantised(trained.parameters, np.arange(301, 309), {})
    counts = np.bitwise_count(trained.data.records["occupied"])
    full_boards = np.flatnonzero(counts > 28).astype(np.uint32)
    found = centipawns_of(trained.parameters, trained.data._replace(held_out=np.repeat(full_boards, 100)), start)
    assert found[:7].tolist() == [301, 302, 303, 304, 305, 306, 307]
    assert found[7] != 308


@pytest.mark.parametrize("weight", [0, -1, 100])
def test_what_has_learnt_nothing_has_a_unit(trained: Trainer, weight: float) -> None:
    parameters = initial_parameters(HIDDEN, 1)
    parameters.output_weights *= weight
    scale = trained.data.scale
    found = centipawns_of(parameters, trained.data)
    assert scale / 4 - 1 < min(found) <= max(found) < scale * 4 + 1


def test_whole_numbers_are_what_was_trained(trained: Trainer) -> None:
    network = quantised(trained.parameters, np.arange(200, 600, 50), {})
    doubles = as_doubles(trained.parameters)
    values, differences = [], []
    for record in trained.data.records[::7]:
        inputs = inputs_of(record)
        values.append(twin_output(doubles, inputs)[0] * network.scale[(len(inputs[0]) - 1) // 4])
        differences.append(whole_value(network, inputs) - values[-1])
    assert np.std(values) > 50
    assert min(differences) > -1.1  # Divisions round down.
    assert max(differences) < 0.1


def test_rounding_keeps_small_changes(trained: Trainer) -> None:
    plain = trained._state.parameters.view(parameters_type(HIDDEN)).view(np.recarray)[0]
    for name, unit in (("input_weights", 255), ("output_weights", 64), ("output_bias", 255 * 64)):
        exact, rounded = plain[name] * float(unit), trained.parameters[name] * float(unit)
        assert np.all(np.abs(exact - rounded) < 0.501)
        np.testing.assert_allclose(rounded, np.rint(rounded), atol=1e-3)
        assert np.any(exact != rounded)


def test_sums_cannot_overflow() -> None:
    parts = sections(HIDDEN)
    count = int(parts.last[-1])
    state = np.zeros(1, state_type(count)).view(np.recarray)[0]
    state.parameters[::2], state.parameters[1::2] = -9, 9
    take_step(state, parts, np.zeros((1, count), np.float32), 1.0, 0.001, np.zeros(1), 0.0)
    record = np.zeros(1, parameters_type(HIDDEN)).view(np.recarray)
    round_parameters(state, parts, as_floats(record))
    network = quantised(record[0], np.full(BUCKETS, 200), {})
    assert set(network.input_weights.flat) == set(network.input_bias) == {-505, 505}
    assert set(network.output_weights.flat) == {-127, 127}


def test_inputs_that_never_occur_have_no_weights(trained: Trainer) -> None:
    trainer = Trainer(PLAN, trained.data, 2)
    trainer.restore(trained.checkpoint())
    used = {row for record in trained.data.records[trained.data.fitted] for side in inputs_of(record) for row in side}
    assert 300 < len(used) < 700
    trainer.empty_unused_inputs()
    assert set(np.flatnonzero(np.any(trainer.parameters.input_weights, axis=1))) == used


# --- The command ------------------------------------------------------------------------------------------------------

ARGUMENTS: Final = ("--hidden", str(HIDDEN), "--epochs", "3", "--batch", "256", "--learning-rate", "0.01")


def train(data: Path, output: Path, *arguments: str) -> Result:
    return CliRunner().invoke(command.main, [str(data), "-o", str(output), *ARGUMENTS, *arguments])


@pytest.fixture(scope="session")
def whole(data: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a run that nobody stopped."""
    output = tmp_path_factory.mktemp("whole") / "network.npz"
    told = train(data, output)
    assert told.exit_code == 0, told.output
    return output.read_bytes()


def test_a_network_with_how_it_was_made(data: Path, tmp_path: Path, whole: bytes) -> None:
    output, plot = tmp_path / "network.npz", tmp_path / "losses.svg"
    told = train(data, output, "--plot", str(plot), "--concurrency", "1")
    assert told.exit_code == 0, told.output
    assert [line.partition(",")[0] for line in but_compiling(told.stderr).splitlines()] == [
        f"epoch {n} of 3" for n in (1, 2, 3)
    ]
    assert told.stderr.count(", held out 0.") == 3
    assert f"{len(read_data([data]).fitted):,} positions" in told.stdout
    assert plot.read_text().startswith("<?xml")
    assert output.read_bytes() == whole
    assert {path.name for path in tmp_path.iterdir()} == {"network.npz", "losses.svg"}
    network = read_network(output)
    assert (network.hidden, network.name) == (HIDDEN, "network")
    assert network.about["command"].startswith(
        "python -m tools.train games -o network.npz --hidden 8 --epochs 3 --batch 256 "
    )
    assert network.about["data"] == [
        "python -m tools.datagen --games 96 --nodes 60 --random-plies 6 9 --seed 1 --evaluation handcrafted games"
    ]
    assert np.shape(network.about["losses"]) == (3, 2)
    assert np.array_equal(network.scale, centipawns_of(parameters_of(network), read_data([data])))
    json.dumps(network.about)


def test_neurons_that_are_added_change_little() -> None:
    few = random_network(hidden=8)
    many = quantised(widened(parameters_of(few), 24, 1), few.scale, {})
    assert many.hidden == 24
    assert np.any(many.output_weights[:, :, 8:])
    for seed in range(20):
        board = random_board(seed, 30)
        before, after = naive.value(few, board), naive.value(many, board)
        assert abs(after - before) < 100, board.fen()


def test_a_training_that_begins_with_a_network(data: Path, tmp_path: Path, whole: bytes) -> None:
    first, second, third = (tmp_path / f"{name}.npz" for name in ("first", "second", "third"))
    first.write_bytes(whole)
    network = read_network(first)
    again = quantised(parameters_of(network), network.scale, network.about)
    write_network(third, again)
    assert third.read_bytes() == whole
    network.input_weights[0] = 7  # Of a pawn on a1, which does not occur: it stays as it is.
    write_network(first, network)
    told = train(data, second, "--start", str(first), "--learning-rate", "1e-9")
    assert told.exit_code == 0, told.output
    trained = read_network(second)
    assert np.array_equal(trained.input_weights, network.input_weights)
    assert np.array_equal(trained.output_weights, network.output_weights)
    assert trained.about["start"] == network.about
    assert trained.about["command"].endswith(" --start first.npz")
    assert "--only-outputs" not in trained.about["command"]
    second.unlink()
    told = train(data, second, "--start", str(first), "--only-outputs")
    assert told.exit_code == 0, told.output
    trained = read_network(second)
    assert np.array_equal(trained.input_weights, network.input_weights)
    assert np.array_equal(trained.input_bias, network.input_bias)
    assert np.mean(trained.output_weights != network.output_weights) > 0.1
    assert np.all(trained.output_bias != network.output_bias)
    assert " --imitate 0 --only-outputs --seed 1 " in trained.about["command"]
    check_error(train(data, third, "--only-outputs"), "--only-outputs: there are no neurons to keep; name a network")
    write_network(second, random_network(hidden=16))
    check_error(
        train(data, third, "--start", str(second)),
        "second.npz has 16 neurons a side, but --hidden is 8: give as many, or more",
    )
    check_error(train(data, third, "--start", str(data)), "it is a folder")
    first.write_bytes(whole[:-100])
    check_error(train(data, third, "--start", str(first)), "this is no network, or a damaged one")


@pytest.fixture
def stop_after(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Ctrl-C after some batches, in a library that drops the KeyboardInterrupt if there is one."""
    plain = Trainer.train

    def stop(steps: int) -> None:
        def train(trainer: Trainer) -> Iterator[bool]:
            for is_epoch_over in plain(trainer):
                if trainer.step == steps:
                    with contextlib.suppress(KeyboardInterrupt):
                        signal.raise_signal(signal.SIGINT)
                yield is_epoch_over

        monkeypatch.setattr(Trainer, "train", train)

    return stop


@pytest.mark.parametrize("steps", [1, 10])
def test_a_run_that_is_stopped_goes_on(
    data: Path,
    tmp_path: Path,
    whole: bytes,
    stop_after: Callable[[int], None],
    monkeypatch: pytest.MonkeyPatch,
    steps: int,
) -> None:
    output = tmp_path / "network.npz"
    stop_after(steps)
    stopped = train(data, output)
    assert stopped.exit_code == 130
    assert "the same command resumes the training" in stopped.stderr
    assert not output.exists()
    monkeypatch.undo()
    other = train(data, output, "--results", "0.5")
    assert other.exit_code == 2
    assert "was made with other settings: results 0.0, and now 0.5" in other.stderr
    assert train(data, output).exit_code == 0
    assert output.read_bytes() == whole


def check_error(told: Result, *texts: str) -> None:
    assert told.exit_code == 2, told.output
    assert isinstance(told.exception, SystemExit)
    for text in texts:
        assert text in told.stderr


def test_data_that_are_refused(tmp_path: Path, jobs_done: list[Games]) -> None:
    output = tmp_path / "network.npz"
    check_error(train(tmp_path / "nowhere", output), "nowhere cannot be read: a folder of games is expected")
    one = tmp_path / "one"
    make_folder(one, jobs_done[:1])
    check_error(train(one, output), "too few positions", "two jobs of tools.datagen")
    empty = tmp_path / "empty"
    make_folder(empty, [as_games([])] * 3)
    check_error(train(empty, output), "too few positions")
    bad = jobs_done[1]._replace(moves=np.zeros_like(jobs_done[1].moves))
    make_folder(tmp_path / "bad", [jobs_done[0], bad])
    told = CliRunner().invoke(command.main, [str(one), str(tmp_path / "bad"), "-o", str(output), *ARGUMENTS])
    check_error(told, f"is damaged: game {len(jobs_done[0].results) + 1}")
    unknown = [job._replace(scores=np.zeros_like(job.scores)) for job in jobs_done]
    make_folder(tmp_path / "unknown", unknown)
    check_error(train(tmp_path / "unknown", output), "the scores do not predict the results")
    assert not output.exists()


@pytest.mark.parametrize("part", [0, 1])
def test_a_part_with_a_torn_end(data: Path, tmp_path: Path, part: int) -> None:
    content = (data / "part-00000.parquet").read_bytes()
    parts = [content, content]
    parts[part] = content[: len(content) // 2]
    for number, part_content in enumerate(parts):
        (tmp_path / f"part-0000{number}.parquet").write_bytes(part_content)
    check_error(train(tmp_path, tmp_path / "network.npz"), "is damaged" if part == 0 else "is not part of a data set")


def test_other_arguments_that_are_refused(data: Path, tmp_path: Path) -> None:
    output = tmp_path / "network.npz"
    check_error(train(data, tmp_path / "no" / "network.npz"), "network.npz cannot be written")
    check_error(train(data, output, "--hidden", "12"), "--hidden 12: a multiple of 8 is expected")
    check_error(train(data, output, "--plot", str(tmp_path / "no" / "x.png")), "x.png cannot be written")


def test_a_full_disk(data: Path, tmp_path: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "network.npz"

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(command, "write_network", fail)
    check_error(train(data, output), "network.npz cannot be written: No space left on device")
    assert not output.exists()
    monkeypatch.undo()
    told = train(data, output)
    assert told.exit_code == 0
    assert "epoch" not in but_compiling(told.stderr)  # Everything was learnt before.
    assert output.read_bytes() == whole


# --- The plot of strengths --------------------------------------------------------------------------------------------


def test_the_strengths_of_the_page_are_drawn(tmp_path: Path) -> None:
    found = strengths((Path(__file__).parents[2] / "docs" / "network.md").read_text(encoding="utf-8"))
    assert len(found) >= 4
    names = {name for name, *_ in found}
    assert {f"ox88-{number}" for number in range(1, 11)} <= names
    others = {name for name in names if not name.startswith("ox88-")}
    assert others == {"imitation", "on both sets"}, "a row of another table"
    draw_strengths(found, tmp_path / "a.svg")
    draw_strengths(found, tmp_path / "b.svg")
    text = (tmp_path / "a.svg").read_text()
    assert text.startswith("<?xml")
    assert text == (tmp_path / "b.svg").read_text()
