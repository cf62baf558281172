"""Positions, moves and PGN games as plain data for the page, which knows no rules of chess itself."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NotRequired, TypedDict, cast

import chess
import chess.pgn

from ox88.apps.analyse.accuracy import CEILING, Assessment, Evaluation, assess
from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.page_output import Player, evaluation_text, player_data
from ox88.apps.analyse.parsing import parse_game
from ox88.apps.analyse.recording import COMMAND, GLYPHS, commands_in, has_note, record_evaluation
from ox88.apps.game import Color
from ox88.batch.pgn.words import unescaped
from ox88.convert import to_chess_board
from ox88.errors import Ox88Error
from ox88.rules import game_end, parse_move
from ox88.setup import parse_fen

MOST_GAMES: Final = 2000
MOST_NODES: Final = 20_000  # Moves of a game with its variations.
_SHOWN: Final = ("White", "Black", "Result", "Date", "Event", "Round", "WhiteElo", "BlackElo")
_LONGEST_TAG: Final = 80  # Characters shown.


class MoveData(TypedDict):
    """A move, and the position after it. comment: that it was made after a hint."""

    uci: str
    san: str
    fen: str
    check: NotRequired[bool]
    opening: NotRequired[str]
    comment: NotRequired[str]


class PositionData(TypedDict):
    """A position. dests: the targets of each piece's legal moves, by its square; empty if none may be played."""

    fen: str
    turn: Color
    check: bool
    dests: dict[str, list[str]]
    ending: str | None


def read_position(start: str, moves: Sequence[str]) -> chess.Board:
    """The board after some moves, in SAN or UCI. Raises Ox88Error."""
    board = to_chess_board(parse_fen(start).check())
    for move in moves:
        board.push(parse_move(move, board))
    return board


def describe_position(board: chess.Board, movable: bool = True) -> PositionData:
    """The position as data. `dests`: the targets of each piece's legal moves; empty unless `movable`."""
    end = game_end(board)
    return {
        "fen": board.fen(),
        "turn": "white" if board.turn else "black",
        "check": board.is_check(),
        "dests": _destinations(board) if movable else {},
        "ending": None if end is None else str(end),
    }


def _destinations(board: chess.Board) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for move in board.legal_moves:
        uci = board.uci(move)
        found.setdefault(uci[:2], {})[uci[2:4]] = None
    return {square: list(targets) for square, targets in found.items()}


def describe_moves(board: chess.Board, names: OpeningNames, after: int = 0) -> list[MoveData]:
    """The moves after a ply that led to a board, each with the position after it and the name of its opening."""
    moves = board.move_stack[after:]
    past = board.copy(stack=len(moves))
    for _ in moves:
        past.pop()
    return [describe_move(past, move, names) for move in moves]


def describe_move(board: chess.Board, move: chess.Move, names: OpeningNames) -> MoveData:
    """Describe a move and play it on the board."""
    described: MoveData = {"uci": board.uci(move), "san": board.san_and_push(move), "fen": board.fen()}
    if board.is_check():
        described["check"] = True
    opening = names.of_position(described["fen"])
    if opening is not None:
        described["opening"] = f"{opening.eco} {opening.name}"
    return described


# --- PGN --------------------------------------------------------------------------------------------------------------


class GameText(TypedDict):
    """A game of a PGN."""

    text: str
    tags: dict[str, str]


class Notes(TypedDict, total=False):
    """What is written beside a move. commands: [%clk] and such. before: the comment before a variation."""

    nags: list[int]
    comment: str
    commands: str
    before: str
    eval: str
    win: float


class Node(Notes):
    """A position of a tree. parent: the number of the one before it, whose first child belongs to the main line."""

    fen: str
    parent: NotRequired[int]
    uci: NotRequired[str]
    san: NotRequired[str]
    check: NotRequired[bool]
    opening: NotRequired[str]


class Opened(TypedDict):
    """The tree of a game, the first position first, and what could not be read.

    white, black: if the positions have evaluations, up to the last one that has any.
    """

    type: Literal["opened"]
    tags: dict[str, str]
    nodes: list[Node]
    errors: list[str]
    white: NotRequired[Player]
    black: NotRequired[Player]


def list_games(text: str) -> list[GameText]:
    """Text and tags of each game. Raises Ox88Error if there is none, or too many."""
    from ox88.batch.pgn.game_text import split_games  # Imports the compiler, which would delay the start.

    games: list[GameText] = []
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
    return {name: unescaped(tags[name])[:_LONGEST_TAG] for name in _SHOWN if tags.get(name, "").strip("?. ")}


def open_game(text: str, names: OpeningNames) -> Opened:
    """The tree of a game, and its tags. Raises Ox88Error if nothing of it can be read, or if it is too large."""
    parsed = parse_game(text, as_written=True)
    if not parsed.is_readable:
        raise Ox88Error(parsed.errors[0]["reason"])
    opened: Opened = {
        "type": "opened",
        "tags": dict(parsed.game.headers),
        "nodes": describe_tree(parsed.game, names),
        "errors": [error["reason"] for error in parsed.errors],
    }
    assessment = _assess_game(parsed.game)
    if assessment is not None:
        opened["white"] = player_data(opened["tags"], "White", assessment.white)
        opened["black"] = player_data(opened["tags"], "Black", assessment.black)
    return opened


def _assess_game(game: chess.pgn.Game) -> Assessment | None:
    """Assess the main line by the evaluations in it; None if one is missing before the last one.

    A game that others have analysed may have none of its first position: then the first move costs nothing. What has no
    glyph or remark of an error was none to its annotator.
    """
    board = game.board()
    evaluations, is_error = [_evaluation(game.comment, board)], []
    for node in game.mainline():
        board.push(node.move)
        evaluations.append(_evaluation(node.comment, board))
        is_error.append(bool(node.nags.intersection(GLYPHS.values())) or has_note(node.comment))
    while evaluations and evaluations[-1] is None:
        evaluations.pop()
    if len(evaluations) > 1:
        evaluations[0] = evaluations[0] or evaluations[1]
    known = [evaluation for evaluation in evaluations if evaluation is not None]
    if len(known) < 2 or len(known) < len(evaluations):
        return None
    return assess(known, [not error for error in is_error[: len(known) - 1]], game.board().turn)


def describe_tree(game: chess.pgn.Game, names: OpeningNames) -> list[Node]:
    """The positions of a game with its variations, the first position first. A side that passes has the move 0000.

    Each position but the first has the number of its `parent`, which stands before it; of several with one parent the
    first belongs to the main line. Notes are there only if they are not empty: `nags`, `comment`, `commands` ([%clk]
    and such), `before` (the comment before a variation), `eval` and `win`. Raises Ox88Error if the tree is too large.
    """
    board = game.board()
    nodes: list[Node] = [cast(Node, {"fen": board.fen(), **_describe_notes(game, board)})]
    waiting = [(node, 0, 0) for node in reversed(game.variations)]
    while waiting:
        node, parent, ply = waiting.pop()
        if len(nodes) > MOST_NODES:
            raise Ox88Error(f"the game has more than {MOST_NODES:,} moves with its variations: no more are opened here")
        while len(board.move_stack) > ply:
            board.pop()
        waiting += [(child, len(nodes), ply + 1) for child in reversed(node.variations)]
        move = describe_move(board, node.move, names)
        nodes.append(cast(Node, {"parent": parent, **move, **_describe_notes(node, board)}))
    return nodes


def _describe_notes(node: chess.pgn.GameNode, board: chess.Board) -> Notes:
    """What is written beside a move, after which `board` is."""
    notes: Notes = {}
    if evaluation := _evaluation(node.comment, board):
        notes["eval"] = evaluation_text(record_evaluation(evaluation))
        notes["win"] = round(evaluation.win_percent, 2)
    if node.nags:
        notes["nags"] = sorted(node.nags)
    if comment := " ".join(COMMAND.sub(" ", node.comment).split()):
        notes["comment"] = comment
    if commands := commands_in(node.comment):
        notes["commands"] = commands
    if before := " ".join(node.starting_comment.split()):
        notes["before"] = before
    return notes


def _evaluation(comment: str, board: chess.Board) -> Evaluation | None:
    """White's evaluation of a position by a comment's [%eval]. Checkmate needs none, and python-chess writes none."""
    found = chess.pgn.EVAL_REGEX.search(comment)
    mate = int(found["mate"][:5]) if found and found["mate"] else None  # Python refuses very long numbers.
    if board.is_checkmate():
        mate = 0
    if mate is not None:
        wins = mate > 0 or (mate == 0 and not board.turn)
        return Evaluation(CEILING if wins else -CEILING, mate)
    return Evaluation(round(float(found["cp"]) * 100)) if found else None
