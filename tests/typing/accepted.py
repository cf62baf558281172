"""Right uses of the package, in which type checkers must find no error. Nothing here runs."""

import io
from pathlib import Path
from typing import assert_type

import chess
import numpy as np
from numpy.typing import NDArray

import ox88
from ox88.engines.micromax.watching import OpenNode, Recording


def moves(positions: ox88.Positions, setup: ox88.Setup) -> None:
    legal = assert_type(positions.legal_moves(captures=True), ox88.LegalMoves)
    for choice in (legal, legal.moves, legal[0], np.zeros(2, np.int64), [1804, 1350], ["e2e4", "Nf3"], ("e4", "e5")):
        assert_type(positions.push(choice), ox88.Positions)
        assert_type(positions.is_capture(choice), NDArray[np.bool_])
        assert_type(positions.format_san(choice), list[str])
    positions.push(np.array(["e2e4", "e7e5"]))
    positions.push([chess.Move.from_uci("e2e4")])
    positions.push([np.uint16(1804)], null_moves=True, threads=1)
    assert_type(positions.parse_san(["Nf3", "e5"]), NDArray[np.uint16])
    assert_type(ox88.format_uci(legal.moves), list[str])
    assert_type(ox88.format_uci(np.uint16(1804)), str)
    assert_type(ox88.format_uci(1804), str)
    assert_type(ox88.parse_uci("e2e4", setup), int)
    assert_type(ox88.parse_uci(["e2e4"], positions), NDArray[np.uint16])
    assert_type(ox88.parse_san("e4", setup), int)
    assert_type(ox88.format_san(1804, setup), str)
    assert_type(ox88.format_san(legal, positions), list[str])


def watched(engine: ox88.MicroMax) -> None:
    recording = assert_type(engine.watch(chess.Board(), node=5, count=10, without=("hash",)), Recording)
    assert_type(recording.events, NDArray[np.int32])
    assert_type(recording.line[0], OpenNode)
    assert_type(recording.line[0].alpha, int)
    assert_type(recording.board, tuple[int, ...])
    assert_type(recording.named(), list[dict[str, str | int]])


def rows(positions: ox88.Positions, legal: ox88.LegalMoves, games: ox88.Games) -> None:
    assert_type(positions[0], ox88.Setup)
    assert_type(positions[np.int64(0)], ox88.Setup)
    assert_type(positions.shape, tuple[int])
    for some in (slice(5), [1, 2], np.arange(3), positions.is_check()):
        assert_type(positions[some], ox88.Positions)
        assert_type(legal[some], ox88.LegalMoves)
        assert_type(games[some], ox88.Games)
    assert_type(legal[0], NDArray[np.uint16])
    assert_type(next(iter(legal)), NDArray[np.uint16])
    assert_type(next(iter(positions)), ox88.Setup)
    np.asarray(positions)


def colours(positions: ox88.Positions) -> None:
    for colour in (chess.WHITE, ox88.BLACK, np.int8(0)):
        assert_type(positions.attacks(colour), NDArray[np.uint64])
    positions.pinned([chess.WHITE, chess.BLACK])
    positions.pinned(positions.turn)


def texts(games: ox88.Games) -> None:
    for source in ("games.pgn", Path("games.pgn"), b"1. e4", io.BytesIO(b"1. e4"), io.StringIO("1. e4")):
        assert_type(ox88.read_pgn(source), ox88.Games)
    assert_type(ox88.read_pgn_text("1. e4"), ox88.Games)
    assert_type(games.repetitions(), NDArray[np.int64])
    assert_type(games.openings().ply, NDArray[np.int64])
    assert_type(games.positions(np.arange(2), -1), ox88.Positions)
    assert_type(ox88.Positions.from_fens(Path("positions.fen")), ox88.Positions)
    assert_type(ox88.Setup("startpos").fen, str)
    assert_type(ox88.format_fen(ox88.Setup(ox88.STARTPOS), en_passant="legal"), str)
