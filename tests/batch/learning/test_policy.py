"""Policy indices, compared with naive twins on python-chess, and converted back."""

import string
from collections.abc import Iterator
from typing import Any

import chess
import numpy as np
import pytest

import ox88
from ox88.batch.learning.policy import SIZES, Layout, policy_record
from ox88.batch.rows.arguments import IllegalMoveError
from ox88.batch.rules.legal_moves import LegalMoves
from tests.batch.samples import boards, positions
from tests.bitboard import naive

LAYOUTS = tuple(SIZES)
COMPASS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def naive_az(board: chess.Board, move: chess.Move) -> int:
    """The index in AlphaZero's layout: planes of queen moves, of knight moves, of underpromotions."""
    start, end = move.from_square, _az_target(board, move)
    if not board.turn:
        start, end = chess.square_mirror(start), chess.square_mirror(end)
    files = chess.square_file(end) - chess.square_file(start)
    ranks = chess.square_rank(end) - chess.square_rank(start)
    if move.promotion and move.promotion != chess.QUEEN:
        plane = 64 + (move.promotion - chess.KNIGHT) * 3 + files + 1
    elif (files, ranks) in JUMPS:
        plane = 56 + JUMPS.index((files, ranks))
    else:
        distance = max(abs(files), abs(ranks))
        plane = COMPASS.index((files // distance, ranks // distance)) * 7 + distance - 1
    return start * 73 + plane


def _az_target(board: chess.Board, move: chess.Move) -> int:
    """The square that the king reaches in classical castling; for other moves, the target on a Chess960 board."""
    is_classical = chess.square_file(move.from_square) == 4 and chess.square_file(move.to_square) in (0, 7)
    if board.is_castling(move) and is_classical:
        return move.from_square + (2 if move.to_square > move.from_square else -2)
    return move.to_square


def lc0_names() -> Iterator[str]:
    """The 1,858 moves in Leela's order."""
    empty = chess.Board(None)
    for square in chess.SQUARES:
        empty.set_piece_at(square, chess.Piece(chess.QUEEN, chess.WHITE))
        queen = empty.attacks(square)
        empty.set_piece_at(square, chess.Piece(chess.KNIGHT, chess.WHITE))
        yield from (chess.square_name(square) + chess.square_name(target) for target in queen | empty.attacks(square))
        empty.remove_piece_at(square)
    for number, file in enumerate(string.ascii_lowercase[:8]):
        for target in string.ascii_lowercase[max(number - 1, 0) : min(number + 2, 8)]:
            yield from (f"{file}7{target}8{kind}" for kind in "qrb")


LC0 = {name: index for index, name in enumerate(lc0_names())}


def naive_compact(board: chess.Board, move: chess.Move) -> int:
    start, end = move.from_square, move.to_square
    if not board.turn:
        start, end = chess.square_mirror(start), chess.square_mirror(end)
    return LC0[chess.Move(start, end, move.promotion).uci().removesuffix("n")]


TWINS = {"az": naive_az, "compact": naive_compact}


def test_the_compact_layout_begins_and_ends_as_leelas() -> None:
    assert len(LC0) == 1858
    assert list(LC0)[:10] == ["a1b1", "a1c1", "a1d1", "a1e1", "a1f1", "a1g1", "a1h1", "a1a2", "a1b2", "a1c2"]
    assert list(LC0)[-6:] == ["h7g8q", "h7g8r", "h7g8b", "h7h8q", "h7h8r", "h7h8b"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_all_legal_moves(layout: Layout) -> None:
    legal = positions().legal_moves()
    indices, mask = positions().policy_index(legal, layout), positions().policy_mask(layout)
    assert mask.shape == (len(positions()), SIZES[layout])
    for row, board in enumerate(boards()):
        some = slice(legal.offsets[row], legal.offsets[row + 1])
        expected = {naive.to_int(board, move): TWINS[layout](board, move) for move in board.legal_moves}
        assert dict(zip(legal[row].tolist(), indices[some].tolist(), strict=True)) == expected
        assert set(np.flatnonzero(mask[row]).tolist()) == set(expected.values())
        assert len(set(expected.values())) == len(expected)  # No two moves share a number.
    out = np.ones_like(mask)
    assert positions().policy_mask(layout, out=out, threads=2) is out
    assert np.array_equal(out, mask)
    every = positions()[legal.rows]
    assert np.array_equal(every.policy_index(legal.moves, layout), indices)
    assert np.array_equal(every.policy_move(indices, layout), legal.moves)


def test_all_numbers_but_those_that_leave_the_board_belong_to_a_move() -> None:
    az, compact = policy_record("az").indices, policy_record("compact").indices
    assert sorted(set(compact.tolist()) - {-1}) == list(range(1858))
    assert len(set(az.tolist()) - {-1}) == 1792 + 22 * 3


@pytest.mark.parametrize(
    ("fen", "uci", "az", "compact"),
    [
        ("startpos", "e2e4", 12 * 73 + 1, "e2e4"),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "e7e5", 12 * 73 + 1, "e2e4"),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "g8f6", 6 * 73 + 63, "g1f3"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 4 * 73 + 2 * 7 + 1, "e1h1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", 4 * 73 + 6 * 7 + 1, "e1a1"),
        ("4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1", "c1b1", 2 * 73 + 6 * 7, "c1b1"),
        ("4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1", "c1g1", 2 * 73 + 2 * 7 + 3, "c1g1"),
        ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "e1g1", 4 * 73 + 2 * 7 + 1, "e1g1"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 48 * 73, "a7a8q"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 48 * 73 + 7, "a7b8q"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", 48 * 73 + 64 + 2, "a7b8"),
        ("4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1", "a2a1r", 48 * 73 + 64 + 7, "a7a8r"),
        ("4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1", "a2b1b", 48 * 73 + 64 + 5, "a7b8b"),
    ],
)
def test_numbers_by_hand(fen: str, uci: str, az: int, compact: str) -> None:
    setup = ox88.parse_fen(fen)
    position = ox88.Positions([setup])
    move = np.array([ox88.parse_uci(uci, setup)], np.uint16)
    assert position.policy_index(move, "az").tolist() == [az]
    assert position.policy_index(move, "compact").tolist() == [LC0[compact]]


# --- Bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "arguments", "reason"),
    [
        ("mask", ["leela"], "layout 'leela': one of az, compact is expected"),
        ("index", [np.zeros(2)], "moves of float64: uint16 is expected"),
        ("index", [np.zeros(3, np.uint16)], r"moves of shape \(3,\): one for each position is expected, \(2,\)"),
        *(
            ("move", [np.array([0, wrong]), "compact"], f"row 1: index {wrong} is out of range: there are 0 to 1857")
            for wrong in (1858, -1, 1 << 40)
        ),
        ("move", [np.zeros(2)], "indices of float64: whole numbers are expected"),
        ("move", [np.zeros(1, np.int64)], r"indices of shape \(1,\): one for each position is expected, \(2,\)"),
        ("move", [np.zeros(2, np.uint8), "compact"], "row 0: no legal move has the compact index 0 in rnbqkbnr/"),
    ],
)
def test_what_does_not_fit(method: str, arguments: list[Any], reason: str) -> None:
    two = ox88.Positions.from_fens(["startpos"] * 2)
    with pytest.raises((TypeError, IndexError, ox88.Ox88Error), match=reason):
        getattr(two, f"policy_{method}")(*arguments)


@pytest.mark.parametrize(
    ("layout", "out", "reason"),
    [
        ("az", np.zeros((2, 4672), np.uint8), "out is uint8: an array of bool is expected"),
        ("az", np.zeros((2, 1858), np.bool_), r"out has .* a writable array of \(2, 4672\) without gaps is expected"),
        ("compact", np.zeros((2, 4672), np.bool_), r"a writable array of \(2, 1858\) without gaps is expected"),
        ("compact", np.zeros((2, 3716), np.bool_)[:, ::2], r"a writable array of \(2, 1858\) without gaps is expected"),
    ],
)
def test_masks_that_cannot_be_written_to(layout: Layout, out: Any, reason: str) -> None:
    with pytest.raises((TypeError, ox88.Ox88Error), match=reason):
        ox88.Positions.from_fens(["startpos"] * 2).policy_mask(layout, out=out)


def test_illegal_moves_are_named() -> None:
    four = ox88.Positions.from_fens(["startpos"] * 4)
    moves = np.array([ox88.parse_uci(uci, four[0]) for uci in ("e2e4", "d2d4", "e2e5", "0000")], np.uint16)
    with pytest.raises(IllegalMoveError, match=r"row 2: e2e5 \(move \d+\) is not legal in rnbqkbnr/") as caught:
        four.policy_index(moves)
    assert (caught.value.row, caught.value.move) == (2, moves[2])
    legal = four.legal_moves()
    broken = LegalMoves(legal.moves.copy(), legal.offsets)
    broken.moves[25] = moves[2]
    with pytest.raises(ox88.Ox88Error, match="the legal moves of 4 positions: those of 3 are expected"):
        four[:3].policy_index(legal)
    with pytest.raises(IllegalMoveError, match="row 1: e2e5"):
        four.policy_index(broken)
