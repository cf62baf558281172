"""Positions and moves as the page shows them: plain data, so that no rules of chess are written twice."""

from collections.abc import Sequence
from typing import Any

import chess

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.convert import to_chess_board
from ox88.fen import parse_fen
from ox88.rules import game_end, parse_move


def read_position(start: str, moves: Sequence[str]) -> chess.Board:
    """The board after some moves, as people or programs write them. Raises Ox88Error, which says what is wrong."""
    board = to_chess_board(parse_fen(start).check())
    for move in moves:
        board.push(parse_move(move, board))
    return board


def describe_position(board: chess.Board, movable: bool = True) -> dict[str, Any]:
    """dests: where pieces may go, empty where it is not the page's turn."""
    end = game_end(board)
    return {
        "fen": board.fen(),
        "turn": "white" if board.turn else "black",
        "check": board.is_check(),
        "dests": _destinations(board) if movable else {},
        "ending": end and str(end),
    }


def _destinations(board: chess.Board) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for move in board.legal_moves:
        uci = board.uci(move)
        found.setdefault(uci[:2], {})[uci[2:4]] = None
    return {square: list(targets) for square, targets in found.items()}


def describe_moves(
    board: chess.Board, names: OpeningNames, known: Sequence[dict[str, Any]] = ()
) -> list[dict[str, Any]]:
    """The moves that led to a board, each with the position after it; and the opening, where that has a name.

    known: what was described before of a game that may have begun so.
    """
    past = board.root()
    described: list[dict[str, Any]] = []
    for number, move in enumerate(board.move_stack):
        if number < len(known) and known[number]["uci"] == past.uci(move):
            described.append(known[number])
            past.push(move)
        else:
            known = ()
            described.append(describe_move(past, move, names))
    return described


def describe_move(board: chess.Board, move: chess.Move, names: OpeningNames) -> dict[str, Any]:
    """A move, which is played on the board."""
    described: dict[str, Any] = {"uci": board.uci(move), "san": board.san_and_push(move), "fen": board.fen()}
    if board.is_check():
        described["check"] = True
    opening = names.of_position(described["fen"])
    if opening is not None:
        described["opening"] = f"{opening.eco} {opening.name}"
    return described
