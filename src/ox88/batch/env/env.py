"""Thousands of games at once, as an environment for reinforcement learning and self-play."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

import chess
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ox88.batch.env.observations import COUNTS, NAMES, Observation
from ox88.batch.env.records import GAME, make_rules
from ox88.batch.env.step import NO_ROW, find_moves, sample_all, step_all
from ox88.batch.learning.policy import SIZES, Layout, policy_record
from ox88.batch.positions.positions import Positions
from ox88.batch.rows.arguments import RowError, as_numbers, check_number
from ox88.batch.rows.chunks import count_threads, in_chunks
from ox88.batch.rules.fields import Outcome
from ox88.bitboard.records import POSITION, as_array, make_buffer
from ox88.bitboard.tables import board_tables
from ox88.errors import Ox88Error

Start = Positions | Literal["standard", "chess960"]
Autoreset = Literal["same_step", "next_step"]
_STANDARD: Final = 518  # The number of the usual start among those of Chess960.
MAX_GAMES: Final = 1 << 20
_CHUNK: Final = 256  # Games. A step of so many takes as long as it takes to wake a thread.


class Step(NamedTuple):
    """What a step of n games gives. The arrays are the environment's: the next step writes to them.

    Attributes:
        observations: uint8[n, planes, 8, 8], or int16[n, 2, 32] for "nnue", for the side to move after the step.
        rewards: float32[n], for the side that has moved: 1 for checkmate, else 0.
        outcomes: int8[n], the `ox88.Outcome` of the games that have ended by this step; 0 for the others.
    """

    observations: NDArray[Any]
    rewards: NDArray[np.float32]
    outcomes: NDArray[np.int8]


class Env:
    """Games that are played side by side, a move in each at every step.

        env = ox88.Env(1024)
        while training:
            observations, rewards, outcomes = env.step(choose(env.observations, env.mask))

    A game ends by checkmate, stalemate, too little material, repetition, fifty or seventy-five moves, or after
    `most_plies`. Actions are the indices of a network's policy head (ox88.batch.learning.policy), and everything is
    seen by the side to move. Gymnasium's and PettingZoo's classes are in ox88.batch.env.gymnasium and .pettingzoo.
    `copy.deepcopy` and pickle make environments of their own, which go on with equal random numbers.

    Args:
        games: Number of games, 1 to 1,048,576.
        observation: "planes" for 18 planes, "az" for AlphaZero's 119, "leela" for Leela Chess Zero's 112, "nnue" for
            the pieces as sparse inputs (ox88.batch.env.observations).
        layout: Of the actions: "az" for 4,672, "compact" for 1,858.
        start: "standard", "chess960" for its 960 starts, or Positions; each game begins at one of them, by chance.
        most_plies: After so many plies a game ends, by Outcome.PLY_LIMIT. None for no limit.
        autoreset: When the next game begins: "same_step", so that the position after the step that ends a game is the
            first one of the next, or "next_step": then that is still the last one of the game, with an empty mask, and
            the next step begins the next game and ignores its action. (The names are Gymnasium's.)
        claim_draw: True: the third repetition and fifty moves are a draw. False: the fifth and seventy-five are.
        seed: Of starts and samples. Equal seeds give equal games; None for a new one.
        threads: Number of threads.

    Raises:
        TypeError, Ox88Error: An argument is of a wrong type, or out of range.
        RowError: A game cannot begin at a position of `start`: there is no legal move.
    """

    def __init__(
        self,
        games: int = 1,
        *,
        observation: Observation = "planes",
        layout: Layout = "az",
        start: Start = "standard",
        most_plies: int | None = 512,
        autoreset: Autoreset = "same_step",
        claim_draw: bool = True,
        seed: int | None = None,
        threads: int = 1,
    ) -> None:
        check_number("games", games, 1, MAX_GAMES)
        if observation not in NAMES:
            raise Ox88Error(f"observation {observation!r}: one of {', '.join(NAMES)} is expected")
        if autoreset not in ("same_step", "next_step"):
            raise Ox88Error(f"autoreset {autoreset!r}: 'same_step' or 'next_step' is expected")
        if not isinstance(claim_draw, (bool, np.bool_)):
            raise TypeError(f"claim_draw is {claim_draw!r}: True or False is expected")
        if most_plies is not None:
            check_number("most_plies", most_plies, 1)
        self._threads = count_threads(threads)
        rules = make_rules(claim_draw, autoreset == "next_step", most_plies, NAMES.index(observation))
        shared = [as_array(record) for record in (board_tables(), policy_record(layout), rules)]
        self._shared = *shared, _starts(start).view(np.ndarray)
        self._positions = make_buffer(games * POSITION.itemsize).view(POSITION)
        self._games = make_buffer(games * GAME.itemsize).view(GAME)
        self._actions = np.zeros(games, np.int64)
        self._words = make_buffer(games * COUNTS[observation] * 64).view(np.uint64).reshape(games, -1)
        self._is_nnue = observation == "nnue"
        self.observations: NDArray[Any] = self._seen(self._words)
        """uint8[n, planes, 8, 8], or int16[n, 2, 32]: the games, each seen by its side to move."""
        self.mask: NDArray[np.bool_] = np.zeros((games, SIZES[layout]), np.bool_)
        """bool[n, actions]: True for the legal actions."""
        self._step = Step(self.observations, np.zeros(games, np.float32), np.zeros(games, np.int8))
        played = self._step.outcomes, self._step.rewards, self._actions
        self._arrays = self._positions, self._games, self.mask, self._words, *played
        self.reset(seed)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Of a copy, also by pickle, in which each array has memory of its own: the views are made anew."""
        self.__dict__.update(state)
        self.observations = self._seen(self._words)
        self._step = self._step._replace(observations=self.observations)

    def __len__(self) -> int:
        return len(self._positions)

    def reset(self, seed: int | None = None) -> NDArray[Any]:
        """Begin all games anew. Returns the observations."""
        if seed is not None:
            check_number("seed", seed, 0)
        self._games["random"] = np.random.default_rng(seed).integers(0, 1 << 64, len(self), np.uint64)
        self._games["is_over"] = 1
        self._play()
        return self.observations

    def step(self, actions: ArrayLike) -> Step:
        """Play an action in each game.

        Args:
            actions: Whole numbers [n], each a legal action of its game.

        Raises:
            RowError: An action is not legal; no game has changed.
            TypeError: The actions are not whole numbers.
            Ox88Error: They are not n.
        """
        self._actions[:] = as_numbers("actions", actions, len(self), "whole numbers are expected")
        row = self._play()
        if row != NO_ROW:
            action, fen = self._actions[row], self.positions[row].fen
            raise RowError(row, f"action {action} is not legal in {fen}: one that `mask` has is expected")
        return self._step

    def _play(self) -> int:
        """Play the actions, and begin games that are over. Returns the row of an illegal action, or NO_ROW."""
        if self._threads == 1:
            return int(step_all(*self._shared, *self._arrays))
        illegal = int(find_moves(self._games, self._actions))  # In all, before a thread plays the first.
        if illegal == NO_ROW:

            def work(rows: slice) -> None:
                step_all(*self._shared, *(array[rows] for array in self._arrays))

            in_chunks(work, len(self), self._threads, max(_CHUNK, -(-len(self) // self._threads)))
        return illegal

    def sample(self) -> NDArray[np.int64]:
        """int64[n]: a legal action of each game, chosen by chance; 0 for games that are over."""
        actions = np.empty(len(self), np.int64)
        sample_all(self._games, actions)
        return actions

    @property
    def positions(self) -> Positions:
        """A copy of the positions in which the games are now."""
        return Positions._of(self._positions.copy())

    @property
    def turn(self) -> NDArray[np.uint8]:
        """uint8[n]: the sides to move, `ox88.WHITE` = 0 or `ox88.BLACK` = 1."""
        return np.array(self._positions["turn"])

    @property
    def plies(self) -> NDArray[np.int64]:
        """int64[n]: plies since the start of each game."""
        return np.array(self._games["plies"])

    def _seen(self, words: NDArray[Any]) -> NDArray[Any]:
        """A view of words as observations."""
        kind, shape = (np.int16, (2, 32)) if self._is_nnue else (np.uint8, (-1, 8, 8))
        return words.view(kind).reshape(len(words), *shape)


def _starts(start: Any) -> Any:
    """POSITION[m]: where games may begin. Raises TypeError, Ox88Error, RowError."""
    expected = "'standard', 'chess960' or ox88.Positions are expected"
    if isinstance(start, str):
        if start not in ("standard", "chess960"):
            raise Ox88Error(f"start {start!r}: {expected}")
        numbers = range(960) if start == "chess960" else [_STANDARD]
        return Positions.from_boards([chess.Board.from_chess960_pos(number) for number in numbers])._records
    if not isinstance(start, Positions):
        raise TypeError(f"start is of type {type(start).__name__}: {expected}")
    if not len(start):
        raise Ox88Error("start: at least one position is expected")
    outcomes = start.outcome()
    for row in np.flatnonzero((outcomes == Outcome.CHECKMATE) | (outcomes == Outcome.STALEMATE))[:1]:
        raise RowError(int(row), f"no game can begin without a legal move: {start[int(row)].fen}")
    return start._records
