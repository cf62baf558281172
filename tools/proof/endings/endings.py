"""Ends of games: draws by every rule, forced mates, and solved endings that are played out."""

from random import Random
from typing import ClassVar

import ox88
from ox88.apps.bench.perft import find_stockfish
from ox88.errors import Ox88Error
from tools.proof.campaign import Campaign, Tally
from tools.proof.endings import drawn, mates, playing


class Endings(Campaign):
    """A case is a game that ends in a draw, and by its number a mate or a solved ending."""

    goal: ClassVar = 10_000
    block: ClassVar = 21  # Three of each part.

    def __init__(self) -> None:
        """Raises Ox88Error without Stockfish."""
        command = find_stockfish()
        if command is None:
            raise Ox88Error("Stockfish is not installed: it is the judge of mates")
        self._stockfish = mates.Stockfish(command)
        self._engine = ox88.Engine({"Hash": 16})
        self._with_tables = playing.engine_with_tables()
        self._parts = (
            self._solved_mate,
            self._mate_of_few_men,
            self._mate_of_a_game,
            self._win,
            self._hold,
            self._win_by_tables,
            self._hold_by_tables,
        )

    def run(self, case: int, seed: int, tally: Tally) -> None:
        random = Random(f"{seed} {case}")  # noqa: S311 - No secrets.
        game = drawn.GAMES[case % len(drawn.GAMES)](random)
        drawn.judge(game, self._engine, random, tally)
        self._parts[case % len(self._parts)](random, tally)

    def _solved_mate(self, random: Random, tally: Tally) -> None:
        mates.judge_solved(mates.solved_board(random), self._engine, tally)

    def _mate_of_few_men(self, random: Random, tally: Tally) -> None:
        mates.judge_some(lambda: mates.ending(random), self._engine, self._stockfish, tally)

    def _mate_of_a_game(self, random: Random, tally: Tally) -> None:
        mates.judge_some(lambda: mates.middlegame(random, self._engine), self._engine, self._stockfish, tally)

    def _win(self, random: Random, tally: Tally) -> None:
        playing.win(playing.alone(self._engine), random, tally)

    def _hold(self, random: Random, tally: Tally) -> None:
        playing.hold(playing.alone(self._engine), random, tally)

    def _win_by_tables(self, random: Random, tally: Tally) -> None:
        playing.win(playing.by_tables(self._with_tables), random, tally)

    def _hold_by_tables(self, random: Random, tally: Tally) -> None:
        playing.hold(playing.by_tables(self._with_tables), random, tally)
