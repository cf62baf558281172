"""`ox88 games`: which games it chooses, judged by python-chess, and that it writes their bytes."""

import functools
import gzip
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import chess.polyglot
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ox88
from ox88.apps.games import command
from ox88.apps.games.command import Choice, write_chosen
from ox88.batch.pgn import reading
from tests.apps.inline import Run, runner
from tests.batch.pgn import naive, samples
from tests.conftest import DATA, RunPython
from tests.processes import but_compiling

ENDING = '[White "Ann"]\n[WhiteElo "2500?"]\n[FEN "4k3/7r/8/8/8/4P3/4R3/4K3 w - - 0 1"]\n\n1. e4 {so} Rh1+ $5 *\n\n'
SICILIAN = (
    '[White "Bob"]\n[WhiteElo "2100"]\n[Date "2020.05.01"]\n[Result "1-0"]\n\n1. e4 c5 (1... e5 {x}) 2. Nf3 1-0\n\n'
)
QUEENS = '[White "?"]\n[WhiteElo "-"]\n[Opening "Sicilian, says the tag"]\n\n1. d4 d5 2. c4 1/2-1/2\n\n'
BAD = '[White "Cid"]\n\n1. e4 Ke4\n\n'
GAMES = (ENDING, SICILIAN, QUEENS, BAD)


@pytest.fixture
def run(call_ox88: RunPython) -> Run:
    return runner(call_ox88, "games")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text("".join(GAMES), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ((), "0123"),
        (("--where", "WhiteElo > 2200"), "0"),
        (("--where", "whiteelo < 2200 and Opening like 'sicilian%'"), "1"),
        (("--where", "opening like 'Sicilian%'"), "12"),
        (("--where", "ECO = 'B27'"), "1"),
        (("--where", "White is null"), "2"),
        (("--where", "Date >= '2020'"), "1"),
        (("--where", "Date >= 2021"), ""),
        (("--where", "plies = 3"), "12"),
        (("--where", "error"), "3"),
        (("--where", "not error and Result = '1-0' or WHITE IN ('Ann', 'Cid')"), "013"),
        (("--where", "1"), "0123"),
        (("--where", "error is false and true"), "012"),
        (("--where", "length(White) = 3 -- a remark"), "013"),
        (("--no-errors",), "012"),
        (("--material", "KRKRP"), "0"),
        (("--material", "KRPKR"), "0"),
        (("--material", "KRPvKR", "--material", "KQKQ"), "0"),
        (("--material", "KQKQ"), ""),
        (("--position", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 9 9"), "1"),
        (("--position", chess.STARTING_FEN), "123"),
        (("--position", chess.STARTING_FEN, "--where", "plies > 1", "--no-errors"), "12"),
    ],
)
def test_choices(options: tuple[str, ...], kept: str, run: Run, file: Path, tmp_path: Path) -> None:
    code, out, err = run(file, "-o", tmp_path / "out.pgn", *options)
    expected = "".join(GAMES[int(number)] for number in kept)
    assert (tmp_path / "out.pgn").read_text(encoding="utf-8") == expected
    bad = "3" in kept
    flawed = "; 1 game with errors" if bad else ""
    told = f"ox88: {file}: game 4, line 22: 'Ke4' is not a legal move\n" if bad else ""
    assert but_compiling(err) == f"{told}ox88: {tmp_path / 'out.pgn'}: {len(kept)} of 4 games{flawed}\n"
    assert (code, out) == (int(bad or not kept), "")


def test_standard_output_and_packed_files(run: Run, file: Path, tmp_path: Path) -> None:
    packed = tmp_path / "more.pgn.gz"
    packed.write_bytes(gzip.compress(SICILIAN.encode()))
    code, out, err = run(file, packed, "--unique", "--where", "white <> 'Cid' or white is null")
    assert (code, out) == (0, ENDING + SICILIAN + QUEENS)
    assert but_compiling(err) == "ox88: 3 of 5 games\n"
    assert run(tmp_path, "-o", tmp_path / "out.zst", "--unique")[0] == 1
    assert ox88.read_pgn(tmp_path / "out.zst").to_pgn(headers="all") == "".join(GAMES)


def test_standard_input_and_a_suffix_in_capitals(call_ox88: RunPython, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.PGN.GZ"
    done = call_ox88("games", "-", "-o", out, "--where", "plies = 3", input=gzip.compress(file.read_bytes()))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"ox88: {out}: 2 of 4 games\n")
    assert gzip.decompress(out.read_bytes()) == (SICILIAN + QUEENS).encode()


def test_equal_games(run: Run, tmp_path: Path) -> None:
    """Games are equal with equal moves from an equal position; those without moves are no other's equal."""
    path = tmp_path / "games.pgn"
    other = ENDING.replace('"Ann"', '"Anne"').replace("{so} ", "")
    empty = '[White "none"]\n\n*\n\n'
    longer, elsewhere = QUEENS.replace("1/2-", "e6 1/2-"), '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *\n\n'
    texts = [ENDING, QUEENS, other, empty, longer, empty, elsewhere, '[White "e4"]\n\n1. e4 *\n\n', QUEENS]
    path.write_text("".join(texts), encoding="utf-8")
    assert run(path, "--unique")[1] == "".join(texts[row] for row in (0, 1, 3, 4, 5, 6, 7))


def test_games_that_break_off_are_no_equals(run: Run, tmp_path: Path) -> None:
    """What follows an error is not known: neither of two such games is the other, nor the game of the moves before."""
    path = tmp_path / "games.pgn"
    bodies = ("1. e4 e5 2. Zf3 Nc6 1-0", "1. e4 e5 2. Qh9 d6 0-1", "1. e4 e5 1-0", "1. e4 e5 {not closed", "1. e4 e5 *")
    texts = [f'[White "{number}"]\n\n{body}\n\n' for number, body in enumerate(bodies)]
    path.write_text("".join(texts), encoding="utf-8")
    assert run(path, "--unique")[1] == "".join(texts[:3])


@functools.cache
def _written(seed: int) -> tuple[str, chess.pgn.Game, list[chess.Board]]:
    """A random game as a text, as a tree and as its positions."""
    tree = samples.random_game(seed)
    return samples.random_games([seed]).decode(), tree, [tree.board(), *(node.board() for node in tree.mainline())]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seeds=st.lists(samples.SEEDS, min_size=1, max_size=8), data=st.data())
def test_as_python_chess_chooses(seeds: list[int], data: st.DataObject, tmp_path: Path) -> None:
    texts, trees, boards = zip(*map(_written, seeds), strict=True)
    choice = random.Random(data.draw(st.integers(0, 1000)))
    board = choice.choice(choice.choice(boards))
    material = "".join(_side(choice.choice([board, boards[0][-1]]), colour) for colour in (True, False))
    by = data.draw(st.sets(st.sampled_from(["position", "material", "unique", "where"])))
    path, out = tmp_path / "in.pgn", tmp_path / "out.pgn"
    path.write_text("".join(texts), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "BLOCK", data.draw(st.sampled_from([500, 1 << 20])))
        positions = (board.fen(),) if "position" in by else ()
        where = "plies > 30 or Result = '1-0'" if "where" in by else None
        write_chosen([path], out, Choice(where, positions, (material,) if "material" in by else (), "unique" in by))
    kept, seen = [], list[object]()
    for text, tree, reached in zip(texts, trees, boards, strict=True):
        moves = [reached[0].fen(), *(move.uci() for move in tree.mainline_moves())]
        if (
            ("position" not in by or any(chess.polyglot.zobrist_hash(one) == _hash(board) for one in reached))
            and ("material" not in by or any(material in _materials(one) for one in reached))
            and ("where" not in by or len(moves) > 31 or tree.headers["Result"] == "1-0")
            and not ("unique" in by and moves in seen and len(moves) > 1)
        ):
            kept.append(text)
            seen.append(moves)
    assert out.read_text(encoding="utf-8") == "".join(kept)


def _hash(board: chess.Board) -> int:
    return chess.polyglot.zobrist_hash(board)


def _side(board: chess.Board, colour: chess.Color) -> str:
    return "".join(letter * len(board.pieces(kind, colour)) for kind, letter in enumerate("PNBRQK", 1))[::-1]


def _materials(board: chess.Board) -> set[str]:
    white, black = _side(board, chess.WHITE), _side(board, chess.BLACK)
    return {white + black, black + white}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--where", "White =="), "--where 'White ==': near \")\": syntax error: an expression of SQLite is expected"),
        (("--where", "1); drop table games; --"), "You can only execute one statement at a time"),
        (("--where", "nix(White)"), "no such function: nix"),
        (("--where", "White = 'B"), 'unrecognized token: "\'B": an expression of SQLite is expected'),
        (("--where", "plies = (select max(plies) from games)"), "a SELECT in it: a condition on a game by itself"),
        (("--where", "white = \0"), "an expression of SQLite is expected"),
        (("--where", "abs(-9223372036854775808)"), "integer overflow"),
        (("--material", "KxK"), "the material is 'KxK': the pieces of two sides, such as KRPKR or KQvKR, are expected"),
        (("--material", "KRR"), "the material is 'KRR'"),
        (("--position", "8/8 w"), "FEN '8/8 w': "),
        (("--position", "8/8/8/8/8/8/8/8 w - - 0 1"), "illegal position: White has no king"),
        (("-o", "games.pgn"), "games.pgn is both read and written: name another output"),
        (("-o", "nowhere/out.pgn"), "nowhere/out.pgn cannot be written: No such file or directory"),
        (("-o", "out.zip"), "cannot be written: the suffix .gz, .bz2 or .zst is expected"),
        (("missing.pgn",), "missing.pgn cannot be opened: No such file or directory"),
        (("missing*.pgn",), "no file is named as 'missing*.pgn'"),
    ],
)
def test_errors_are_one_line(
    options: tuple[str, ...], reason: str, run: Run, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    before = sorted(file.parent.iterdir())
    code, out, err = run(file.name, *options)
    assert (code, out) == (2, "")
    assert reason in err
    assert but_compiling(err).count("\n") == 1
    assert sorted(file.parent.iterdir()) == before


def test_a_tag_that_no_game_has_is_told(run: Run, file: Path) -> None:
    code, out, err = run(file, "--where", 'WhiteEllo > 2000 or White = "Ann"')
    assert (code, out) == (1, "")
    assert "ox88: no game has the tag 'WhiteEllo' of --where" in err
    assert "ox88: no game has the tag 'Ann' of --where (a text is in single quotes)" in err


def test_an_error_leaves_the_file_as_it_was(run: Run, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.pgn"
    out.write_text("before", encoding="utf-8")
    (tmp_path / "noise.pgn").write_bytes(bytes(range(256)))
    assert run(file, tmp_path / "noise.pgn", "-o", out)[0] == 2
    assert out.read_text(encoding="utf-8") == "before"


def test_memory_is_bounded_by_the_blocks(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written first is written before the last is read."""
    monkeypatch.setattr(reading, "BLOCK", 1000)
    file.write_text(QUEENS * 500, encoding="utf-8")
    read: list[int] = []
    written: list[int] = []
    plain = command._choose

    def choose(games: ox88.Games, *rest: Any) -> Any:
        read.append(len(games))
        return plain(games, *rest)

    monkeypatch.setattr(command, "_choose", choose)
    monkeypatch.setattr(command, "write_text", lambda _, texts: written.extend(sum(read) for _ in texts))
    write_chosen([file], tmp_path / "out.pgn", Choice())
    assert sum(read) == 500
    assert written[0] < 60


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_interrupt_and_a_reader_that_leaves(file: Path, tmp_path: Path) -> None:
    file.write_text(QUEENS * 3_000_000, encoding="utf-8")
    words = [sys.executable, "-m", "ox88", "games", str(file)]
    with subprocess.Popen([*words, "-o", str(tmp_path / "out.pgn")], stderr=subprocess.PIPE, text=True) as process:
        while not list(tmp_path.glob("ox88-*.tmp")):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert but_compiling(process.communicate()[1]).strip() == ""
    assert process.returncode == 130
    assert list(tmp_path.iterdir()) == [file]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as left:
        assert left.stdout is not None
        assert left.stdout.read(len(QUEENS)) == QUEENS.encode()
        left.stdout.close()
        assert left.stderr is not None
        assert b"Traceback" not in left.stderr.read()
        assert left.wait() in (1, 141)  # click ends with 1.


def test_real_files(run: Run) -> None:
    folder = DATA / "pgn" / "odd"
    code, out, _ = run(folder, "--no-errors")
    assert code == 0
    games = ox88.read_pgn(folder)
    mask = [error == 0 for error in games._arrays.games["error"]]
    assert out == games[mask].to_pgn(headers="all")
    assert len(naive.read_trees(out)) > 30


def test_what_is_no_chess_reaches_nothing() -> None:
    texts = ('[Variant "Horde"]\n\n1. h5 *', '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *', '[White "a"]\n\n*')
    games = ox88.read_pgn_text("\n\n".join(texts))
    for sought in ("startpos", "KQRRBBNNPPPPPPPPKQRRBBNNPPPPPPPP"):
        assert games.reaches(sought).tolist() == [False, False, True]
    assert ox88.Explorer(games)["startpos"].count == 1


def test_reaching_in_python() -> None:
    games = ox88.read_pgn_text("".join(GAMES))
    setup = ox88.parse_fen("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    assert games.reaches("KRPKR").tolist() == [True, False, False, False]
    for sought in (setup, setup.fen, ox88.Positions([setup]), ox88.Positions.from_fens([setup.fen] * 3)):
        assert games.reaches(sought).tolist() == [False, True, False, False]
    assert games.reaches("startpos").tolist() == [False, True, True, True]
    assert not games.reaches(ox88.Positions()).any()
    with pytest.raises(TypeError, match="int sought: a FEN, a Setup, Positions or material is expected"):
        games.reaches(3)  # type: ignore[arg-type]
    with pytest.raises(ox88.Ox88Error, match="the material is 'krpkr'"):
        games.reaches("krpkr")
