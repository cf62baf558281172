"""`ox88 bench tree`: simulations of `ox88.TreeSearch` with a network that costs nothing, and with a small one."""

import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.apps.bench.batch import Task, optional, write_speeds
from ox88.batch.env.tree_search import Evaluate, TreeSearch

GAMES: Final = 256
SIMULATIONS: Final = 800
LEAVES: Final = (1, 4)
HIDDEN: Final = 128
FILTERS: Final = 32
_ACTIONS: Final = 4672


def bench_tree(write: Callable[[str], object]) -> None:
    write(f"A search in {GAMES} games, millions of simulations a second")
    for leaves in LEAVES:
        tree = TreeSearch(_constant(GAMES * leaves), GAMES, SIMULATIONS, leaves=leaves, seed=1)
        name = f"constant, leaves={leaves}, {tree.nbytes / 1e6:.0f} MB"
        write_speeds(Task(name, lambda _, tree=tree: _search(tree)), 1, write)  # type: ignore[misc]  # Mypy does not infer a default.
    for name, network in _networks().items():
        write(f"{name:28} {100 * _own_share(network):9.1f} % of the time is the search's own")


def _search(tree: TreeSearch) -> int:
    tree.reset(1)
    tree.search()
    return len(tree) * SIMULATIONS


def _constant(most: int) -> Evaluate:
    logits, values = np.zeros((most, _ACTIONS), np.float32), np.zeros(most, np.float32)
    return lambda planes: (logits[: len(planes)], values[: len(planes)])


def _own_share(network: Evaluate) -> float:
    """The share of a search's time that is not the network's, by the clock, after a search to warm up."""
    spent = 0.0

    def evaluate(planes: NDArray[np.uint8]) -> tuple[Any, Any]:
        nonlocal spent
        started = time.perf_counter()
        answer = network(planes)
        spent += time.perf_counter() - started
        return answer

    tree = TreeSearch(evaluate, GAMES, SIMULATIONS // 4, seed=1)
    tree.search()
    tree.reset(1)
    spent, started = 0.0, time.perf_counter()
    tree.search()
    return 1 - spent / (time.perf_counter() - started)


def _networks() -> dict[str, Evaluate]:
    """A layer of neurons by NumPy and, where torch is installed, two convolutions by it, on one core."""
    choice = np.random.default_rng(88)
    shapes = (18 * 64, HIDDEN), (HIDDEN, _ACTIONS + 1)
    first, second = (choice.normal(0, 0.02, shape).astype(np.float32) for shape in shapes)

    def by_numpy(planes: NDArray[np.uint8]) -> tuple[Any, Any]:
        outputs = np.maximum(planes.reshape(len(planes), -1).astype(np.float32) @ first, 0) @ second
        return outputs[:, 1:], np.tanh(outputs[:, 0])

    networks: dict[str, Evaluate] = {f"NumPy, {HIDDEN} neurons": by_numpy}
    if torch := optional("torch"):
        networks[f"torch, {FILTERS} filters twice"] = _convolutions(torch)
    return networks


def _convolutions(torch: Any) -> Evaluate:
    torch.set_num_threads(1)
    body = torch.nn.Sequential(
        torch.nn.Conv2d(18, FILTERS, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.Conv2d(FILTERS, FILTERS, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.Conv2d(FILTERS, _ACTIONS // 64 + 1, 1),
    )

    def evaluate(planes: NDArray[np.uint8]) -> tuple[Any, Any]:
        with torch.inference_mode():
            outputs = body(torch.from_dlpack(planes).float())
            return outputs[:, 1:].permute(0, 2, 3, 1).flatten(1), torch.tanh(outputs[:, 0].mean((1, 2)))

    return evaluate
