"""Moves in bulk, compared with python-chess: legal moves, pushes, SAN, exchange evaluation, perft."""

import pickle
import random
from typing import Any

import chess
import numpy as np
import pytest

import ox88
from ox88.types import NO_MOVE
from tests.batch.samples import boards, positions
from tests.bitboard import naive


def test_legal_moves() -> None:
    legal, expected = positions().legal_moves(), [naive.legal_moves(board) for board in boards()]
    assert (legal.moves.dtype.name, legal.offsets.dtype.name) == ("uint16", "int64")
    assert (len(legal), len(legal.offsets), legal.offsets[-1]) == (len(boards()), len(boards()) + 1, len(legal.moves))
    assert [sorted(moves.tolist()) for moves in legal] == expected
    assert [sorted(legal[row].tolist()) for row in range(len(legal))] == expected
    assert legal.counts.tolist() == list(map(len, expected))
    assert legal.rows.tolist() == [row for row, moves in enumerate(expected) for _ in moves]
    none = ox88.Positions().legal_moves()
    assert (len(none), len(none.moves), none.offsets.tolist(), list(none)) == (0, 0, [0], [])


def test_legal_moves_of_some_positions() -> None:
    legal, rows = positions().legal_moves(), np.arange(len(positions()))
    assert np.array_equal(legal[-1], legal[len(legal) - 1])
    assert np.shares_memory(legal[np.int64(3)], legal.moves)
    for some in (slice(2, 9), slice(None, None, -3), slice(5, 2), rows % 3 == 0, rows[::-2], [4, 4, -1], []):
        assert legal[some] == positions()[some].legal_moves()
    for outside in (len(legal), -len(legal) - 1):
        with pytest.raises(IndexError, match=f"row {outside} is out of range"):
            legal[outside]
    for wrong in ("a", 1.0, None, True):
        with pytest.raises((TypeError, ox88.Ox88Error), match="rows of"):
            legal[wrong]  # type: ignore[index]


def test_legal_moves_are_no_tuple() -> None:
    """A tuple's `count` and `index` would compare arrays."""
    legal = positions()[:2].legal_moves()
    assert not hasattr(legal, "count")
    assert not hasattr(legal, "index")
    assert legal == positions()[:2].legal_moves()
    assert legal != positions()[1:3].legal_moves()
    five, others = ox88.Positions.from_fens([f"4k3/8/8/8/8/8/8/{king} w - - 0 1" for king in ("4K3", "3K4")])
    assert ox88.Positions([five]).legal_moves() != ox88.Positions([others]).legal_moves()
    assert legal != [*legal]
    with pytest.raises(TypeError, match="unhashable"):
        hash(legal)
    assert repr(legal) == f"<LegalMoves: {len(legal.moves)} for 2 positions>"
    assert pickle.loads(pickle.dumps(legal)) == legal  # noqa: S301
    with pytest.raises(ValueError, match="read-only"):
        legal.offsets[1] = 1 << 40
    for offsets in ([0, 50, 40], [1, 40], [0, 41], [0, -1, 40], []):
        with pytest.raises(ox88.Ox88Error, match="offsets for 40 values: they must grow from 0 to 40"):
            ox88.LegalMoves(np.zeros(40, np.uint16), np.array(offsets, np.int64))


def test_captures() -> None:
    found = positions().legal_moves(captures=True)
    for row, board in enumerate(boards()):
        expected = sorted(naive.to_int(board, move) for move in board.generate_legal_captures())
        assert sorted(found[row].tolist()) == expected, board.fen()
    assert len(found.moves) > 100


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_more_legal_moves_than_there_is_room_for_at_first(threads: int) -> None:
    crowd = ox88.Positions.from_fens(["R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", ox88.STARTPOS])
    legal = crowd[np.arange(20_000) % 2].legal_moves(threads=threads)
    assert crowd.legal_moves().counts.tolist() == [218, 20]
    assert legal.counts.tolist() == [218, 20] * 10_000
    assert np.array_equal(legal.moves, np.tile(crowd.legal_moves().moves, 10_000))


def chess_move(move: int) -> chess.Move:
    return chess.Move.from_uci(ox88.format_uci(int(move), chess960=True))


def pushed(board: chess.Board, move: int) -> ox88.Setup:
    after = board.copy(stack=False)
    after.push(chess_move(move))
    return naive.to_setup(after)


def test_push_every_legal_move() -> None:
    some = positions()[::20]
    legal = some.legal_moves()
    expected = [pushed(boards()[::20][row], move) for row, move in zip(legal.rows, legal.moves, strict=True)]
    assert some.push(legal) == some[legal.rows].push(legal.moves) == ox88.Positions(expected)
    with pytest.raises(ox88.Ox88Error, match="the legal moves of 2 positions: those of 3 are expected"):
        positions()[:3].push(positions()[:2].legal_moves())


def test_moves_as_texts() -> None:
    start = ox88.Positions.from_fens([ox88.STARTPOS] * 2)
    numbers = start.parse_uci(["e2e4", "g1f3"])
    expected = start.push(numbers)
    texts: Any
    for texts in (
        ["e2e4", "g1f3"],
        ("e4", "Nf3"),
        np.array(["e2e4", "Nf3"]),
        np.array(["e2e4", "Nf3"], object),
        [chess.Move.from_uci("e2e4"), chess.Move.from_uci("g1f3")],
    ):
        assert start.push(texts) == expected
        assert start.format_san(texts) == ["e4", "Nf3"]
        assert start.format_uci(texts) == ["e2e4", "g1f3"]
        assert start.is_capture(texts).tolist() == [False, False]
    assert start.is_legal(["e2e4", "e2e5"]).tolist() == [True, False]
    assert start.is_legal(["Ke2", "Nf3"]).tolist() == [False, True]
    reason = "row 1: 'e2e5' is not legal in rnbqkbnr/.*: the pawn on e2 cannot reach e5$"
    with pytest.raises(ox88.IllegalMoveError, match=reason) as caught:
        start.push(["e2e4", "e2e5"])
    assert (caught.value.row, caught.value.move) == (1, "e2e5")
    with pytest.raises(ox88.IllegalMoveError, match=r"'a7a8' is not legal in 8/P6k/.*: a7a8q is expected$"):
        ox88.Positions.from_fens(["8/P6k/8/8/8/8/8/K7 w - - 0 1"]).push(["a7a8"])
    with pytest.raises(TypeError, match="moves is the text 'e2e4': a list with one text for each position"):
        start.push("e2e4")  # type: ignore[arg-type]


def test_what_moves_are() -> None:
    some, of_some = positions(), boards()
    legal = some.legal_moves()
    found: list[set[str]] = [set() for _ in legal.moves]
    kinds = ("is_capture", "is_castling", "is_en_passant", "gives_check")
    for kind in kinds:
        values = getattr(some, kind)(legal)
        assert values.any()
        assert np.array_equal(values, getattr(some[legal.rows], kind)(legal.moves))
        for place in np.flatnonzero(values):
            found[place].add(kind)
    for number, (row, move) in enumerate(zip(legal.rows, legal.moves.tolist(), strict=True)):
        board = of_some[row]
        assert found[number] == {kind for kind in kinds if getattr(board, kind)(chess_move(move))}
    with pytest.raises(ox88.IllegalMoveError, match="row 0: 0000"):
        some.is_capture([NO_MOVE] * len(some))


def test_null_moves() -> None:
    choice = random.Random(8)
    legal = positions().legal_moves()
    moves = [choice.choice([NO_MOVE, *some.tolist()]) for some in legal]
    rows = [row for row, board in enumerate(boards()) if moves[row] != NO_MOVE or not board.is_check()]
    expected = [pushed(boards()[row], moves[row]) for row in rows]
    assert positions()[rows].push([moves[row] for row in rows], null_moves=True) == ox88.Positions(expected)
    start = ox88.Positions.from_fens([ox88.STARTPOS])
    assert start.push(["--"], null_moves=True).turn.tolist() == [ox88.BLACK]
    with pytest.raises(ox88.IllegalMoveError, match=r"row 0: 0000 .*: passing is not a move in chess$"):
        start.push(["--"])
    check = ox88.Positions.from_fens(["4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"])
    with pytest.raises(ox88.IllegalMoveError, match=r"row 0: 0000 .*: a null move is illegal in check$"):
        check.push([NO_MOVE], null_moves=True)


def test_an_illegal_move_changes_nothing() -> None:
    start = ox88.Positions.from_fens([ox88.STARTPOS] * 3)
    e4 = ox88.parse_uci("e2e4", start[0])
    before = start.copy()
    with pytest.raises(ox88.IllegalMoveError, match=r"row 1: e2e5 \(move 2316\) is not legal in rnbqkbnr/") as caught:
        start.push([e4, ox88.parse_uci("e2e5", start[0]), NO_MOVE])
    assert (caught.value.row, caught.value.move) == (1, 2316)
    assert start == before
    for method in (start.see, start.format_san):
        with pytest.raises(ox88.IllegalMoveError, match="row 2: 0000"):
            method([e4, e4, NO_MOVE])


@pytest.mark.parametrize("threads", [1, 2])
def test_the_first_of_several_illegal_moves_is_named(threads: int) -> None:
    many = ox88.Positions.from_fens([ox88.STARTPOS]).take([0] * 20_000)
    moves = np.full(len(many), ox88.parse_uci("e2e4", many[0]))
    moves[[9_000, 19_000]] = ox88.parse_uci("e2e5", many[0])  # In different chunks.
    with pytest.raises(ox88.IllegalMoveError, match=r"^row 9000: e2e5"):
        many.push(moves, threads=threads)


def test_any_number_of_16_bits_is_judged() -> None:
    numbers = np.arange(1 << 16).astype(np.uint16)
    for row in (0, 100, 333):
        board = boards()[row]
        legal = positions()[np.full(len(numbers), row)].is_legal(numbers)
        assert legal.dtype == np.bool_
        assert np.flatnonzero(legal).tolist() == naive.legal_moves(board)


def test_moves_of_other_types() -> None:
    start = ox88.Positions.from_fens([ox88.STARTPOS] * 2)
    e4 = ox88.parse_uci("e2e4", start[0])
    expected = start.push(np.array([e4, e4], np.uint16))
    read_only = np.array([e4, e4], np.uint16)
    read_only.flags.writeable = False
    for moves in ([e4, e4], np.array([e4, e4], np.int32), np.array([e4, 0, e4, 0], np.uint16)[::2], read_only):
        assert start.push(moves) == expected
    wrong: Any
    for wrong in ([1.5, 2.0], [True, False], [None, None], 1.5, None, [e4, "e2e4"]):
        with pytest.raises(TypeError, match="uint16 is expected"):
            start.push(wrong)
    shape: Any
    number: Any
    for shape in ([e4], [e4] * 3, [[e4, e4]], e4):
        with pytest.raises(ox88.Ox88Error, match=r"one for each position is expected, \(2,\)"):
            start.push(shape)
    for number in (-1, 1 << 16, 1 << 40):
        with pytest.raises(ox88.RowError, match=f"row 1: {number} is not a move"):
            start.push([e4, number])
    assert ox88.Positions().push([]) == ox88.Positions()


def test_see() -> None:
    choice = random.Random(6)
    rows = [row for row, board in enumerate(boards()) if any(board.legal_moves)]
    moves = [choice.choice(list(boards()[row].legal_moves)) for row in rows]
    numbers = [naive.to_int(boards()[row], move) for row, move in zip(rows, moves, strict=True)]
    found = positions()[rows].see(numbers)
    assert found.tolist() == [naive.see(boards()[row], move) for row, move in zip(rows, moves, strict=True)]
    assert found.any()


def test_perft() -> None:
    some = positions()[::25]
    counts = [board.legal_moves.count() for board in boards()[::25]]
    assert some.perft(0).tolist() == [1] * len(some)
    assert some.perft(1).tolist() == counts
    legal = some.legal_moves()
    children = some[legal.rows].push(legal.moves)
    for depth in (2, 3):
        sums = np.bincount(legal.rows, children.perft(depth - 1), len(some)).astype(np.int64)
        assert some.perft(depth).tolist() == sums.tolist()
    for depth in (-1, 101):
        with pytest.raises(ox88.Ox88Error, match=f"depth is {depth}: 0 to 100 is expected"):
            some.perft(depth)
    for wrong in ("2", 2.0, True):
        with pytest.raises(TypeError, match="a whole number is expected"):
            some.perft(wrong)  # type: ignore[arg-type]
