"""Explorer, compared with python-chess and dictionaries: what was played in every position of real and of odd games."""

import gzip
import os
import shutil
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ox88
from ox88.apps.analyse.opening_names import OpeningNames
from ox88.batch.pgn import index
from ox88.batch.pgn.explorer import Explorer, Played, read_line
from ox88.convert import to_chess_move
from tests.batch.pgn import naive, samples
from tests.batch.pgn.test_repetitions import GAMES as REPEATING
from tests.conftest import DATA
from tests.test_scripts import ROOT

REAL = gzip.decompress((ROOT / "examples/games.pgn.gz").read_bytes())
ODD = (
    b"".join(samples.GAMES)
    + REPEATING.encode()
    + b"\n"
    + samples.random_games(range(1, 5))
    + b"""
[White "Error"]
[Date "2024.??.??"]
[WhiteElo "2500?"]
[Result "1-0"]

1. e4 e5 2. Ke3 Nf6 1-0

[Date "2023.12.31"]
[WhiteElo "99999"]
[BlackElo "none"]

1. e4 c5 2. Nf3 1/2-1/2

[Date "31.12.2025"]

1. Nf3 c5 2. e4 0-1
"""
)


@dataclass
class Twin:
    """What games say of a position or a move: rows of games, and for each a result, two ratings and a date."""

    games: list[int] = field(default_factory=list)
    moves: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    board: chess.Board = field(default_factory=chess.Board)


def key_of(board: chess.Board) -> str:
    return " ".join(board.fen(shredder=True, en_passant="legal").split()[:4])


def twins_of(games: list[naive.Game]) -> dict[str, Twin]:
    """By position, the games that reach it, and the move that each of them plays there the first time."""
    twins: dict[str, Twin] = {}
    for row, game in enumerate(games):
        seen = set()
        for board, move in zip(game.positions, [*game.moves, None], strict=True):
            key = key_of(board)
            if key in seen:
                continue
            seen.add(key)
            twin = twins.setdefault(key, Twin(board=board))
            twin.games.append(row)
            if move is not None:
                twin.moves[move].append(row)
    return twins


def rating(game: naive.Game, tag: str) -> int:
    text = game.headers.get(tag, "").strip().rstrip("?")
    return int(text) if text.isdigit() and int(text) < 10_000 else 0


def date(game: naive.Game) -> str:
    text = game.headers.get("Date", "")
    return text.split(".??")[0] if len(text) == 10 and text[:4].isdigit() and text[4] == text[7] == "." else ""


def check(played: Played, rows: list[int], games: list[naive.Game], turn: chess.Color) -> None:
    """Check the games, results, ratings and dates of a position or a move."""
    best = sorted(rows, key=lambda row: -rating(games[row], "WhiteElo") - rating(games[row], "BlackElo"))
    assert played.games.tolist() == best
    points = [games[row].points for row in rows]
    assert (played.white, played.draws, played.black) == tuple(points.count(result) for result in (1, 0.5, 0))
    ratings = [found for row in rows if (found := rating(games[row], "WhiteElo" if turn else "BlackElo"))]
    assert played.rating == (pytest.approx(np.mean(ratings)) if ratings else None)
    assert played.date == max(date(games[row]) for row in rows)


def check_all(explorer: Explorer, text: bytes, step: int = 1) -> None:
    games = naive.read_pgn(text)
    assert len(explorer) == len(games)
    names = OpeningNames.load()
    twins = twins_of(games)
    for twin in list(twins.values())[::step]:
        board = twin.board
        found = explorer[board]
        check(found, twin.games, games, board.turn)
        assert [move.count for move in found.moves] == sorted(map(len, twin.moves.values()), reverse=True)
        by_uci = {move.uci: move for move in found.moves}
        assert len(by_uci) == len(twin.moves)
        for number, rows in twin.moves.items():
            move = to_chess_move(number, board) if number else chess.Move.null()
            played = by_uci[move.uci()]
            check(played, rows, games, board.turn)
            assert played.san == board.san(move)
            after = board.copy(stack=False)
            after.push(move)
            for name, reached in ((found.opening, board), (played.opening, after)):
                opening = names.of_position(reached.fen())
                assert name == (f"{opening.eco} {opening.name}" if opening else "")


TAGS = ("Result", "Date", "WhiteElo", "BlackElo")


def test_odd_games_as_a_dictionary_counts_them() -> None:
    check_all(Explorer(ox88.read_pgn(ODD, headers=TAGS)), ODD)


@pytest.mark.parametrize("step", [151, pytest.param(1, marks=pytest.mark.slow)])
def test_real_games_as_a_dictionary_counts_them(tmp_path: Path, step: int) -> None:
    files = [DATA / "games/famous.pgn", ROOT / "examples/games.pgn.gz", DATA / "games/blunders.pgn"]
    explorer = Explorer(files, folder=tmp_path)
    check_all(explorer, b"\n\n".join((files[0].read_bytes(), REAL, files[2].read_bytes())), step)


# --- Positions and errors ---------------------------------------------------------------------------------------------


def small() -> Explorer:
    return Explorer(ox88.read_pgn(ODD))


def test_a_position_is_a_board_a_setup_a_fen_or_moves() -> None:
    explorer, board = small(), chess.Board()
    board.push_san("e4")
    board.push_san("c5")
    places = (board, ox88.Setup(board.fen()), board.fen(), "1. e4 c5", "1.e4! c5?!", "e2e4 c7c5", " 1. e4 1... c5")
    assert {tuple(explorer[place].games) for place in places} == {(16,)}
    assert explorer["startpos"].count == explorer[""].count > 5
    assert "PlayedHere(white=0" in repr(explorer["1. e4 c5"])
    assert repr(explorer).startswith("<Explorer: 18 games, ")


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("1. e4 Ke3", "Ke3: no king of Black can go to e3"),
        ("e4 gmaes.pgn", "'gmaes.pgn' is not a move"),
        ("--", "passing is not a move"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "illegal position: "),
        ("4k3/8/8 w - - 0 1", "4k3/8/8"),
        (ox88.Setup("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"), "illegal position: "),
        (7, "the position is of type int: a chess.Board, a Setup, a FEN or moves"),
    ],
)
def test_a_wrong_position_is_named(place: object, message: str) -> None:
    with pytest.raises((ox88.Ox88Error, TypeError), match=message):
        small()[place]  # type: ignore[index]


WORDS = ["1.", "e4", "e5", "Nf3", "Ke2", "0-0", "--", "/", "w", "startpos", "8"]


@settings(max_examples=60)
@given(st.text(max_size=40) | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_any_text_is_a_position_or_an_error(text: str) -> None:
    try:
        board = read_line(text)
    except ox88.Ox88Error:
        return
    assert board.is_valid()


def test_games_without_dates_ratings_or_games() -> None:
    played = Explorer(ox88.read_pgn_text("1. e4 *", headers=[]))[""]
    assert (played.count, played.white, played.rating, played.date) == (1, 0, None, "")
    none = Explorer(ox88.read_pgn_text("x"[:0]))[""]
    assert (none.count, none.moves) == (0, [])


# --- Files ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def pgn(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text('[White "A"]\n\n1. e4 {good} (1. d4) e5 1-0\n\n[White "B"]\n\n1. e4 c5 {so} *\n', encoding="utf-8")
    return path


def test_an_index_is_made_once_and_anew_when_a_file_has_changed(pgn: Path, tmp_path: Path) -> None:
    other, root, told = tmp_path / "games.pgn.gz", tmp_path / "index", list[float]()
    other.write_bytes(gzip.compress(pgn.read_bytes()))
    first = Explorer([pgn, other, pgn], folder=root, progress=told.append)
    assert (min(told) > 0, max(told)) == (True, 1)
    again = Explorer([pgn, str(other)], folder=root, progress=told.clear)  # type: ignore[arg-type]  # It is not called.
    for explorer in (first, again):
        assert [explorer.file_of(row) for row in range(4)] == [pgn, pgn, other, other]
        assert explorer["1. e4"].games.tolist() == [0, 1, 2, 3]
        assert explorer.games.headers["White"].tolist() == ["A", "B"] * 2
        assert explorer.games[3].to_pgn() == explorer.games[1].to_pgn()
        assert explorer.games.positions().fens() == first.games.positions().fens()
    assert again.pgn(2).endswith("1. e4 {good} (1. d4) e5 1-0")
    pgn.write_text("1. d4 d5 *", encoding="utf-8")
    with pytest.raises(ox88.Ox88Error, match=r"games\.pgn has changed since its index was made"):
        again.pgn(0)
    assert again.pgn(3).endswith("1. e4 c5 {so} *")
    assert Explorer([pgn, other], folder=root)["1. d4"].count == 1
    assert len(list(root.iterdir())) == 1  # The index of the file as it was is deleted.


def test_what_is_interrupted_leaves_nothing(pgn: Path, tmp_path: Path) -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    root = tmp_path / "index"
    with pytest.raises(KeyboardInterrupt):
        Explorer(pgn, folder=root, progress=stop)
    assert list(root.iterdir()) == []


def test_a_damaged_index_is_made_anew_and_what_a_killed_process_left_is_deleted(pgn: Path, tmp_path: Path) -> None:
    root = tmp_path / "index"
    Explorer(pgn, folder=root)
    (folder,) = root.iterdir()
    (folder / "rows.key.npy").write_bytes(b"")
    left, young, of_the_user = root / "ox88-unfinished-1", root / "ox88-unfinished-2", root / "photos"
    for made in (left, young, of_the_user):
        made.mkdir()
    os.utime(left, (0, time.time() - 2 * 86_400))
    assert Explorer(pgn, folder=root)["1. e4"].count == 2
    assert sorted(root.iterdir()) == sorted([folder, young, of_the_user])
    shutil.copytree(folder, root / "of-other-files")
    damaged = shutil.copytree(folder, root / "damaged") / index._FILES
    damaged.write_text("{", encoding="utf-8")
    index._delete_stale(root)
    assert sorted(root.iterdir()) == sorted([folder, young, of_the_user])


def test_errors_of_files_name_them(pgn: Path, tmp_path: Path) -> None:
    def refused(games: object, error: type[Exception], message: str) -> None:
        with pytest.raises(error, match=message):
            Explorer(games, folder=tmp_path / "index")  # type: ignore[arg-type]

    empty = tmp_path / "empty.pgn"
    empty.write_bytes(b"")
    refused(tmp_path / "none.pgn", FileNotFoundError, r"none\.pgn' cannot be opened: No such file")
    refused([pgn, empty.with_name("a\0b")], ox88.Ox88Error, "cannot be opened")
    refused(tmp_path, ox88.Ox88Error, "is not a file: write the games into one")
    refused(empty, ox88.Ox88Error, r"there is no game in '.*empty\.pgn'")
    refused([], ox88.Ox88Error, "there is no game in no file")
    refused([7], TypeError, "an Explorer of int: Games or paths of PGN files are expected")
    with pytest.raises(ox88.Ox88Error, match=r"the index cannot be kept in .*games\.pgn: .*; name another folder"):
        Explorer(empty.parent / "games.pgn", folder=pgn)
    for row, error in ((-1, IndexError), (18, IndexError), (0, ox88.Ox88Error)):
        with pytest.raises(error, match=r"no game|no file"):
            small().pgn(row)
        with pytest.raises(error, match=r"no game|no file"):
            small().file_of(row)
