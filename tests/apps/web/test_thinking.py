"""Watching micro-Max think through the WebSocket: windows of events, the search as a whole, the listing."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from ox88.apps.web.thinking import AIMS
from ox88.apps.web.watches import MOST_WATCHES, WITHOUT, Watches
from ox88.engines.micromax.events import KINDS
from ox88.engines.micromax.machine import trace
from ox88.fen import STARTPOS
from tests.apps.web.conftest import OpenPage, Page, Said
from tests.processes import wait_until

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
LONG = {"fen": KIWIPETE, "nodes": 10_000_000}
NAMES = list(KINDS)
Event = dict[str, Any]


def think(page: Page, fen: str = KIWIPETE, nodes: int = 3000, **fields: Any) -> Said:
    return page.ask("think", "window", fen=fen, nodes=nodes, **fields)


def events_of(window: Said) -> list[Event]:
    """The events of a window, each with its values by name."""
    width, flat = window["width"], window["events"]
    rows = [flat[place : place + width] for place in range(0, len(flat), width)]
    found: list[Event] = []
    for at, (number, ply, *values) in enumerate(rows, window["first"]):
        kind = NAMES[number - 1]
        found.append({"at": at, "kind": kind, "ply": ply} | dict(zip(KINDS[kind], values, strict=False)))
    return found


def shown(window: Said) -> Event:
    """The event that the page shows first."""
    place: int = window["at"] - window["first"]
    return events_of(window)[place]


def all_events(page: Page, **fields: Any) -> list[Event]:
    found: list[Event] = []
    while True:
        window = think(page, event=len(found), **fields)
        found += events_of(window)[len(found) - window["first"] :]
        if window["last"]:
            return found


def test_the_window_of_the_root(page: Page) -> None:
    window = think(page, node=1)
    assert shown(window) == {"at": window["at"], "kind": "NODE", "ply": 0, "number": 1}
    assert window["first"] == 0
    assert window["start"]["node"] == 0
    assert window["kinds"] == [[name, list(values)] for name, values in KINDS.items()]
    assert window["fen"] == KIWIPETE


@pytest.mark.parametrize("node", [2, 2999])
def test_any_node_is_found(page: Page, node: int) -> None:
    event = shown(think(page, node=node))
    assert (event["kind"], event["number"]) == ("NODE", node)
    later = think(page, node=node, step=9)
    assert later["at"] == event["at"] + 9
    before = think(page, event=event["at"] - 1)
    assert shown(before)["kind"] != "NODE"


def test_a_step_beyond_the_window_of_its_node_is_found(page: Page) -> None:
    first = think(page, node=1)["at"]
    later = think(page, node=1, step=20_000)
    assert later["at"] == first + 20_000
    assert shown(later) == shown(think(page, event=first + 20_000))


def test_the_open_nodes_know_where_they_were_counted(page: Page) -> None:
    window = think(page, node=1234)
    for frame in window["start"]["line"][:-1]:
        counted = shown(think(page, event=frame["event"]))
        assert (counted["kind"], counted["number"]) == ("NODE", frame["number"])


def test_windows_follow_each_other(page: Page) -> None:
    events = all_events(page, nodes=50)
    assert [event["at"] for event in events] == list(range(len(events)))
    whole = page.ask("outline", "outline", fen=KIWIPETE, nodes=50)
    assert len(events) == whole["events"] > 10_000  # More than two windows.
    assert [event["number"] for event in events if event["kind"] == "NODE"] == list(range(1, whole["nodes"] + 1))


IS_MEANT: dict[str, Callable[[Event, int], bool]] = {
    "into": lambda event, _: event["kind"] in ("ENTER", "RETURN"),
    "over": lambda event, ply: event["ply"] <= ply,
    "out": lambda event, ply: event["ply"] < ply,
    "cutoff": lambda event, _: event["kind"] == "CUT_OFF",
    "hit": lambda event, _: event["kind"] == "ENTRY" and event["use"] > 0,
    "best": lambda event, _: event["kind"] == "BEST",
    "recapture": lambda event, _: event["kind"] == "DEPTH" and event["reply_depth"] == event["depth"],
    "iteration": lambda event, _: event["kind"] == "ITERATION",
}


@pytest.mark.slow
@pytest.mark.parametrize("aim", list(AIMS))
def test_each_aim_leads_to_the_next_event_of_its_sort(page: Page, aim: str) -> None:
    events = all_events(page, nodes=300)
    for start in (0, 700, len(events) // 2):
        ply = events[start]["ply"]
        wanted = next((event for event in events[start + 1 :] if IS_MEANT[aim](event, ply)), None)
        if wanted is None:
            page.say("think", fen=KIWIPETE, nodes=300, event=start, ply=ply, aim=aim)
            assert page.hear("error")["message"].startswith("the search ends without another ")
        else:
            assert shown(think(page, nodes=300, event=start, ply=ply, aim=aim)) == wanted
        window = think(page, nodes=300, event=start)
        if window["aims"][aim]["events"] is not None:  # Else the page looks at plies.
            meant = [event["at"] for event in events if IS_MEANT[aim](event, ply)]
            end = window["first"] + len(window["events"]) // window["width"]
            assert window["aims"][aim]["events"] == [at for at in meant if window["first"] <= at < end]


def test_out_of_a_subtree_with_more_events_than_a_window(page: Page) -> None:
    nodes = 30_000
    reply = shown(think(page, nodes=nodes, node=20_000))
    window = think(page, nodes=nodes, event=reply["at"], ply=1, aim="out")
    assert shown(window)["ply"] == 0
    assert window["at"] > reply["at"] + 5000


def test_a_late_node_has_steps_before_it(page: Page) -> None:
    window = think(page, node=600_000, nodes=1_000_000)
    assert shown(window)["number"] == 600_000
    assert window["at"] > window["first"] + 100


def test_the_tries_of_the_open_nodes_are_found(page: Page) -> None:
    window = think(page, node=1234, nodes=3000)
    found = 0
    for ply, frame in enumerate(window["start"]["line"]):
        for from_square, to_square, score, _, nodes, before in frame["tried"][-2:]:
            fields = {"node": before, "ply": ply, "from": from_square, "to": to_square}
            made = think(page, nodes=3000, **fields)
            event = shown(made)
            assert (event["kind"], event["ply"], event["from"], event["to"]) == ("DO", ply, from_square, to_square)
            scored = shown(think(page, nodes=3000, event=event["at"], ply=ply, aim="over"))
            while scored["kind"] != "SCORE":
                scored = shown(think(page, nodes=3000, event=scored["at"], ply=ply, aim="over"))
            assert scored["score"] == score
            if nodes:
                assert shown(think(page, nodes=3000, node=before + 1))["ply"] == ply + 1
            found += 1
    assert found > 2


def test_a_try_that_was_not_made_is_refused(page: Page) -> None:
    page.say("think", fen=KIWIPETE, nodes=3000, node=50, ply=1, **{"from": 0x70, "to": 0x00})
    assert page.hear("error")["message"] == "the search has no such move after that node"


def test_a_long_search_reports_how_far_it_is(page: Page) -> None:
    page.say("think", **LONG, node=9_999_999)
    nodes = [0]
    while len(nodes) < 4:
        report = page.hear("watching")
        assert report["doing"] == ("searching" if report["nodes"] else "compiling")
        nodes.append(report["nodes"])
    assert nodes == sorted(nodes)
    assert nodes[-1] > 0
    page.say("unwatch")


def test_a_search_as_a_whole_is_that_of_trace(page: Page) -> None:
    outline = page.ask("outline", "outline", fen=KIWIPETE, nodes=3000)
    balance = page.ask("think", "window", fen=KIWIPETE, nodes=3000, node=1)["start"]["line"]
    traced = trace(KIWIPETE, 3000, evaluation=balance[0]["evaluation"])["plies"][0]
    told = [[line["depth"], line["nodes"], line["score"], line["move"]] for line in outline["iterations"]]
    assert told == traced["iterations"]
    assert outline["nodes"] == traced["nodes"]


def test_what_is_left_out_changes_the_search(page: Page) -> None:
    whole = page.ask("outline", "outline", fen=KIWIPETE, nodes=3000)
    for name in WITHOUT:
        less = page.ask("outline", "outline", fen=KIWIPETE, nodes=3000, without=[name])
        assert less["iterations"] != whole["iterations"], name
        assert shown(think(page, node=100, without=[name]))["number"] == 100


BAD: list[tuple[Said, str]] = [
    ({"fen": "8/8/8/8/8/8/8/8 w - - 0 1", "node": 1}, "king"),
    ({"fen": "hello", "node": 1}, "hello"),
    ({"fen": "4k3/8/8/8/8/8/8/RK6 w Q - 0 1", "node": 1}, "a1"),
    ({"node": 99_999}, "there is no node 99,999: the search has"),
    ({"node": 600_000}, "there is no node 600,000: the search has"),  # Its window begins some nodes before it.
    ({"node": 0}, "the node is 0: expected 1 to 10,000,000"),
    ({"node": 1, "nodes": 0}, "the node limit is 0: expected 1 to 10,000,000"),
    ({"node": 1, "nodes": None}, "nodes is missing"),
    ({"node": 1.5}, "node is 1.5: a whole number from "),
    ({"node": 1, "without": ["king"]}, "without is ['king']: a list of at most 4, each one of hash, best, "),
    ({"event": 10**12}, "there is no event"),
    ({"event": 1, "ply": 0, "aim": "moon"}, "aim is 'moon'"),
    ({}, "event is missing"),
]


def test_bad_questions_are_refused_with_a_reason(page: Page) -> None:
    for fields, words in BAD:
        page.say("think", **({"fen": KIWIPETE, "nodes": 300} | fields))
        assert words in page.hear("error")["message"], fields
    assert shown(think(page, node=3))["number"] == 3


def test_a_question_ends_the_one_before(page: Page) -> None:
    page.say("think", **LONG, node=9_999_999, id=1)
    page.say("think", fen=STARTPOS, nodes=100, node=5, id=2)
    assert page.hear("window")["id"] == 2


def watches_of(client: TestClient) -> Watches:
    watches = client.app.state.shared.watches  # type: ignore[attr-defined]
    assert isinstance(watches, Watches)
    return watches


def test_closed_pages_end_their_searches(client: TestClient, open_page: OpenPage) -> None:
    watches, pages = watches_of(client), [open_page(), open_page()]
    for page in pages:
        page.say("outline", **LONG)
    wait_until(lambda: watches.running == MOST_WATCHES)
    for page in pages:
        page.close()
    wait_until(lambda: watches.running == 0)
    assert not watches.totals


def test_memory_is_given_back_when_a_page_is_left(client: TestClient, page: Page) -> None:
    watches = watches_of(client)
    page.say("think", **LONG, node=9_999_999)  # A search that is ended gives it back too.
    page.hear("watching", lambda said: said["doing"] == "searching")
    page.say("unwatch")
    wait_until(lambda: watches.running == 0)
    assert not watches.idle
    leaves: list[Callable[[], None]] = [lambda: page.say("unwatch"), page.close]
    for leave in leaves:
        think(page, node=5)
        wait_until(lambda: len(watches.idle) == 1)
        leave()
        wait_until(lambda: len(watches.idle) == 0)


def test_two_pages_at_a_time_and_a_third_that_waits(client: TestClient, open_page: OpenPage) -> None:
    watches, (first, second, third) = watches_of(client), [open_page() for _ in range(3)]
    for page in (first, second):
        page.say("outline", **LONG)
    wait_until(lambda: watches.running == MOST_WATCHES)
    third.say("think", fen=STARTPOS, nodes=100, node=5)
    assert third.hear("watching")["doing"] == "waiting"
    first.say("unwatch")
    assert shown(third.hear("window"))["number"] == 5
    assert shown(think(first, node=7))["number"] == 7


def test_the_listing_has_its_steps_and_its_letters(page: Page) -> None:
    listing = page.ask("listing", "listing")
    assert [step["number"] for step in listing["steps"]] == list(range(1, 19))
    step_of = {kind: step["number"] for step in listing["steps"] for kind in step["kinds"]}
    assert step_of.keys() == KINDS.keys()
    assert [step_of[kind] for kind in ("ENTER", "PROBE", "NODE", "KING_TAKEN", "LOG", "RETURN")] == [1, 1, 2, 7, 17, 18]
    codes = {step["title"]: step["code"] for step in listing["steps"]}
    assert codes["Fail high"].startswith("if takes_king(")
    assert not any("note(" in code or "leave(" in code for code in codes.values())
    assert listing["names"]["alpha"] == ["q", "the window"]
    assert listing["names"]["beta"] == ["l", "the window"]
    assert listing["names"]["to_square"][0] == "y"
    assert listing["names"]["passed"][0] == "F"
