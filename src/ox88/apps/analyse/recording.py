"""An analysed game as a `GameRecord`, and as annotated PGN: evaluations, glyphs, reasons, better lines and tags."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import chess
import chess.engine
import chess.pgn

from ox88.apps.analyse.accuracy import Assessment, Evaluation, Judgement, assess
from ox88.apps.analyse.parsing import ParsedGame
from ox88.apps.analyse.records import ErrorRecord, EvaluationRecord, GameRecord, LineRecord, MoveRecord, StartRecord
from ox88.apps.analyse.search import Line, PositionAnalysis
from ox88.apps.reasons.reason import Reason, explain_move
from ox88.apps.reasons.searching import Search

COMMAND: Final = re.compile(r"\s*\[%[^\]]*\]\s*")  # Such as [%clk 0:01:00]: for programs, not for people.
_NOTE: Final = re.compile(  # What `_mark` writes. A point behind a move's number does not end a sentence.
    r"\s*(Inaccuracy|Mistake|Blunder):\s\S+\sis\sbetter\."
    r"(\s(Allows|Misses|\S+\sleaves)\s.*?(?<!\.)(?<!\b\d)(?<!\b\d\d)(?<!\b\d\d\d)\.(?=\s|$))?",
    re.DOTALL,
)
_ASSESSMENTS: Final = frozenset(range(chess.pgn.NAG_GOOD_MOVE, chess.pgn.NAG_DUBIOUS_MOVE + 1))  # ! ? !! ?? !? ?!
GLYPHS: Final[dict[str, int]] = {
    "inaccuracy": chess.pgn.NAG_DUBIOUS_MOVE,
    "mistake": chess.pgn.NAG_MISTAKE,
    "blunder": chess.pgn.NAG_BLUNDER,
}


def assess_game(parsed: ParsedGame, positions: Sequence[PositionAnalysis]) -> Assessment:
    """positions: the position before the first move and the position after each move."""
    evaluations = [position.evaluation for position in positions]
    played_best = [position.best == move for position, move in zip(positions, parsed.moves, strict=False)]
    return assess(evaluations, played_best, parsed.game.turn())


def explain_errors(
    search: Search,
    parsed: ParsedGame,
    positions: Sequence[PositionAnalysis],
    is_stopped: Callable[[], bool] = lambda: False,
) -> dict[int, Reason]:
    """Why errors are errors, where that is sure, by the number of the move from 0. At most three searches for each."""
    board, reasons = parsed.last_board(), {}
    judgements = assess_game(parsed, positions).judgements
    for number in reversed(range(len(judgements))):
        move = board.pop()
        if judgements[number] is not None and not is_stopped():
            reason = explain_move(search, board, move, positions[number], positions[number + 1])
            if reason.text:
                reasons[number] = reason
    return reasons


def record_analysis(
    parsed: ParsedGame, positions: Sequence[PositionAnalysis], annotator: str, reasons: Mapping[int, Reason]
) -> GameRecord:
    """Record an analysed game. Its tree of moves is annotated in place.

    positions: as for `assess_game`. annotator: the value for the tag Annotator. reasons: of errors, by the number of
    the move.
    """
    assessment = assess_game(parsed, positions)
    evaluation = positions[0].evaluation
    fen, win = parsed.game.board().fen(), round(evaluation.win_percent, 2)
    start: StartRecord = {"fen": fen, "eval": record_evaluation(evaluation), "win": win}
    if commands := commands_in(parsed.game.comment):
        start["commands"] = commands
    texts = {number: reason.text for number, reason in reasons.items()}
    moves = _moves(parsed, positions, assessment, texts)
    _annotate(parsed.game, positions, assessment, annotator, texts)
    return {
        "headers": list(parsed.game.headers.items()),
        "start": start,
        "moves": moves,
        "white": assessment.white,
        "black": assessment.black,
        "errors": parsed.errors,
        "nodes": sum(position.nodes for position in positions),
        "pgn": _movetext(parsed.game),
    }


def record_unanalysed(parsed: ParsedGame, text: str, errors: list[ErrorRecord]) -> GameRecord:
    """Record a game without an analysis: its moves as they are, or its text if it cannot be read."""
    return {
        "headers": list(parsed.game.headers.items()) if parsed.is_readable else [],
        "start": None,
        "moves": [],
        "white": None,
        "black": None,
        "errors": errors,
        "nodes": 0,
        "pgn": _movetext(parsed.game) if parsed.is_readable else text,
    }


def _movetext(game: chess.pgn.Game) -> str:
    return game.accept(chess.pgn.StringExporter(headers=False)).strip()


def _moves(
    parsed: ParsedGame, positions: Sequence[PositionAnalysis], assessment: Assessment, reasons: Mapping[int, str]
) -> list[MoveRecord]:
    board = parsed.game.board()
    moves: list[MoveRecord] = []
    for number, (node, move) in enumerate(zip(parsed.game.mainline(), parsed.moves, strict=False)):
        evaluation, judgement = positions[number + 1].evaluation, assessment.judgements[number]
        lines = [record_line(line, board if judgement else None) for line in positions[number].lines]
        record: MoveRecord = {
            "ply": board.ply() + 1,
            "color": "white" if board.turn else "black",
            "uci": board.uci(move),
            "san": board.san_and_push(move),
            "fen": board.fen(),
            "eval": record_evaluation(evaluation),
            "win": round(evaluation.win_percent, 2),
            "accuracy": round(assessment.accuracies[number], 2),
            "judgement": judgement,
            "clock": _clock(node),
            "comment": _NOTE.sub("", COMMAND.sub(" ", node.comment)).strip(),
            "lines": lines,
        }
        if commands := commands_in(node.comment):
            record["commands"] = commands
        if number in reasons:
            record["reason"] = reasons[number]
        moves.append(record)
    return moves


def has_note(comment: str) -> bool:
    """True if an analysis has found the move to be an error."""
    return _NOTE.search(comment) is not None


def commands_in(comment: str) -> str:
    return " ".join(" ".join(COMMAND.findall(comment)).split())


def _clock(node: chess.pgn.GameNode) -> float | None:
    """The seconds of the clock in a comment; None without one, or if it has more digits than a number can hold."""
    try:
        seconds = node.clock()
    except (OverflowError, ValueError):
        return None
    return None if seconds is None or math.isinf(seconds) else seconds


def record_line(line: Line, start: chess.Board | None = None) -> LineRecord:
    """A line as plain data, with its positions if `start` is given, the position before it."""
    moves = [move.uci() for move in line.moves]
    record: LineRecord = {
        "eval": record_evaluation(line.evaluation),
        "depth": line.depth,
        "moves": moves,
        "san": line.san,
    }
    if start is not None:
        ahead, record["fens"] = start.copy(stack=False), []
        for move in line.moves:
            ahead.push(move)
            record["fens"].append(ahead.fen())
    return record


def record_evaluation(evaluation: Evaluation) -> EvaluationRecord:
    return {"cp": evaluation.centipawns} if evaluation.mate is None else {"mate": evaluation.mate}


# --- Annotated PGN ----------------------------------------------------------------------------------------------------


def _annotate(
    game: chess.pgn.Game,
    positions: Sequence[PositionAnalysis],
    assessment: Assessment,
    annotator: str,
    reasons: Mapping[int, str],
) -> None:
    """Write the analysis into the tree. Earlier comments and variations stay; earlier evaluations are replaced."""
    for number, (node, before, after, judgement) in enumerate(
        zip(game.mainline(), positions, positions[1:], assessment.judgements, strict=False)
    ):
        set_evaluation(node, after.evaluation)
        if judgement is not None:
            _mark(node, judgement, before, reasons.get(number, ""))
    headers = game.headers
    for name, player in (("White", assessment.white), ("Black", assessment.black)):
        if player["accuracy"] is not None:
            headers[f"{name}Accuracy"] = f"{player['accuracy']:.1f}"
        if player["acpl"] is not None:
            headers[f"{name}ACPL"] = str(player["acpl"])
    others = headers.get("Annotator", "")
    headers["Annotator"] = others if annotator in others else ", ".join(filter(None, [others, annotator]))


def set_evaluation(node: chess.pgn.GameNode, evaluation: Evaluation) -> None:
    """Write an evaluation into the comment of a position, in place of the one before."""
    mate, centipawns = evaluation.mate, evaluation.centipawns
    score = chess.engine.Cp(centipawns) if mate is None else chess.engine.Mate(mate)
    node.set_eval(chess.engine.PovScore(score, chess.WHITE))


def _mark(node: chess.pgn.ChildNode, judgement: Judgement, before: PositionAnalysis, reason: str) -> None:
    """Add the glyph, a comment and the better lines, in place of an earlier comment of this kind and its glyph.

    Any other glyph is a person's, and stays.
    """
    note = _NOTE.search(node.comment)
    own = {GLYPHS[judged] for judged in GLYPHS if note is not None and note[1] == judged.capitalize()}
    if not node.nags & _ASSESSMENTS - own:
        node.nags = (node.nags - own) | {GLYPHS[judgement]}
    comment = f"{judgement.capitalize()}: {before.lines[0].san[0]} is better. {reason}"
    node.comment = f"{_NOTE.sub('', node.comment)} {comment}".strip()
    for line in before.lines:
        if line.moves and not node.parent.has_variation(line.moves[0]):
            variation = node.parent.add_variation(line.moves[0])
            set_evaluation(variation, line.evaluation)
            variation.add_line(line.moves[1:])
