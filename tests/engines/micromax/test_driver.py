"""What the driver adds to the listing."""

import random
import threading
import time
from types import SimpleNamespace
from typing import Any

import chess
import pytest

from ox88.convert import from_chess_move, to_chess_move
from ox88.engines.base import MOST_CENTIPAWNS, Info, Limit
from ox88.engines.micromax.driver import MachineSearch, MicroMax
from ox88.engines.micromax.machine import ENDLESS
from ox88.setup import parse_fen, parse_uci
from ox88.threads import Background
from ox88.types import format_uci
from tests.conftest import DATA, read_jsonl
from tests.positions import random_board
from tests.processes import PATIENCE

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def engine_at(fen: str) -> MicroMax:
    engine = MicroMax()
    engine.set_position(parse_fen(fen))
    return engine


def found(engine: MicroMax, limit: Limit) -> Info:
    *_, last = engine.search(limit)
    return last


def test_a_game_by_the_engine_is_the_originals() -> None:
    """Searching and pushing moves plays the listing's own game, to the node."""
    (golden,) = read_jsonl(DATA / "micromax" / "game.jsonl")
    engine = engine_at(golden["fen"])
    for ply in golden["plies"][:12]:
        last = found(engine, Limit(nodes=golden["node_limit"]))
        assert (format_uci(last.best_move), last.nodes) == (ply["move"], ply["nodes"])
        engine.push(last.best_move)


def test_where_the_original_castles_illegally_the_driver_does_not() -> None:
    fen = "4k3/8/8/8/8/8/6p1/4K2R w K - 0 1"
    engine = engine_at(fen)
    engine.machine.think(100)
    assert [line.move_text for line in engine.machine.iterations()][-1] == "e1g1"
    engine.machine.clear_table()
    first, second = (format_uci(found(engine, Limit(nodes=100)).best_move) for _ in range(2))
    assert chess.Board(fen).is_legal(chess.Move.from_uci(first))
    assert second == first


def test_a_score_is_no_mate_however_many_queens_there_are() -> None:
    engine = engine_at("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    scores = [info.score.centipawns for info in engine.search(Limit(depth=1))]
    assert all(abs(score or 0) <= MOST_CENTIPAWNS for score in scores)


def test_where_the_listing_finds_no_move_each_legal_one_has_a_share_of_the_nodes() -> None:
    """A node limit of 1 ends the listing's search before its first iteration."""
    engine = engine_at("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    setup = engine.setup
    last = found(engine, Limit(nodes=1))
    assert chess.Board(setup.fen).is_legal(chess.Move.from_uci(format_uci(last.best_move)))
    assert last.nodes < 1000
    moves = parse_uci("h1h7", setup), parse_uci("a1a2", setup)
    assert found(engine, Limit(nodes=2000, moves=moves)).nodes < 4000


@pytest.mark.parametrize(
    ("fen", "move", "mate"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", 1),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "h1h7", 2),
        ("8/8/8/8/8/5k2/r7/6K1 w - - 0 1", "g1f1", -1),
        ("8/8/8/8/8/5k2/r7/6K1 w - - 0 1", "g1h1", -2),
    ],
)
def test_a_mate_by_some_moves_alone_counts_the_first(fen: str, move: str, mate: int) -> None:
    assert found(engine_at(fen), Limit(moves=(parse_uci(move, parse_fen(fen)),))).score.mate == mate


@pytest.mark.parametrize("piece", "nbrq")
def test_underpromotion_sets_piece_and_evaluation(piece: str) -> None:
    engine = engine_at("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1")
    engine.push(parse_uci("e7e8" + piece, engine.setup))
    expected = engine_at(f"4{piece.upper()}3/6k1/8/8/8/8/8/4K3 b - - 0 1").machine
    assert engine.machine.snapshot().board[:120] == expected.snapshot().board[:120]
    # A queen counts 7 more than its material, the listing's own bonus for promoting.
    assert engine.machine.record.evaluation == expected.record.evaluation - (7 if piece == "q" else 0)


def test_undo_restores_evaluation_en_passant_and_origin() -> None:
    engine = engine_at("4k3/8/8/8/3p4/8/2P5/4K3 w - - 0 1")
    before = engine.machine.snapshot()
    engine.push(parse_uci("c2c4", engine.setup))
    between = engine.machine.snapshot()
    assert between.en_passant == 0x52
    engine.push(parse_uci("d4c3", engine.setup))
    engine.pop()
    assert engine.machine.snapshot() == between
    engine.pop()
    assert engine.machine.snapshot() == before


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 20))])
def test_games_against_a_random_mover(seed: int) -> None:
    """No illegal move to the end of the game, as judged by python-chess."""
    choice = random.Random(seed)
    board = random_board(seed, plies=8)
    engine = engine_at(board.fen())
    while not board.is_game_over(claim_draw=True):
        if board.turn == (seed % 2 == 0):
            move = to_chess_move(found(engine, Limit(nodes=500)).best_move, board)
        else:
            move = choice.choice(list(board.legal_moves))
        assert board.is_legal(move)
        engine.push(from_chess_move(move, board))
        board.push(move)


# --- The search in its thread -----------------------------------------------------------------------------------------


def test_stopping_changes_no_count() -> None:
    machine = engine_at(KIWIPETE).machine
    before = machine.snapshot().board
    machine.think(50_000)
    whole = machine.iterations()
    machine.clear_table()
    thinking = MachineSearch(machine, ENDLESS)
    seen = []
    for iteration in thinking.iterations():
        seen.append(iteration)
        if len(seen) == len(whole):
            thinking.stop()
    assert seen[: len(whole)] == whole
    assert (machine.record.aborted, machine.snapshot().board) == (1, before)


def test_a_stopped_search_leaves_a_table_that_can_be_used() -> None:
    machine = engine_at(KIWIPETE).machine
    list(MachineSearch(machine, ENDLESS, seconds=0.05).iterations())
    machine.set_position(parse_fen(KIWIPETE))
    machine.think(20_000)
    assert [[line.depth, line.nodes] for line in machine.iterations()][:4] == [[0, 1], [1, 78], [2, 753], [3, 46797]]


class SlowToStop:
    """Stands in for a Machine whose search ends a while after it was stopped."""

    def __init__(self) -> None:
        self.record = SimpleNamespace(stop=0, log_length=0)
        self._is_stopped = threading.Event()

    def think(self, *_: int) -> None:
        self._is_stopped.wait(PATIENCE)
        time.sleep(0.1)

    def stop(self) -> None:
        self._is_stopped.set()

    def iterations(self, *_: object) -> list[object]:
        return []


def test_who_waits_for_the_end_leaves_python_to_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """To ask again and again without a pause would keep Python's lock, which the search needs to end."""
    waits: list[float] = []
    wait = Background.wait

    def counted(self: Background[None], seconds: float) -> bool:
        waits.append(seconds)
        return wait(self, seconds)

    monkeypatch.setattr(Background, "wait", counted)
    machine: Any = SlowToStop()
    assert list(MachineSearch(machine, seconds=0.01).iterations()) == []
    assert len(waits) < 200
