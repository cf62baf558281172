"""Evaluations and searches of many positions, compared with those of the engine."""

from typing import Any

import numpy as np
import pytest

import ox88
from ox88.batch.learning import engine
from ox88.bitboard.position import make_position
from ox88.engines.base import MOST_CENTIPAWNS, Limit
from ox88.engines.modern.driver import Modern
from ox88.engines.modern.evaluation.evaluate import explain
from ox88.engines.modern.thread import Line
from tests.batch.samples import boards, positions
from tests.processes import interrupt_when_waiting

ENDED = ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
MATES = ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1")


@pytest.fixture(scope="module")
def sample() -> ox88.Positions:
    """Positions that are not over."""
    rows = np.flatnonzero(positions().legal_moves().counts)[::40]
    return ox88.Positions(positions()[int(row)] for row in rows)


def test_depth_as_the_engine_searches_each(sample: ox88.Positions) -> None:
    found = sample.search(depth=4, view="mover")
    modern = Modern()
    modern.set_option("Hash", 1)
    for row, setup in enumerate(sample):
        modern.new_game()
        modern.set_position(setup)
        *_, last = modern.search(Limit(depth=4))
        assert found.moves[row] == last.best_move
        assert (found.depths[row], found.nodes[row]) == (4, last.nodes)
        if last.score.mate is None:
            assert found.scores[row] == last.score.centipawns


def test_nodes_are_exact_and_threads_change_nothing(sample: ox88.Positions) -> None:
    one, two = (sample.search(nodes=700, threads=threads) for threads in (1, 2))
    for name, dtype in {"scores": "int16", "moves": "uint16", "depths": "uint8", "nodes": "int64"}.items():
        assert (getattr(one, name).dtype, getattr(one, name).tolist()) == (dtype, getattr(two, name).tolist())
    assert one.nodes.max() <= 700
    assert (one.nodes == 700).mean() > 0.9
    backwards = sample[::-1].search(nodes=700, view="mover").scores[::-1]
    assert np.array_equal(backwards, np.where(sample.turn == ox88.WHITE, 1, -1) * one.scores)


def test_a_search_leaves_nothing_for_the_next(sample: ox88.Positions) -> None:
    """Neither in the hash table nor in the histories: the same position takes the same nodes again."""
    found = sample[[0, 0, 0]].search(depth=6, threads=1)
    assert set(zip(found.nodes.tolist(), found.scores.tolist(), strict=True)) == {(found.nodes[0], found.scores[0])}


def test_no_evaluation_looks_like_a_mate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A correction can make an evaluation larger than any that is shown."""
    monkeypatch.setattr(engine, "_search_one", lambda *_: Line(1, 10_500, (1,)))
    for view in ("mover", "white"):
        assert positions()[:1].search(depth=1, view=view).scores[0] in (MOST_CENTIPAWNS, -MOST_CENTIPAWNS)


def test_positions_that_are_over_and_mates() -> None:
    ended = ox88.Positions.from_fens(ENDED).search(depth=3)
    assert ended.scores.tolist() == [-31000, 0]
    assert ended.moves.tolist() == ended.depths.tolist() == ended.nodes.tolist() == [0, 0]
    mates = ox88.Positions.from_fens(MATES).search(depth=3)
    assert mates.scores.tolist() == [30999, -30999]
    assert [ox88.format_uci(int(move)) for move in mates.moves] == ["a1a8", "a8a1"]


def test_the_least_of_searches_finds_a_legal_move(sample: ox88.Positions) -> None:
    found = sample.search(nodes=1)
    sample.policy_index(found.moves)  # Refuses illegal ones.
    assert len(boards()) > 100
    assert positions()[:0].search(depth=1).scores.tolist() == []


def test_ctrl_c_ends_a_search_without_an_end() -> None:
    interrupt_when_waiting(0.5)
    with pytest.raises(KeyboardInterrupt):
        ox88.Positions.from_fens(["startpos"] * 4).search(nodes=1 << 50, threads=2)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "a search without a limit: depth= or nodes="),
        ({"depth": 0}, "depth is 0: 1 to 126 is expected"),
        ({"depth": 127}, "depth is 127: 1 to 126 is expected"),
        ({"nodes": 0}, "nodes is 0: 1 to"),
        ({"depth": 1, "hash_megabytes": 0}, "hash_megabytes is 0: 1 to 1024 is expected"),
        ({"depth": 1, "view": "black"}, "view 'black'"),
        ({"depth": 2.5}, r"depth is 2\.5: a whole number is expected"),
    ],
)
def test_searches_that_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises((TypeError, ox88.Ox88Error), match=reason):
        positions()[:1].search(**options)


# --- Evaluations ------------------------------------------------------------------------------------------------------


def test_scores_are_below_ten_thousand_or_mates() -> None:
    """In this ending a null move finds a mate long before it is known how long the mate takes."""
    ending = ox88.Positions.from_fens(["4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "4K3/8/8/8/8/8/p7/4k3 b - - 0 1"])
    for depth in (20, 21, 22):
        scores = ending.search(depth=depth, view="mover").scores.tolist()
        assert all(0 < score < 10_000 or score > 31_000 - 256 for score in scores)


def test_evaluations_are_those_of_the_engine() -> None:
    expected = [explain(make_position(setup))[0] for setup in positions()]
    whites = [value if board.turn else -value for value, board in zip(expected, boards(), strict=True)]
    assert positions().evaluate(by="handcrafted", view="mover").tolist() == expected
    assert positions()[::-1].evaluate(by="handcrafted").tolist() == whites[::-1]
    assert positions()[:0].evaluate(by="handcrafted").tolist() == []
