"""The faces of ox88.Env: Gymnasium's and PettingZoo's by the checkers of these libraries, and pgx's names."""

from typing import Any

import chess
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray
from pettingzoo.test import api_test, seed_test

import ox88
from ox88.batch.env.gymnasium import ChessVectorEnv
from ox88.batch.env.pettingzoo import ChessAECEnv
from ox88.batch.env.pgx import Chess, State

MATE_IN_1 = ox88.Positions.from_fens(["6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"])


class OneGame(gymnasium.Env[Any, Any]):
    """A vector environment of one game. Any action means a legal one, since Gymnasium's checker knows no masks."""

    def __init__(self) -> None:
        self.games = ChessVectorEnv(1, most_plies=40)
        self.observation_space = self.games.single_observation_space
        self.action_space = self.games.single_action_space
        self.render_mode = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        observations, self.infos = self.games.reset(seed=seed, options=options)
        return observations[0], {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        legal = np.flatnonzero(self.infos["action_mask"][0])
        observations, rewards, ended, cut, self.infos = self.games.step(legal[[action % len(legal)]])
        return observations[0], float(rewards[0]), bool(ended[0]), bool(cut[0]), {}


def _legal(infos: dict[str, Any], generator: np.random.Generator) -> NDArray[np.int64]:
    actions = [generator.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in infos["action_mask"]]
    return np.array(actions)


def test_gymnasium() -> None:
    check_env(OneGame(), skip_render_check=True)


def test_sparse_observations_are_in_their_space() -> None:
    games = ChessVectorEnv(3, observation="nnue")
    observations, _ = games.reset(seed=1)
    assert observations.shape == (3, 2, 32)
    assert games.observation_space.contains(observations)
    assert not games.observation_space.contains(observations - 10)  # -2 is no feature.


def test_gymnasium_counts_episodes() -> None:
    """Its own wrapper agrees about lengths of games, where each begins one step after the end of the one before."""
    games = ChessVectorEnv(3, most_plies=20, seed=1)
    assert games.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    watched, generator = RecordEpisodeStatistics(games), np.random.default_rng(1)
    observations, infos = watched.reset(seed=3)
    assert watched.observation_space.contains(observations)
    assert infos["action_mask"][0, watched.single_action_space.sample(infos["action_mask"][0])]
    for step in range(1, 43):
        observations, _, ended, cut, infos = watched.step(_legal(infos, generator))
        assert watched.observation_space.contains(observations)
        assert cut.all() == (step % 21 == 20)
        assert not ended.any()
        if cut.all():
            assert infos["episode"]["l"].tolist() == [20, 20, 20]
            assert not infos["action_mask"].any()


def test_gymnasium_mate() -> None:
    games = ChessVectorEnv(2, start=MATE_IN_1)
    _, infos = games.reset(seed=0)
    mate = MATE_IN_1.policy_index(["Ra8#"])[0]
    quiet = MATE_IN_1.policy_index(["Kd1"])[0]
    assert infos["action_mask"][:, [mate, quiet]].all()
    seen, rewards, ended, cut, infos = games.step(np.array([mate, quiet]))
    assert rewards.tolist() == [1, 0]
    assert ended.tolist() == [True, False]
    assert not cut.any()
    assert not infos["action_mask"][0].any()
    last = seen.copy()
    answer = np.array([0, np.flatnonzero(infos["action_mask"][1])[0]])  # The action of a game that is over is ignored.
    seen, rewards, ended, _, infos = games.step(answer)
    assert infos["action_mask"][0, mate]
    assert rewards.tolist() == [0, 0]
    assert not ended.any()
    assert not np.array_equal(seen[0], last[0])


def test_gymnasium_refuses() -> None:
    games = ChessVectorEnv(2)
    with pytest.raises(ox88.Ox88Error, match="a list of seeds"):
        games.reset(seed=[1, 2])
    with pytest.raises(ox88.Ox88Error, match="options"):
        games.reset(options={"fen": "x"})
    with pytest.raises(ox88.RowError, match="row 0: action 0"):
        games.step(np.array([0, 0]))
    games.close()
    with pytest.raises(ox88.Ox88Error, match="the environment is closed"):
        games.step(np.array([877, 877]))


# PettingZoo's checker warns of all observations with masks, also of those of its own chess.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.parametrize("observation", ["planes", "az", "leela"])
def test_pettingzoo(observation: str) -> None:
    api_test(ChessAECEnv(observation=observation, most_plies=80), num_cycles=200)


def test_pettingzoo_seeds() -> None:
    seed_test(lambda: ChessAECEnv(start="chess960"), num_cycles=100)


def test_pettingzoo_mate() -> None:
    game = ChessAECEnv(start=MATE_IN_1)
    with pytest.raises(ox88.Ox88Error, match="no game goes on: reset is expected"):
        game.step(0)
    game.reset()
    with pytest.raises(ox88.Ox88Error, match="agent 'Ann': player_0 or player_1 is expected"):
        game.observe("Ann")
    assert game.agent_selection == "player_0"
    assert not game.observe("player_1")["action_mask"].any()
    game.step(int(MATE_IN_1.policy_index(["Ra8#"])[0]))
    assert game.rewards == {"player_0": 1, "player_1": -1}
    assert game.terminations == {"player_0": True, "player_1": True}
    for agent in game.agent_iter():
        assert game.last()[1] == (1 if agent == "player_0" else -1)
        game.step(None)
    with pytest.raises(ox88.Ox88Error, match="no game goes on"):
        game.step(None)
    game.close()
    with pytest.raises(ox88.Ox88Error, match="the environment is closed"):
        game.step(0)
    with pytest.raises(ox88.Ox88Error, match="the environment is closed"):
        game.reset()


def _mate(env: Chess, sans: tuple[str, ...]) -> State:
    state, board = env.init(1), chess.Board()
    for san in sans:
        assert state.current_player.tolist() == [not board.turn] * 2
        state = env.step(state, ox88.Positions.from_boards([board] * 2).policy_index([san] * 2))
        board.push_san(san)
    return state


def test_the_names_of_pgx() -> None:
    env = Chess(2, most_plies=6)
    assert (env.num_actions, env.observation_shape, env.num_players) == (4672, (8, 8, 119), 2)
    state = _mate(env, ("f3", "e5", "g4", "Qh4"))
    assert state.rewards.tolist() == [[-1, 1]] * 2
    assert state.terminated.all()
    assert not state.truncated.any()
    assert np.array_equal(state.observation, env.init().observation)  # Of the next game.
    state = _mate(env, ("e4", "f6", "d4", "g5", "Qh5"))
    assert state.rewards.tolist() == [[1, -1]] * 2
    state = _mate(env, ("Nf3", "Nf6", "Ng1", "Ng8", "e4", "e5"))
    assert state.truncated.all()
    assert not state.terminated.any()
    assert not state.rewards.any()


def test_planes_and_old_states_by_the_names_of_pgx() -> None:
    env, twin = Chess(3), ox88.Env(3, observation="az", seed=5)
    state = env.init(5)
    for _ in range(5):
        actions = twin.sample()
        twin.step(actions)
        before, state = state, env.step(state, actions)
        assert np.array_equal(state.observation, twin.observations.transpose(0, 2, 3, 1))
        assert np.array_equal(state.legal_action_mask, twin.mask)
    with pytest.raises(ox88.Ox88Error, match="a state that has been stepped: the newest state is expected"):
        env.step(before, actions)
    wrong: list[dict[str, Any]] = [{"observation": "nnue"}, {"autoreset": "next_step"}]
    for settings in wrong:
        with pytest.raises(ox88.Ox88Error, match="planes, and games that begin anew in the same step, are expected"):
            Chess(**settings)
