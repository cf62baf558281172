"""Positions, moves and PGN games as plain data for the page, which knows no rules of chess itself."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import chess

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.parsing import parse_game
from ox88.convert import to_chess_board
from ox88.fen import parse_fen
from ox88.rules import game_end, parse_move
from ox88.types import Ox88Error

MOST_GAMES: Final = 2000
_SHOWN: Final = ("White", "Black", "Result", "Date", "Event", "Round", "WhiteElo", "BlackElo")
_LONGEST_TAG: Final = 80  # Characters shown.


def read_position(start: str, moves: Sequence[str]) -> chess.Board:
    """The board after some moves, in SAN or UCI. Raises Ox88Error."""
    board = to_chess_board(parse_fen(start).check())
    for move in moves:
        board.push(parse_move(move, board))
    return board


def describe_position(board: chess.Board, movable: bool = True) -> dict[str, Any]:
    """The position as data. `dests`: the targets of each piece's legal moves; empty unless `movable`."""
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
    """The moves that led to a board, each with the position after it and the name of its opening.

    known: an earlier result, which is reused as far as the moves are the same.
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
    """Describe a move and play it on the board."""
    described: dict[str, Any] = {"uci": board.uci(move), "san": board.san_and_push(move), "fen": board.fen()}
    if board.is_check():
        described["check"] = True
    opening = names.of_position(described["fen"])
    if opening is not None:
        described["opening"] = f"{opening.eco} {opening.name}"
    return described


# --- PGN --------------------------------------------------------------------------------------------------------------


def list_games(text: str) -> list[dict[str, Any]]:
    """Text and tags of each game. Raises Ox88Error if there is none, or too many."""
    from ox88.batch.pgn.game_text import split_games  # Imports the compiler, which would delay the start.

    games: list[dict[str, Any]] = []
    for game in split_games(text):
        if game.error:
            raise Ox88Error(f"the PGN cannot be read: {game.error}")
        games.append({"text": game.text, "tags": _shown_tags(game.tags)})
        if len(games) > MOST_GAMES:
            raise Ox88Error(f"the PGN has more than {MOST_GAMES} games: open a part of it, or use ox88 analyse")
    if not games:
        raise Ox88Error("there is no game in the PGN")
    return games


def _shown_tags(tags: Mapping[str, str]) -> dict[str, str]:
    return {name: tags[name][:_LONGEST_TAG] for name in _SHOWN if tags.get(name, "").strip("?. ")}


def open_game(text: str, names: OpeningNames) -> dict[str, Any]:
    """The moves of a game's main line. Raises Ox88Error if nothing of it can be read."""
    parsed = parse_game(text)
    if not parsed.is_readable:
        raise Ox88Error(parsed.errors[0]["reason"])
    board = parsed.game.board()
    start = board.fen()
    return {
        "type": "opened",
        "text": text,
        "tags": _shown_tags(parsed.game.headers),
        "start": start,
        "moves": [describe_move(board, move, names) for move in parsed.moves],
        "errors": [error["reason"] for error in parsed.errors],
    }
