"""What the server says: each message is a dictionary that mypy checks where it is made.

An answer has two fields more: `about`, the type of the page's message, and its `id` if it has one.
"""

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, Required, TypedDict

from ox88.apps.clock import ClockView, Color
from ox88.apps.explore import Explored as Found

Grade = Literal["good", "hard", "again"]
TrainingKind = Literal["mistakes", "open", "theme", "rush"]
Doing = Literal["waiting", "compiling", "searching"]
Tags = dict[str, str]


class EngineChoice(TypedDict):
    """An engine. levels: the least and the most Elo, if it has levels."""

    name: str
    levels: list[int] | None


class Welcome(TypedDict):
    """The first message. longest: bytes of a message of the page. network: Ox88 has one."""

    type: Literal["welcome"]
    version: str
    engines: list[EngineChoice]
    longest: int
    network: bool


class Error(TypedDict):
    """A message cannot be handled, or an analysis has failed. Nothing else changes."""

    type: Literal["error"]
    message: str


# --- Playing ----------------------------------------------------------------------------------------------------------


class MoveData(TypedDict):
    """A move, and the position after it. comment: that it was made after a hint."""

    uci: str
    san: str
    fen: str
    check: NotRequired[bool]
    opening: NotRequired[str]
    comment: NotRequired[str]


class PositionData(TypedDict):
    """A position. dests: the targets of each piece's legal moves, by its square; empty if none may be played."""

    fen: str
    turn: Color
    check: bool
    dests: dict[str, list[str]]
    ending: str | None


class GameState(TypedDict):
    """All that the page shows of a game.

    clocks: seconds left after each move. undone: takebacks that can be put back. notice: why the engine is silent.
    """

    type: Literal["game"]
    game: str
    engine: str
    elo: int | None
    side: Color
    players: dict[Color, str]
    start: str
    moves: list[MoveData]
    position: PositionData
    clock: ClockView | None
    clocks: list[float | None]
    ending: str | None
    undone: int
    thinking: bool
    notice: str


class Summary(TypedDict, total=False):
    """A game in a list; `unreadable` says why the others are missing.

    changed: when, in seconds since 1970. fen, uci: the last position and the move to it.
    """

    id: str
    changed: float
    fen: str
    uci: str
    date: str
    engine: str
    side: Color
    outcome: str
    result: str
    reason: str
    opening: str
    plies: int
    unreadable: str


class Library(TypedDict):
    """The games that were changed last, and how many there are."""

    type: Literal["library"]
    games: list[Summary]
    count: int


class Deleted(TypedDict, total=False):
    """A game or an analysis is gone."""

    type: Required[Literal["deleted"]]
    game: str
    analysis: str


class Chess960(TypedDict):
    """A start position of Chess960."""

    type: Literal["chess960"]
    number: int
    start: str


# --- Analysing --------------------------------------------------------------------------------------------------------


class Position(TypedDict):
    """A position, and the moves to it after the ply `after`."""

    type: Literal["position"]
    start: str
    chess960: bool
    moves: list[MoveData]
    position: PositionData


class LineData(TypedDict):
    """A line: White's evaluation as text, White's chances to win in percent, and the moves in UCI and in SAN."""

    eval: str
    win: float
    depth: int
    moves: list[str]
    san: list[str]


class Info(TypedDict, total=False):
    """How far a search is, again and again: the lines, the best first; or a notice if it has to wait."""

    type: Literal["info"]
    lines: list[LineData]
    depth: int
    nodes: int
    speed: int
    time: float
    over: bool
    notice: str


class Notes(TypedDict, total=False):
    """What is written beside a move. commands: [%clk] and such. before: the comment before a variation."""

    nags: list[int]
    comment: str
    commands: str
    before: str
    eval: str
    win: float


class Node(Notes):
    """A position of a tree. parent: the number of the one before it, whose first child belongs to the main line."""

    fen: str
    parent: NotRequired[int]
    uci: NotRequired[str]
    san: NotRequired[str]
    check: NotRequired[bool]
    opening: NotRequired[str]


class GameText(TypedDict):
    """A game of a PGN."""

    text: str
    tags: Tags


class Games(TypedDict):
    """The games of a PGN."""

    type: Literal["games"]
    games: list[GameText]


class Player(TypedDict):
    """How well a player has played. counts: inaccuracies, mistakes, blunders."""

    name: str
    rating: str
    accuracy: float | None
    acpl: int | None
    counts: list[int]


class Opened(TypedDict):
    """The tree of a game, the first position first, and what could not be read.

    white, black: if the positions have evaluations, up to the last one that has any.
    """

    type: Literal["opened"]
    tags: Tags
    nodes: list[Node]
    errors: list[str]
    white: NotRequired[Player]
    black: NotRequired[Player]


class Progress(TypedDict, total=False):
    """How many positions of a game are analysed, and the chances of the last one; or a notice if it has to wait."""

    type: Literal["progress"]
    done: int
    total: int
    win: float
    notice: str


class Annotation(TypedDict):
    """An analysed game, with better moves as variations."""

    type: Literal["annotation"]
    tags: Tags
    nodes: list[Node]
    white: Player
    black: Player


class Explored(TypedDict, total=False):
    """What was played in a position, over `total` games of some files. share: how much of their index is made."""

    type: Required[Literal["explored"]]
    files: Required[list[str]]
    share: float
    total: int
    found: Found


# --- Saved analyses ---------------------------------------------------------------------------------------------------


class Saved(TypedDict):
    """An analysis is saved, as a revision of it."""

    type: Literal["saved"]
    analysis: str
    revision: int
    name: str


class AnalysisState(TypedDict):
    """All of an analysis. chapters: games as PGN."""

    type: Literal["analysis"]
    analysis: str
    name: str
    revision: int
    chapters: list[str]


class AnalysisSummary(TypedDict, total=False):
    """An analysis in a list; `unreadable` says why others are missing. changed: seconds since 1970.

    chapters: how many. players, opening: of the first chapters that have them. fen, uci: the end of the first one.
    """

    id: str
    changed: float
    fen: str
    uci: str
    name: str
    chapters: int
    players: list[str]
    opening: str
    unreadable: str


class Analyses(TypedDict):
    """The analyses that were changed last, and how many there are."""

    type: Literal["analyses"]
    analyses: list[AnalysisSummary]
    count: int


# --- Training ---------------------------------------------------------------------------------------------------------


class TrainingSession(TypedDict):
    """A session. place: of the puzzle, from 1. length: puzzles; 0 for a rush, which has `seconds` left.

    right: solved at once, without a hint. wrong: all others that were answered. grades: of each. change: of the rating.
    back: when they come back, in seconds since 1970. best: the most that was right in a rush.
    """

    what: TrainingKind
    theme: str
    place: int
    length: int
    right: int
    wrong: int
    grades: list[Grade]
    change: int
    back: list[float]
    best: int
    seconds: float | None
    over: bool


class Drilled(TypedDict):
    """A puzzle. fen: before the `previous` move, which leads to `start`, where `side` is to move.

    moves, position: what was played from there. again: it was missed before, and comes back. hint: the square that was
    shown, or "". missed: a wrong move was tried. For one's own mistake, played: the move of the game, and source: the
    id of a game played here, an address or the players; else there is none, and source is "".
    """

    key: str
    kind: Literal["mistake", "open"]
    fen: str
    previous: str
    start: str
    side: Color
    rating: int
    again: bool
    played: MoveData | None
    source: str
    moves: list[MoveData]
    position: PositionData
    hint: str
    missed: bool


class Answered(TypedDict):
    """What is said when a puzzle is over. solution: from its start. also: moves that are right too, in SAN.

    reason: why the move played was a mistake, or "". due: when it comes back, in seconds since 1970. rating: the
    person's, which has changed by `change`.
    """

    solution: list[MoveData]
    also: list[str]
    themes: list[str]
    reason: str
    grade: Grade
    due: float | None
    rating: int
    deviation: int
    change: int


class Drill(TypedDict):
    """The current puzzle; none if the session is over. answer: if the puzzle is over. due: how many come back today."""

    type: Literal["drill"]
    session: TrainingSession
    puzzle: Drilled | None
    answer: Answered | None
    due: int


class Tried(TypedDict):
    """What a move is worth. move: that was tried. moves: all since the start, with the reply if the move is right.

    answer: if the puzzle is over, which it is when it is solved, and in a rush at the first wrong move.
    """

    type: Literal["tried"]
    key: str
    verdict: Literal["right", "wrong", "solved"]
    move: MoveData
    moves: list[MoveData]
    position: PositionData
    session: TrainingSession
    answer: Answered | None


class Revealed(TypedDict):
    """The square of the piece that moves, or the answer, after which the puzzle is over."""

    type: Literal["revealed"]
    key: str
    hint: str
    session: TrainingSession
    answer: Answered | None


class Learnt(TypedDict):
    """Puzzles are made of mistakes: their keys, those that were known before among them, and games looked at."""

    type: Literal["learnt"]
    keys: list[str]
    games: int


class ThemeCount(TypedDict):
    """How many puzzles of a theme were seen, and solved at once."""

    theme: str
    seen: int
    right: int


class RatingPoint(TypedDict):
    """The rating at the end of a day."""

    day: str
    rating: int


class Statistics(TypedDict):
    """How the training goes. due: puzzles that come back today. fresh: mistakes that were never tried.

    days: how many are due today, tomorrow ... today: answers. streak: days in a row with an answer, up to today or
    yesterday. themes: what was seen most comes first. open: the themes of the open set. best: the most that was right
    in a rush. session: if one goes on.
    """

    type: Literal["statistics"]
    due: int
    fresh: int
    days: list[int]
    today: int
    streak: int
    best: int
    rating: int
    deviation: int
    ratings: list[RatingPoint]
    themes: list[ThemeCount]
    open: list[str]
    session: TrainingSession | None


# --- Looking inside ---------------------------------------------------------------------------------------------------


class Picture(TypedDict):
    """A picture of `ox88 show`."""

    type: Literal["picture"]
    svg: str
    title: str
    caption: str


class Watching(TypedDict):
    """What is done until the window comes: waiting, compiling, searching; and how many nodes are searched."""

    type: Literal["watching"]
    doing: Doing
    nodes: int


class WindowStart(TypedDict):
    """The state before the first event of a window: board, nodes, entries of the hash table, open nodes."""

    board: Sequence[int]
    node: int
    filled: int
    line: list[dict[str, Any]]


class Window(TypedDict):
    """Up to 5,000 events of a search.

    first: the number of the first one. at: the one that was asked for. width: integers of an event, kind, ply and
    values. kinds: the kinds with the names of their values. size: of the hash table. moves: what may be
    tried in each node that its NODE events count: from square, to square and what is captured.
    """

    type: Literal["window"]
    first: int
    at: int
    last: bool
    width: int
    events: list[int]
    kinds: list[tuple[str, list[str]]]
    size: int
    start: WindowStart
    fen: str
    moves: list[list[tuple[int, int, int]]]


class Iteration(TypedDict):
    """An iteration of the root."""

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


class Step(TypedDict):
    """A numbered step of `search.py`."""

    number: int
    title: str
    words: str
    code: str


class Listing(TypedDict):
    """micro-Max's listing. names: ours, each with the letter of the C program and what it is."""

    type: Literal["listing"]
    steps: list[Step]
    names: dict[str, list[str]]


Answer = (
    Welcome | Error | GameState | Library | Deleted | Chess960
    | Position | Info | Games | Opened | Progress | Annotation | Explored
    | Saved | AnalysisState | Analyses
    | Drill | Tried | Revealed | Learnt | Statistics
    | Picture | Watching | Window | Outline | Listing
)  # fmt: skip
