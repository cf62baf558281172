"""A slow twin of the kernels that play games: a move at a time in Python, judged by python-chess."""

from collections.abc import Callable, Sequence
from typing import Any

import chess
import numpy as np

from ox88.bitboard.records import as_array
from ox88.bitboard.tables import board_tables
from ox88.convert import to_chess_board
from ox88.engines.modern.driver import PositionHistory
from ox88.types import format_uci
from tools.playing import DRAW, LOSS, WIN, search_by_depths
from tools.selfplay import Adjudication, Player

Search = Callable[[PositionHistory], tuple[int, int]]


def search_of(player: Player, rules: Any) -> Search:
    """What finds (value for the side to move, move) of a game."""
    record, tables = player.thread.record, as_array(board_tables())

    def search(game: PositionHistory) -> tuple[int, int]:
        player.thread.prepare(game.position, game.keys, int(record["generation"]), None)
        value = search_by_depths(player.searchers, tables, player.table, rules)
        return int(value), int(record["root_first_move"])

    return search


def play(game: PositionHistory, white: Search, black: Search, rule: Adjudication) -> tuple[int, list[int], list[int]]:
    """(White's half points, the moves, the score of each for White) of a game from its position."""
    board = to_chess_board(game.setup)
    moves: list[int] = []
    scores: list[int] = []
    while (result := ending(board, scores, rule)) is None:
        value, move = (white if board.turn else black)(game)
        moves.append(move)
        scores.append(value if board.turn else -value)
        board.push(board.parse_uci(format_uci(move)))
        game.push(move)
    return result, moves, scores


def ending(board: chess.Board, scores: Sequence[int], rule: Adjudication) -> int | None:
    """White's half points if the game is over, by the rules or because the scores agree. scores: for White."""
    outcome = board.outcome()
    if outcome is not None:
        return {True: int(WIN), False: int(LOSS), None: int(DRAW)}[outcome.winner]
    if board.is_repetition(3) or board.is_fifty_moves():
        return int(DRAW)
    last, even = np.array(scores[-rule.won_plies :]), np.abs(scores[-rule.drawn_plies :])
    if len(last) == rule.won_plies and (min(last) >= rule.won or max(last) <= -rule.won):
        return int(WIN if last[0] > 0 else LOSS)
    is_even = len(scores) >= rule.drawn_from and max(even) <= rule.drawn
    return int(DRAW) if is_even or len(scores) >= rule.longest else None
