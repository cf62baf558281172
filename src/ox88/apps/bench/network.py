"""`ox88 bench network`: a forward pass and an update of the network, compared with C where there is a compiler.

The C program is network.c, compiled by gcc or cc. Both programs work on the same records and must give the same
numbers.
"""

import ctypes
import shutil
import subprocess
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ox88.apps.bench.batch import Measure, measure
from ox88.batch.positions.positions import Positions
from ox88.bitboard.moves import do_move, list_changes
from ox88.bitboard.records import CHANGES, UNDO, as_array, make_record
from ox88.bitboard.tables import board_tables
from ox88.engines.benchmark import FENS
from ox88.engines.modern.network.inference import output, update
from ox88.engines.modern.network.records import ACCUMULATOR, BUCKETS, HIDDEN, MOST_OUTPUT_WEIGHT, NETWORK
from ox88.errors import Ox88Error
from ox88.jit import kernel

TIMES: Final = 1_000_000  # Forward passes or updates in a run.
PLIES: Final = 64  # Accumulators that follow each other, as in a search; a power of two.
LAST_PLY = np.int64(PLIES - 1)
LAST_BUCKET = np.int64(BUCKETS - 1)
SOURCE: Final = Path(__file__).with_suffix(".c")
_FLAGS: Final = ("-O3", "-march=native", "-shared", "-fPIC", f"-DHIDDEN={HIDDEN}", f"-DBUCKETS={BUCKETS}")


@dataclass(frozen=True)
class Work:
    """What is computed with: a NETWORK, ACCUMULATOR[PLIES + 1], and CHANGES[m] of m moves."""

    network: NDArray[Any]
    accumulators: NDArray[Any]
    moves: NDArray[Any]


Runner = Callable[[Work, int], int]  # Computes a number of times; returns a number that depends on every result.


def bench_network(write: Callable[[str], object]) -> None:
    """Measure nanoseconds. Raises Ox88Error if the C program computes something else."""
    runners: dict[str, dict[str, Runner]] = {"Ox88": {"forward pass": _outputs, "update": _updates}}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        compiler = shutil.which("gcc") or shutil.which("cc")
        if compiler is not None:
            runners[Path(compiler).name] = c_runners(compiler, Path(folder))
        write(f"N = {HIDDEN}; an update is of both sides, the mean of every legal move of {len(FENS)} positions")
        for name in runners["Ox88"]:
            write_times(name, {maker: found[name] for maker, found in runners.items()}, write)
    if compiler is None:
        write("no C compiler is installed: no ratio to it")


def write_times(name: str, runners: dict[str, Runner], write: Callable[[str], object]) -> None:
    if len({tuple(run(part, PLIES) for part in _parts(make_work())) for run in runners.values()}) > 1:
        raise Ox88Error(f"the {name} in C gives other numbers: {SOURCE} must compute what the kernels do")
    work = make_work()
    speeds = measure({maker: (_measured(run, work), time.process_time) for maker, run in runners.items()})
    times = {maker: 1e3 / speed for maker, speed in speeds.items()}
    ours = times.pop("Ox88")
    ratios = "".join(f"   {maker} {other:7.1f} ns   {ours / other:5.2f} x {maker}" for maker, other in times.items())
    write(f"{name:14} {ours:7.1f} ns{ratios}")


def _measured(run: Runner, work: Work) -> Measure:
    def measured() -> int:
        run(work, TIMES)
        return TIMES

    return measured


def _parts(work: Work) -> Iterator[Work]:
    """The work, cut so that an accumulator is computed once in each part. All parts share the accumulators."""
    for first in range(0, len(work.moves), PLIES):
        yield replace(work, moves=work.moves[first : first + PLIES])


def make_work() -> Work:
    """A network of small random weights, the moves of the benchmark's positions, and accumulators for some of them."""
    choice = np.random.default_rng(88)
    network = make_record(NETWORK)
    for field, most in (("input_weights", 40), ("input_bias", 40), ("output_weights", MOST_OUTPUT_WEIGHT)):
        network[field] = choice.integers(-most, most, network[field].shape, endpoint=True)
    network["scale"] = 400
    positions = Positions.from_fens(FENS)
    legal = positions.legal_moves()
    moves = np.zeros(len(legal.moves), CHANGES)
    list_all_changes(positions.records[legal.rows], as_array(board_tables()), legal.moves, np.zeros(1, UNDO), moves)
    work = Work(as_array(network), np.zeros(PLIES + 1, ACCUMULATOR), choice.permutation(moves))
    _updates(work, PLIES)
    return work


def warm_up() -> None:
    _outputs(make_work(), 1)


# --- Numba ------------------------------------------------------------------------------------------------------------


def _outputs(work: Work, times: int) -> int:
    return int(run_outputs(work.network, work.accumulators, np.int64(times)))


def _updates(work: Work, times: int) -> int:
    run_updates(work.network, work.accumulators, work.moves, np.int64(times))
    return _digest(work)


def _digest(work: Work) -> int:
    return zlib.crc32(work.accumulators.tobytes())


@kernel
def list_all_changes(positions: Any, all_tables: Any, moves: Any, undos: Any, changes: Any) -> None:
    """Write the CHANGES of moves[i] in positions[i], which are overwritten."""
    for row in range(len(moves)):
        do_move(positions[row], all_tables[0], undos[0], np.int64(moves[row]))
        list_changes(undos[0], changes[row])


@kernel
def run_outputs(networks: Any, accumulators: Any, times: Any) -> Any:
    total = np.int64(0)
    for number in range(times):
        total += output(networks[0], accumulators[number & LAST_PLY], number & 1, number & LAST_BUCKET)
    return total


@kernel
def run_updates(networks: Any, accumulators: Any, moves: Any, times: Any) -> None:
    move = np.int64(0)
    for number in range(times):
        ply = number & LAST_PLY
        for side in range(2):
            update(networks[0], accumulators[ply + 1], accumulators[ply], moves[move], side)
        move += 1
        if move == len(moves):
            move = np.int64(0)


# --- C ----------------------------------------------------------------------------------------------------------------


def c_runners(compiler: str, folder: Path) -> dict[str, Runner]:
    """Functions that run the network's output and update in C. The compiled library stays in the folder."""
    library = ctypes.CDLL(str(compiled(compiler, folder)))
    library.run_outputs.restype = ctypes.c_int64

    def outputs(work: Work, times: int) -> int:
        arrays = (work.network, work.accumulators)
        return int(library.run_outputs(*map(_address, arrays), ctypes.c_int64(PLIES), ctypes.c_int64(times)))

    def updates(work: Work, times: int) -> int:
        arrays = (work.network, work.accumulators, work.moves)
        sizes = map(ctypes.c_int64, (PLIES, len(work.moves), times))
        library.run_updates(*map(_address, arrays), *sizes)
        return _digest(work)

    return {"forward pass": outputs, "update": updates}


def compiled(compiler: str, folder: Path) -> Path:
    """The library that a compiler makes of network.c. Raises Ox88Error."""
    library = folder / "network.so"
    done = subprocess.run(  # noqa: S603 - It runs the C compiler that was found.
        [compiler, *_FLAGS, str(SOURCE), "-o", str(library)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Ox88Error(f"{compiler} cannot compile {SOURCE}: {done.stderr.strip()}")
    return library


def _address(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
