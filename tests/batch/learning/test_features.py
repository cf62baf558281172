"""Sparse features, compared with a naive twin on python-chess."""

import chess
import numpy as np
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
    for threads in (1, 2):
        features = positions().features(kind, threads=threads)
        indices, offsets = features.indices, features.offsets
        assert indices.dtype == np.int32
        assert offsets.dtype == np.int64
        assert len(offsets) == len(boards()) + 1
        assert indices.max() < FEATURE_SETS[kind][2]
        for row, board in enumerate(boards()):
            own, theirs = indices[:, offsets[row] : offsets[row + 1]].tolist()
            assert features[row].tolist() == [own, theirs]
            mine, yours = (0, 1) if board.turn else (1, 0)
            assert own == expected[mine][row]
            assert theirs == expected[yours][row]


def test_every_kind_of_piece_is_a_feature() -> None:
    indices = positions().features("768").indices
    kinds = set((np.unique(indices) // 64).tolist())
    assert kinds == set(range(12))


def test_a_mirrored_position_has_the_same_features() -> None:
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    pair = ox88.Positions.from_fens([board.fen(), board.mirror().fen()])
    for kind in FEATURE_SETS:
        white, black = pair.features(kind)
        assert np.array_equal(np.sort(white), np.sort(black))


def test_no_positions() -> None:
    features = positions()[:0].features()
    assert features.indices.shape == (2, 0)
    assert features.offsets.tolist() == [0]


def test_a_set_that_there_is_not() -> None:
    with pytest.raises(ox88.Ox88Error, match="features 'halfkx': one of 768, halfkp, halfka is expected"):
        positions().features("halfkx")  # type: ignore[arg-type]
