"""Training data: each format round trip, against a file by nnue-pytorch's writer, a slow reader, and broken files.

games.plain is by python-chess; of it, the writer of github.com/official-stockfish/nnue-pytorch has made games.binpack.
"""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import chess
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ox88
from ox88.batch.training import binpack, formats, parquet, plain
from ox88.batch.training.entries import NO_SCORE
from ox88.errors import Ox88Error
from tests.batch.training import naive
from tests.conftest import DATA

PLAIN, BINPACK = DATA / "training" / "games.plain", DATA / "training" / "games.binpack"
STARTS = (
    chess.STARTING_FEN,
    "r3k2r/pP1pp2p/8/2pP4/5Pp1/8/Pp1PP1pP/R3K2R w KQkq c6 0 20",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 7 31",
    "8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 2",  # En passant would leave the king in check.
)
Result = TypeVar("Result")
ENDINGS = (".plain", ".binpack", "")


def fens(data: ox88.TrainingData) -> list[str]:
    """Without the number of the move, which .binpack makes of the ply."""
    return [fen.rpartition(" ")[0] for fen in data.positions.fens(en_passant="legal")]


def same(one: ox88.TrainingData, other: ox88.TrainingData) -> bool:
    columns = ("moves", "scores", "results", "plies")
    return fens(one) == fens(other) and all(np.array_equal(getattr(one, n), getattr(other, n)) for n in columns)


def a_game(seed: int, start: str = chess.STARTING_FEN) -> ox88.TrainingData:
    """A game of rare moves, with scores of all kinds."""
    chance, board = random.Random(seed), chess.Board(start)
    rows, result = list[Any](), chance.choice([1, 0, -1])
    for _ in range(chance.randrange(1, 60)):
        moves = sorted(board.legal_moves, key=str)
        if not moves:
            break
        rare = [m for m in moves if m.promotion or board.is_castling(m) or board.is_en_passant(m)]
        move = chance.choice(rare or moves) if chance.random() < 0.6 else chance.choice(moves)
        score = chance.choice([chance.randrange(-300, 301), chance.randrange(-31753, 31754), NO_SCORE, 31999, -31998])
        rows.append((board.fen(en_passant="fen"), move.uci(), score, result, board.ply()))
        if chance.random() < 0.1:  # The next one begins anew.
            board, result = chess.Board(start), chance.choice([1, 0, -1])
        else:
            board.push(move)
            result = -result
    texts, ucis, *numbers = zip(*rows, strict=True)
    positions = ox88.Positions.from_fens(list(texts))
    return ox88.TrainingData(positions, positions.parse_uci(list(ucis)), *map(np.array, numbers))


# --- Against others ---------------------------------------------------------------------------------------------------


def test_both_files_by_others_are_read_alike() -> None:
    found, expected = ox88.read_training(BINPACK), ox88.read_training(PLAIN)
    assert len(found) == PLAIN.read_bytes().count(b"\ne\n")
    assert same(found, expected)


def test_the_binpack_is_the_one_of_nnue_pytorch(tmp_path: Path) -> None:
    ox88.write_training(tmp_path / "x.binpack", ox88.read_training(PLAIN))
    assert (tmp_path / "x.binpack").read_bytes() == BINPACK.read_bytes()


def test_the_plain_is_the_one_of_python_chess(tmp_path: Path) -> None:
    ox88.write_training(tmp_path / "x.plain", ox88.read_training(PLAIN))
    assert (tmp_path / "x.plain").read_bytes() == PLAIN.read_bytes()


@settings(max_examples=25)
@given(seed=st.integers(0, 1 << 20), start=st.sampled_from(STARTS))
def test_a_slow_reader_finds_the_same_in_a_binpack(seed: int, start: str) -> None:
    data = a_game(seed, start)
    entries = naive.read_binpack(binpack.write_binpack(data))
    assert [entry.fen.rpartition(" ")[0] for entry in entries] == fens(data)
    assert [entry.move for entry in entries] == data.positions.format_uci(data.moves)
    for name, column in (("score", data.scores), ("ply", data.plies), ("result", data.results)):
        assert [getattr(entry, name) for entry in entries] == column.tolist()


def test_all_moves_of_rare_positions_are_legal_where_read() -> None:
    data = ox88.read_training(BINPACK)
    for fen, move in zip(data.positions.fens(), data.positions.format_uci(data.moves), strict=True):
        assert chess.Move.from_uci(move) in chess.Board(fen).legal_moves


# --- Round trip -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ENDINGS)
def test_round_trip(ending: str, tmp_path: Path) -> None:
    parts = [a_game(seed, STARTS[seed % len(STARTS)]) for seed in range(40)]
    ox88.write_training(tmp_path / f"x{ending}", parts)
    found = ox88.read_training(tmp_path / f"x{ending}")
    at = 0
    for part in parts:
        assert same(found[at : at + len(part)], part)
        at += len(part)
    assert at == len(found) == sum(map(len, ox88.iter_training(tmp_path / f"x{ending}", threads=1)))


def test_a_binpack_of_several_chunks_and_of_lines_that_end_as_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = ox88.read_training(PLAIN)
    ox88.write_training(tmp_path / "x.binpack", [one] * 3)
    (tmp_path / "x.plain").write_bytes(PLAIN.read_bytes().replace(b"\n", b"\r\n") * 3)
    monkeypatch.setattr(plain, "_BLOCK", 5000)
    for name in ("x.binpack", "x.plain"):
        found = ox88.read_training(tmp_path / name)
        assert all(same(found[at : at + len(one)], one) for at in range(0, len(found), len(one)))
        assert len(found) == 3 * len(one)


def test_an_empty_file(tmp_path: Path) -> None:
    for ending in (".plain", ".binpack", ".gz", ""):
        ox88.write_training(tmp_path / f"x{ending}", [])
        assert len(ox88.read_training(tmp_path / f"x{ending}")) == 0


def test_a_null_move_ends_a_chain(tmp_path: Path) -> None:
    data = a_game(1)
    data.moves[-1] = 0
    ox88.write_training(tmp_path / "x.binpack", [data, data])
    assert same(ox88.read_training(tmp_path / "x.binpack")[len(data) :], data)


# --- What is wrong ----------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(
    edits=st.lists(st.tuples(st.integers(0, 999), st.integers(0, 255)), min_size=1, max_size=4), cut=st.integers(0, 999)
)
def test_a_broken_binpack_is_read_or_refused_in_a_line(
    edits: list[tuple[int, int]], cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = bytearray(BINPACK.read_bytes())
    for place, byte in edits:
        data[place] = byte
    path = tmp_path_factory.mktemp("broken") / "x.binpack"
    for text in (data, data[:cut]):
        path.write_bytes(text)
        found, error = read_or_error(path)
        assert (found is None) == bool(re.match(rf"{re.escape(str(path))}: byte \d+: [^\n]+$", error)), error
        if found is not None:
            assert np.all(found.positions.is_legal(found.moves) | (found.moves == 0))


def read_or_error(path: Path) -> tuple[ox88.TrainingData | None, str]:
    return or_error(lambda: ox88.read_training(path))


def or_error(work: Callable[[], Result]) -> tuple[Result | None, str]:
    try:
        return work(), ""
    except Ox88Error as error:
        return None, str(error)


@settings(max_examples=60)
@given(place=st.integers(0, 3000), byte=st.integers(0, 255))
def test_a_broken_plain_is_read_or_refused_in_a_line(
    place: int, byte: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = bytearray(PLAIN.read_bytes()[:5000])
    data[place] = byte
    path = tmp_path_factory.mktemp("broken") / "x.plain"
    path.write_bytes(data)
    with pytest.raises(Ox88Error) as raised:  # At least its end is cut off.
        ox88.read_training(path)
    assert re.match(rf"{re.escape(str(path))}: line \d+: [^\n]+$", str(raised.value)), raised.value


@settings(max_examples=100)
@given(
    edits=st.lists(st.tuples(st.integers(0, 199), st.sampled_from(b" -0123456789abchnqr/\r\nKN\xff")), max_size=3),
    start=st.integers(0, 40),
)
@example(edits=[], start=0)
def test_the_kernel_reads_a_plain_as_python_does(edits: list[tuple[int, int]], start: int) -> None:
    lines = PLAIN.read_bytes().splitlines(keepends=True)[6 * start : 6 * start + 24]
    text = bytearray(b"".join(lines))
    for place, byte in edits:
        text[place] = byte
    found, error = or_error(lambda: plain.read_block(Path("x"), 1, bytes(text)))
    expected, why = or_error(lambda: list(_read_slowly(bytes(text))))
    if expected is None:
        assert error == why or re.search(rb"move ....[NBRQ]", text)  # A capital letter of a promotion.
    else:
        assert found is not None
        assert [entry for _, entry in expected] == found.entries().tolist()
        assert [record.tobytes() for record, _ in expected] == [record.tobytes() for record in found.positions._records]


def _read_slowly(text: bytes) -> Iterator[tuple[Any, tuple[int, ...]]]:
    at = row = 0
    while text[at:].strip():
        record, entry, at = plain._read_entry(Path("x"), 1 + 6 * row, text, at)
        yield record, entry
        row += 1


def test_what_the_kernel_does_not_read(tmp_path: Path) -> None:
    entry = "fen {}\nmove {}\nscore 0\nply 1\nresult -1\ne\n"
    usual = entry.format(chess.STARTING_FEN, "e2e4")
    rare = entry.format("startpos", "g1f3")
    null = entry.format("4k3/8/8/8/8/8/8/4RK2 b - - 0 1", "0000")
    (tmp_path / "x.plain").write_text(f"{usual}{rare}{usual}{null}  \n")
    data = ox88.read_training(tmp_path / "x.plain")
    assert data.positions.format_uci(data.moves) == ["e2e4", "g1f3", "e2e4", "0000"]
    assert data.positions.fens()[1] == chess.STARTING_FEN
    assert (data.plies.tolist(), data.results.tolist()) == ([1] * 4, [-1] * 4)


@pytest.mark.parametrize(
    ("numbers", "is_right"),
    [
        ((-32768, 0, -1), True),
        ((32767, 65535, 1), True),
        ((-32769, 0, 0), False),
        ((32768, 0, 0), False),
        ((0, 65536, 0), False),
        ((0, -1, 0), False),
        ((0, 0, 2), False),
        ((0, 0, -2), False),
    ],
)
def test_the_least_and_the_largest_numbers(numbers: tuple[int, int, int], is_right: bool, tmp_path: Path) -> None:
    entry = "fen {}\nmove e2e4\nscore {}\nply {}\nresult {}\ne\n"
    (tmp_path / "x.plain").write_text(entry.format(chess.STARTING_FEN, *numbers))
    found, _ = read_or_error(tmp_path / "x.plain")
    assert (found is not None) == is_right
    if found is not None:
        assert (found.scores[0], found.plies[0], found.results[0]) == numbers
        assert plain.write_plain(found) == (tmp_path / "x.plain").read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("move ", "mvoe ", "line 2: 'mvoe {move}': move and a move such as e2e4 is expected"),
        ("result ", "result 1", "line 5: 'result 11': result and 1, 0 or -1 is expected"),
        (
            "\nscore ",
            "\nscore 99999\nscore ",
            "line 3: 'score 99999': score and a whole number from -32768 to 32767 is expected",
        ),
        ("ply ", "sply ", "line 4: 'sply 0': ply and a whole number from 0 to 65535 is expected"),
        (
            "score {score}",
            "score 40000",
            "line 3: 'score 40000': score and a whole number from -32768 to 32767 is expected",
        ),
        ("/pppppppp/", "/ppp/", "line 1: "),
        ("move {move}", "move a1z9", "line 2: 'z9' is not a square"),
        ("move {move}", "move e2e5", "line 2: 'e2e5' is not legal in {fen}: the pawn on e2 cannot reach e5"),
    ],
)
def test_errors_of_plain_name_line_and_what_is_right(old: str, new: str, expected: str, tmp_path: Path) -> None:
    text = "".join(PLAIN.read_text().splitlines(keepends=True)[:6])
    known = {name: re.search(rf"{name} (\S+)", text)[1] for name in ("move", "score")} | {"fen": chess.STARTING_FEN}  # type: ignore[index]
    path = tmp_path / "x.plain"
    path.write_text(text.replace(old.format(**known), new, 1))
    with pytest.raises(Ox88Error, match="^" + re.escape(f"{path}: {expected.format(**known)}")):
        ox88.read_training(path)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"BIND", "byte 0: a chunk must begin with BINP"),
        (b"BINP\x40\0\0\0" + bytes(12), "byte 0: the file is cut off within this chunk, which needs 72 bytes"),
        (b"BINP\x22\0\0\0" + bytes(34), "byte 8: in the chain of moves that begins here its 24 bytes are no legal pos"),
        (b"BINP\x02\0\0\0" + bytes(2), "byte 8: in the chain of moves that begins here the chunk ends within it"),
    ],
)
def test_errors_of_binpack_name_the_byte(data: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "x.binpack"
    path.write_bytes(data)
    with pytest.raises(Ox88Error, match="^" + re.escape(f"{path}: {expected}")):
        ox88.read_training(path)


def test_what_a_binpack_cannot_hold_is_refused_and_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "x.binpack"
    path.write_text("before")
    chess960 = ox88.Positions.from_fens([chess.STARTING_FEN, "1r2k3/8/8/8/8/8/8/4K2R b b - 0 1"])
    start = ox88.Positions.from_fens([chess.STARTING_FEN])
    for positions, move, ply, expected in (
        (chess960, [1804, 0], 0, "row 1: castling of Chess960: a .binpack has only kings on the e-file"),
        (start, [1804], 1 << 14, "row 0: ply 16384: a .binpack has plies up to 16383"),
        (start, [1], 0, "row 0: b1a1 "),
    ):
        zeros = np.zeros(len(positions), np.int64)
        with pytest.raises(ox88.RowError, match=f"^{expected}"):
            ox88.write_training(path, ox88.TrainingData(positions, np.array(move), zeros, zeros, zeros + ply))
        assert path.read_text() == "before"


@pytest.mark.parametrize("ending", [".plain", ".binpack", ".gz", ""])
def test_what_no_reader_takes_is_not_written(ending: str, tmp_path: Path) -> None:
    data = a_game(1)
    data.moves[3] = data.moves[2]
    with pytest.raises(ox88.RowError, match=rf"^row {len(data) + 3}: \w+ \(move \d+\) is not legal in .*: "):
        ox88.write_training(tmp_path / f"x{ending}", [a_game(1), data])
    with pytest.raises(TypeError, match=r"part 1 is of type int: ox88\.TrainingData is expected"):
        ox88.write_training(tmp_path / f"x{ending}", [a_game(1), 3])  # type: ignore[list-item]
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("positions", [0], "positions of type ndarray: ox88.Positions are expected"),
        ("moves", [0, 1], r"moves of shape \(2,\): one for each position is expected, \(1,\)"),
        ("results", [2], "results from 2 to 2: -1 to 1 are expected"),
        ("scores", [40000], "scores from 40000 to 40000: -32768 to 32767 are expected"),
        ("plies", [0.5], "plies of float64: whole numbers are expected"),
    ],
)
def test_columns_that_do_not_fit(name: str, values: list[Any], expected: str) -> None:
    zeros = {column: np.array([0]) for column in ("moves", "scores", "results", "plies")}
    columns: dict[str, Any] = {"positions": ox88.Positions.from_fens([chess.STARTING_FEN]), **zeros}
    with pytest.raises((Ox88Error, TypeError), match=expected):
        ox88.TrainingData(**columns | {name: np.array(values)})


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "x.parquet").write_text("no Parquet")
    for name, expected in (
        ("x.txt", r"a file \.plain, \.binpack, \.gz, \.tar, or a folder of Parquet files, is expected"),
        ("folder", r"a folder with files \.parquet is expected"),
        ("some", "cannot be read as Parquet"),
        ("none.plain", "there is no such file or folder"),
    ):
        with pytest.raises(Ox88Error, match=f"{name}.*{expected}"):
            ox88.read_training(tmp_path / name)


@pytest.mark.parametrize("ending", [".binpack", ".gz"])
def test_an_error_in_a_later_block_has_its_row(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(formats.FORMATS, ending, formats.FORMATS[ending]._replace(rows=10))
    data = ox88.read_training(PLAIN)[:25]
    wrong = data[np.arange(len(data))]  # A copy.
    wrong.moves[17] = 1
    with pytest.raises(ox88.RowError, match=r"^row 42: b1a1 "):
        ox88.write_training(tmp_path / f"x{ending}", [data, wrong, data])
    assert not any(tmp_path.iterdir())


# --- Parquet ----------------------------------------------------------------------------------------------------------


def test_after_an_error_no_part_of_a_folder_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "_PART_ROWS", 100)

    def parts() -> Iterator[ox88.TrainingData]:
        for _ in range(3):
            yield ox88.read_training(PLAIN)
        assert len(list((tmp_path / "new").glob("*.parquet"))) == 3
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ox88.write_training(tmp_path / "new", parts())
    assert not any(tmp_path.iterdir())
    with pytest.raises(Ox88Error, match=r"nowhere/x cannot be written: No such file"):
        ox88.write_training(tmp_path / "nowhere" / "x", ox88.read_training(PLAIN))


def test_the_columns_are_those_of_ox88_dataset(tmp_path: Path) -> None:
    data = ox88.read_training(PLAIN)
    ox88.write_training(tmp_path / "x", data)
    table = pyarrow.parquet.read_table(tmp_path / "x")
    assert table.column_names == ["ply", "position", "move", "result", "score"]
    assert ox88.Positions.from_parquet(tmp_path / "x") == data.positions
    assert table["move"].to_pylist() == data.positions.format_uci(data.moves)
    for row, (turn, score, result) in enumerate(zip(data.positions.turn, data.scores, data.results, strict=True)):
        side = -1 if turn else 1
        assert table["result"][row].as_py() == (int(result) * side + 1) / 2
        if abs(score) < 31754:
            assert table["score"][row].as_py() == pytest.approx(int(score) * side / 100)
    assert table["score"].null_count == np.count_nonzero(data.scores == NO_SCORE)
    with pytest.raises(Ox88Error, match="is there already"):
        ox88.write_training(tmp_path / "x", data)


def test_mates_and_rows_that_lack_something(tmp_path: Path) -> None:
    start = ox88.Positions.from_fens([chess.STARTING_FEN]).pack().tobytes()
    table = pyarrow.table(
        {
            "position": pyarrow.array([start] * 6, pyarrow.binary(32)),
            "ply": [0] * 6,
            "move": ["e2e4", "e2e4", "e2e4", None, "e2e4", "e2e4"],
            "result": [1.0, 0.0, 0.5, 1.0, None, 1.0],
            "eval": [9999.0, -9998.0, None, 0.0, 0.0, 5000.0],
        }
    )
    (tmp_path / "x").mkdir()
    pyarrow.parquet.write_table(table, tmp_path / "x" / "part.parquet")
    data = ox88.read_training(tmp_path / "x")
    assert data.scores.tolist() == [31999, -31996, NO_SCORE, 31753]
    assert data.results.tolist() == [1, -1, 0, 1]
    pyarrow.parquet.write_table(table.drop_columns("move"), tmp_path / "x" / "part.parquet")
    with pytest.raises(Ox88Error, match="no column 'move'"):
        ox88.read_training(tmp_path / "x")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"result": [float("nan"), 1.0]}, ([20], [1], [1])),
        ({"ply": [3.0, None]}, ([10], [1], [3])),  # As pandas has whole numbers where some are missing.
        ({"score": [float("inf"), -32000.0]}, ([31999, -31998], [1, 0], [0, 1])),
        ({"score": pyarrow.nulls(2)}, ([NO_SCORE] * 2, [1, 0], [0, 1])),
        ({"ply": [0.5, 1.0]}, "row group 0: Float value 0.5"),
        ({"result": [1.0, -1.0]}, "row group 0: row 1: result -1.0: White's points are expected, 1, 0.5 or 0"),
        ({"result": ["1-0", "0-1"]}, "row group 0: Failed to parse string: '"),
        ({"score": ["a", "b"]}, "row group 0: Failed to parse string: '"),
        ({"move": ["e2e4", "e2e5"]}, "row group 0: row 1: e2e5 (move 2316) is not legal in rnbqkbnr/"),
        ({"position": [b"abc"] * 2}, "row group 0: an Arrow column of binary: each row must have 32 bytes"),
    ],
)
def test_columns_of_other_programs(change: dict[str, Any], expected: Any, tmp_path: Path) -> None:
    start = ox88.Positions.from_fens([chess.STARTING_FEN]).pack().tobytes()
    columns = {"position": pyarrow.array([start] * 2, pyarrow.binary(32)), "ply": [0, 1], "move": ["e2e4"] * 2}
    table = pyarrow.table({**columns, "result": [1.0, 0.5], "score": [0.1, 0.2], **change})
    (tmp_path / "x").mkdir()
    pyarrow.parquet.write_table(table, tmp_path / "x" / "part.parquet")
    if isinstance(expected, str):
        with pytest.raises(Ox88Error, match=f"part.parquet: {re.escape(expected)}"):
            ox88.read_training(tmp_path / "x")
    else:
        data = ox88.read_training(tmp_path / "x")
        assert (data.scores.tolist(), data.results.tolist(), data.plies.tolist()) == expected


def test_a_chain_ends_where_the_halfmove_clock_does_not_go_on() -> None:
    board, texts = chess.Board(), list[str]()
    for move, clock in (("g1f3", 0), ("b8c6", 9)):
        board.halfmove_clock = clock
        texts.append(board.fen())
        board.push_uci(move)
    positions = ox88.Positions.from_fens(texts)
    moves = positions.parse_uci(["g1f3", "b8c6"])
    data = ox88.TrainingData(positions, moves, np.zeros(2, int), np.zeros(2, int), np.arange(2))
    chunk = binpack.write_binpack(data)
    assert [entry.fen.split()[4] for entry in naive.read_binpack(chunk)] == ["0", "9"]


def test_an_error_in_a_later_block_has_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = PLAIN.read_text().splitlines(keepends=True)
    lines[602] = "score x\n"
    (tmp_path / "x.plain").write_text("".join(lines))
    monkeypatch.setattr(plain, "_BLOCK", 5000)
    with pytest.raises(Ox88Error, match=r"x\.plain: line 603: 'score x': score and a whole number"):
        ox88.read_training(tmp_path / "x.plain")


def test_a_result_that_is_none(tmp_path: Path) -> None:
    data = bytearray(BINPACK.read_bytes())
    data[8 + 28] |= 0xC0
    (tmp_path / "x.binpack").write_bytes(data)
    with pytest.raises(Ox88Error, match=r"byte 8: in the chain of moves that begins here its result is neither 1, 0 n"):
        ox88.read_training(tmp_path / "x.binpack")


def test_a_pawn_that_may_not_capture_en_passant() -> None:
    start = ox88.Positions.from_fens(["8/2p5/8/K2P3r/8/8/8/4k3 b - - 0 1"])
    after = start.push(["c7c5"])
    positions = start + after
    moves = positions.parse_uci(["c7c5", "d5d6"])
    data = ox88.TrainingData(
        positions, moves, scores=np.array([0, 5]), results=np.zeros(2, int), plies=np.array([1, 2])
    )
    chunk = binpack.write_binpack(data)
    assert [(entry.move, entry.score) for entry in naive.read_binpack(chunk)] == [("c7c5", 0), ("d5d6", 5)]
