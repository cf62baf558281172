"""Recorded searches: against the twin in plain Python, against the golden traces, and what may be asked."""

import functools
import random
import re
import threading
from itertools import pairwise
from typing import Any, Final

import numpy as np
import pytest

from ox88.engines.base import EngineError
from ox88.engines.micromax import events
from ox88.engines.micromax.machine import Machine
from ox88.engines.micromax.watching import SWITCHES, Watch, new_machine
from ox88.fen import STARTPOS
from ox88.setup import parse_fen
from ox88.types import from_listing, square_name
from tests.conftest import DATA, RunPython, read_jsonl
from tests.engines.micromax.naive import Event, Naive

ITALIAN: Final = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
KIWIPETE: Final = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
GOLDEN: Final = [line for name in ("positions", "special") for line in read_jsonl(DATA / "micromax" / f"{name}.jsonl")]
FENS: Final = [line["fen"] for line in GOLDEN[:: len(GOLDEN) // 200]][:200]
KINDS: Final = list(events.KINDS)


def naive(fen: str, nodes: int, depth: int = 96, without: tuple[str, ...] = ()) -> Naive:
    """The twin, after its search. It takes only the first position from the machine."""
    machine = Machine()
    machine.set_position(parse_fen(fen))
    twin = Naive([int(piece) for piece in machine.record.board], nodes, depth, without)
    twin.think(machine.side, int(machine.record.evaluation), int(machine.record.en_passant))
    return twin


def rows(twin: list[Event]) -> np.ndarray[Any, np.dtype[np.int32]]:
    """The twin's events as a recording has them."""
    table = np.zeros((len(twin), 8), np.int32)
    for row, (kind, *values) in zip(table, twin, strict=True):
        row[0] = 1 + KINDS.index(str(kind))
        row[1 : 1 + len(values)] = values
    return table


def assert_same(watch: Watch, twin: Naive, first: int) -> None:
    expected = rows(twin.events[first : first + 5000])
    recording = watch.from_event(first)
    assert recording.first_event == first
    assert recording.is_end == (first + 5000 > len(twin.events))
    assert np.array_equal(recording.events, expected)


@pytest.mark.parametrize("start", [0, *(pytest.param(start, marks=pytest.mark.slow) for start in range(6, 200, 20))])
def test_the_twin_has_the_same_events(start: int) -> None:
    chosen = random.Random(start)
    for fen in FENS[start : start + 20] if start else FENS[:6]:
        twin = naive(fen, 40)
        watch = Watch(parse_fen(fen), nodes=40)
        totals = watch.totals()
        assert (totals.nodes, totals.events, totals.is_complete) == (twin.nodes, len(twin.events), True)
        for first in {0, max(len(twin.events) - 5000, 0), chosen.randrange(len(twin.events))}:
            assert_same(watch, twin, first)
        watch.close()


@pytest.mark.parametrize("without", [*((switch,) for switch in SWITCHES), tuple(SWITCHES)], ids=" + ".join)
def test_the_twin_has_the_same_events_without_something(without: tuple[str, ...]) -> None:
    counts = set()
    for fen in (*FENS[::40], KIWIPETE):
        twin = naive(fen, 40, 2, without)
        watch = Watch(parse_fen(fen), nodes=40, depth=2, without=without)
        assert (watch.totals().nodes, watch.totals().events) == (twin.nodes, len(twin.events))
        for first in (0, max(len(twin.events) - 5000, 0)):
            assert_same(watch, twin, first)
        counts.add(twin.nodes - naive(fen, 40, 2).nodes)
    assert counts != {0}


@pytest.mark.parametrize("golden", GOLDEN[::80], ids=lambda golden: golden["fen"])
def test_iterations_are_those_of_the_golden_traces(golden: dict[str, Any]) -> None:
    watch = Watch(parse_fen(golden["fen"]), nodes=golden["node_limit"], evaluation=golden["eval"])
    found = []
    logged = watch.next(["LOG"], 0, 1)
    while logged is not None:
        ((_, _, nodes, depth, score, best_from, best_to, _),) = logged.events
        found.append([depth, nodes, score, square_name(from_listing(best_from)) + square_name(from_listing(best_to))])
        logged = watch.next(["LOG"], logged.first_event + 1, 1)
    assert found == golden["plies"][0]["iterations"]
    totals = watch.totals()
    assert [[line.depth, line.nodes, line.score, line.move_text] for line in totals.iterations] == found
    assert totals.nodes == golden["plies"][0]["nodes"]


def test_each_node_of_a_search_can_be_gone_to() -> None:
    watch = Watch(parse_fen(STARTPOS), nodes=100)
    twin = naive(STARTPOS, 100)
    entered: list[int] = []
    number_of_entry = {}
    for number, (kind, ply, *values) in enumerate(twin.events):
        if kind == "ENTER":
            entered = [*entered[: int(ply)], number]
        elif kind == "NODE":
            number_of_entry[values[0]] = entered[-1]
    assert len(number_of_entry) == twin.nodes == 186
    for node, first in number_of_entry.items():
        recording = watch.from_node(int(node), 50)
        assert (recording.first_event, recording.nodes) == (first, int(node) - 1)
        assert np.array_equal(recording.events, rows(twin.events[first : first + 50]))
    short = watch.from_node(100, 1)  # A window that is full before the node is counted.
    assert (len(short.events), short.first_event) == (1, number_of_entry[100])


@functools.cache
def twin_with_places() -> tuple[Naive, dict[str, list[int]]]:
    """A search, and where in its events each kind and sort is."""
    twin = naive(ITALIAN, 300)
    places: dict[str, list[int]] = {sort: [] for sort in (*KINDS, *events.SORTS)}
    for number, event in enumerate(twin.events):
        places[str(event[0])].append(number)
        if event[0] == "ENTRY" and event[2] != 0:
            places["HASH_HIT"].append(number)
        elif event[0] == "DEPTH" and event[2] == event[3]:
            places["RECAPTURE"].append(number)
    return twin, places


@pytest.mark.parametrize(
    ("sorts", "ply"),
    [*(((sort,), 512) for sort in (*KINDS, *events.SORTS)), (("BEST", "CUT_OFF"), 512), ((*KINDS,), 0), ((*KINDS,), 1)],
)
def test_the_next_event_of_some_sorts(sorts: tuple[str, ...], ply: int) -> None:
    watch, (twin, places) = Watch(parse_fen(ITALIAN), nodes=300), twin_with_places()
    wanted = sorted(at for sort in sorts for at in places[sort] if int(twin.events[at][1]) <= ply)
    for number in (0, *wanted[5:8], *(last + 1 for last in wanted[-1:])):
        expected = next((at for at in wanted if at >= number), None)
        found = watch.next(sorts, number, 3, highest_ply=ply)
        assert (found and found.first_event) == expected
        if found and expected:
            assert np.array_equal(found.events, rows(twin.events[expected : expected + 3]))


@pytest.mark.parametrize("sorts", [*((sort,) for sort in (*KINDS, *events.SORTS)), ("BEST", "HASH_HIT"), ()])
def test_the_events_of_some_sorts_in_a_window(sorts: tuple[str, ...]) -> None:
    _, places = twin_with_places()
    window = Watch(parse_fen(ITALIAN), nodes=300).from_event(100)
    end = 100 + len(window.events)
    assert window.find(sorts) == sorted(at for sort in sorts for at in places[sort] if 100 <= at < end)


def replayed(twin: Naive, board: list[int], end: int) -> tuple[list[int], list[dict[str, Any]], int]:
    """The board, the open nodes and the number of filled entries before an event, from all events before it."""
    line: list[dict[str, Any]] = []
    stored = set()
    nodes = reason = 0
    names = ("number", "event", "depth", "scan_start", "best_score", "best_from", "best_to", "from", "to", "cell")
    fresh = dict.fromkeys(names, 0)
    for number, row in enumerate(rows(twin.events[:end])):
        event = events.named(row)
        kind = event.pop("kind")
        value = {name: int(number) for name, number in event.items()}
        if kind == "ENTER":
            line.append({**fresh, "board": tuple(board), "tried": (), **value})
        elif kind == "RETURN":
            reason = value["reason"]
            line.pop()
        elif kind == "ITERATION":
            line[-1] |= {**value, "scan_start": value["best_from"], "tried": ()}
        elif kind == "KEYS":
            line[-1] |= value
        elif kind == "PROBE" and value["found"] != 1:
            line[-1]["cell"] = value["index"]
        elif kind == "STORE":
            stored.add(value["index"])
        elif kind == "SCORE":
            node = line[-1]
            move = (node["from"], node["to"], value["score"], reason, nodes - node["nodes"], node["nodes"])
            node["tried"] = (*node["tried"], move)
        elif kind == "NODE":
            nodes = line[-1]["number"] = value["number"]
            line[-1]["event"] = number
        elif kind == "BEST":
            line[-1] |= {"best_score": value["best_score"], "best_from": value["from"], "best_to": value["best_to"]}
        elif kind == "RESUME":
            line[-1] |= {"best_score": value["score"], "best_to": line[-1]["best_to"] & ~8}
        elif kind == "DO":
            for square in ("rook_from", "capture_square", "from"):
                board[value[square]] = 0
            board[value["to"]] = value["placed"]
            if value["rook_from"] < 128:
                board[value["passed"]] = line[-1]["side"] + 6
            line[-1] |= {"from": value["from"], "to": value["to"], "passed": value["passed"], "nodes": nodes}
        elif kind == "UNDO":
            board[value["rook_from"]] = line[-1]["side"] + 38
            board[line[-1]["passed"]] = 0
            board[value["to"]] = 0
            board[value["from"]] = value["piece"]
            board[value["capture_square"]] = value["captured"]
    for node in line:
        node["is_filled"] = int(node["cell"] in stored)
    return board, line, len(stored)


@pytest.mark.parametrize("fen", [KIWIPETE, *FENS[5::100]])
def test_board_and_line_at_the_start_are_what_the_events_before_have_made(fen: str) -> None:
    twin = naive(fen, 50, 2)
    chosen = random.Random(fen)
    watch = Watch(parse_fen(fen), nodes=50, depth=2)
    start = list(watch.board)
    assert watch.from_event(0, 1).board == watch.board
    for first in sorted(chosen.randrange(1, len(twin.events)) for _ in range(8)):
        recording = watch.from_event(first, 1)
        board, line, filled = replayed(twin, start.copy(), first)
        if twin.events[first][0] == "ENTER":
            assert recording.line[-1].alpha == twin.events[first][2]
        assert (list(recording.board), recording.filled) == (board, filled)
        for node, expected in zip(recording.line, line, strict=twin.events[first][0] != "ENTER"):
            values = node._asdict()
            values |= {"from": values.pop("from_square"), "to": values.pop("to_square")}
            if "key" in expected:
                assert values == {name: expected[name] for name in values}


@pytest.mark.parametrize("fen", [KIWIPETE, *FENS[:200:20]])
def test_moves_are_what_the_first_iteration_tries(fen: str) -> None:
    watch = Watch(parse_fen(fen), nodes=100, depth=2)
    before = watch.from_node(1)
    told = before.named()
    told = told[: [event["kind"] for event in told].index("LOG")]
    pairs = [pair for pair in pairwise(told) if pair[1]["kind"] == "MOVE"]
    moves = [(target["from"], move["to"], move["captured"]) for target, move in pairs]
    root = before.line[0]
    assert watch.moves(watch.board, root.side, root.en_passant) == moves
    assert np.array_equal(watch.from_node(1).events, before.events)


def test_the_nodes_of_a_window_have_their_positions() -> None:
    watch = Watch(parse_fen(KIWIPETE), nodes=3000)
    recording = watch.from_event(3000)
    assert len(recording.counted) > 20
    for number, position in enumerate(recording.counted, recording.nodes + 1):
        there = watch.from_node(number, 1)
        node = there.line[-1]
        assert (node.side, node.en_passant) == (position["side"], position["en_passant"])
        assert node.board == there.board == tuple(position["board"])


def test_the_memory_of_a_watch_is_used_again() -> None:
    machine = new_machine()
    first = Watch(parse_fen(KIWIPETE), nodes=500, without=["hash"], machine=machine).from_node(400)
    second = Watch(parse_fen(STARTPOS), nodes=500, machine=machine).from_node(300)
    assert np.array_equal(second.events, Watch(parse_fen(STARTPOS), nodes=500).from_node(300).events)
    third = Watch(parse_fen(KIWIPETE), nodes=500, without=["hash"], machine=machine).from_node(400)
    assert np.array_equal(third.events, first.events)
    assert (third.board, third.line, third.filled) == (first.board, first.line, first.filled)


@pytest.mark.parametrize("node", [1_000_000, pytest.param(10_000_000, marks=pytest.mark.slow)])
def test_a_late_node_and_the_events_after_it(node: int) -> None:
    recording = Watch(parse_fen(STARTPOS), evaluation=0).from_node(node)
    assert recording.nodes == node - 1
    assert len(recording.events) == 5000
    numbers = [event["number"] for event in recording.named() if event["kind"] == "NODE"]
    assert numbers == [*range(node, node + len(numbers))]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda watch: watch.from_node(0), "the node is 0: expected 1 to 10,000,000"),
        (lambda watch: watch.from_node(10_000_001), "the node is 10,000,001: expected 1 to"),
        (lambda watch: watch.from_node(187), "there is no node 187: the search has 186 nodes"),
        (lambda watch: watch.from_event(-1), "the event is -1: expected 0 to"),
        (lambda watch: watch.from_event(37_954), "there is no event 37,954: the search has 37,954 events"),
        (lambda watch: watch.from_event(1 << 80), "the event is 1,208,925,819,614,629,174,706,176: expected 0 to"),
        (lambda watch: watch.from_node(1, 0), "the count is 0: expected 1 to 5,000"),
        (lambda watch: watch.from_node(1, 5001), "the count is 5,001: expected 1 to 5,000"),
        (lambda watch: watch.next(["enter"]), "'enter' is no sort of event: expected ENTER, KEYS"),
    ],
)
def test_wrong_questions(call: Any, message: str) -> None:
    watch = Watch(parse_fen(STARTPOS), nodes=100)
    with pytest.raises(EngineError, match=message):
        call(watch)
    assert (watch.from_node(186, 1).nodes, watch.from_event(37_953).is_end) == (185, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"nodes": 10_000_001}, "the node limit is 10,000,001: expected 1 to 10,000,000"),
        ({"nodes": 0}, "the node limit is 0"),
        ({"depth": 97}, "the depth is 97: expected 1 to 96"),
        ({"without": ["the queen"]}, "micro-Max has no 'the queen' to leave out: expected hash, best move first"),
    ],
)
def test_wrong_searches(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(EngineError, match=message):
        Watch(parse_fen(STARTPOS), **arguments)


def test_a_search_that_is_closed_ends_at_once() -> None:
    watch = Watch(parse_fen(STARTPOS))
    errors: list[BaseException] = []

    def count() -> None:
        try:
            watch.totals()
        except EngineError as error:
            errors.append(error)

    asking = threading.Thread(target=count)
    asking.start()
    watch.close()
    asking.join()
    assert str(errors[0]) in ("the search was stopped", "the search is closed")
    with pytest.raises(EngineError, match="the search is closed"):
        watch.from_node(1)


def test_every_kind_is_explained() -> None:
    text = str(events.__doc__)
    explained = re.findall(r"^- ([A-Z_]+): ", text, re.M)
    assert sorted(explained) == sorted(KINDS)
    for kind, values in events.KINDS.items():
        assert len(values) <= events.VALUES
        assert getattr(events, kind) == 1 + KINDS.index(kind)


@pytest.mark.slow
@pytest.mark.parametrize("flag", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
def test_other_ways_to_run_the_same_source(flag: str, run_ox88: RunPython) -> None:
    fens = "\n".join(FENS[:2])
    options = ("trace", "--nodes", "30", "--events", "2000", "--node", "20")
    other = run_ox88(*options, input=fens, env={flag: "1"})
    compiled = run_ox88(*options, input=fens)
    assert other.returncode == 0, other.stderr
    assert other.stdout == compiled.stdout
    assert len(other.stdout.splitlines()) > 2500
