"""An analysed game as the plain data of `records`."""

import re
from collections.abc import Sequence
from typing import Final

import chess
import chess.pgn

from ox88.apps.analyse.annotation import LINE_LENGTH, annotate
from ox88.apps.analyse.evaluation import Evaluation
from ox88.apps.analyse.judgement import Judgement
from ox88.apps.analyse.parsed import Flaw, Parsed
from ox88.apps.analyse.records import (
    EvaluationRecord,
    FlawRecord,
    GameRecord,
    LineRecord,
    MoveRecord,
    PlayerRecord,
    StartRecord,
)
from ox88.apps.analyse.search import Line, Searched
from ox88.apps.analyse.verdict import Player, Verdict

_COMMAND: Final = re.compile(r"\s*\[%[^\]]*\]\s*")  # Such as [%clk 0:01:00]: for programs.


def record_analysis(parsed: Parsed, searched: Sequence[Searched], verdict: Verdict, annotator: str) -> GameRecord:
    """The game with all that was found out, which is written into its tree too.

    searched: the position before the first move, and after each. annotator: for the game's tag.
    """
    start = _start(parsed.game.board(), searched[0].evaluation)
    moves = _moves(parsed, searched, verdict)
    annotate(parsed.game, searched, verdict, annotator)
    return {
        "headers": list(parsed.game.headers.items()),
        "start": start,
        "moves": moves,
        "white": _player(verdict.white),
        "black": _player(verdict.black),
        "flaws": _flaws(parsed.flaws),
        "nodes": sum(position.nodes for position in searched),
        "pgn": _movetext(parsed.game),
    }


def record_untouched(parsed: Parsed, text: str, flaws: Sequence[Flaw]) -> GameRecord:
    """A game that is written as it was read: where it can be read, with its tags apart."""
    return {
        "headers": list(parsed.game.headers.items()) if parsed.is_readable else [],
        "start": None,
        "moves": [],
        "white": None,
        "black": None,
        "flaws": _flaws(flaws),
        "nodes": 0,
        "pgn": _movetext(parsed.game) if parsed.is_readable else text,
    }


def _movetext(game: chess.pgn.Game) -> str:
    return game.accept(chess.pgn.StringExporter(headers=False)).strip()


def _flaws(flaws: Sequence[Flaw]) -> list[FlawRecord]:
    return [{"line": flaw.line, "reason": flaw.reason} for flaw in flaws]


def _start(board: chess.Board, evaluation: Evaluation) -> StartRecord:
    return {"fen": board.fen(), "eval": _evaluation(evaluation), "win": round(evaluation.win_percent, 2)}


def _player(player: Player) -> PlayerRecord:
    return {
        "accuracy": player.accuracy,
        "acpl": player.centipawn_loss,
        "inaccuracies": player.counts[Judgement.INACCURACY],
        "mistakes": player.counts[Judgement.MISTAKE],
        "blunders": player.counts[Judgement.BLUNDER],
    }


def _moves(parsed: Parsed, searched: Sequence[Searched], verdict: Verdict) -> list[MoveRecord]:
    board = parsed.game.board()
    moves: list[MoveRecord] = []
    for number, (node, move) in enumerate(zip(parsed.game.mainline(), parsed.moves, strict=False)):
        lines = [record_line(line, board) for line in searched[number].lines]
        judgement = verdict.judgements[number]
        evaluation = searched[number + 1].evaluation
        moves.append(
            {
                "ply": board.ply() + 1,
                "color": "white" if board.turn else "black",
                "uci": board.uci(move),
                "san": board.san_and_push(move),
                "fen": board.fen(),
                "eval": _evaluation(evaluation),
                "win": round(evaluation.win_percent, 2),
                "accuracy": round(verdict.accuracies[number], 2),
                "judgement": None if judgement is None else judgement.value,
                "clock": node.clock(),
                "comment": _COMMAND.sub(" ", node.comment).strip(),
                "lines": lines,
            }
        )
    return moves


def record_line(line: Line, board: chess.Board) -> LineRecord:
    """A line of a position; of long ones the beginning."""
    board = board.copy(stack=False)
    moves, san = [], []
    for move in line.moves[:LINE_LENGTH]:
        moves.append(board.uci(move))
        san.append(board.san_and_push(move))
    return {"eval": _evaluation(line.evaluation), "depth": line.depth, "moves": moves, "san": san}


def _evaluation(evaluation: Evaluation) -> EvaluationRecord:
    return {"cp": evaluation.centipawns} if evaluation.mate is None else {"mate": evaluation.mate}
