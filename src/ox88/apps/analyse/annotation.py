"""What was found out about a game, written into python-chess's tree: evaluations, glyphs, better lines, and tags."""

from collections.abc import Iterable, Sequence
from typing import Final

import chess
import chess.engine
import chess.pgn

from ox88.apps.analyse.evaluation import Evaluation
from ox88.apps.analyse.judgement import Judgement
from ox88.apps.analyse.search import Line, Searched
from ox88.apps.analyse.verdict import Player, Verdict

LINE_LENGTH: Final = 12  # Plies of a better line that are shown.
_ASSESSMENTS: Final = frozenset(range(chess.pgn.NAG_GOOD_MOVE, chess.pgn.NAG_DUBIOUS_MOVE + 1))  # ! ? !! ?? !? ?!


def annotate(game: chess.pgn.Game, searched: Sequence[Searched], verdict: Verdict, annotator: str) -> None:
    """Write it all into the game. What others have noted there stays, but for evaluations."""
    for node, before, after, judgement in zip(
        game.mainline(), searched, searched[1:], verdict.judgements, strict=False
    ):
        _set_evaluation(node, after.evaluation)
        if judgement is not None:
            _mark(node, judgement, before)
    _add_tags(game.headers, verdict, annotator)


def _set_evaluation(node: chess.pgn.GameNode, evaluation: Evaluation) -> None:
    mate, centipawns = evaluation.mate, evaluation.centipawns
    score = chess.engine.Cp(centipawns) if mate is None else chess.engine.Mate(mate)
    node.set_eval(chess.engine.PovScore(score, chess.WHITE))


def _mark(node: chess.pgn.ChildNode, judgement: Judgement, before: Searched) -> None:
    node.nags = (node.nags - _ASSESSMENTS) | {judgement.nag}
    best = node.parent.board().san(before.lines[0].moves[0])
    _add_words(node, f"{judgement.value.capitalize()}: {best} is better.")
    for line in before.lines:
        _add_line(node.parent, line)


def _add_words(node: chess.pgn.GameNode, words: str) -> None:
    if words not in node.comment:
        node.comment = f"{node.comment} {words}".strip()


def _add_line(parent: chess.pgn.GameNode, line: Line) -> None:
    """A variation, unless there is one that begins so."""
    if not line.moves or parent.has_variation(line.moves[0]):
        return
    node = parent.add_variation(line.moves[0])
    _set_evaluation(node, line.evaluation)
    node.add_line(line.moves[1:LINE_LENGTH])


def _add_tags(headers: chess.pgn.Headers, verdict: Verdict, annotator: str) -> None:
    for name, player in (("White", verdict.white), ("Black", verdict.black)):
        headers.update(_tags(name, player))
    others = headers.get("Annotator", "")
    headers["Annotator"] = others if annotator in others else ", ".join(filter(None, [others, annotator]))


def _tags(name: str, player: Player) -> Iterable[tuple[str, str]]:
    if player.accuracy is not None:
        yield f"{name}Accuracy", f"{player.accuracy:.1f}"
    if player.centipawn_loss is not None:
        yield f"{name}ACPL", str(player.centipawn_loss)
