"""Solving cases with a scripted engine, here and in worker processes; the totals and the JSON."""

import json
import multiprocessing
import os
from collections.abc import Iterator

import pytest

from ox88.apps.epd.command import CaseTotals, Results, answer_data
from ox88.apps.epd.solving import Answer, Solver, solve_case
from ox88.apps.epd.suite import Case, parse_suite
from ox88.engines.base import EngineEntry, EngineError, Info, Limit, Score
from ox88.errors import Ox88Error
from ox88.setup import Setup, format_fen, parse_uci
from ox88.types import format_uci
from tests.protocols import fake

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SUITE = f"""{START} bm d4; id "a.1"; c8 "10 3"; c9 "d2d4 e2e4";
{START} am d4; id "b.1"; c8 "10 3"; c9 "e2e4 d2d4";
4k3/8/8/8/8/8/8/4K2R w K - 0 1 bm O-O; id "b.2";
8/8/8/8/8/2k5/8/K6R w - - 0 1 bm Rg2; id "bad";
8/8/8/8/8/2k5/8/K6R w - - 0 1 bm Rh2; id "c.1";
8/8/8/8/8/3k4/8/K6R w - - 0 1 bm Rh2; id "c.2";
""".splitlines()
DEPTH = Limit(depth=3)

# For each FEN the best move of each iteration; other positions are refused.
LINES = {
    START: ["e2e4", "d2d4", "g1f3", "d2d4", "d2d4"],
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1": ["e1g1"],
    "8/8/8/8/8/2k5/8/K6R w - - 0 1": [""],
}


def follow(engine: fake.FakeEngine, _limit: Limit) -> Iterator[Info]:
    """Among its best lines are other reports, which are no answers."""
    setup = engine.setup
    for depth, move in enumerate(LINES[format_fen(setup)], 1):
        line = (parse_uci(move, setup),) if move else ()
        yield Info(depth, Score(centipawns=10 * depth), 100 * depth, float(depth), line)
        yield Info(depth, Score(centipawns=0), 100 * depth, float(depth), current_move=parse_uci("h2h3", setup))
        yield Info(depth, Score(), 100 * depth, float(depth), (parse_uci("a2a3", setup),), multipv=2)
    yield Info(depth, Score(centipawns=10 * depth), 100 * depth + 1, depth + 0.5, line)


class FakeEngine(fake.FakeEngine):
    name = "fake"

    def __init__(self) -> None:
        super().__init__(follow)

    def set_position(self, setup: Setup) -> None:
        if format_fen(setup) not in LINES:
            raise EngineError("I know nothing of it")
        super().set_position(setup)


FAKE = EngineEntry("fake", fake.OPTIONS, FakeEngine)


def cases() -> list[Case]:
    read, bad_lines = parse_suite("some.epd", SUITE)
    assert len(bad_lines) == 1
    return read


def answers(workers: int = 1) -> list[Answer]:
    return results(workers).in_order()


def results(workers: int = 1) -> Results:
    found = Results(cases())
    for answer in Solver(FAKE, (), DEPTH, workers).solve(found.cases):
        found.add(answer)
    return found


def test_answers() -> None:
    """The time and the depth are of the iteration from which on the move was the best: d2d4 was left at depth 3."""
    first, *others = answers()
    found = [(a.move and format_uci(a.move), a.is_solved, a.points, a.found_after, a.found_at, a.error) for a in others]
    assert found == [
        ("d2d4", False, 3, 4.0, 4, ""),
        ("e1g1", True, 0, 1.0, 1, ""),
        (0, False, 0, 0.0, 0, "fake gives no move"),
        (0, False, 0, 0.0, 0, "I know nothing of it"),
    ]
    assert answer_data(first) == {
        "suite": "some.epd", "line": 1, "id": "a.1", "fen": START, "best": ["d2d4"], "avoid": [], "move": "d2d4",
        "solved": True, "points": 10, "most_points": 10, "score": {"cp": 50}, "depth": 5, "nodes": 501,
        "seconds": 5.5, "found_after": 4.0, "found_at": 4, "error": None,
    }  # fmt: skip


def test_the_engine_forgets_between_cases() -> None:
    engine = FakeEngine()
    engine.new_game()
    for case in cases()[:2]:
        solve_case(engine, case, DEPTH)
    assert engine.calls == ["new_game", "set_position"] * 2
    assert engine.limits == [DEPTH] * 2


def test_workers_give_the_same_answers_as_one() -> None:
    assert answers(2) == answers()


def test_options_are_set_and_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(list(Solver(FAKE, (("Hash", 5000),), DEPTH, 2).solve(cases()))) == 5
    assert capsys.readouterr().err.count("Hash 5000 is out of range 1 to 1024: it is 1024 now") == 1
    with pytest.raises(EngineError, match="no option 'Speed'"):
        Solver(FAKE, (("Speed", 1),), DEPTH, 2).solve(cases())


@pytest.mark.slow
def test_a_worker_that_dies_is_an_error() -> None:
    fatal = EngineEntry("fatal", (), _make_one_that_ends_a_worker)
    with pytest.raises(Ox88Error, match=r"the workers die again and again"):
        list(Solver(fatal, (), DEPTH, 2).solve(cases()))


def _make_one_that_ends_a_worker() -> FakeEngine:
    if multiprocessing.parent_process() is not None:
        os._exit(3)
    return FakeEngine()


def test_closing_ends_the_workers() -> None:
    found = Solver(FAKE, (), DEPTH, 2).solve(cases() * 50)
    next(found)
    found.close()
    assert multiprocessing.active_children() == []


def test_totals() -> None:
    found = results()
    assert Results(cases()).total == CaseTotals("total", positions=5)
    assert found.suites["some.epd"].nodes == 501 * 2 + 101
    assert {key: (tally.tried, tally.solved, tally.points) for key, tally in found.themes.items()} == {
        ("some.epd", "a"): (1, 1, 10),
        ("some.epd", "b"): (2, 1, 3),
        ("some.epd", "c"): (2, 0, 0),
    }
    assert Results(cases()[2:]).themes == Results(cases()[:1]).themes == {}  # No points, one theme.
    data = json.loads(json.dumps(found.as_data()))
    assert list(data) == ["total", "suites", "themes", "positions"]
    assert [position["error"] for position in data["positions"]] == [answer.error or None for answer in answers()]
    assert data["total"] == {
        "name": "total", "positions": 5, "tried": 5, "solved": 2, "points": 13, "most_points": 20, "nodes": 1103,
        "seconds": 12.5,
    }  # fmt: skip


def test_mates_and_chess960_as_data() -> None:
    (case,), _ = parse_suite("some.epd", ["4k3/8/8/8/8/8/8/1R2K3 w B - 0 1 bm O-O-O"])
    data = answer_data(Answer(case, next(iter(case.best)), Score(mate=3)))
    assert (data["move"], data["best"], data["score"]) == ("e1b1", ["e1b1"], {"mate": 3})
    assert answer_data(Answer(case, error="why"))["move"] is None
