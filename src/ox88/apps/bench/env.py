"""`ox88 bench env`: random games in `ox88.Env` and in other environments, all with the legal actions and planes."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from ox88.apps.bench.batch import Measure, Task, optional, write_speeds
from ox88.batch.env.env import Env
from ox88.batch.env.observations import Observation

GAMES: Final = 1024
STEPS: Final = 100  # Of all games.
SINGLE_STEPS: Final = 5_000
PEERS_STEPS: Final = 2_000  # Of libraries that play one game at a time.

_CHOICE: Final = np.random.default_rng(88)


def bench_env(write: Callable[[str], object]) -> None:
    write("Random games, millions of steps a second")
    for task in tasks():
        write_speeds(task, 1, write)


def tasks() -> Iterator[Task]:
    kinds: tuple[tuple[Observation, str], ...] = (
        ("planes", "18 planes"),
        ("az", "119 planes"),
        ("leela", "112 planes"),
        ("nnue", "NNUE's inputs"),
    )
    for kind, what in kinds:
        yield Task(f"{GAMES} games, {what}", _ours(GAMES, STEPS, kind), _peers(GAMES) if kind == "az" else {})
    yield Task("one game, 18 planes", _ours(1, SINGLE_STEPS, "planes"), _peers(1))


def _ours(games: int, steps: int, observation: Observation) -> Callable[[int], int]:
    env = Env(games, observation=observation, seed=1)

    def run(_: int) -> int:
        for _ in range(steps):
            env.step(env.sample())
        return games * steps

    return run


def _peers(games: int) -> dict[str, Measure]:
    """Other environments, where they are installed."""
    found: dict[str, Measure] = {}
    if spooky := optional("spooky_chess"):
        found["spooky-chess"] = lambda: _play_spooky(spooky, has_planes=True)
        found["spooky-chess, no planes"] = lambda: _play_spooky(spooky, has_planes=False)
    if spiel := optional("pyspiel"):
        found["OpenSpiel"] = lambda: _play_spiel(spiel.load_game("chess"))
    if zoo := optional("pettingzoo.classic.chess_v6"):
        found["PettingZoo"] = lambda: _play_zoo(zoo.env())
    if pgx := optional("pgx"):
        found["pgx"] = _pgx_player(pgx.make("chess"), games)
    return found


def _play_spooky(spooky: Any, has_planes: bool) -> int:
    game, mask = spooky.Game.standard(), np.zeros(4672, np.bool_)
    for _ in range(PEERS_STEPS):
        if game.is_over():
            game = spooky.Game.standard()
        legal = game.legal_alphazero_action_indices()
        mask.fill(False)
        mask[legal] = True
        if has_planes:  # A list of Python's numbers.
            game.encode_game_planes()
        game.apply_alphazero_action(_one_of(legal))
    return PEERS_STEPS


def _play_spiel(game: Any) -> int:
    state = game.new_initial_state()
    for _ in range(PEERS_STEPS):
        if state.is_terminal():
            state = game.new_initial_state()
        state.legal_actions_mask()
        state.observation_tensor()
        state.apply_action(_one_of(state.legal_actions()))
    return PEERS_STEPS


def _play_zoo(env: Any) -> int:
    env.reset()
    for _ in range(PEERS_STEPS // 10):
        observation, _, ended, cut, _ = env.last()
        if ended or cut:
            env.reset()
        else:
            env.step(int(_one_of(np.flatnonzero(observation["action_mask"]))))
    return PEERS_STEPS // 10


def _one_of(actions: Any) -> Any:
    return actions[_CHOICE.integers(len(actions))]


def _pgx_player(env: Any, games: int) -> Measure:
    """Its steps of all games are compiled, and a game that has ended begins anew."""
    jax, wrappers = optional("jax"), optional("pgx.experimental.wrappers")
    step = jax.jit(jax.vmap(wrappers.auto_reset(env.step, env.init)))
    choose = jax.jit(lambda key, mask: jax.random.categorical(key, jax.numpy.log(mask), axis=-1))
    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games))
    steps = max(PEERS_STEPS // games, 2)

    def play() -> int:
        nonlocal states
        key = jax.random.PRNGKey(1)
        for _ in range(steps):
            key, first, second = jax.random.split(key, 3)
            actions = choose(first, states.legal_action_mask)
            states = step(states, actions, jax.random.split(second, games))
        jax.block_until_ready(states.observation)
        return games * steps

    return play
