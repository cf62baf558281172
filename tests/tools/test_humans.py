"""Training the ranker of people's moves on a few games: equal files for equal seeds, and tables of what it foresees."""

import json
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from click.testing import CliRunner, Result
from numpy.typing import NDArray

import ox88
from ox88.bitboard.records import as_array, make_record
from ox88.engines.modern.human.features import BOOK, OFFSETS
from ox88.engines.modern.human.ranker import BAND_BOUNDS, FIRST, RANKER, SHARES, read_ranker, temperature_of
from tests.positions import random_board
from tools.humans import measuring, writing
from tools.humans.__main__ import main
from tools.humans.data import Samples, make_samples, read_plies
from tools.humans.kernels import NO_PIECE
from tools.humans.trainer import DECAY, LEARNING_RATE, Trainer

MATED = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"  # By Qh4.
BEFORE = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"  # g4 allows it, and nothing else.


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Forty short games with ratings, as Parquet."""
    boards = [random_board(seed, 30) for seed in range(40)]
    moves = [" ".join(move.uci() for move in board.move_stack) for board in boards]
    columns = {"moves": moves, "white": list(range(800, 1600, 20)), "black": list(range(1600, 2400, 20))}
    path = tmp_path / "games.parquet"
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    return path


def test_rows_are_the_moves_of_the_games_in_both_formats(games: Path, tmp_path: Path) -> None:
    table = pyarrow.parquet.read_table(games).to_pylist()
    texts = []
    for row in table:
        board = chess.Board()
        for move in row["moves"].split():
            board.push_uci(move)
        game = chess.pgn.Game.from_board(board)
        game.headers.update({"WhiteElo": str(row["white"]), "BlackElo": str(row["black"])})
        texts.append(str(game))
    pgn = tmp_path / "games.pgn"
    pgn.write_text("\n\n".join(texts) + "\n\n" + str(chess.pgn.Game.from_board(chess.Board())) + "\n")
    plies, from_pgn = read_plies([games]), read_plies([pgn])
    for name in ("moves", "ratings", "plies", "games"):
        assert getattr(plies, name).tolist() == getattr(from_pgn, name).tolist(), name
    for name in ("last_moves", "own_moves", "last_captures"):
        assert getattr(plies.past, name).tolist() == getattr(from_pgn.past, name).tolist(), name
    assert plies.records.tobytes() == from_pgn.records.tobytes()
    number = 0
    for row in table:
        board = chess.Board()
        captured = False
        for ply, move in enumerate(map(chess.Move.from_uci, row["moves"].split())):
            assert plies.ratings[number] == row["white" if board.turn else "black"]
            assert (plies.plies[number], plies.past.last_captures[number]) == (ply, captured)
            captured = board.is_capture(move)
            board.push(move)
            number += 1
    assert number == len(plies)


def test_equal_seeds_train_equal_files(games: Path, tmp_path: Path) -> None:
    contents = []
    for number, seed in enumerate((1, 1, 2)):
        output = tmp_path / f"{number}.npz"
        result = run("train", games, "-o", output, "--positions", 600, "--epochs", 1, "--seed", seed)
        assert result.exit_code == 0, result.output
        contents.append(output.read_bytes())
    assert contents[0] == contents[1] != contents[2]
    with np.load(tmp_path / "0.npz") as file:
        about = json.loads(str(file["about"]))
        assert (about["positions"], about["games"]) == (600, 36)  # Four of forty games are held out.
        assert len(file["opening_keys"]) >= 1  # The start, at least.
        assert file["neurons"].any()


def naive_chances(teacher: Trainer, samples: Samples, weights: dict[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """float64[m]: the chance of each legal move, in plain NumPy."""
    chances: list[NDArray[np.float64]] = []
    for row, (first, end) in enumerate(zip(samples.offsets, samples.offsets[1:], strict=False)):
        bias = teacher._shares[row] @ weights["anchors"]
        pieces = teacher._pieces[row][teacher._pieces[row] != NO_PIECE]
        slope = float(teacher._slopes[row])
        features = samples.features[first:end] + OFFSETS
        inputs = weights["squares"][pieces].sum(axis=0) + weights["neurons"][features].sum(axis=1)
        neurons = np.maximum(bias[:FIRST] + inputs, 0)
        second = np.maximum(bias[FIRST:] + neurons @ weights["second"], 0)
        scores = np.hstack([neurons, second]) @ (weights["outputs"][0] + slope * weights["outputs"][1])
        scores += (weights["scores"][features] @ [1, slope]).sum(axis=1)
        powers = np.exp(scores - scores.max())
        chances.append(powers / powers.sum())
    return np.concatenate(chances)


def naive_loss(teacher: Trainer, samples: Samples, weights: dict[str, NDArray[np.float64]]) -> float:
    """The cross-entropy of all moves played."""
    return float(-np.log(naive_chances(teacher, samples, weights)[samples.played]).sum())


def test_gradients_are_slopes_of_the_loss(games: Path) -> None:
    plies = read_plies([games])
    rows = np.arange(0, len(plies), len(plies) // 30)
    done: list[int] = []
    samples = make_samples(plies.take(rows), done.append)
    assert sum(done) == len(rows)
    teacher, dice = Trainer(samples, 1), np.random.default_rng(88)
    for each in teacher.weights.values():
        each[:] = dice.normal(0, 0.1, each.shape)
    weights = {name: each.astype(np.float64) for name, each in teacher.weights.items()}
    loss = teacher._gradient(0, np.arange(len(rows)))
    assert loss == pytest.approx(naive_loss(teacher, samples, weights), rel=1e-4)
    for name, gradient in teacher._parts[0].items():
        way = gradient / np.abs(gradient).max()
        sides = [naive_loss(teacher, samples, {**weights, name: weights[name] + step * way}) for step in (-1e-5, 1e-5)]
        assert (gradient * way).sum() == pytest.approx((sides[1] - sides[0]) / 2e-5, rel=0.01), name


def test_the_ranker_plays_as_it_was_trained(games: Path) -> None:
    """The chances of a trainer and of the ranker that is written from it differ only by the rounding of weights."""
    plies = read_plies([games])
    samples = make_samples(plies.take(np.arange(9, len(plies), 10)))
    teacher, dice = Trainer(samples, 1), np.random.default_rng(88)
    for each in teacher.weights.values():
        each[:] = dice.normal(0, 0.1, each.shape)
    assert (teacher._pieces[:, -3] == NO_PIECE).any()
    weights = {name: each.astype(np.float64) for name, each in teacher.weights.items()}
    ranker = writing.empty_ranker(writing.make_openings(plies))
    writing.quantise(teacher.weights, ranker)
    found, expected = writing.chances_of(ranker, samples), naive_chances(teacher, samples, weights)
    assert np.abs(found - expected).max() < 0.01


def test_the_first_step_of_adamw_shrinks_each_weight_and_goes_against_its_gradient(games: Path) -> None:
    plies = read_plies([games])
    teacher = Trainer(make_samples(plies.take(np.arange(20))), 1)
    dice, before, signs = np.random.default_rng(88), {}, {}
    for name, each in teacher.weights.items():
        each[:] = dice.normal(0, 1, each.shape)
        signs[name] = dice.choice([-1, 1], each.shape)
        before[name] = each.copy()
        for part in teacher._parts:
            part[name][:] = 100 * signs[name]
    teacher._step(1, 1.0)
    for name, each in teacher.weights.items():
        expected = before[name] * (1 - LEARNING_RATE * DECAY) - LEARNING_RATE * signs[name]
        assert np.allclose(each, expected, atol=1e-6, rtol=0), name


def test_what_is_measured_and_what_is_wrong(games: Path, tmp_path: Path) -> None:
    result = run("measure", games, "--all", "--judged", 3, "--nodes", 50)
    assert result.exit_code == 0, result.output
    assert "800-1200" in result.output
    assert "mean loss" in result.output
    few = tmp_path / "few.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"moves": ["e2e4"], "white": [1500], "black": [1500]}), few)
    refused = run("train", few, "-o", tmp_path / "x.npz")
    assert (refused.exit_code, "at least 512 are needed" in refused.output) == (2, True)


def test_mates_in_one_are_counted_where_there_are_some(tmp_path: Path) -> None:
    """Fool's mate, played and not played; who moves before it can allow it or not."""
    moves = ["f2f3 e7e5 g2g4 d8h4", "f2f3 e7e5 g2g4 d7d6", "f2f3 e7e5 g2g3 d7d6"]
    path = tmp_path / "games.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"moves": moves, "white": [900] * 3, "black": [1700] * 3}), path)
    samples = make_samples(read_plies([path]))
    counts = np.diff(samples.offsets)
    chances = np.concatenate([np.arange(1, count + 1) * 2 / (count * (count + 1)) for count in counts])
    table = {row[0]: row[1:] for row in measuring.mates_in_one(samples, chances)}

    def share(fen: str, uci: str, temperature: float) -> float:
        """The chance of a move in play, in percent."""
        moves = ox88.Positions.from_fens([fen]).legal_moves()[0].tolist()
        powers = [place ** (1 / temperature) for place in range(1, len(moves) + 1)]
        place = [ox88.format_uci(move) for move in moves].index(uci)
        return float(100 * powers[place] / sum(powers))

    assert table["1600-2000"] == (
        "2",
        f"50.0 / {share(MATED, 'd8h4', temperature_of(1700, can_mate=True)):.1f}",
        "0",
        "-",
    )
    assert table["800-1200"] == ("0", "-", "3", f"66.7 / {share(BEFORE, 'g2g4', temperature_of(900)):.1f}")
    assert table["1200-1600"] == ("0", "-", "0", "-")


def test_puzzles_are_judged_by_their_mistake_and_by_all_moves_of_who_solves_them(tmp_path: Path) -> None:
    fens = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", BEFORE]
    lines = ["f2f3 e7e5 g2g4 d8h4", "g2g4 d8h4"]
    path = tmp_path / "puzzles.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"fen": fens, "moves": lines}), path)

    def chance(fen: str, uci: str, level: int, before: list[int]) -> tuple[bool, float]:
        """Whether a move is the likeliest one, and its chance in play."""
        position = ox88.Positions.from_fens([fen])
        chances = position.human_policy(level, before=np.array([before]))[0]
        moves = position.legal_moves()[0]
        place = moves.tolist().index(int(position.parse_uci([uci])[0]))
        can_mate = bool(position[np.zeros(len(moves), np.int64)].push(moves).is_checkmate().any())
        powers = chances ** (1 / temperature_of(level, can_mate=can_mate))
        return bool(chances[place] == chances.max()), float(powers[place] / powers.sum())

    for level, *cells in measuring.puzzles(path, read_ranker(), 2, 1):
        mistakes, solved = [], []
        for fen, line in zip(fens, lines, strict=True):
            board, shares = chess.Board(fen), []
            for ply, uci in enumerate(line.split()):
                before = ox88.Games.from_moves([line], [fen]).moves_before()[ply].tolist()
                shares.append(chance(board.fen(), uci, int(level), before))
                board.push_uci(uci)
            mistakes.append(shares[0])
            solved.append(np.prod([share for _, share in shares[1::2]]))
        first, sampled = np.mean(mistakes, axis=0)
        assert cells == [f"{100 * first:.1f} %", f"{100 * sampled:.1f} %", f"{np.mean(solved):.3f}"]


def test_temperatures_let_it_lose_as_much_as_people_do(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who loses more is followed by higher temperatures."""
    monkeypatch.setattr(writing, "JUDGED", 40)
    monkeypatch.setattr(writing, "JUDGE_NODES", 50)
    plies = read_plies([games]).take(np.arange(0, 800, 10))
    samples = make_samples(plies)
    losses = writing.judged_losses(samples, 50)
    ranker = make_record(RANKER)
    as_array(ranker)[:] = as_array(read_ranker())
    found = []
    for every in (8, 1):  # Of so many moves one is the worst; all others are the best.
        for row, (first, end) in enumerate(zip(samples.offsets, samples.offsets[1:], strict=False)):
            place = np.argmax(losses[first:end]) if row % every == 0 else np.argmin(losses[first:end])
            plies.moves[row] = samples.moves[first + place]
        writing.fit_temperatures(ranker, plies, 1)
        found.append(ranker.temperatures.tolist())
    assert max(found[0][1:]) < min(found[1][1:])
    assert found[0][:2] == (found[0][2] + writing.BELOW_PEOPLE).tolist()


def test_a_position_is_not_known_by_its_own_game(games: Path) -> None:
    plies = read_plies([games])
    starts = np.flatnonzero(plies.plies == 0)
    samples = make_samples(plies.take(starts))
    ranker = writing.empty_ranker(writing.make_openings(plies))
    first = plies.moves[starts].tolist()
    bands = np.digitize(plies.ratings[starts], BAND_BOUNDS).tolist()
    for leaves_out in (True, False):
        writing.fill_books(ranker, samples, left_out=leaves_out)
        for row, (move, band) in enumerate(zip(first, bands, strict=True)):
            others = [number for number in range(len(first)) if not (leaves_out and number == row)]
            in_band = [number for number in others if bands[number] == band]
            share = sum(first[number] == move for number in others) / len(others)
            share = (sum(first[number] == move for number in in_band) + 8 * share) / (len(in_band) + 8)
            expected = 1 + int(sum(1000 * share + 1e-9 >= bound for bound in SHARES))
            assert samples.features[samples.played[row], BOOK] == expected
