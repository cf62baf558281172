"""Looking inside: pictures of boards, micro-Max's listing, and windows of events in a search that is watched."""

import inspect
import re
import textwrap
import threading
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypedDict

from ox88.apps.fields import choice, several, text, whole
from ox88.apps.web.connection import Connection
from ox88.apps.web.messages import LARGEST, Fen, MessageError, Tell, message
from ox88.apps.web.watches import WITHOUT, Search, Watching
from ox88.engines.micromax import events
from ox88.setup import parse_fen

if TYPE_CHECKING:
    from ox88.engines.micromax.watching import Recording, Watch

_DRAWING: Final = threading.Lock()  # All pictures of micro-Max use one machine.
BEFORE: Final = 1_000  # Events before the wanted one, to step back to.
NEAR: Final = 500_000  # Nodes from the root on that are searched in no time, so they can be searched twice.
NODES_BEFORE: Final = 8  # For a node further on, the window of events begins so many nodes before it.
MOST_PLIES: Final = 1_000
# What the page can look for next: its name, and sorts of events, or how far above the ply that is left.
AIMS: Final[dict[str, tuple[str, tuple[str, ...], int | None]]] = {
    "into": ("node", ("ENTER", "RETURN"), None),
    "over": ("step", (), 0),
    "out": ("step", (), 1),
    "cutoff": ("cutoff", ("CUT_OFF",), None),
    "hit": ("known position", ("HASH_HIT",), None),
    "best": ("new best move", ("BEST",), None),
    "recapture": ("recapture", ("RECAPTURE",), None),
    "iteration": ("iteration", ("ITERATION",), None),
}
_STEP: Final = re.compile(r" *# Step (\d+)\. (.*)")
_COMMENT: Final = re.compile(r" *# (.*)")
_END_OF_TITLE: Final = re.compile(r"[.:](?: |$)")
_ROW: Final = re.compile(r"\| (.*?) \| (.*?) \| (.*?) ?\|")
_CODE: Final = re.compile(r"`([^`]+)`")
RECORDING: Final = re.compile(r" *(enter|note|leave)\(mm, .*\)")  # For the recorder; no part of the listing.
_EVENT: Final = re.compile(r"events\.([A-Z_]+)")
_FUNCTION: Final = re.compile(r"^def (\w+)\((.*?)(?=^@kernel)", re.MULTILINE | re.DOTALL)
_RECORDED: Final = {"enter": ["ENTER", "KEYS"], "leave": ["RETURN"]}  # What the recorder makes of a call.
_PARTS: Final = ("## Macros", "## An entry", "## Globals", "## `D()`")  # The last part that names something counts.
Nodes = Annotated[int, whole(0, LARGEST)]
Without = Annotated[Sequence[str], several(choice(WITHOUT), len(WITHOUT))]
Square = Annotated[int | None, whole(0, 0x77)]


class Picture(TypedDict):
    """A picture of `ox88 show`."""

    type: Literal["picture"]
    svg: str
    title: str
    caption: str


@message()
def show(
    _: Connection,
    fen: Fen,
    view: Annotated[str, text(20)],
    square: Annotated[str, text(2)] = "",
    bits: Annotated[str, text(200)] = "",
    depth: Annotated[int | None, whole(1, 5)] = None,
) -> Picture:
    """Ask for a picture of `ox88 show`."""
    from ox88.apps.show.svg import to_svg  # Imported late: the page is served before the compiler is loaded.
    from ox88.apps.show.views import draw

    with _DRAWING:
        picture = draw(parse_fen(fen), view, square or None, bits or None, depth)
    svg = to_svg(picture, with_words=False)
    return {"type": "picture", "svg": svg, "title": picture.title, "caption": picture.caption}


# --- Searches that are watched ----------------------------------------------------------------------------------------


class Iteration(TypedDict):
    """What an iteration at the root has found."""

    depth: int
    nodes: int
    score: int
    move: str


class Outline(TypedDict):
    """A search as a whole."""

    type: Literal["outline"]
    nodes: int
    events: int
    complete: bool
    iterations: list[Iteration]


@message(task="outline {without}")
async def outline(page: Connection, _: Tell, fen: Fen, nodes: Nodes, without: Without = ()) -> Outline:
    """Ask for micro-Max's search of a position as a whole."""
    totals = await page.state.watches.find_totals(search_of(fen, nodes, without))
    return {
        "type": "outline",
        "nodes": totals.nodes,
        "events": totals.events,
        "complete": totals.is_complete,
        "iterations": [
            {"depth": line.depth, "nodes": line.nodes, "score": line.score, "move": line.move_text}
            for line in totals.iterations
        ],
    }


def search_of(fen: str, nodes: int, without: Sequence[str]) -> Search:
    """Raises Ox88Error if the position is illegal."""
    return Search(parse_fen(fen).check().fen, nodes, frozenset(without))


class WindowStart(TypedDict):
    """The state before the first event of a window: board, nodes, entries of the hash table, open nodes."""

    board: Sequence[int]
    node: int
    filled: int
    line: list[dict[str, Any]]


class Aim(TypedDict):
    """What an aim leads to in a window: one of some events; or where that is None, an event so far `above` a ply."""

    name: str
    events: list[int] | None
    above: int | None


class Window(TypedDict):
    """Up to 5,000 events of a search.

    first: the number of the first one. at: the one that was asked for. width: integers of an event, kind, ply and
    values. kinds: the kinds with the names of their values. aims: what can be looked for. size: of the hash table.
    moves: what may be tried in each node that its NODE events count: from square, to square and what is captured.
    """

    type: Literal["window"]
    first: int
    at: int
    last: bool
    width: int
    events: list[int]
    kinds: list[tuple[str, list[str]]]
    aims: dict[str, Aim]
    size: int
    start: WindowStart
    fen: str
    moves: list[list[tuple[int, int, int]]]


@message(Watching, task="think")
async def think(
    page: Connection,
    _: Tell,
    fen: Fen,
    nodes: Nodes,
    without: Without = (),
    node: Annotated[int | None, whole(-LARGEST, LARGEST)] = None,
    step: Annotated[int, whole(0, LARGEST)] = 0,
    event: Annotated[int | None, whole(0, LARGEST)] = None,
    aim: Annotated[str | None, choice(AIMS)] = None,
    ply: Annotated[int | None, whole(0, 1000)] = None,
    from_: Square = None,
    to: Square = None,
) -> Window:
    """Ask for a window of the search's events, in place of the window before.

    It is around a `node` that is entered, perhaps a `step` after it; or around the try of a move (`from`, `to`) by the
    open node of a `ply`, after `node`; or around an `event`, or the next one after it to which an `aim` leads.
    """

    def find(watch: "Watch") -> Window:
        if node is not None and from_ is not None:
            found, at = find_try(watch, node, _needed("ply", ply), (from_, _needed("to", to)))
        elif node is not None:
            found, at = find_node(watch, node, step)
        elif aim is None:
            found, at = find_event(watch, _needed("event", event))
        else:
            found, at = find_next(watch, _needed("event", event), aim, _needed("ply", ply))
        return _describe_window(watch, found, at, search.fen)

    search = search_of(fen, nodes, without)
    return await page.state.watches.run(search, find, page.tell)


@message()
async def unwatch(page: Connection) -> None:
    """End the searches that are watched."""
    page.leave_watches()


def _needed(name: str, value: int | None) -> int:
    if value is None:
        raise MessageError(f"{name} is missing")
    return value


def find_node(watch: "Watch", node: int, step: int) -> "tuple[Recording, int]":
    """The window around an event, and the number of this event: `step` events after the one that counts a node."""
    found = watch.from_node(node, before=NODES_BEFORE if node > NEAR else 0)
    rows = _rows_counting(found, node)
    if not len(rows):  # The window around so many nodes is too small for their events.
        found = watch.from_node(node)
        rows = _rows_counting(found, node)
    at = found.first_event + int(rows[0]) + step
    if at >= found.first_event + len(found.events):
        return find_event(watch, at)
    if node <= NEAR and found.first_event > 0:
        found = watch.from_event(max(0, found.first_event - BEFORE))
    return found, at


def _rows_counting(found: "Recording", node: int) -> Any:
    """Where in a window an event counts a node; empty, or one row."""
    return ((found.events[:, 0] == events.NODE) & (found.events[:, 2] == node)).nonzero()[0]


def find_event(watch: "Watch", event: int) -> "tuple[Recording, int]":
    """The window around an event, which is the last one if the search has no such event."""
    found = watch.from_event(max(0, event - BEFORE))
    return found, min(event, found.first_event + len(found.events) - 1)


def find_next(watch: "Watch", event: int, aim: str, ply: int) -> "tuple[Recording, int]":
    """A window with the next event after `event` that an aim means. Raises MessageError if there is none."""
    name, sorts, plies = AIMS[aim]
    found = watch.next(sorts or events.KINDS, event + 1, highest_ply=MOST_PLIES if plies is None else ply - plies)
    if found is None:
        raise MessageError(f"the search ends without another {name}")
    return found, found.first_event


def find_try(watch: "Watch", node: int, ply: int, move: tuple[int, int]) -> "tuple[Recording, int]":
    """A window with a move that the open node of a ply has tried, and the number of the event that makes it.

    node: the one that was counted last before the move. Raises MessageError if the move is not made.
    """
    after = watch.from_node(node, 1).first_event
    while (found := watch.next(["DO"], after, highest_ply=ply)) is not None:
        for row, (kind, at_ply, from_square, to_square, *_) in enumerate(found.events.tolist()):
            if (kind, at_ply, from_square, to_square) == (events.DO, ply, *move):
                return found, found.first_event + row
            if at_ply < ply:  # The node has returned.
                raise MessageError("the search has no such move after that node")
        after = found.first_event + len(found.events)
    raise MessageError("the search has no such move after that node")


def _describe_window(watch: "Watch", found: "Recording", at: int, fen: str) -> Window:
    from ox88.engines.micromax.search import TABLE_SIZE

    return {
        "type": "window",
        "first": found.first_event,
        "at": at,
        "last": found.is_end,
        "width": found.events.shape[1],
        "events": found.events.ravel().tolist(),
        "fen": fen,
        "kinds": [(name, list(values)) for name, values in events.KINDS.items()],
        "aims": {
            aim: {"name": name, "events": found.find(sorts) if sorts else None, "above": above}
            for aim, (name, sorts, above) in AIMS.items()
        },
        "size": TABLE_SIZE - 1,  # The first one is a dummy.
        "start": {
            "board": found.board,
            "node": found.nodes,
            "filled": found.filled,
            "line": [
                node._asdict() | {"moves": watch.moves(node.board, node.side, node.en_passant)} for node in found.line
            ],
        },
        "moves": [watch.moves(node["board"], int(node["side"]), int(node["en_passant"])) for node in found.counted],
    }


# --- The listing ------------------------------------------------------------------------------------------------------


class Step(TypedDict):
    """A numbered step of `search.py`. kinds: of the events that its code records."""

    number: int
    title: str
    words: str
    code: str
    kinds: list[str]


class Listing(TypedDict):
    """micro-Max's listing. names: ours, each with the letter of the C program and what it is."""

    type: Literal["listing"]
    steps: list[Step]
    names: dict[str, list[str]]


@message()
def listing(_: Connection) -> Listing:
    """Ask for micro-Max's listing."""
    from ox88.engines.micromax import search  # Imported late: the page is served before the compiler is loaded.

    names = (files("ox88.engines.micromax") / "names.md").read_text(encoding="utf-8")
    return {"type": "listing", "steps": read_steps(inspect.getsource(search)), "names": read_names(names)}


def read_steps(source: str) -> list[Step]:
    """The steps of a source text. A step begins with a comment `# Step 5. Title: explanation` of one or more lines."""
    before, _, after = source.partition("# Step 1.")
    recorded = {name: _EVENT.findall(body) for name, body in _FUNCTION.findall(before)} | _RECORDED
    steps: list[dict[str, Any]] = []
    in_comment = False
    for line in f"# Step 1.{after}".splitlines():
        if found := _STEP.fullmatch(line):
            steps.append({"number": int(found[1]), "comment": [found[2]], "code": []})
            in_comment = True
        elif in_comment and (more := _COMMENT.fullmatch(line)):
            steps[-1]["comment"].append(more[1])
        else:
            in_comment = False
            steps[-1]["code"].append(line)
    return [_describe_step(**step, recorded=recorded) for step in steps]


def _describe_step(number: int, comment: list[str], code: list[str], recorded: dict[str, list[str]]) -> Step:
    title, words = _END_OF_TITLE.split(" ".join(comment), maxsplit=1)
    text = textwrap.dedent("\n".join(line for line in code if not RECORDING.fullmatch(line))).strip("\n")
    calls = re.findall(r"(\w+)\(", "\n".join(code))
    kinds = _EVENT.findall("\n".join(code)) + [kind for name in calls for kind in recorded.get(name, ())]
    return {"number": number, "title": title, "words": words[:1].upper() + words[1:], "code": text, "kinds": kinds}


def read_names(text: str) -> dict[str, list[str]]:
    """Our names, each with the listing's letter and what it is, from the tables of names.md."""
    names: dict[str, list[str]] = {}
    for part in _PARTS:
        table = text[text.index(part) :].split("\n## ")[0]
        for letters, ours, meaning in _ROW.findall(table):
            theirs, mine = _CODE.findall(letters), _CODE.findall(ours)
            for place, name in enumerate(mine):
                if theirs and name.removeprefix("mm.").isidentifier():
                    paired = theirs[place] if len(theirs) == len(mine) else theirs[0]
                    names[name.removeprefix("mm.")] = [paired, meaning.replace("`", "")]
    return names
