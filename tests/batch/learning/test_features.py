"""Sparse features, compared with a naive twin on python-chess."""

import chess
import pytest

import ox88
from ox88.batch.learning.features import FEATURE_SETS, FeatureSet
from tests.batch.samples import boards, positions


def naive_features(board: chess.Board, side: chess.Color, kind: FeatureSet) -> list[int]:
    kinds, king_stride, _ = FEATURE_SETS[kind]
    seen = board if side else board.mirror()
    king = seen.king(chess.WHITE)
    assert king is not None
    found = []
    for square in chess.SQUARES:
        piece = board.piece_at(square)
        if piece is not None and piece.piece_type <= kinds:
            theirs = piece.color != side
            place = square if side else chess.square_mirror(square)
            found.append(king * king_stride + (theirs * kinds + piece.piece_type - 1) * 64 + place)
    return found


@pytest.mark.parametrize("kind", FEATURE_SETS)
def test_features(kind: FeatureSet) -> None:
    expected = [[naive_features(board, side, kind) for board in boards()] for side in (True, False)]
    features = positions().features(kind)
    indices, offsets = features.indices, features.offsets
    assert (indices.dtype.name, offsets.dtype.name, len(offsets)) == ("int32", "int64", len(boards()) + 1)
    assert indices.max() < FEATURE_SETS[kind][2]
    assert len(set((indices // 64 % (2 * FEATURE_SETS[kind][0])).flat)) == 2 * FEATURE_SETS[kind][0]  # All pieces.
    for row, board in enumerate(boards()):
        own, theirs = (0, 1) if board.turn else (1, 0)
        seen = [expected[own][row], expected[theirs][row]]
        assert indices[:, offsets[row] : offsets[row + 1]].tolist() == features[row].tolist() == seen


def test_no_positions_and_a_set_that_there_is_not() -> None:
    features = positions()[:0].features()
    assert (features.indices.shape, features.offsets.tolist()) == ((2, 0), [0])
    with pytest.raises(ox88.Ox88Error, match="features 'halfkx': one of 768, halfkp, halfka is expected"):
        positions().features("halfkx")  # type: ignore[arg-type]
