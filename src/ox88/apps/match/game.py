"""One game between two players: moves asked in turn, clocks kept, the end found, all of it written down."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import chess
import chess.pgn

from ox88.apps.labels import label
from ox88.apps.match.openings import Opening
from ox88.apps.match.pace import Remaining
from ox88.apps.match.player import Fault, Player, Thought
from ox88.apps.match.referee import MATE_SCORE, Adjudication, Ending, by_agreement, by_rules, lost_by

DEFAULT_MARGIN: Final = 0.02  # Seconds that a message may take on its way; more than that over the time is a loss.


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for all games of a match. margin: seconds over the time that are forgiven."""

    adjudication: Adjudication = field(default_factory=Adjudication)
    margin: float = DEFAULT_MARGIN


@dataclass(frozen=True, slots=True)
class Work:
    """What a side's moves took, in sums. depth: of the moves that told one."""

    moves: int = 0
    seconds: float = 0.0
    nodes: int = 0
    depth: int = 0

    def __add__(self, other: "Work") -> "Work":
        return Work(
            self.moves + other.moves,
            self.seconds + other.seconds,
            self.nodes + other.nodes,
            self.depth + other.depth,
        )

    def after(self, thought: Thought) -> "Work":
        return self + Work(1, thought.seconds, thought.nodes, thought.depth)


NO_WORK: Final = Work()


@dataclass(frozen=True, slots=True)
class Played:
    """A game that has ended. fault: the kind of failure that lost it, if one did. work: White's and Black's."""

    ending: Ending
    pgn: str
    fault: str = ""
    work: tuple[Work, Work] = (NO_WORK, NO_WORK)


class Game:
    """A game in progress. `play` it; then all of it is in the record."""

    def __init__(self, opening: Opening, white: Player, black: Player, rules: Rules) -> None:
        self._players = {chess.WHITE: white, chess.BLACK: black}
        self._rules = rules
        self._board = opening.board()
        self._record = chess.pgn.Game.from_board(self._board)
        self._node = self._record.end()
        self._clocks = {c: Remaining(player.contender.pace.clock) for c, player in self._players.items()}
        self._scores: list[int | None] = []
        self._work = {chess.WHITE: NO_WORK, chess.BLACK: NO_WORK}
        self._fault = ""

    async def play(self, tags: Mapping[str, str]) -> Played:
        """Play it to its end. tags: for the record."""
        ending = await self._start()
        while ending is None:
            ending = by_rules(self._board) or by_agreement(self._board, self._scores, self._rules.adjudication)
            if ending is None:
                ending = await self._move()
        for player in self._players.values():
            await player.tell_result(self._board, ending.result, ending.reason)
        return self._finished(ending, tags)

    async def _start(self) -> Ending | None:
        for colour, player in self._players.items():
            try:
                await player.start()
            except Fault as fault:
                return self._lost(colour, fault)
            obstacle = player.obstacle(self._board)
            if obstacle:
                return self._lost(colour, Fault("protocol error", obstacle))
        return None

    async def _move(self) -> Ending | None:
        """Let the side to move move. The end of the game, if it fails or resigns."""
        colour = self._board.turn
        player = self._players[colour]
        try:
            thought = await player.think(self._board, self._limit(colour), self)
        except Fault as fault:
            return self._lost(colour, fault)
        if thought.has_resigned:
            return lost_by(colour, f"{player.contender.name} resigns", self._board)
        if not self._clocks[colour].spend(thought.seconds, self._rules.margin):
            return self._lost(colour, Fault("time", f"{-self._clocks[colour].seconds:.3f} s over"))
        self._write_down(colour, thought)
        return None

    def _limit(self, colour: bool) -> chess.engine.Limit:
        pace = self._players[colour].contender.pace
        limit = pace.limit(self._clocks[chess.WHITE], self._clocks[chess.BLACK], self)
        limit.remaining_moves = self._clocks[colour].moves_to_go
        return limit

    def _lost(self, colour: bool, fault: Fault) -> Ending:
        self._fault = fault.kind
        return lost_by(colour, f"{self._players[colour].contender.name} loses by {fault}", self._board)

    def _write_down(self, colour: bool, thought: Thought) -> None:
        self._work[colour] = self._work[colour].after(thought)
        self._node = self._node.add_variation(thought.move)
        if thought.score is not None:
            self._node.set_eval(thought.score, thought.depth or None)
        if self._players[colour].contender.pace.clock is not None:
            self._node.set_clock(max(0.0, self._clocks[colour].seconds))
        self._node.set_emt(thought.seconds)
        score = thought.score.white().score(mate_score=MATE_SCORE) if thought.score is not None else None
        self._scores.append(score)
        self._board.push(thought.move)

    def _finished(self, ending: Ending, tags: Mapping[str, str]) -> Played:
        white, black = (str(self._players[colour].contender.pace) for colour in (chess.WHITE, chess.BLACK))
        paces = {"WhiteTimeControl": white, "BlackTimeControl": black}
        for name, value in {**tags, **paces, "Result": ending.result, "Termination": ending.reason}.items():
            self._record.headers[name] = label(value)
        work = (self._work[chess.WHITE], self._work[chess.BLACK])
        return Played(ending, str(self._record), self._fault, work)
