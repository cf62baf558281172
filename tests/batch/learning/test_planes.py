"""Planes, compared with a naive twin on python-chess."""

from typing import Any

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

import ox88
from ox88.batch.rows.arguments import View
from tests.batch.samples import boards, positions

DTYPES = (np.bool_, np.uint8, np.int8, np.int16, np.int32, np.int64, np.float16, np.float32, np.float64)
VIEWS: tuple[View, ...] = ("white", "mover")


def naive_planes(board: chess.Board, view: View) -> NDArray[np.uint8]:
    planes = np.zeros((18, 8, 8), np.uint8)
    is_turned = view == "mover" and not board.turn
    seen = board.mirror() if is_turned else board
    for square, piece in seen.piece_map().items():
        plane = piece.piece_type - 1 + (0 if piece.color else 6)
        planes[plane, chess.square_rank(square), chess.square_file(square)] = 1
    planes[12] = seen.has_kingside_castling_rights(chess.WHITE)
    planes[13] = seen.has_queenside_castling_rights(chess.WHITE)
    planes[14] = seen.has_kingside_castling_rights(chess.BLACK)
    planes[15] = seen.has_queenside_castling_rights(chess.BLACK)
    if seen.ep_square is not None:
        planes[16, chess.square_rank(seen.ep_square), chess.square_file(seen.ep_square)] = 1
    planes[17] = board.turn
    return planes


@pytest.mark.parametrize("view", VIEWS)
def test_planes(view: View) -> None:
    expected = np.stack([naive_planes(board, view) for board in boards()])
    assert expected.any(axis=(0, 2, 3)).all()  # Every plane is in use.
    for some in (slice(None), slice(0), slice(None, None, 3)):
        assert np.array_equal(positions()[some].planes(np.uint8, view=view), expected[some])
    for dtype in DTYPES:
        planes = positions()[:50].planes(dtype, view=view)
        assert planes.dtype == dtype
        assert np.array_equal(planes, expected[:50].astype(dtype))


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_an_array_to_write_to_is_used_again(dtype: Any) -> None:
    out = np.full((40, 18, 8, 8), 7, dtype)
    found = positions()[60:100].planes(dtype, view="mover", out=out)
    assert found is out
    assert np.array_equal(out, positions()[60:100].planes(dtype, view="mover"))


@pytest.mark.parametrize("count", [1, 3, 100])
def test_dlpack_takes_the_planes_without_a_copy(count: int) -> None:
    """JAX asks for an address that is a multiple of 64."""
    planes = positions()[:count].planes()
    taken = np.from_dlpack(planes)
    assert np.shares_memory(planes, taken)
    assert planes.ctypes.data % 64 == 0
    planes[0, 0] = 5
    assert (taken[0, 0] == 5).all()


@pytest.mark.parametrize("dtype", [np.complex64, object, "U3", np.longdouble])
def test_a_dtype_that_is_no_number(dtype: Any) -> None:
    with pytest.raises(TypeError, match="whole numbers, bool, float16, float32 or float64 are expected"):
        positions().planes(dtype)


def _read_only() -> NDArray[np.uint8]:
    out = np.zeros((2, 18, 8, 8), np.uint8)
    out.flags.writeable = False
    return out


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"view": "black"}, "view 'black': 'white', or 'mover'"),
        ({"out": np.zeros((2, 18, 8, 8))}, "out is float64: an array of uint8 is expected"),
        ({"out": []}, "out is list: an array of uint8 is expected"),
        *(
            ({"out": out}, r"a writable array of \(2, 18, 8, 8\) without gaps is expected")
            for out in (np.zeros((3, 18, 8, 8), np.uint8), np.zeros((4, 18, 8, 8), np.uint8)[::2], _read_only())
        ),
    ],
)
def test_what_is_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises((TypeError, ox88.Ox88Error), match=reason):
        positions()[:2].planes(np.uint8, **options)
