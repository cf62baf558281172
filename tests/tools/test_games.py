"""The folder of games: jobs that end in any order, in several runs, are read once, ordered by number."""

import itertools
import random
from collections.abc import Iterable
from pathlib import Path

import chess
import numpy as np
import pyarrow.parquet
import pytest
from click.testing import CliRunner

from ox88.batch.positions.packed import PACKED as START
from ox88.errors import Ox88Error
from tests.tools.conftest import Played, as_games, boards, calm_positions, fen_of, make_folder, random_moves
from tools import games
from tools.games import GameFolder, from_table, join_folders, read_positions, to_table

KNOWN = 1000
SETTINGS = {"nodes": 5, "openings": ["a"], "rules": {"known": KNOWN}}
COUNTS = {3: 4, 0: 1, 2: 0, 1: 2, 5: 3, 4: 1}  # Job to games, in the order in which they end.


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "JOBS_A_PART", 2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games"


def played(job: int) -> list[Played]:
    """The games of a job: random moves, with random scores that are not all known."""
    chance, found = random.Random(job), []
    for _ in range(COUNTS[job]):
        starts, moves = zip(*random_moves(chance, 60), strict=True)
        first = chance.randrange(8)
        scores = [chance.choice([0, -1, 1, -KNOWN, KNOWN, -KNOWN - 1, KNOWN + 1, 31000]) for _ in moves]
        found.append((starts[first], list(moves[first:]), scores[first:], chance.randrange(3)))
    return found


def moves_of(jobs: int) -> int:
    return sum(len(moves) for job in range(jobs) for _, moves, _, _ in played(job))


def check(path: Path, jobs: int) -> None:
    found = read_positions(path)
    assert (found.settings, found.jobs) == (SETTINGS, jobs)
    score, result = (found.records[name].tolist() for name in ("score", "result"))
    rows = list(zip(found.job.tolist(), map(fen_of, boards(found.records)), score, result, strict=True))
    assert rows == [(job, *row) for job in range(jobs) for game in played(job) for row in calm_positions(*game, KNOWN)]
    assert sorted(set(found.game.tolist())) == list(range(sum(COUNTS[job] for job in range(jobs))))
    assert np.all(np.diff(found.game) >= 0)


def finish(folder: GameFolder, jobs: Iterable[int]) -> None:
    """End a run after these jobs."""
    for job in list(jobs):
        folder.add(job, as_games(played(job)))
    folder.finish()
    folder.close()


@pytest.mark.parametrize("ended", range(len(COUNTS) + 1))
def test_a_run_goes_on_where_it_ended(ended: int, path: Path) -> None:
    """The second run wants more jobs than the first."""
    order = list(COUNTS)
    folder = GameFolder(path, SETTINGS)
    for job in order[:ended]:
        folder.add(job, as_games(played(job)))
    moves = sum(len(game[1]) for job in order[:ended] for game in played(job))
    assert (folder.jobs, folder.count) == (ended, moves)
    folder.close()
    folder = GameFolder(path, SETTINGS)
    missing = set(folder.missing(len(COUNTS)))
    assert missing == set(order[ended:])
    finish(folder, missing)
    check(path, len(COUNTS))
    assert [found.name for found in sorted(path.iterdir())] == [f"part-0000{number}.parquet" for number in range(3)]


def test_more_jobs_go_behind_a_finished_run(path: Path) -> None:
    for wanted in (1, 4, 4, 6):
        folder = GameFolder(path, SETTINGS)
        finish(folder, folder.missing(wanted))
        check(path, wanted)


def test_what_is_refused(path: Path) -> None:
    for missing in (path, path.parent / "nowhere"):
        with pytest.raises(Ox88Error, match="cannot be read: a folder of games is expected"):
            read_positions(missing)
    folder = GameFolder(path, SETTINGS)
    with pytest.raises(Ox88Error, match="another process has it"):
        GameFolder(path, SETTINGS)
    folder.add(0, as_games(played(0)))
    folder.close()
    with pytest.raises(Ox88Error, match="nodes 5, and now 6"):
        GameFolder(path, {**SETTINGS, "nodes": 6})
    with pytest.raises(Ox88Error, match="cannot be written"):
        GameFolder(path / "no" / "where", SETTINGS)


def test_a_row_has_all_of_a_game() -> None:
    table = to_table(7, as_games(played(3)))
    assert table["job"].to_pylist() == [7] * COUNTS[3]
    assert table["scores"].to_pylist() == [scores for _, _, scores, _ in played(3)]
    assert table["result"].to_pylist() == [result for *_, result in played(3)]
    for before, after in zip(as_games(played(3)), from_table(table), strict=True):
        assert np.array_equal(np.asarray(before), np.asarray(after))


@pytest.mark.parametrize(("name", "value"), [("moves", 0), ("moves", 0xFFFF), ("results", 3), ("starts", b"")])
def test_damaged_games_are_refused(path: Path, name: str, value: int | bytes) -> None:
    """An illegal move, a result that there is not, an empty board."""
    found = as_games(played(1))
    column = getattr(found, name).copy()
    column[-1] = np.zeros(1, START)[0] if value == b"" else value
    make_folder(path, [as_games(played(0)), found._replace(**{name: column})], **SETTINGS)
    with pytest.raises(
        Ox88Error, match=r"part-00000.parquet is damaged: game 3 has an illegal start or move, or no re"
    ):
        read_positions(path)


def test_a_game_has_a_score_for_each_move() -> None:
    table = to_table(1, as_games([(chess.Board(), [chess.Move.from_uci("e2e4")], [1], 1)]))
    two = pyarrow.array([[1, 2]], pyarrow.list_(pyarrow.int16()))
    with pytest.raises(Ox88Error, match="another number of scores than of moves"):
        from_table(table.set_column(3, "scores", two))


def test_other_parquet_files_are_refused(path: Path, tmp_path: Path) -> None:
    finish(GameFolder(path, SETTINGS), [0, 1])
    part = path / "part-00000.parquet"
    table = pyarrow.parquet.read_table(part)
    metadata = pyarrow.parquet.read_metadata(part).metadata
    other = table.drop_columns("moves").replace_schema_metadata({b"ox88": metadata[b"ox88"]})
    pyarrow.parquet.write_table(other, part)
    with pytest.raises(Ox88Error):
        read_positions(path)
    finish(GameFolder(tmp_path / "first", SETTINGS), [0, 1, 2])
    told = CliRunner().invoke(games.main, [str(tmp_path / "first"), "-o", str(tmp_path / "first")])
    assert told.exit_code == 2
    assert "has games already: name another folder" in told.stderr


def test_folders_are_joined_with_their_jobs_in_random_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "ROWS_A_PART", 4)
    paths = [tmp_path / "first", tmp_path / "second"]
    for path, jobs in zip(paths, (6, 4), strict=True):
        finish(GameFolder(path, SETTINGS), range(jobs))
    told = CliRunner().invoke(games.main, [*map(str, paths), "-o", str(tmp_path / "both"), "--seed", "3"])
    assert told.exit_code == 0, told.stderr
    assert [line.partition(": ")[2] for line in told.stdout.splitlines()] == [
        f"6 jobs, 11 games, {moves_of(6):,} moves",
        f"4 jobs, 7 games, {moves_of(4):,} moves",
        f"18 games, {moves_of(6) + moves_of(4):,} moves",
    ]
    both = read_positions(tmp_path / "both")
    one, other = (read_positions(path) for path in paths)
    assert both.jobs == 10
    expected = [
        *zip(one.job, one.records, strict=True),
        *((job + 6, row) for job, row in zip(other.job, other.records, strict=True)),
    ]
    found = list(zip(both.job, both.records, strict=True))
    assert sorted((int(job), row.tobytes()) for job, row in found) == sorted(
        (int(job), row.tobytes()) for job, row in expected
    )
    numbers = [number for number, _ in itertools.groupby(map(int, both.job))]
    assert numbers != sorted(set(numbers)), "they are shuffled"
    assert len(numbers) == len(set(numbers)), "each is whole"
    for number in numbers:
        rows = [row.tobytes() for job, row in expected if job == number]
        assert both.records[both.job == number].tobytes() == b"".join(rows)
    assert len(list((tmp_path / "both").glob("*.parquet"))) == 5
    assert join_folders(paths, tmp_path / "again", 3)[0] == 18
    assert np.array_equal(read_positions(tmp_path / "again").records, both.records)
    assert join_folders(paths, tmp_path / "other", 4)[0] == 18
    assert not np.array_equal(read_positions(tmp_path / "other").records, both.records)
