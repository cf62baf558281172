"""Leela's training chunks: their fields by `struct`, planes and policy by `ox88.Env`, round trip, and broken files."""

import gzip
import re
import struct
import tarfile
from pathlib import Path

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ox88
from ox88.batch.training import formats, leela
from ox88.batch.training.entries import NO_SCORE
from ox88.errors import Ox88Error
from tests.batch.training.test_formats import PLAIN, STARTS, a_game, fens, read_or_error

# As tf/chunkparser.py of github.com/LeelaChessZero/lczero-training has it.
FIELDS = struct.Struct("4si7432s832sBBBBBBBbfffffffffffffffIHH4H")


def written(data: ox88.TrainingData, path: Path) -> bytes:
    ox88.write_training(path, data)
    return gzip.decompress(path.read_bytes())


def test_records_show_what_an_environment_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = formats.FORMATS[".gz"]._replace(rows=10)
    monkeypatch.setitem(formats.FORMATS, ".gz", small)  # The positions before are in another block, too.
    data = ox88.read_training(PLAIN)
    data = data[: int(np.argmax(np.diff(data.plies.astype(int)) != 1)) + 1]
    packed = written(data, tmp_path / "training.1.gz")
    assert len(packed) == len(data) * FIELDS.size == len(data) * 8356
    env = ox88.Env(1, observation="leela", layout="compact")
    assert len(data) > 20
    for row in range(len(data)):
        version, kind, probabilities, planes, *rest = FIELDS.unpack_from(packed, row * FIELDS.size)
        us_ooo, us_oo, them_ooo, them_oo, turn, clock, _, _, *values = rest
        assert (version, kind) == (b"\6\0\0\0", 1)
        shown = np.unpackbits(np.frombuffer(planes, np.uint8)).reshape(104, 8, 8)
        is_piece = np.arange(104) % 13 != 12  # The others tell of repetitions.
        assert np.array_equal(shown[is_piece], env.observations[0, :104][is_piece])
        assert [us_ooo, us_oo, them_ooo, them_oo, turn, clock] == env.observations[0, 104:110, 0, 0].tolist()
        found = np.frombuffer(probabilities, np.float32)
        assert np.array_equal(found >= 0, env.mask[0])
        assert values[7:9] == [data.results[row], data.results[row] == 0]
        assert -1 <= values[1] <= 1
        assert found.max() == 1 == found[values[16]]
        env.step(np.array([values[16]]))


def test_a_draw_without_a_score_is_a_draw_to_a_trainer(tmp_path: Path) -> None:
    """And not half a win and half a loss, which a trainer makes of a `best_q` of 0 without `best_d`."""
    start = ox88.Positions.from_fens([chess.STARTING_FEN] * 3)
    scores, results = np.array([NO_SCORE, 0, NO_SCORE]), np.array([0, 0, 1])
    moves = start.parse_uci(["e2e4"] * 3)
    packed = written(ox88.TrainingData(start, moves, scores, results, np.zeros(3, int)), tmp_path / "x.gz")
    drawn = [FIELDS.unpack_from(packed, row * FIELDS.size)[12:] for row in range(3)]
    assert [(values[2], values[3], values[10]) for values in drawn] == [(1, 1, 1), (0, 0, 0), (0, 0, 0)]


@settings(max_examples=20)
@given(seed=st.integers(0, 1 << 20), start=st.sampled_from((STARTS[0], *STARTS[2:])))
def test_round_trip(seed: int, start: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    data = a_game(seed, start)
    path = tmp_path_factory.mktemp("leela") / "x.gz"
    ox88.write_training(path, [data, data[:0]])
    found = ox88.read_training(path)
    assert fens(found) == fens(data)
    assert np.array_equal(found.moves, data.moves)
    assert np.array_equal(found.results, data.results)
    assert found.plies.tolist() == list(range(len(data)))
    assert np.array_equal(found.scores == NO_SCORE, data.scores == NO_SCORE)
    wide = data.scores.astype(int)
    small = (abs(wide) < 1000) & (found.scores != NO_SCORE)
    assert np.array_equal(found.scores[small], wide[small])
    large = (abs(wide) > 12780) & (found.scores != NO_SCORE)
    assert np.array_equal(found.scores[large], np.sign(wide[large]) * 12780)


@settings(max_examples=40)
@given(place=st.integers(0, 8355), byte=st.integers(0, 255), cut=st.integers(0, 16712))
def test_a_broken_file_is_read_or_refused_in_a_line(
    place: int, byte: int, cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("leela") / "x.gz"
    packed = bytearray(written(ox88.read_training(PLAIN)[:2], path))
    packed[place] = byte
    for some in (packed, packed[:cut]):
        path.write_bytes(gzip.compress(some, 1))
        _, error = read_or_error(path)
        assert not error or re.match(rf"{re.escape(str(path))}: [^\n]+$", error), error


def test_chunks_of_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Leela's games are offered: a folder of chunks in a .tar, a game in each, and files of another kind."""
    monkeypatch.setattr(leela, "_BLOCK", 100)
    data = ox88.read_training(PLAIN)
    ends = [*np.flatnonzero(np.diff(data.plies.astype(int)) != 1) + 1, len(data)]
    games = [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    assert len(games) > 3
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "LICENSE").write_text("ODbL")
    for number, game in enumerate(games):
        ox88.write_training(tmp_path / "run" / f"training.{number}.gz", game)
    with tarfile.open(tmp_path / "run.tar", "w") as archive:
        archive.add(tmp_path / "run" / "LICENSE")
        for number in range(len(games)):
            archive.add(tmp_path / "run" / f"training.{number}.gz", f"run/training.{number}.gz")
    parts = list(ox88.iter_training(tmp_path / "run.tar"))
    assert 1 < len(parts) < len(games)
    monkeypatch.undo()
    assert len(list(ox88.iter_training(tmp_path / "run.tar"))) == 1
    found = ox88.read_training(tmp_path / "run.tar")
    expected = [ox88.read_training(tmp_path / "run" / f"training.{number}.gz") for number in range(len(games))]
    assert found.positions.fens() == [fen for part in expected for fen in part.positions.fens()]
    for column in ("moves", "scores", "results", "plies"):
        assert np.array_equal(getattr(found, column), np.concatenate([getattr(part, column) for part in expected]))


def test_archives_that_are_broken(tmp_path: Path) -> None:
    path = tmp_path / "x.tar"
    with pytest.raises(Ox88Error, match=r"x.tar: a .tar of Leela's chunks is only read"):
        ox88.write_training(path, ox88.read_training(PLAIN))
    assert not path.exists()
    path.write_bytes(b"no archive" * 99)
    with pytest.raises(Ox88Error, match=r"x.tar cannot be unpacked: file could not be opened successfully$"):
        ox88.read_training(path)
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(8357)))
    with tarfile.open(path, "w") as archive:
        archive.add(tmp_path / "a.gz", "run/a.gz")
    with pytest.raises(Ox88Error, match=r"x.tar: run/a.gz: record 1: 1 bytes, and a record has 8,356"):
        ox88.read_training(path)
    path.write_bytes(path.read_bytes()[:530])
    with pytest.raises(Ox88Error, match=r"x.tar.* cannot be unpacked"):
        ox88.read_training(path)
    with tarfile.open(path, "w"):
        pass
    assert len(ox88.read_training(path)) == 0


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    path = tmp_path / "x.gz"
    packed = bytearray(written(ox88.read_training(PLAIN)[:2], path))
    path.write_bytes(gzip.compress(bytes([5]) + packed[1:]))
    with pytest.raises(Ox88Error, match=r"x.gz: record 0: version 5 with input format 1: version 6 with input"):
        ox88.read_training(path)
    path.write_bytes(gzip.compress(packed[:9000]))
    with pytest.raises(Ox88Error, match=r"x.gz: record 1: 644 bytes, and a record has 8,356"):
        ox88.read_training(path)
    path.write_bytes(gzip.compress(packed)[:-20])
    with pytest.raises(Ox88Error, match=r"x.gz cannot be unpacked: "):
        ox88.read_training(path)
    white_ooo = 8356 + 8 + 4 * 1858 + 832
    assert packed[white_ooo : white_ooo + 4] == bytes([1] * 4)
    a1_of_rooks = 8 + 4 * 1858 + 3 * 8
    without = packed[:8356] + packed[8356:]
    without[8356 + a1_of_rooks] &= 0x7F
    path.write_bytes(gzip.compress(without))
    with pytest.raises(Ox88Error, match=r"x.gz: record 1: us_ooo without a rook in that corner"):
        ox88.read_training(path)
    packed[8356 + 8344 : 8356 + 8346] = b"\xff\xff"
    path.write_bytes(gzip.compress(packed))
    with pytest.raises(Ox88Error, match=r"x.gz: record 1: played_idx 65535: 0 to 1857 are expected"):
        ox88.read_training(path)
    packed[8356 + 8344 : 8356 + 8346] = b"\0\0"
    path.write_bytes(gzip.compress(packed))
    with pytest.raises(Ox88Error, match=r"x.gz: record 1: no legal move has the compact index 0"):
        ox88.read_training(path)
    chess960 = ox88.Positions.from_fens([chess.STARTING_FEN, "1r2k3/8/8/8/8/8/8/4K2R b b - 0 1"])
    moves = chess960.parse_uci(["e2e4", "e8e7"])
    zeros = np.zeros(2, int)
    with pytest.raises(ox88.RowError, match=r"^row 1: castling of Chess960"):
        ox88.write_training(path, ox88.TrainingData(chess960, moves, zeros, zeros, zeros))
    with pytest.raises(ox88.RowError, match=r"^row 1: e2e4 .* is not legal"):
        ox88.write_training(path, ox88.TrainingData(chess960, moves[[0, 0]], zeros, zeros, zeros))


def test_a_packed_pgn_is_no_chunk(tmp_path: Path) -> None:
    for name in ("games.pgn.gz", "games.gz"):
        (tmp_path / name).write_bytes(gzip.compress(b"1. e4 *"))
        with pytest.raises(Ox88Error, match=r"a file \.plain, \.binpack, \.gz, \.tar, or a folder of"):
            ox88.read_training(tmp_path / name)


def test_another_game_is_no_past(tmp_path: Path) -> None:
    packed = written(ox88.read_training(PLAIN)[[0, 1, 2, 0, 1]], tmp_path / "x.gz")
    assert len(packed) == 5 * 8356
    for row, past in enumerate([1, 2, 3, 1, 2]):
        planes = np.frombuffer(packed, np.uint8, 832, row * 8356 + 7440).reshape(8, 104)
        assert planes.any(axis=1).tolist() == [back < past for back in range(8)]
