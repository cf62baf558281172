"""`ox88 bench batch`: the speed of work on many positions, on one core and on all, compared with other libraries.

Then the time of a call with few positions. Each figure is the median of some runs, between which the other tasks run.
One core is measured in processor time, which other processes disturb less, all cores in wall-clock time.
"""

import io
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import chess
import chess.pgn
import numpy as np

from ox88.batch.learning.engine import blank_network
from ox88.batch.pgn.game_text import split_games
from ox88.batch.pgn.reading import iter_pgn, read_pgn
from ox88.batch.positions.positions import Positions
from ox88.batch.rows.chunks import count_threads
from ox88.errors import Ox88Error
from ox88.fen import STARTPOS

RUNS: Final = 5
POSITIONS: Final = 200_000  # At most this many, from the first games of the file.
PEERS_POSITIONS: Final = 2_000  # For libraries that make an object for each position.
PEERS_GAMES: Final = 200
BATCH: Final = 4096  # Positions of a training step.
FEW: Final = (1, 16)  # Positions, as where a game is played or searched.
CALLS: Final = 300  # In a run with few positions.
RANDOM_GAMES: Final = 1_200
RANDOM_PLIES: Final = 100

Measure = Callable[[], int]  # Does the work once and returns its amount.


@dataclass(frozen=True)
class Task:
    """Work that Ox88 does with a number of threads, and the same work done by other libraries."""

    name: str
    work: Callable[[int], int]
    peers: dict[str, Measure] = field(default_factory=dict)


def bench_batch(pgn: Path | None, write: Callable[[str], object]) -> None:
    """Measure on the positions of a PGN file, or of random games. Raises Ox88Error."""
    with ExitStack() as stack:
        if pgn is None:
            pgn = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "random.pgn"
            pgn.write_text(random_pgn(), encoding="ascii")
        positions = sample(pgn)
        write(f"{len(positions):,} positions, millions a second; of PGN, millions of plies")
        for task in tasks(positions, pgn):
            write_speeds(task, count_threads(None), write)
        write(f"microseconds a call, of {FEW[0]} and of {FEW[1]} positions; python-chess's of one board")
        write_calls(positions, write)


def write_speeds(task: Task, cores: int, write: Callable[[str], object]) -> None:
    calls: dict[str, tuple[Measure, Callable[[], float]]] = {
        "one core": (lambda: task.work(1), time.process_time),
        **{name: (peer, time.process_time) for name, peer in task.peers.items()},
    }
    if cores > 1:
        calls[f"{cores} threads"] = (lambda: task.work(cores), time.perf_counter)
    for call, _ in calls.values():
        call()  # Compiled, or loaded, before the clock starts.
    speeds = measure(calls)
    one = speeds.pop("one core")
    write(f"{task.name:28} {one:9.3f}")
    for name, speed in speeds.items():
        ratio = f"{speed / one:7.2f} x one" if name not in task.peers else f"Ox88 is {one / speed:7.1f} x"
        write(f"    {name:24} {speed:9.3f}   {ratio}")


def measure(calls: dict[str, tuple[Measure, Callable[[], float]]]) -> dict[str, float]:
    """Millions per second of each call, by the clock of its task: the median of a few runs, made in turn."""
    speeds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(RUNS):
        for name, (call, clock) in calls.items():
            started = clock()
            count = call()
            speeds[name].append(count / max(clock() - started, 1e-9) / 1e6)
    return {name: statistics.median(runs) for name, runs in speeds.items()}


# --- Tasks ------------------------------------------------------------------------------------------------------------


def tasks(positions: Positions, pgn: Path) -> Iterator[Task]:
    fens = positions.fens()
    text = "\n".join(fens).encode()
    few, boards = fens[:PEERS_POSITIONS], positions[:PEERS_POSITIONS].boards()
    others = _other_libraries(few)
    yield Task(
        "legal_moves",
        lambda threads: len(positions.legal_moves(threads=threads).counts),
        {"python-chess": lambda: _number(list(board.legal_moves) for board in boards), **others["legal_moves"]},
    )
    yield Task(
        "from_fens, of bytes",
        lambda threads: len(Positions.from_fens(text, threads=threads)),
        {"python-chess": lambda: _number(map(chess.Board, few)), **others["from_fens"]},
    )
    yield Task(
        "fens",
        lambda threads: len(positions.fens(threads=threads)),
        {"python-chess": lambda: _number(board.fen() for board in boards), **others["fens"]},
    )
    yield from _planes_tasks(positions, boards, np.uint8)
    yield from _planes_tasks(positions, boards, np.float32)
    yield Task("evaluate, handcrafted", lambda threads: len(positions.evaluate(by="handcrafted", threads=threads)))
    network = blank_network()
    yield Task("evaluate, by a network", lambda threads: len(positions.evaluate(by=network, threads=threads)))
    yield Task(
        "read_pgn, plies",
        lambda threads: len(read_pgn(pgn, threads=threads).moves),
        {"python-chess": _python_chess_reader(pgn)},
    )
    yield Task(
        "read_pgn, boards, plies",
        lambda threads: len(read_pgn(pgn, threads=threads).positions(final=False, threads=threads)),
        _rust_reader(pgn),
    )


def _planes_tasks(positions: Positions, boards: list[chess.Board], dtype: Any) -> Iterator[Task]:
    name = f"planes, {np.dtype(dtype).name}"
    naive: dict[str, Measure] = {"python-chess": lambda: _number(_naive_planes(board, dtype) for board in boards)}
    yield Task(f"{name}, in batches", lambda threads: _planes_in_batches(positions, dtype, threads), naive)
    yield Task(f"{name}, a new array", lambda threads: len(positions.planes(dtype, threads=threads)))


def _number(results: Iterable[object]) -> int:
    return sum(1 for _ in results)


def _planes_in_batches(positions: Positions, dtype: Any, threads: int) -> int:
    """As in training: each thread writes batch after batch to the same array."""
    own = threading.local()

    def make(first: int) -> int:
        if not hasattr(own, "out"):
            own.out = np.empty((BATCH, 18, 8, 8), dtype)
        batch = positions[first : first + BATCH]
        batch.planes(dtype, out=own.out[: len(batch)], threads=1)
        return len(batch)

    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(make, range(0, len(positions), BATCH)))


def _naive_planes(board: chess.Board, dtype: Any) -> Any:
    """Only the planes of the pieces."""
    planes = np.zeros((18, 64), dtype)
    for square, piece in board.piece_map().items():
        planes[piece.piece_type - 1 + (0 if piece.color else 6), square] = 1
    return planes


def _python_chess_reader(pgn: Path) -> Measure:
    text = str(read_pgn(pgn)[:PEERS_GAMES].to_pgn())

    def read() -> int:
        stream, plies = io.StringIO(text), 0
        while (game := chess.pgn.read_game(stream)) is not None:
            plies += game.end().ply()
        return plies

    return read


def _rust_reader(pgn: Path) -> dict[str, Measure]:
    """rust_pgn_reader, if it is installed. It gets the games as texts, and makes their boards."""
    if (library := optional("rust_pgn_reader_python_binding")) is None:
        return {}
    texts = [game.text for game in split_games(pgn, as_written=True)]
    return {"rust_pgn_reader": lambda: int(library.parse_games_from_strings(texts, num_threads=1).num_moves)}


# --- Few positions ----------------------------------------------------------------------------------------------------


def write_calls(positions: Positions, write: Callable[[str], object]) -> None:
    ours, board = [_calls(positions[:count]) for count in FEW], positions[:1].boards()[0]
    move = next(iter(board.legal_moves))
    peers: dict[str, Callable[[], object]] = {
        "legal_moves": lambda: list(board.legal_moves),
        "push": lambda: [board.push(move), board.pop()],  # type: ignore[func-returns-value]  # Both are done.
        "planes, out": lambda: _naive_planes(board, np.float32),
        "is_check": board.is_check,
        "outcome": board.outcome,
    }
    for name in ours[0]:
        calls = {str(count): some[name] for count, some in zip(FEW, ours, strict=True)}
        calls |= {"python-chess": peers[name]} if name in peers else {}
        speeds = measure({key: (_repeated(call), time.process_time) for key, call in calls.items()})
        one, many, *peer = (1 / speed for speed in speeds.values())
        write(f"{name:28} {one:9.1f} {many:9.1f}{''.join(f'   python-chess {other:9.1f}' for other in peer)}")


def _calls(few: Positions) -> dict[str, Callable[[], object]]:
    legal, planes, mask = few.legal_moves(), few.planes(), few.policy_mask()
    moves, rows = legal.moves[legal.offsets[:-1]], np.arange(len(few))
    return {
        "legal_moves": few.legal_moves,
        "push": lambda: few.push(moves),
        "planes": few.planes,
        "planes, out": lambda: few.planes(out=planes),
        "policy_mask": few.policy_mask,
        "policy_mask, out": lambda: few.policy_mask(out=mask),
        "is_check": few.is_check,
        "outcome": few.outcome,
        "an array of rows": lambda: few[rows],
        "a row": lambda: few[0],
    }


def _repeated(call: Callable[[], object]) -> Measure:
    def run() -> int:
        for _ in range(CALLS):
            call()
        return CALLS

    return run


# --- Other libraries, if they are installed ---------------------------------------------------------------------------


def _other_libraries(fens: list[str]) -> dict[str, dict[str, Measure]]:
    """By task, what rust-chess and cozy-chess-py need for the same work."""
    found: dict[str, dict[str, Measure]] = {"legal_moves": {}, "from_fens": {}, "fens": {}}
    if rust := optional("rust_chess"):
        batch = rust.BoardBatch.from_fens(fens)

        def generate() -> int:
            batch.reset_move_generator()
            return _number(list(moves) for moves in batch.generate_legal_moves())

        found["legal_moves"]["rust-chess"] = generate
        found["from_fens"]["rust-chess"] = lambda: len(rust.BoardBatch.from_fens(fens))
        found["fens"]["rust-chess"] = lambda: len(batch.get_fens().splitlines())
    if cozy := optional("cozy_chess"):
        boards = [cozy.Board.from_fen(fen, False) for fen in fens]
        found["legal_moves"]["cozy-chess-py"] = lambda: _number(board.generate_moves() for board in boards)
        found["from_fens"]["cozy-chess-py"] = lambda: _number(cozy.Board.from_fen(fen, False) for fen in fens)
        found["fens"]["cozy-chess-py"] = lambda: _number(board.fen() for board in boards)
    return found


def optional(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        return None


# --- Positions --------------------------------------------------------------------------------------------------------


def sample(pgn: Path) -> Positions:
    """The positions of the first games of a file."""
    games = next(iter_pgn(pgn, chunk=POSITIONS // 10), None)
    if games is None or not len(games.moves):
        raise Ox88Error(f"{pgn} has no games to measure with")
    fitting = int(np.searchsorted(games.offsets + np.arange(len(games) + 1), POSITIONS, "right")) - 1
    return games[: max(fitting, 1)].positions()


def random_pgn() -> str:
    """Games of random moves, the same in each run."""
    choice = np.random.default_rng(88)
    positions = Positions.from_fens([STARTPOS] * RANDOM_GAMES)
    games: list[list[str]] = [[] for _ in range(RANDOM_GAMES)]
    rows = np.arange(RANDOM_GAMES)
    for _ in range(RANDOM_PLIES):
        legal = positions.legal_moves()
        going = np.flatnonzero(legal.counts)
        positions, rows = positions[going], rows[going]
        moves = legal.moves[legal.offsets[going] + choice.integers(legal.counts[going])]
        for row, san in zip(rows, positions.format_san(moves), strict=True):
            games[row].append(san)
        positions = positions.push(moves)
    return "\n\n".join(" ".join([*game, "*"]) for game in games) + "\n"
