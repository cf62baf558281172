"""A generation of the network from nothing, in small: games, imitation, training, and a match that it wins."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ox88.engines.modern.network.file import read_network, write_network
from tests.processes import PATIENCE, python
from tools.train.parameters import initial_parameters, quantised

pytestmark = pytest.mark.slow


def run(*arguments: Any) -> str:
    with python("-m", *map(str, arguments), stdout=subprocess.PIPE) as process:
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    return str(output)


def test_a_trained_network_beats_an_untrained_one(tmp_path: Path) -> None:
    games, first, network = tmp_path / "games", tmp_path / "first.npz", tmp_path / "network.npz"
    run("tools.datagen", "--games", 640, "--nodes", 50, "--evaluation", "handcrafted", games)
    run("tools.train", games, "-o", first, "--imitate", 4, "--epochs", 20, "--batch", 1024)
    run("tools.train", games, "-o", network, "--start", first, "--epochs", 4, "--batch", 1024)
    untrained = tmp_path / "untrained.npz"
    trained = read_network(network)
    assert trained.about["start"]["name"] == "first"
    write_network(untrained, quantised(initial_parameters(trained.hidden, 1), trained.scale, {}))
    players = [f"Ox88; name={file.stem}; EvalFile={file}" for file in (network, untrained)]
    table = run("ox88", "match", *players, "--nodes", 300, "--games", 20, "--seed", 1)
    row = re.search(r"network : untrained +(\d+) +(\d+) +(\d+)", table)
    assert row is not None, table
    games_played, won, _ = map(int, row.groups())
    assert (games_played, won > 15) == (20, True), table
