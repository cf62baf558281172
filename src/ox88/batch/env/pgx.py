"""`ox88.Env` by the names of pgx: `init`, `step` and a `State`. It needs neither pgx nor JAX."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ox88.batch.env.env import Env
from ox88.batch.rules.fields import Outcome
from ox88.errors import Ox88Error


class State(NamedTuple):
    """n games. Unlike pgx's, only the newest state of an environment can be stepped.

    Attributes:
        current_player: int8[n]: 0 where White is to move, 1 where Black is.
        observation: uint8[n, 8, 8, planes], pgx's order of axes.
        rewards: float32[n, 2], for White and Black: 1 for who has mated by this step, -1 for the other one, else 0.
        terminated: bool[n]: the game has ended by this step.
        truncated: bool[n]: it has ended by `most_plies`.
        legal_action_mask: bool[n, actions].
    """

    current_player: NDArray[np.int8]
    observation: NDArray[Any]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    legal_action_mask: NDArray[np.bool_]


class Chess:
    """Games side by side, as pgx's `vmap(auto_reset(env.step, env.init))` plays them.

    A game that has ended begins anew at once: then a state has the rewards of the old game and the first observation
    of the new one. Actions are the policy indices of `ox88.Env`, of which pgx numbers the squares otherwise.

    Args:
        games: Number of games.
        settings: As for `ox88.Env`. The observation is "az" by default.

    Raises:
        Ox88Error: As for `ox88.Env`.
    """

    id = "chess"
    num_players = 2

    def __init__(self, games: int = 1, **settings: Any) -> None:
        if settings.get("autoreset", "same_step") != "same_step" or settings.get("observation") == "nnue":
            raise Ox88Error("pgx's names: planes, and games that begin anew in the same step, are expected")
        self._env = Env(games, **{"observation": "az"} | settings)
        self.num_actions = self._env.mask.shape[1]
        self.observation_shape = self._seen().shape[1:]
        self._state: State | None = None

    def init(self, key: int | None = None) -> State:
        """Begin all games. key: a seed; None for a new one."""
        self._env.reset(key)
        nothing = np.zeros(len(self._env), np.bool_)
        return self._new(np.zeros((len(self._env), 2), np.float32), nothing, nothing)

    def step(self, state: State, action: ArrayLike) -> State:
        """Play an action in each game. Raises RowError for an illegal one, Ox88Error for a state that is not newest."""
        if state is not self._state:
            raise Ox88Error("a state that has been stepped: the newest state is expected")
        done = self._env.step(action)
        rewards = np.where(np.arange(2) == state.current_player[:, np.newaxis], 1, -1) * done.rewards[:, np.newaxis]
        truncated = done.outcomes == Outcome.PLY_LIMIT
        return self._new(rewards.astype(np.float32), (done.outcomes != 0) & ~truncated, truncated)

    def _new(self, rewards: NDArray[np.float32], terminated: NDArray[Any], truncated: NDArray[Any]) -> State:
        turn, mask = self._env.turn.astype(np.int8), self._env.mask.copy()
        self._state = State(turn, self._seen(), rewards, terminated, truncated, mask)
        return self._state

    def _seen(self) -> NDArray[Any]:
        return np.moveaxis(self._env.observations, 1, -1).copy()
