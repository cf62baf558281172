"""Positions of random games, half of them Chess960, with many rare moves."""

import functools

import chess

import ox88
from tests.bitboard import naive


@functools.cache
def boards() -> tuple[chess.Board, ...]:
    return naive.positions()[::4]


@functools.cache
def positions() -> ox88.Positions:
    return ox88.Positions.from_fens([board.fen(shredder=True, en_passant="fen") for board in boards()])
