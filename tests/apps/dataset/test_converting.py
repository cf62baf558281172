"""`ox88 dataset` with the formats of trainers."""

import gzip
from pathlib import Path

import chess.pgn
import numpy as np
import pytest

import ox88
from tests.apps.inline import Run
from tests.conftest import DATA

PLAIN, BINPACK = DATA / "training" / "games.plain", DATA / "training" / "games.binpack"
GAMES = """[Result "1-0"]

1. e4 { [%eval 0.3] } e5 { [%eval 0.25] } 2. Qh5 Ke7 { [%eval #1] } 3. Qxe5# 1-0

[Result "*"]

1. d4 *

[Result "0-1"]

1. f3 e5 2. g4 { [%eval #-1] } Qh4# 0-1
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    return path


def test_one_format_to_another_by_a_folder(run: Run, tmp_path: Path) -> None:
    count = len(ox88.read_training(PLAIN))
    for source, target in ((BINPACK, "folder"), ("folder", "x.plain"), ("x.plain", "x.binpack")):
        code, output, errors = run(tmp_path / source, "-o", tmp_path / target)
        assert (code, output, errors) == (0, f"{tmp_path / target}: {count} positions\n", "")
    assert (tmp_path / "x.binpack").read_bytes() == BINPACK.read_bytes()
    run(PLAIN, BINPACK, "-o", tmp_path / "both.plain")
    assert len(ox88.read_training(tmp_path / "both.plain")) == 2 * count


@pytest.mark.parametrize("ending", [".plain", ".binpack"])
def test_games_become_training_data(ending: str, run: Run, games: Path, tmp_path: Path) -> None:
    target = tmp_path / f"x{ending}"
    code, output, _ = run(games, "-o", target)
    assert code == 0
    assert output.endswith(f"{target}: 9 positions\n")  # The game without a result is left out.
    data = ox88.read_training(target)
    assert data.positions.format_uci(data.moves) == [
        "e2e4",
        "e7e5",
        "d1h5",
        "e8e7",
        "h5e5",
        "f2f3",
        "e7e5",
        "g2g4",
        "d8h4",
    ]
    assert data.scores.tolist() == [32002, -30, 25, 32002, 31999, 32002, 32002, 32002, 31999]
    assert data.results.tolist() == [1, -1, 1, -1, 1, -1, 1, -1, 1]
    assert data.plies.tolist() == [0, 1, 2, 3, 4, 0, 1, 2, 3]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.pgn", target.name]


def test_filters_and_scores_of_the_engine(run: Run, games: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.binpack"
    assert run(games, "-o", target, "--result", "1-0", "--from-ply", "4", "--depth", "2", "--workers", "1")[0] == 0
    data = ox88.read_training(target)
    assert data.scores.tolist() == [31999]


def test_options_that_do_not_fit(run: Run, games: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.binpack"
    for arguments, expected in (
        ((games, PLAIN, "-o", target), f"{PLAIN} is training data: PGN files are read alone"),
        ((PLAIN, "-o", target, "--sample", "0.5"), f"--sample is for data sets of PGN files in a folder, and {PLAIN}"),
        (
            (games, "-o", target, "--columns", "fen"),
            f"--columns is for data sets of PGN files in a folder, and -o {target}",
        ),
        ((tmp_path / "none.plain", "-o", target), "none.plain: there is no such file or folder"),
        ((games, "-o", tmp_path / "x.tar"), "x.tar: a .tar of Leela's chunks is only read"),
    ):
        code, output, errors = run(*arguments)
        assert code != 0
        assert not output
        assert expected in errors
        assert errors.count("\n") == 1
        assert not target.exists()


@pytest.mark.parametrize("target", ["folder", "x.plain", "x.binpack", "x.gz"])
def test_an_input_without_positions_or_with_errors_leaves_nothing(target: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "cut.plain").write_bytes(PLAIN.read_bytes()[:-5])
    (tmp_path / "empty.plain").touch()
    (tmp_path / "no-result.pgn").write_text("1. e4 *")
    files = sorted(tmp_path.iterdir())
    missing = tmp_path / "missing.plain"
    for inputs in ([PLAIN, files[0]], [files[1]], [PLAIN, missing], [missing], files[2:]):
        if inputs == files[2:] and target == "folder":
            continue
        code, _, errors = run(*inputs, "-o", tmp_path / target)
        assert code != 0
        assert not errors or errors.startswith(f"ox88: {inputs[-1]}: "), errors
        assert sorted(tmp_path.iterdir()) == files
    (tmp_path / "folder").mkdir()  # What was there before stays.
    assert run(PLAIN, files[0], "-o", tmp_path / "folder")[0] != 0
    assert not any((tmp_path / "folder").iterdir())


def test_a_game_that_a_binpack_cannot_hold(run: Run, tmp_path: Path) -> None:
    game = chess.pgn.Game()
    game.setup(chess.Board("1r2k3/8/8/8/8/8/8/4K3 w b - 0 1", chess960=True))
    game.add_variation(chess.Move.from_uci("e1e2"))
    game.headers["Result"] = "1-0"
    (tmp_path / "games.pgn").write_text(str(game))
    code, _, errors = run(tmp_path / "games.pgn", "-o", tmp_path / "x.binpack")
    assert code != 0
    assert f"{tmp_path / 'x.binpack'} cannot be written: row 0: castling of Chess960" in errors
    assert errors.endswith(f"; the positions are in {tmp_path / 'x.binpack.parts'}\n")
    assert run(tmp_path / "games.pgn", "-o", tmp_path / "x.plain")[0] == 0
    assert np.array_equal(ox88.read_training(tmp_path / "x.plain").results, [1])


def test_leelas_chunks_are_told_from_packed_games_by_their_contents(run: Run, games: Path, tmp_path: Path) -> None:
    assert run(games, "-o", tmp_path / "training.1.gz")[0] == 0
    assert run(tmp_path / "training.1.gz", "-o", tmp_path / "x.plain")[0] == 0
    assert len(ox88.read_training(tmp_path / "x.plain")) == 9
    packed = tmp_path / "games.gz"
    packed.write_bytes(gzip.compress(games.read_bytes()))
    assert run(packed, "-o", tmp_path / "folder")[1] == f"{tmp_path / 'folder'}: 3 games, 10 rows\n"
