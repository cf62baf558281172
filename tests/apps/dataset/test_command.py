"""`ox88 dataset`: what it writes, says and refuses."""

import gzip
import itertools
import os
import sys
import threading
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import numpy as np
import pyarrow.parquet
import pytest

import ox88
from ox88.apps.dataset import command, parts
from ox88.apps.dataset.columns import as_pawns
from ox88.apps.dataset.scoring import Job
from ox88.batch.training.parquet import moves_as_uci
from ox88.types import make_castling, make_move
from tests.apps.dataset import naive
from tests.apps.dataset.conftest import GAMES, Games, Rows, contents
from tests.apps.inline import InlineWorkers, Run

EVERY_COLUMN = ("--columns", "game,ply,fen,move,result,eval,eval_after,clock,time,depth,White,WhiteElo,BlackElo")
ALL = EVERY_COLUMN[1].split(",")


def read(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return rows


def expected(rows: Rows, choose: naive.Choose = lambda _: True) -> Rows:
    return [{name: row[name] for name in ALL} for row in rows if choose(row)]


def both(row: dict[str, Any], low: int, high: int) -> bool:
    return all(row[name] is not None and low <= row[name] <= high for name in ("WhiteElo", "BlackElo"))


FILTERS: dict[str, tuple[tuple[object, ...], naive.Choose]] = {
    "all": ((), lambda _: True),
    "least rating": (("--min-rating", 1500), lambda row: both(row, 1500, 9999)),
    "greatest rating": (("--max-rating", 1500), lambda row: both(row, 0, 1500)),
    "ratings": (("--min-rating", 1000, "--max-rating", 2000), lambda row: both(row, 1000, 2000)),
    "a result": (("--result", "1-0"), lambda row: row["result"] == 1),
    "results": (("--result", "0-1,1/2-1/2"), lambda row: row["result"] in (0, 0.5)),
    "none yet": (("--result", "1-0", "--result", "*"), lambda row: row["result"] in (1, None)),
    "classes": (("--time-control", "bullet,rapid"), lambda row: row["TimeControl"] in ("60+0", "900+10")),
    "long games": (("--time-control", "classical"), lambda row: row["TimeControl"] == "40/7200:3600"),
    "by mail": (("--time-control", "correspondence"), lambda row: row["TimeControl"] == "-"),
    "a tag": (("--time-control", "180+2"), lambda row: row["TimeControl"] == "180+2"),
    "long enough": (("--min-plies", 10), lambda row: row["length"] >= 10),
    "short enough": (("--max-plies", 12), lambda row: row["length"] <= 12),
    "plies": (("--from-ply", 3, "--to-ply", 9), lambda row: 3 <= row["ply"] <= 9),
    "evaluated": (("--evaluated",), lambda row: row["eval"] is not None),
    "nothing": (("--from-ply", 999), lambda _: False),
}


@pytest.mark.parametrize(
    ("name", "size"), [*((name, parts.PART_ROWS) for name in FILTERS if name != "all"), ("all", 14)]
)
def test_filters_as_by_python_chess(
    name: str, size: int, run: Run, pgn: Path, rows: Rows, output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PART_ROWS", size)
    monkeypatch.setattr(parts, "ROW_GROUP", size // 2)
    words, choose = FILTERS[name]
    wanted = expected(rows, choose)
    nothing = f"ox88: 0 of {len(expected(rows)):,} positions come after at least 999 plies\n"
    said = f"{output}: {GAMES} games, {len(wanted)} rows\n"
    assert run(pgn, "-o", output, *EVERY_COLUMN, *words) == ((0, said, "") if wanted else (1, said, nothing))
    assert read(output) == wanted
    assert len(wanted) > 10 or name == "nothing"
    sizes = [pyarrow.parquet.read_metadata(path).num_rows for path in sorted(output.iterdir())]
    assert sizes == [size] * (len(wanted) // size) + [len(wanted) % size]
    assert list(contents(output)) == [f"part-{number:05}.parquet" for number in range(len(sizes))]


def test_positions_and_keys(run: Run, pgn: Path, rows: Rows, output: Path) -> None:
    assert run(pgn, "-o", output, "--columns", "position,key,file")[0] == 0
    table = pyarrow.parquet.read_table(output)
    packed = np.frombuffer(b"".join(table["position"].to_pylist()), ox88.Positions().pack().dtype)
    positions = ox88.Positions.from_packed(packed)
    assert positions.fens() == [row["fen"] for row in rows]
    assert np.array_equal(table["key"].to_numpy(), positions.key)
    assert set(table["file"].to_pylist()) == {str(pgn)}


@pytest.mark.parametrize("compression", ["lz4", "zstd"])
def test_the_usual_columns(compression: str, run: Run, pgn: Path, output: Path) -> None:
    assert run(pgn, "-o", output, "--compression", compression)[0] == 0
    schema = pyarrow.parquet.read_table(output).schema
    types = ["int32", "int32", "fixed_size_binary[32]", "string", "float", "float", "float", "int32", "int32"]
    assert [str(field.type) for field in schema] == types
    assert schema.names == ["game", "ply", "position", "move", "result", "eval", "clock", "WhiteElo", "BlackElo"]
    assert [field.name for field in schema if not field.nullable] == ["game", "ply", "position", "move"]


def test_the_words_of_moves() -> None:
    """All that a queen or a knight can do on some square, promotions, castling, and no move."""
    moves = [chess.Move.null()]
    for square in chess.SQUARES:
        targets = chess.BB_EMPTY
        for piece in (chess.QUEEN, chess.KNIGHT):
            board = chess.Board.empty()
            board.set_piece_at(square, chess.Piece(piece, chess.WHITE))
            targets |= board.attacks_mask(square)
        moves += [chess.Move(square, target) for target in chess.SquareSet(targets)]
    for begin, end in ((chess.A7, chess.A8), (chess.A2, chess.A1)):
        for file in range(8):
            steps = [end + near for near in range(max(file - 1, 0), min(file + 2, 8))]
            moves += [chess.Move(begin + file, to, kind) for to in steps for kind in range(chess.KNIGHT, chess.KING)]
    numbers = [make_move(move.from_square, move.to_square, move.promotion or 0) for move in moves]
    assert words_of(numbers) == [move.uci() for move in moves]
    castlings = [make_castling(*squares) for squares in ((4, 7), (4, 0), (60, 63), (60, 56), (5, 7), (1, 0))]
    assert words_of(castlings) == ["e1g1", "e1c1", "e8g8", "e8c8", "f1h1", "b1a1"]


def words_of(moves: list[int]) -> Any:
    return moves_as_uci(np.array(moves, np.uint16)).to_pylist()


def test_unique(run: Run, pgn: Path, rows: Rows, output: Path) -> None:
    """Clocks do not make a position another one, nor does an en passant square of no use."""
    first = {chess.Board(row["fen"]).epd(en_passant="legal"): row for row in reversed(expected(rows))}
    wanted = sorted(first.values(), key=lambda row: (row["game"], row["ply"]))
    run(pgn, "-o", output, *EVERY_COLUMN, "--unique")
    assert read(output) == wanted
    assert len(wanted) < len(expected(rows))
    assert list(contents(output)) == ["part-00000.parquet"]


def test_samples(run: Run, pgn: Path, games: Games, rows: Rows, tmp_path: Path) -> None:
    number = itertools.count()

    def sampled(*words: object) -> list[dict[str, Any]]:
        output = tmp_path / str(next(number))
        assert run(pgn, "-o", output, *EVERY_COLUMN, *words)[0] == 0
        return read(output)

    every = expected(rows)
    third = sampled("--sample", 0.3)
    assert 0.2 < len(third) / len(every) < 0.4
    assert all(row in every for row in third)
    assert third == sampled("--sample", 0.3) != sampled("--sample", 0.3, "--seed", 1)
    assert [row for row in sampled("--sample", 0.6) if row in third] == third  # What few have, more have.
    few = sampled("--per-game", 2)
    counts = {number: len(list(of)) for number, of in itertools.groupby(few, lambda row: row["game"])}
    lengths = [len(list(game.mainline_moves())) for game in games]
    assert counts == {number: min(length, 2) for number, length in enumerate(lengths, 1) if length}
    assert len({row["ply"] for row in few}) > 10
    assert sampled("--sample", 1) == every


def test_what_is_chosen_does_not_hang_on_pieces(
    run: Run, pgn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chosen(name: str) -> dict[str, bytes]:
        run(pgn, "-o", tmp_path / name, "--sample", 0.5, "--per-game", 3, "--unique")
        return contents(tmp_path / name)

    whole = chosen("whole")
    monkeypatch.setattr("ox88.batch.pgn.reading.BLOCK", 1000)
    assert chosen("pieces") == whole


def test_several_files(run: Run, pgn: Path, rows: Rows, tmp_path: Path, output: Path) -> None:
    packed = tmp_path / "more.pgn.gz"
    packed.write_bytes(gzip.compress(pgn.read_bytes()))
    code, said, _ = run(pgn, packed, pgn, "-o", output, "--columns", "file,game,fen")
    assert (code, said) == (0, f"{output}: {2 * GAMES} games, {2 * len(expected(rows)):,} rows\n")
    wanted = [(str(path), row["game"], row["fen"]) for path in (pgn, packed) for row in rows]
    assert [tuple(row.values()) for row in read(output)] == wanted
    assert list(contents(output)) == ["part-00000.parquet"]


def test_mates_are_scored_as_the_reader_has_them() -> None:
    scores = np.array([31_000 - 1, -31_000 + 2, 31_000 - 5, 150, -31_000], np.int16)
    assert as_pawns(scores).tolist() == [9999, -9999, 9997, 1.5, -10_000]


def test_broken_games_are_reported(run: Run, tmp_path: Path, output: Path) -> None:
    """Of many errors the first."""
    broken = tmp_path / "broken.pgn"
    broken.write_text('[White "a"]\n\n1. e4 e5 2. Ke4 1-0\n\n' * 30 + '[White "b"]\n\n1. d4 *\n')
    code, said, errors = run(broken, "-o", output, "--columns", "game,move,White")
    assert (code, said) == (1, f"{output}: 31 games, 61 rows; 30 with errors\n")
    *shown, more = errors.splitlines()
    reason = "'Ke4' is not a legal move"
    assert shown == [f"ox88: {broken}: game {n}, line {4 * n - 1}: {reason}" for n in range(1, 21)]
    assert more == "ox88: ... and 10 more"
    assert [tuple(row.values()) for row in read(output)[58:]] == [
        (30, "e2e4", "a"),
        (30, "e7e5", "a"),
        (31, "d2d4", "b"),
    ]


UNRATED = '[White "a"]\n[TimeControl "60+0"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n[White "b"]\n\n1. d4 *\n'
RATED = '[WhiteElo "1500"]\n[BlackElo "?"]\n\n1. e4 *\n\n[WhiteElo "1500"]\n[BlackElo "1600"]\n\n1. d4 *\n'
EMPTY = '[White "a"]\n\n*\n\n[White "b"]\n\n*\n'


@pytest.mark.parametrize(
    ("games", "words", "reason"),
    [
        (UNRATED, ("--min-rating", 1), "0 of 2 games have WhiteElo"),
        (UNRATED, ("--max-rating", 3000), "0 of 2 games have WhiteElo"),
        (
            RATED,
            ("--min-rating", 2000, "--max-rating", 2500),
            "0 of 2 games have ratings of at least 2000 and at most 2500",
        ),
        (UNRATED, ("--result", "0-1,1/2-1/2"), "0 of 2 games have the result 0-1 or 1/2-1/2"),
        (UNRATED, ("--time-control", "rapid,180+2"), "0 of 2 games have the time control rapid or 180+2"),
        (UNRATED, ("--min-plies", 9), "0 of 2 games have at least 9 plies"),
        (UNRATED, ("--min-plies", 3, "--max-plies", 4), "0 of 2 games have at least 3 and at most 4 plies"),
        (UNRATED, ("--from-ply", 2), "0 of 3 positions come after at least 2 plies"),
        (UNRATED, ("--evaluated",), "0 of 3 positions have an [%eval]"),
        (UNRATED, ("--evaluated", "--depth", 1, "--workers", 1), "0 of 3 positions have an [%eval]"),
        (UNRATED, ("--result", "1-0", "--max-plies", 1), "no position passes all filters together"),
        (UNRATED, ("--sample", 1e-9), "no position passes all filters together"),
        (EMPTY, (), "the games have no moves"),
    ],
)
def test_filters_that_match_nothing(
    games: str,
    words: tuple[object, ...],
    reason: str,
    run: Run,
    tmp_path: Path,
    output: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command, "make_workers", lambda *_: InlineWorkers(Job))
    path = tmp_path / "games.pgn"
    path.write_text(games)
    said = f"{output}: 2 games, 0 rows\n"
    assert run(path, "-o", output, *words, "--unique") == (1, said, f"ox88: {reason}\n")
    assert read(output) == []
    again = f"ox88: {output} is finished; nothing is left to do\nox88: {reason}\n"
    assert run(path, "-o", output, *words, "--unique") == (1, said, again)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--columns", "fen,elo"), "no column 'elo': there are game, ply"),
        (("--columns", "score"), "the column 'score' needs --nodes or --depth"),
        (("--result", "2-0"), "no result '2-0': expected one such as 1-0, 1/2-1/2, 0-1, *"),
        (("--time-control", "quick"), "no time control 'quick': expected one such as ultrabullet, bullet"),
        (("--from-ply", 9, "--to-ply", 8), "--from-ply 9 is above --to-ply 8: nothing would be left"),
        (("--min-rating", 9, "--max-rating", 8), "--min-rating 9 is above --max-rating 8"),
        (("--min-plies", 9, "--max-plies", 8), "--min-plies 9 is above --max-plies 8"),
        (("--sample", "nan"), "--sample nan is not a share of the positions"),
        (("--workers", 2), "--workers needs --nodes or --depth: without a search there is no work to share"),
        (("--scheduler", "tcp://127.0.0.1:9"), "--scheduler needs --nodes or --depth"),
        (("--depth", 1, "--workers", 2, "--scheduler", "x"), "--workers starts processes here, --scheduler uses"),
        (("--nodes", 1, "--scheduler", "x"), "'x' is not a scheduler's address: expected one such as tcp://10."),
    ],
)
def test_words_that_are_wrong(words: tuple[object, ...], reason: str, run: Run, pgn: Path, tmp_path: Path) -> None:
    code, said, errors = run(pgn, "-o", tmp_path / "out", *words)
    assert (code, said) == (2, "")
    assert errors.startswith(f"ox88: {reason}")
    assert errors.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.posix("links for everybody")
def test_a_link_to_a_folder(run: Run, pgn: Path, tmp_path: Path, output: Path) -> None:
    target = tmp_path / "far"
    target.mkdir()
    output.symlink_to(target)
    assert run(pgn, "-o", output)[0] == 0
    assert output.is_symlink()
    assert list(contents(target)) == ["part-00000.parquet"]


def test_paths_that_are_refused(run: Run, pgn: Path, tmp_path: Path, output: Path) -> None:
    empty, picture = tmp_path / "empty.pgn", tmp_path / "picture.png"
    empty.touch()
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    for files, target, reason in (
        ([tmp_path / "none.pgn"], output, "none.pgn cannot be opened: No such file or directory"),
        ([tmp_path], output, "cannot be opened: Is a directory"),
        ([pgn], tmp_path / "no" / "out", "cannot be written: No such file or directory"),
        ([pgn], empty, f"-o {empty}: a data set is a folder, and this is a file: name another place"),
        ([pgn], tmp_path / "out.parquet", f"a data set is a folder of Parquet files, so write -o {output}/ and let"),
        ([pgn], tmp_path / "out.CSV", f"a data set is a folder of Parquet files, so write -o {output}/ and let"),
        ([empty], output, "there is no game in"),
        ([picture], output, f"{str(picture)!r} is not text but PNG: a PGN, plain or packed by"),
    ):
        for more in ((), ("--unique",)):
            code, said, errors = run(*files, "-o", target, *more)
            assert (code, said, errors.count("\n"), reason in errors) == (2, "", 1, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty.pgn", "picture.png"]


@pytest.mark.posix("named pipes")
def test_a_pipe_is_opened_once(run: Run, pgn: Path, tmp_path: Path, output: Path) -> None:
    """Who writes into a named pipe is gone when it is opened again. (A daemon, lest a fault keep the tests waiting.)"""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(pgn.read_bytes(),), daemon=True)
    writer.start()
    code, said, errors = run(pipe, "-o", output)
    assert (code, errors) == (0, "")
    assert said.startswith(f"{output}: {GAMES} games, ")


def test_without_pyarrow(run: Run, pgn: Path, output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    reason = "ox88: ox88 dataset needs pyarrow, which is not installed: pip install 'ox88[data]'\n"
    assert run(pgn, "-o", output) == (2, "", reason)
    assert not output.exists()
