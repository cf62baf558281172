"""Polyglot books that are made, written and asked, with python-chess's reader as the judge."""

import functools
import random
import struct
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import chess
import chess.polyglot
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ox88
from ox88.batch.pgn import book as of_book
from ox88.convert import from_chess_move
from tests.batch.pgn import naive, samples
from tests.positions import FENS, random_board

CHESS960 = "1rk3r1/1p6/8/8/8/8/1P6/1RK3R1 w GBgb - 12 345"
CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"


def found_by_python_chess(path: Path, board: chess.Board) -> list[tuple[int, int]]:
    """Moves and weights, the heaviest first."""
    with chess.polyglot.open_reader(path) as reader:
        entries = [(from_chess_move(entry.move, board), entry.weight) for entry in reader.find_all(board)]
    return sorted(entries, key=lambda entry: -entry[1])


def found(book: ox88.Book, boards: Sequence[chess.Board]) -> list[list[tuple[int, int]]]:
    answer = book.moves(ox88.Positions.from_boards(boards))
    return [list(zip(*(some.tolist() for some in row), strict=True)) for row in zip(*answer, strict=True)]


def _twin(text: str, plies: int, min_games: int) -> dict[tuple[int, str], int]:
    """Weights by position and move."""
    games, points = Counter[tuple[int, str]](), Counter[tuple[int, str]]()
    for tree in naive.read_trees(text):
        board, result = tree.board(), tree.headers["Result"]
        for move in list(tree.mainline_moves())[:plies]:
            entry = chess.polyglot.zobrist_hash(board), board.uci(move, chess960=True)
            won, lost = ("1-0", "0-1") if board.turn else ("0-1", "1-0")
            games[entry] += 1
            points[entry] += {won: 2, lost: 0}.get(result, 1)
            board.push(move)
    return {entry: points[entry] for entry, count in games.items() if count >= min_games and points[entry]}


def _entries(path: Path) -> dict[tuple[int, str], int]:
    with chess.polyglot.open_reader(path) as reader:
        keys = [entry.key for entry in reader]
        assert keys == sorted(keys)
        return {(entry.key, entry.move.uci()): entry.weight for entry in reader}


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seeds=st.lists(samples.SEEDS, max_size=12),
    plies=st.integers(1, 12),
    min_games=st.integers(1, 3),
    part=st.integers(1, 5),
)
def test_books_of_games(seeds: list[int], plies: int, min_games: int, part: int, tmp_path: Path) -> None:
    text = samples.random_games(seeds).decode()
    games = ox88.read_pgn_text(text) if text else ox88.read_pgn(b"")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_book, "_GAMES_A_PART", part)
        book = ox88.Book.from_games([games[:2], games[2:]], plies=plies, min_games=min_games)
    path = tmp_path / "book.bin"
    book.save(path)
    assert _entries(path) == _twin(text, plies, min_games)
    boards = games.positions()[:: plies + 1].boards()
    expected = [found_by_python_chess(path, board) for board in boards]
    assert [sorted(moves) for moves in found(book, boards)] == [sorted(moves) for moves in expected]
    assert [sorted(moves) for moves in found(ox88.Book.read(path), boards)] == [sorted(moves) for moves in expected]


@functools.cache
def _boards() -> list[chess.Board]:
    fens = [*FENS, CASTLING, CHESS960, "8/PPPPPPPP/8/8/8/8/8/K1k5 w - - 0 1"]
    return [chess.Board(fen, chess960=fen == CHESS960) for fen in fens] + [random_board(seed, 30) for seed in range(9)]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6))
def test_any_entries_are_found_as_by_python_chess(seed: int, tmp_path: Path) -> None:
    """Moves of all kinds, legal or not, in any order within a position; castling as e1h1 and e1g1."""
    choice, boards = random.Random(seed), _boards()
    entries = list[tuple[int, bytes]]()
    for board in boards:
        key = chess.polyglot.zobrist_hash(board)
        for _ in range(choice.randrange(5)):
            move = choice.choice([*board.legal_moves, chess.Move(4, 6), chess.Move(4, 7), chess.Move(60, 58)])
            number = move.from_square << 6 | move.to_square | (move.promotion - 1 if move.promotion else 0) << 12
            number = choice.choice([number, number, number, choice.randrange(1 << 15)])
            entries.append((key, struct.pack(">QHHI", key, number, choice.randrange(1 << 16), 7)))
    path = tmp_path / "book.bin"
    path.write_bytes(b"".join(entry for _, entry in sorted(entries, key=lambda entry: entry[0])))
    assert found(ox88.Book.read(path), boards) == [found_by_python_chess(path, board) for board in boards]


def test_weights_that_are_too_heavy(tmp_path: Path) -> None:
    games = ox88.Games.from_moves(["e4", "d4", "e4"] * 1, headers={"Result": ["1-0", "1-0", "1/2-1/2"]})
    some = ox88.Games.concatenate([games[:1]] * 250)
    many = ox88.Games.concatenate([some] * 280 + [games[1:2]])
    book = ox88.Book.from_games([many, games[2:]])
    book.save(tmp_path / "book.bin")
    assert found_by_python_chess(tmp_path / "book.bin", chess.Board()) == [(1804, 140001 // 3), (1739, 1)]
    lost = ox88.Games.from_moves(["f3 e5"], headers={"Result": ["0-1"]})
    assert found(ox88.Book.from_games(lost), [chess.Board()]) == [[]]
    assert repr(ox88.Book.from_games(lost)) == "<Book: 1 moves>"
    with_null = ox88.Games.from_moves(["e4 -- d4"])
    assert len(ox88.Book.from_games(with_null)) == 2
    assert found(ox88.Book.from_games([]), [chess.Board()]) == [[]]
    assert found(book, []) == []


def test_what_is_refused(tmp_path: Path) -> None:
    for data in (bytes(17), b'[White "Ann"]\n\n1. e4 e5 2. Nf3 *'):  # The second has two entries' length.
        (tmp_path / "odd.bin").write_bytes(data)
        with pytest.raises(ox88.Ox88Error, match=r"odd.bin' cannot be read: entries of 16 bytes whose keys ascend are"):
            ox88.Book.read(tmp_path / "odd.bin")
    with pytest.raises(FileNotFoundError, match=r"missing.bin' cannot be opened"):
        ox88.Book.read(tmp_path / "missing.bin")
    book, games = ox88.Book.from_games([]), ox88.read_pgn(b"1. e4 *")
    with pytest.raises(ox88.Ox88Error, match=r"nowhere/x.bin cannot be written: No such file"):
        book.save(tmp_path / "nowhere" / "x.bin")
    with pytest.raises(TypeError, match=r"the book is asked for list: ox88.Positions are expected"):
        book.moves([])  # type: ignore[arg-type]
    for some in (3, [3]):
        with pytest.raises(TypeError, match=r"a book of int: ox88.Games are expected, or several of them"):
            ox88.Book.from_games(some)  # type: ignore[arg-type]
    for options in ({"plies": 0}, {"min_games": 0}):
        with pytest.raises(ox88.Ox88Error, match="at least 1 is expected"):
            ox88.Book.from_games(games, **options)
