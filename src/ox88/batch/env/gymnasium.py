"""`ox88.Env` as a vector environment of Gymnasium: `pip install ox88[env]`."""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ox88.batch.env.env import Env
from ox88.batch.rules.fields import Outcome
from ox88.errors import Ox88Error

_Seen = NDArray[Any]
_Flags = NDArray[np.bool_]


def observation_space(env: Env) -> Box:
    """The space of the observations of one game."""
    least, most = (-1, 767) if env.observations.dtype == np.int16 else (0, 255)
    return Box(least, most, env.observations.shape[1:], env.observations.dtype.type)


class ChessVectorEnv(VectorEnv[_Seen, NDArray[np.int64], NDArray[Any]]):
    """Games side by side, in each of which one agent plays both colours.

    Rewards are for the side that has moved. Illegal actions raise RowError: `infos["action_mask"]`, int8[n, actions] as
    `single_action_space.sample` takes it, has 1 for the legal ones. A game that has ended begins anew in the next step
    (AutoresetMode.NEXT_STEP).

    Args:
        num_envs: Number of games.
        copy: False to return the arrays of the environment, to which the next step writes.
        settings: As for `ox88.Env`.

    Raises:
        Ox88Error: As for `ox88.Env`; also from a step after `close`.
    """

    def __init__(self, num_envs: int = 1, *, copy: bool = True, **settings: Any) -> None:
        self._env = Env(num_envs, autoreset="next_step", **settings)
        self._copy = copy
        self.num_envs = num_envs
        self.metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.render_mode = None
        self.single_observation_space = observation_space(self._env)
        self.single_action_space = Discrete(self._env.mask.shape[1])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Seen, dict[str, Any]]:
        """Begin all games. Returns observations and infos. Raises Ox88Error for options, and for a list of seeds."""
        if options:
            raise Ox88Error(f"options {options}: none are known")
        if isinstance(seed, list):
            raise Ox88Error("a list of seeds: one seed for all games is expected")
        super().reset(seed=seed)
        self._open().reset(seed)
        return self._seen(), self._infos()

    def step(self, actions: NDArray[np.int64]) -> tuple[_Seen, NDArray[np.float32], _Flags, _Flags, dict[str, Any]]:
        """Play an action in each game. Returns observations, rewards, terminations, truncations and infos."""
        done = self._open().step(actions)
        truncated = done.outcomes == Outcome.PLY_LIMIT
        return self._seen(), done.rewards.copy(), (done.outcomes != 0) & ~truncated, truncated, self._infos()

    def _open(self) -> Env:
        if self.closed:
            raise Ox88Error("the environment is closed")
        return self._env

    def _seen(self) -> _Seen:
        return self._env.observations.copy() if self._copy else self._env.observations

    def _infos(self) -> dict[str, Any]:
        mask = self._env.mask.view(np.int8)
        return {"action_mask": mask.copy() if self._copy else mask}
