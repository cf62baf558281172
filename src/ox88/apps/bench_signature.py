"""`ox88 bench`: the benchmark searched, line by line. The sum of its nodes tells whether two versions play alike."""

import time
from collections.abc import Callable
from typing import Final

from ox88.apps.engines import Settings, has_option, make_ready_engine
from ox88.engines import benchmark
from ox88.engines.base import EngineEntry, Info
from ox88.types import to_uci

USUAL: Final[Settings] = {"Threads": 1, "Hash": 16}  # Where the engine has them.


def bench_signature(entry: EngineEntry, depth: int, settings: Settings, write: Callable[[str], object]) -> None:
    """Search the benchmark's positions to a depth in plies, and write a line on each and the sum of their nodes.

    The last lines are Stockfish's, so that the tools which read those can read these. Raises EngineError.
    """
    usual = {name: value for name, value in USUAL.items() if has_option(entry, name)}
    engine = make_ready_engine(entry, {**usual, **settings})
    nodes = 0
    started = time.perf_counter()
    for number, (fen, info) in enumerate(benchmark.run(engine, depth), 1):
        nodes += info.nodes
        write(position_line(number, fen, info))
    seconds = time.perf_counter() - started
    write("")
    write(f"Total time (ms) : {1000 * seconds:.0f}")
    write(f"Nodes searched  : {nodes}")
    write(f"Nodes/second    : {nodes / max(seconds, 1e-9):.0f}")


def position_line(number: int, fen: str, info: Info) -> str:
    """What came of a position of the benchmark."""
    found = f"{to_uci(info.best_move):5} {info.score!s:>7}"
    return f"{number:2d}/{len(benchmark.FENS)}  depth {info.depth:2d} {info.nodes:9d} nodes  {found}  {fen}"
