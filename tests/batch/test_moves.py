"""Moves in bulk, compared with python-chess: legal moves, pushes, SAN, exchange evaluation, perft."""

import random

import chess
import numpy as np
import pytest

import ox88
from ox88.convert import to_chess_board
from ox88.types import NO_MOVE
from tests.batch.samples import boards, positions
from tests.bitboard import naive


@pytest.mark.parametrize("threads", [1, 2])
def test_legal_moves(threads: int) -> None:
    legal = positions().legal_moves(threads=threads)
    moves, offsets = legal
    assert moves.dtype == np.uint16
    assert offsets.dtype == np.int64
    assert len(offsets) == len(boards()) + 1
    assert offsets[-1] == len(moves)
    for row, board in enumerate(boards()):
        assert sorted(moves[offsets[row] : offsets[row + 1]].tolist()) == naive.legal_moves(board), board.fen()
    assert legal.counts.tolist() == [board.legal_moves.count() for board in boards()]
    assert legal.rows.tolist() == [row for row, board in enumerate(boards()) for _ in board.legal_moves]


def test_legal_moves_of_none() -> None:
    moves, offsets = ox88.Positions().legal_moves()
    assert (len(moves), offsets.tolist()) == (0, [0])


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_more_legal_moves_than_there_is_room_for_at_first(threads: int) -> None:
    crowd = ox88.Positions.from_fens(["R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", ox88.STARTPOS])
    legal = crowd[np.arange(20_000) % 2].legal_moves(threads=threads)
    assert crowd.legal_moves().counts.tolist() == [218, 20]
    assert legal.counts.tolist() == [218, 20] * 10_000
    assert np.array_equal(legal.moves, np.tile(crowd.legal_moves().moves, 10_000))


@pytest.mark.parametrize("threads", [1, 2])
def test_push_every_legal_move(threads: int) -> None:
    some = positions()[::20]
    legal = some.legal_moves()
    pushed = some[legal.rows].push(legal.moves, threads=threads)
    expected = []
    for row, move in zip(legal.rows, legal.moves, strict=True):
        board = boards()[::20][row].copy(stack=False)
        board.push(chess.Move.from_uci(ox88.to_uci(int(move), chess960=True)))
        expected.append(naive.to_setup(board))
    assert pushed == ox88.Positions(expected)


def test_an_illegal_move_changes_nothing() -> None:
    start = ox88.Positions.from_fens([ox88.STARTPOS] * 3)
    e4 = ox88.from_uci("e2e4", start[0])
    before = start.copy()
    with pytest.raises(ox88.IllegalMoveError, match=r"row 1: e2e5 \(move 2316\) is not legal in rnbqkbnr/") as caught:
        start.push([e4, ox88.from_uci("e2e5", start[0]), NO_MOVE])
    assert (caught.value.row, caught.value.move) == (1, 2316)
    assert start == before
    for method in (start.see, start.san):
        with pytest.raises(ox88.IllegalMoveError, match="row 2: 0000"):
            method([e4, e4, NO_MOVE])


def test_any_number_of_16_bits_is_judged() -> None:
    numbers = np.arange(1 << 16).astype(np.uint16)
    for row in (0, 100, 333):
        board = boards()[row]
        legal = positions()[np.full(len(numbers), row)].is_legal(numbers)
        assert legal.dtype == np.bool_
        assert np.flatnonzero(legal).tolist() == naive.legal_moves(board)


def test_moves_of_other_types() -> None:
    start = ox88.Positions.from_fens([ox88.STARTPOS] * 2)
    e4 = ox88.from_uci("e2e4", start[0])
    expected = start.push(np.array([e4, e4], np.uint16))
    read_only = np.array([e4, e4], np.uint16)
    read_only.flags.writeable = False
    for moves in ([e4, e4], np.array([e4, e4], np.int32), np.array([e4, 0, e4, 0], np.uint16)[::2], read_only):
        assert start.push(moves) == expected
    for wrong in ([1.5, 2.0], ["e2e4", "e2e4"], [True, False], [None, None]):
        with pytest.raises(TypeError, match="uint16 is expected"):
            start.push(wrong)  # type: ignore[arg-type]
    for shape in ([e4], [e4] * 3, [[e4, e4]], e4):
        with pytest.raises(ox88.Ox88Error, match=r"one for each position is expected, \(2,\)"):
            start.push(shape)
    for outside in (-1, 1 << 16, 1 << 40):
        with pytest.raises(ox88.RowError, match=f"row 1: {outside} is not a move"):
            start.push([e4, outside])
    assert ox88.Positions().push([]) == ox88.Positions()


@pytest.mark.parametrize("threads", [1, 2])
def test_san(threads: int) -> None:
    some = positions()[::10]
    legal = some.legal_moves()
    expected = []
    for row, move in zip(legal.rows, legal.moves, strict=True):
        board = boards()[::10][row]
        expected.append(board.san(chess.Move.from_uci(ox88.to_uci(int(move), chess960=True))))
    assert some[legal.rows].san(legal.moves, threads=threads) == expected


def test_san_tells_pieces_apart() -> None:
    setup = ox88.parse_fen("2k5/8/8/Q6Q/2n5/8/1R3R2/Q4K2 w - - 0 1")
    board = to_chess_board(setup)
    for move in board.legal_moves:
        assert ox88.san(naive.to_int(board, move), setup) == board.san(move)
    with pytest.raises(ox88.Ox88Error, match=r"^0000 \(move 0\) is not legal"):
        ox88.san(0, setup)


@pytest.mark.parametrize("threads", [1, 2])
def test_see(threads: int) -> None:
    choice = random.Random(6)
    rows = [row for row, board in enumerate(boards()) if any(board.legal_moves)]
    moves = [choice.choice(list(boards()[row].legal_moves)) for row in rows]
    numbers = [naive.to_int(boards()[row], move) for row, move in zip(rows, moves, strict=True)]
    found = positions()[rows].see(numbers, threads=threads)
    assert found.dtype == np.int16
    assert found.tolist() == [naive.see(boards()[row], move) for row, move in zip(rows, moves, strict=True)]
    assert found.any()


@pytest.mark.parametrize("threads", [1, 2])
def test_perft(threads: int) -> None:
    some = positions()[::25]
    counts = [board.legal_moves.count() for board in boards()[::25]]
    assert some.perft(0, threads=threads).tolist() == [1] * len(some)
    assert some.perft(1, threads=threads).tolist() == counts
    legal = some.legal_moves()
    children = some[legal.rows].push(legal.moves)
    for depth in (2, 3):
        sums = np.bincount(legal.rows, children.perft(depth - 1), len(some)).astype(np.int64)
        assert some.perft(depth, threads=threads).tolist() == sums.tolist()
    for depth in (-1, 101):
        with pytest.raises(ox88.Ox88Error, match=f"depth is {depth}: 0 to 100 is expected"):
            some.perft(depth)
    for wrong in ("2", 2.0, True):
        with pytest.raises(TypeError, match="a whole number is expected"):
            some.perft(wrong)  # type: ignore[arg-type]
