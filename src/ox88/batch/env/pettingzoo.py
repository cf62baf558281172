"""`ox88.Env` as an environment of PettingZoo for two players: `pip install ox88[env]`."""

from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv

from ox88.batch.env.env import Env
from ox88.batch.env.gymnasium import observation_space
from ox88.batch.rules.fields import Outcome
from ox88.errors import Ox88Error


class ChessAECEnv(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]  # PettingZoo has no types.
    """A game of "player_0", White, against "player_1". The one who mates gets 1, the other one -1; a draw gives 0.

    An observation is a dict: "observation", a row of `ox88.Env`'s, the position as the player that is to move sees it,
    and "action_mask", int8[actions], 1 for the legal actions. An illegal action raises RowError.

    Args:
        settings: As for `ox88.Env`.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "ox88_chess_v0", "render_modes": [], "is_parallelizable": False}
    render_mode = None

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self._env = Env(1, autoreset="next_step", **settings)
        self.possible_agents = ["player_0", "player_1"]
        actions = self._env.mask.shape[1]
        seen: dict[str, Space[Any]] = {
            "observation": observation_space(self._env),
            "action_mask": Box(0, 1, (actions,), np.int8),
        }
        self.observation_spaces = {agent: Dict(seen) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}
        self.agents: list[str] = []
        self._is_closed = False

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. There are no options; PettingZoo's own checker gives some that are ignored."""
        del options
        self._open().reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def step(self, action: int | None) -> None:
        """Play an action of the agent whose turn it is; None once the game is over."""
        env = self._open()
        if not self.agents:
            raise Ox88Error("no game goes on: reset is expected before the first step, and after the last one")
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        done = env.step(np.array([action]))
        mover = self.agent_selection
        self.agent_selection = self._to_move()
        self._cumulative_rewards[mover] = 0
        won, outcome = int(done.rewards[0]), int(done.outcomes[0])
        self.rewards = {agent: won if agent == mover else -won for agent in self.agents}
        self.truncations = dict.fromkeys(self.agents, outcome == Outcome.PLY_LIMIT)
        self.terminations = dict.fromkeys(self.agents, outcome not in (Outcome.NONE, Outcome.PLY_LIMIT))
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent that is to move sees. The other one is shown the same, and has no legal action.

        Raises Ox88Error for an agent that is none.
        """
        if agent not in self.possible_agents:
            raise Ox88Error(f"agent {agent!r}: {' or '.join(self.possible_agents)} is expected")
        mask = self._env.mask[0].astype(np.int8)
        return {
            "observation": self._env.observations[0].copy(),
            "action_mask": mask if agent == self._to_move() else np.zeros_like(mask),
        }

    def render(self) -> None:
        """Draw nothing: `ox88.show(...)` draws a position."""

    def close(self) -> None:
        self._is_closed = True

    def _open(self) -> Env:
        if self._is_closed:
            raise Ox88Error("the environment is closed")
        return self._env

    def _to_move(self) -> str:
        return f"player_{self._env.turn[0]}"
