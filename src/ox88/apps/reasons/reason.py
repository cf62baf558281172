"""`ox88.explain`: why a move is good or bad, in one sentence that is said only if a search confirms it."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import chess

from ox88.apps.analyse.accuracy import CEILING, Evaluation, judge
from ox88.apps.analyse.search import Line as EngineLine
from ox88.apps.analyse.search import PositionAnalysis
from ox88.apps.reasons.searching import Search, own_search, search_by_any
from ox88.apps.reasons.sentences import (
    LESSER,
    MATES,
    THEMES,
    Gain,
    describe_loss,
    describe_motif,
    end_balance,
    find_gain,
    numbered,
)
from ox88.convert import from_chess_board
from ox88.errors import Ox88Error
from ox88.motifs.find import find_motifs
from ox88.motifs.line import Line
from ox88.rules import parse_move

if TYPE_CHECKING:
    from ox88.apps.reasons.searching import AnyEngine

_PAWN: Final = 60  # Centipawns that the evaluation must change by for each point of material.
_AS_GOOD: Final = 5.0  # Percent of winning chances. A defence within this of the best one must lose as much.
_LEAST: Final = 120  # Centipawns. A line that changes the evaluation by less proves nothing.
_PLAIN: Final = 2  # Moves. A mate in more is not worth a word to who is lost anyway.
_MATE: Final = 2000  # What a mate counts as in centipawns.
_DEEPEST: Final = (4, 10)  # Plies of a line that is a proof if it wins a point, or more.
_SECOND: Final = 3  # Plies. If a gain takes more, the second reply is part of it, and has to be the best.
_LATEST: Final = 2  # A motif that comes later is not what the first move is about.
_UNKNOWN: Final = Evaluation(-300)  # What the solver has without a good move, if that was not searched.
_SHOWN: Final = 8  # Plies of a line that proves nothing.


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is good or bad.

    Attributes:
        text: one sentence; empty if nothing is sure.
        theme: Lichess's name of the motif, such as "fork"; None if the sentence has none.
        squares: of the pieces that are meant.
        line: the moves that prove it, from the position before the move. They begin with the move itself if the
            sentence tells what it does or allows, with the best move if the sentence tells what is missed.
        san: the line in SAN with move numbers.
        gain: what the line wins, such as "a knight", "the exchange" or "mate in 2"; empty if nothing is sure.
    """

    text: str = ""
    theme: str | None = None
    squares: tuple[chess.Square, ...] = ()
    line: tuple[chess.Move, ...] = ()
    san: str = ""
    gain: str = ""


def explain(
    board: chess.Board,
    move: chess.Move | str,
    *,
    engine: AnyEngine | None = None,
    nodes: int = 100_000,
) -> Reason:
    """Tell in a sentence why a move is bad, or what a good move does. Searches at most five times.

    Args:
        board: the position before the move; with its past, the move before is known too.
        move: a legal move; as a text in SAN or UCI's notation.
        engine: an ox88.Engine or a chess.engine.SimpleEngine; by default an engine of Ox88's own.
        nodes: to search in each of the positions.

    Returns:
        The reason. Its text is empty if no sentence is sure; then its line is the best one.

    Raises:
        Ox88Error: the position or the move is illegal, the board is of another chess variant, or nodes is below 1.
        TypeError: nodes is no whole number, or the engine is none.

    Example:
        >>> board = chess.Board("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1")
        >>> ox88.explain(board, "h3", nodes=2000).text
        'Misses a back-rank mate: 1. Rb8#.'
    """
    from ox88.batch.rows.arguments import check_number  # Imports the compiler.

    if not isinstance(board, chess.Board) or board.uci_variant != "chess":
        raise Ox88Error(f"the board is {board!r}: expected a chess.Board of chess without variants")
    check_number("nodes", nodes, 1)
    if engine is not None and not callable(getattr(engine, "analyse", None)):
        raise TypeError(f"the engine is {engine!r}: expected an ox88.Engine or a chess.engine.SimpleEngine")
    from_chess_board(board).check()
    move = parse_move(str(move), board)
    search = own_search(nodes) if engine is None else search_by_any(engine, nodes)
    found = search(after(board, move), ())  # First, so that the other search has what the move leads to.
    return explain_move(search, board, move, search(board, ()), found)


def explain_move(
    search: Search, board: chess.Board, move: chess.Move, before: PositionAnalysis, then: PositionAnalysis
) -> Reason:
    """`explain` with searches that are done: of the position before and after the move. At most three more searches."""
    best, played = (analysis.evaluation.relative(board.turn) for analysis in (before, then))
    if before.best == move:
        return explain_best(search, board, before)
    if judge(best, played) is None:
        line = [move, *then.lines[0].moves]
        return _proved(search, _Claim("does", board, (), line, played)) or _shown(board, line)
    better, reply = before.lines[0].moves, then.lines[0].moves
    misses = _Claim("misses", board, (), better, best, played, [move, *reply])
    allows = _Claim("allows", board, (move,), reply, played.relative(False), best.relative(False), better)
    if best.clamped == -CEILING and (played.mate is None or played.mate < -_PLAIN):  # All is lost anyway.
        return _shown(board, better)
    is_miss = misses.mates or (not allows.mates and allows.points < max(misses.points, 1))
    return _proved(search, misses if is_miss else allows) or _shown(board, better)


def explain_best(search: Search, board: chess.Board, analysis: PositionAnalysis) -> Reason:
    """What the best move of a position does. Searches at most three times."""
    line = analysis.lines[0].moves
    if not line:
        return Reason()
    claim = _Claim("does", board, (), line, analysis.evaluation.relative(board.turn))
    return _proved(search, claim) or _shown(board, line)


@dataclass(frozen=True)
class _Claim:
    """That a line wins something.

    board: the position that is explained. played: no move, or the one that allows the line. value: of the line, from
    the view of the side that plays it, the solver. other, others: the value and the moves if there is no such line.
    """

    kind: Literal["does", "misses", "allows"]
    board: chess.Board
    played: tuple[chess.Move, ...]
    moves: list[chess.Move]
    value: Evaluation
    other: Evaluation = _UNKNOWN
    others: Sequence[chess.Move] = ()

    @property
    def mates(self) -> bool:
        return (self.value.mate or 0) > 0

    @property
    def points(self) -> int:
        """What the line wins if the opponent has nothing better."""
        gain = self.gain(self.moves, self.value)
        return gain.points if gain else 0

    @functools.cached_property
    def root(self) -> chess.Board:
        """The position before the line."""
        return after(self.board, *self.played)

    def gain(self, moves: Sequence[chess.Move], value: Evaluation) -> Gain | None:
        """What moves win for the solver; None if their value does not confirm it."""
        swing = _centipawns(value) - _centipawns(self.other)
        gain = find_gain(Line(self.root, moves), self._start, swing / _PAWN) if swing >= _LEAST else None
        if gain is None or gain.end > _DEEPEST[gain.points > 1] or gain.points <= self._anyway:
            return None
        return gain

    @functools.cached_property
    def _anyway(self) -> int:
        """The points that the solver has without the line."""
        points = end_balance(Line(self.board, self.others), self._start)
        return -points if self.played else points

    @property
    def _start(self) -> chess.Board:
        """The position to count from: the one before a capture that the line begins by taking back."""
        start = self.board
        if not self.played and start.move_stack and start.peek().to_square == self.moves[0].to_square:
            start = start.copy(stack=1)
            start.pop()
        return start


def _centipawns(evaluation: Evaluation) -> int:
    return evaluation.centipawns if evaluation.mate is None else _MATE if evaluation.mate > 0 else -_MATE


_FORMS: Final = {
    "does": ("{line} {verb}.", "{line} gives {mate}."),
    "misses": ("Misses {line}, which {verb}.", "Misses {mate}: {line}."),
    "allows": ("Allows {line}, which {verb}.", "Allows {mate}: {line}."),
}


def _proved(search: Search, claim: _Claim) -> Reason | None:
    """The reason that a claim is if it holds against the best defence."""
    if not (claim.mates or claim.points):
        return None
    ahead = after(claim.root, claim.moves[0])
    defence = PositionAnalysis((EngineLine(claim.value),), 0) if ahead.is_checkmate() else search(ahead, ())
    return _mate(claim, defence) if claim.mates else _win(search, claim, ahead, defence)


def _mate(claim: _Claim, defence: PositionAnalysis) -> Reason | None:
    line = Line(claim.root, [claim.moves[0], *defence.lines[0].moves])
    if not line.boards[-1].is_checkmate():  # It lies beyond the moves that a search tells.
        return None
    count = len(line.own_steps)
    themes = [motif.theme for motif in find_motifs(line)]
    pattern = next((theme for theme in themes if theme in MATES), None)
    mate = MATES.get(pattern or "", "mate") + (f" in {count}" if count > 1 else "")
    text = _FORMS[claim.kind][1].format(mate=mate, line=numbered(claim.root, claim.moves[:1]))
    theme = pattern or next((theme for theme in themes if theme.startswith("mateIn")), None)
    return _reason(claim, line, text, theme, (), "mate" + mate.rpartition("mate")[2])


def _win(search: Search, claim: _Claim, ahead: chess.Board, defence: PositionAnalysis) -> Reason | None:
    """The reason is the least that the opponent loses with defences that are about as good as the best one."""
    lines = [defence.lines[0], *_other_defence(search, ahead, defence.lines[0].moves, 0)]
    least = _least_gain(claim, lines)
    if least and least[0].end > _SECOND:
        lines += _other_defence(search, ahead, least[1][1:], 2)
        least = _least_gain(claim, lines)
    return least and _describe(claim, Line(claim.root, least[1][: least[0].end]), least[0])


def _other_defence(search: Search, ahead: chess.Board, line: Sequence[chess.Move], at: int) -> Iterator[EngineLine]:
    """The best line with another reply in place of one of the moves."""
    board = after(ahead, *line[:at])
    others = [move for move in board.legal_moves if move != line[at]]
    if others:
        found = search(board, others).lines[0]
        yield EngineLine(found.evaluation, found.depth, [*line[:at], *found.moves])


def _least_gain(claim: _Claim, lines: Sequence[EngineLine]) -> tuple[Gain, list[chess.Move]] | None:
    """The least that lines win, and its moves; None if one wins nothing.

    The first line has the best defence. Lines with a worse defence do not count.
    """
    values, least = [line.evaluation.relative(claim.root.turn) for line in lines], None
    mates = [(value.mate or 0) > 0 for value in values]
    for line, value, is_mate in zip(lines, values, mates, strict=True):
        if value.win_percent > values[0].win_percent + _AS_GOOD or (is_mate and not mates[0]):
            continue
        moves = [claim.moves[0], *line.moves]
        gain = claim.gain(moves, value)
        if gain is None:
            return None
        if least is None or gain.points < least[0].points:
            least = gain, moves
    return least


def _describe(claim: _Claim, line: Line, gain: Gain) -> Reason:
    motifs = [motif for motif in find_motifs(line) if motif.theme in THEMES and motif.step <= _LATEST]
    found = sorted(motifs, key=lambda motif: THEMES.index(motif.theme))
    verb, motif = next(((verb, motif) for motif in found if (verb := describe_motif(line, motif))), ("", None))
    shown = numbered(claim.root, [step.move for step in line.steps[: motif.step + 1 if motif else 1]])
    is_all = verb.endswith(f"unprotected {gain.words.removeprefix('a ')}")
    does = verb if is_all else " and ".join(filter(None, [verb, gain.verb]))
    text = _FORMS[claim.kind][0].format(line=shown, verb=does)
    if claim.kind == "allows" and (motif is None or motif.theme in LESSER):
        loss = describe_loss(claim.board, claim.played[0], line, gain)
        if loss:
            text = loss
            motif = motif if motif and motif.theme == "hangingPiece" else None
    if motif is None:
        theme = "promotion" if gain.verb.startswith("makes") else None
        return _reason(claim, line, text, theme, (line.steps[0].move.to_square,), gain.words)
    return _reason(claim, line, text, motif.theme, motif.squares, gain.words)


def _reason(
    claim: _Claim, line: Line, text: str, theme: str | None, squares: tuple[chess.Square, ...], gain: str
) -> Reason:
    moves = (*claim.played, *(step.move for step in line.steps))
    return Reason(text, theme, squares, moves, numbered(claim.board, moves), gain)


def _shown(board: chess.Board, line: Sequence[chess.Move]) -> Reason:
    """A line that proves nothing."""
    moves = tuple(line[:_SHOWN])
    return Reason(line=moves, san=numbered(board, moves))


def after(board: chess.Board, *moves: chess.Move) -> chess.Board:
    """The position after moves, with its past."""
    ahead = board.copy()
    for move in moves:
        ahead.push(move)
    return ahead
