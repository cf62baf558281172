"""The kernels of batches: one signature each, and the same results as plain Python and with bounds checked."""

import json
from pathlib import Path
from typing import Any

import pytest

import ox88
from ox88.jit import KERNELS, is_compiled
from tests.batch.samples import positions
from tests.conftest import DATA, RunPython

RESULTS = """
import hashlib, io, json
from pathlib import Path
import numpy as np
import ox88
from ox88.batch.pgn.checking import check_game
from ox88.batch.training.binpack import read_chains
from ox88.batch.training.entries import ENTRY, TrainingData
from ox88.batch.training.formats import FORMATS, written
from ox88.batch.training.plain import read_block
from ox88.bitboard.records import POSITION, UNDO
from ox88.bitboard.tables import all_tables

FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    "r3k3/1P5p/8/2pP4/8/8/6p1/R3K2R w KQq c6 0 1",
    "1rk3r1/1p6/8/8/8/8/1P6/1RK3R1 b GBgb - 12 345",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 150 90",
)

CHOICE = np.random.default_rng(88)
NETWORK = ox88.Network(
    *(CHOICE.integers(-50, 50, shape, np.int16) for shape in ((768, 256), 256, (8, 2, 256))), np.zeros(8, np.int64), 400
)

GAMES = b'''[Event "a"]
[Result "1-0"]

1. e4 e5 2. Nf3 {[%clk 0:01:02] [%eval 0.3]} Nc6 (2... d6 {so} 3. d4) 3. Bb5 a6 $5 4. O-O ; so
4... Nf6 1-0

[White "x"]

1.e4 d5 2.exd5 c6 3.dxc6 Nf6 4.cxb7 Bd7 5.bxa8=Q {[%eval #3]} e6 6. -- Qb6 7. Ke2 Ke7 8. N@e4 *

[White "y"]
[Result "*"]
%
1. d2-d4 g8f6 2. c4 Z0 0-1
[Variant "Chess960"]
[FEN "1r1k1r2/pppppppp/8/8/8/8/PPPPPPPP/1R1K1R2 w FBfb - 2 9"]

9. O-O O-O-O 10. h4 Kb8 11. Kh2 { not closed
'''

def of_positions(positions):
    legal = positions.legal_moves()
    every = positions[legal.rows]
    yield from (legal.moves, legal.offsets)
    yield positions.legal_moves(captures=True).moves
    yield every.push(legal.moves).pack()
    yield positions.push(legal).pack()
    quiet = positions[~positions.is_check()]
    yield quiet.push(np.zeros(len(quiet), np.uint16), null_moves=True).pack()
    yield every.see(legal.moves)
    yield every.is_legal(np.arange(len(every)).astype(np.uint16))
    for kind in ("is_capture", "is_en_passant", "is_castling", "gives_check"):
        yield getattr(positions, kind)(legal)
    yield np.array(every.format_san(legal.moves), "S8")
    yield every.parse_san(every.format_san(legal.moves))
    yield every.parse_uci(every.format_uci(legal.moves))
    yield positions.checkers()
    yield positions.pinned(0)
    yield positions.attacks()
    yield positions.outcome()
    yield positions.perft(2)
    for en_passant in ("fen", "xfen", "legal"):
        yield np.array(positions.fens(en_passant=en_passant), "S96")
    yield positions.fen_texts().data
    yield ox88.Positions.from_packed(positions.pack()).records
    yield ox88.Positions.from_boards(positions.boards()).records
    yield ox88.Positions.from_fens("\\n".join(positions.fens())).records
    for dtype in ("uint8", "float32"):
        for view in ("white", "mover"):
            yield positions.planes(dtype, view=view)
            yield positions.planes(dtype, view=view, out=np.ones((len(positions), 18, 8, 8), dtype))
    for kind in ("768", "halfkp", "halfka"):
        yield positions.features(kind).indices
    for layout in ("az", "compact"):
        indices = positions.policy_index(legal, layout)
        yield indices
        yield positions[legal.rows[:9]].policy_move(indices[:9], layout)
        yield positions.policy_mask(layout)
    yield positions.polyglot_key()
    yield positions.evaluate(by=NETWORK)
    yield positions.accumulators(network=NETWORK)
    usual = has_plain_castling(every)
    data = TrainingData(every[usual], legal.moves[usual], *np.zeros((3, usual.sum()), np.int64))
    chunks = b"".join(written(FORMATS[".binpack"], [data]))
    yield np.frombuffer(chunks, np.uint8)
    text = b"".join(written(FORMATS[".plain"], [data]))
    yield np.frombuffer(text, np.uint8)
    with np.errstate(over="ignore"):  # In plain Python.
        yield read_block(Path("x"), 1, text).moves
    if chunks:
        records, entries = np.empty(1 << 17, POSITION), np.empty(1 << 17, ENTRY)
        packed, undos = np.frombuffer(chunks[8:] + bytes(16), np.uint8), np.zeros(1, UNDO)
        with np.errstate(over="ignore"):
            count = read_chains(all_tables(), undos, packed, 0, min(len(chunks) - 8, 34 * 1000), records, entries)[0]
        yield from (entries["moves"][:count], records["board"][:count])

def has_plain_castling(positions):
    kings = (positions.board & 7) == 6
    on_e_file = kings[:, [4, 60]].all(axis=1)
    corners = np.uint64(1 | 1 << 7 | 1 << 56 | 1 << 63)
    castling = np.array(positions)["castling"]
    return (castling == 0) | on_e_file & (castling & ~corners == 0)

def of_games(games):
    yield from (games.moves, games.offsets, games.clocks, games.evals, games.results, games.numbers)
    yield np.array([str(error) for error in games.errors], "S200")
    yield np.array([*games.headers.values()], "S20")
    yield games.positions(threads=1).records
    yield games.positions(ply=-1, threads=1).records
    yield games.repetitions(threads=1)
    lines = ox88.read_pgn(GAMES, threads=1).variations(threads=1)
    yield from (lines.moves, lines.offsets)
    yield games.reaches("KRBBNKRBBN", threads=1)
    yield games.reaches(ox88.STARTPOS, threads=1)
    yield games.openings(threads=1).ply
    yield np.frombuffer(games.to_pgn().encode(), np.uint8)
    made = ox88.Games.from_moves(["1. e4 e5 2. Nf3! 1-0", "e2e4 Ke4", "d4 foo"], errors="skip")
    yield from (made.moves, made.results, ox88.Games.from_moves([""]).moves)

def digests(results):
    return [hashlib.sha256(np.ascontiguousarray(found).tobytes()).hexdigest()[:16] for found in results]

if __name__ == "__main__":
    games = ox88.read_pgn(io.BytesIO(GAMES), threads=1)
    checked = str(check_game(GAMES.decode()))
    positions = digests(of_positions(ox88.Positions.from_fens(FENS)))
    print(json.dumps([positions, digests(of_games(games)), digests(of_games(games[1:])), checked, len(games.errors)]))
"""


@pytest.mark.skipif(not is_compiled(), reason="signatures are the compiler's")
def test_one_signature(tmp_path: Path) -> None:
    names: dict[str, Any] = {"__name__": "tests"}
    exec(RESULTS, names)  # noqa: S102
    for some in (positions(), positions()[::2], positions()[:0]):
        assert names["digests"](names["of_positions"](some))
        assert len(some.evaluate(by="handcrafted")) == len(some)
    for path in sorted((DATA / "pgn" / "odd").glob("[a-c]*"))[:4]:
        games = ox88.read_pgn(path)
        for chosen in (games, games[:0], ox88.Explorer(path, folder=tmp_path).games):
            assert names["digests"](names["of_games"](chosen))
    batch = [kernel for kernel in KERNELS if kernel.__module__.startswith("ox88.batch")]
    assert len(batch) > 70
    assert {kernel.__qualname__: len(kernel.signatures) for kernel in batch if len(kernel.signatures) > 1} == {}


@pytest.mark.slow
@pytest.mark.parametrize("flag", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_other_ways_to_run_the_same_source(flag: str, run_python: RunPython) -> None:
    as_usual, otherwise = (run_python("-W", "error", "-c", RESULTS, env=env) for env in ({}, {flag: "1"}))
    assert otherwise.returncode == 0, otherwise.stderr
    assert json.loads(otherwise.stdout) == json.loads(as_usual.stdout)
    assert json.loads(as_usual.stdout)[-1] == 2
