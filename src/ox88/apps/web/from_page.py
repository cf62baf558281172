"""What the page may say: each message is a class, named like its type, and each field says what it may be."""

from collections.abc import Sequence
from typing import Annotated, Final

from ox88.apps.analyse.search import DEFAULT_NODES
from ox88.apps.fields import choice, either, number, several, text, whole
from ox88.apps.train.sessions import KINDS
from ox88.apps.web.messages import LARGEST, LONGEST_MESSAGE, Message
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO
from ox88.engines.registry import ENGINES, MODERN

LONGEST_GAME: Final = 20_000  # Moves; no game of chess can be longer.
MOST_CHAPTERS: Final = 2000  # Of an analysis.
MOST_LEARNT: Final = 100  # Puzzles that are trained by their keys.
_MOST_KNOWN: Final = 2000  # Ids.
WITHOUT: Final = {  # The page's names of what micro-Max's search can leave out.
    "hash": "hash",
    "best": "best move first",
    "recapture": "recapture extension",
    "legality": "king-capture legality",
}
# What the page can look for next: its name, sorts of events, and how far above the ply that is left; None for any ply.
AIMS: Final[dict[str, tuple[str, tuple[str, ...], int | None]]] = {
    "into": ("node", ("ENTER", "RETURN"), None),
    "over": ("step", (), 0),
    "out": ("step", (), 1),
    "cutoff": ("cutoff", ("CUT_OFF",), None),
    "hit": ("hash hit", ("HASH_HIT",), None),
    "best": ("new best move", ("BEST",), None),
    "recapture": ("recapture", ("RECAPTURE",), None),
    "iteration": ("iteration", ("ITERATION",), None),
}

Fen = Annotated[str, text(200)]
MoveText = Annotated[str, text(20)]
Moves = Annotated[Sequence[str], several(text(20), LONGEST_GAME)]
Pgn = Annotated[str, text(LONGEST_MESSAGE)]
GameId = Annotated[str, text(40)]
AnalysisId = Annotated[str, text(40)]
PuzzleKey = Annotated[str, text(40)]
Known = Annotated[Sequence[str], several(text(40), _MOST_KNOWN)]
Search = Annotated[str, text(100)]
Engine = Annotated[str, choice([entry.name for entry in ENGINES])]
Time = Annotated[float | None, number(10, 180 * 60)]
Increment = Annotated[float, number(0, 180)]
Ply = Annotated[int | None, whole(0, LONGEST_GAME)]
Square = Annotated[int | None, whole(0, 0x77)]

# --- Playing ----------------------------------------------------------------------------------------------------------


class New(Message, answers=("game",)):
    """Begin a game, perhaps with a first move. Times are in seconds: for a move, or of a clock.

    The engine has the person's clock, unless engine_initial is there.
    """

    engine: Engine
    elo: Annotated[int | None, whole(LEAST_ELO, MOST_ELO)] = None
    side: Annotated[str, choice(("white", "black", "random"))]
    seconds: Annotated[float, number(0.1, 60)] = 3.0
    initial: Time = None
    increment: Increment = 0
    engine_initial: Time = None
    engine_increment: Increment = 0
    fen: Fen = ""
    move: MoveText = ""


class Join(Message, answers=("game",)):
    """Continue a game. The answer comes again at each change."""

    game: GameId


class Move(Message, answers=("game",)):
    """Play a move. ply: how many were played before it, as far as the page knows."""

    move: MoveText
    ply: Ply = None


class Takeback(Message, answers=("game",)):
    """Take a move back, and the engine's answer to it."""


class Putback(Message, answers=("game",)):
    """Play again what was taken back last."""


class Hint(Message, answers=("game",)):
    """Mark the next move: the person sees a hint for it."""


class Resign(Message, answers=("game",)):
    """Give the game up."""


class Draw(Message, answers=("game",)):
    """Offer a draw."""


class Rematch(Message, answers=("game",)):
    """Begin another game with the same options."""

    colours: Annotated[str, choice(("same", "swapped"))]


class Library(Message, answers=("library",)):
    """Ask for games that have all words of a search, with one outcome, against one engine; "" for any.

    games: the ids that the browser knows.
    """

    search: Search = ""
    outcome: Annotated[str, choice(("", "won", "lost", "drawn", "unfinished"))] = ""
    engine: Annotated[str, choice(("", *(entry.name for entry in ENGINES)))] = ""
    games: Known = ()


class Delete(Message, answers=("deleted",)):
    """Forget a game or an analysis. Other pages that show it are told too."""

    game: GameId = ""
    analysis: AnalysisId = ""


class Chess960(Message, answers=("chess960",)):
    """Ask for a start position of Chess960, by its number or at random."""

    number: Annotated[int | None, whole(0, 959)] = None


# --- Analysing --------------------------------------------------------------------------------------------------------


class Position(Message, answers=("position",)):
    """Ask for the position after some moves. after: moves up to this ply are not described."""

    start: Fen
    moves: Moves
    after: Annotated[int, whole(0, LONGEST_GAME)] = 0


class Analyse(Message, answers=("info",)):
    """Search the position after some moves, in place of the one before."""

    start: Fen
    moves: Moves
    lines: Annotated[int, whole(1, 5)]
    engine: Engine = MODERN.name


class Stop(Message):
    """End the search of a position."""


class Games(Message, answers=("games",)):
    """Ask for the games of a PGN."""

    text: Pgn


class Open(Message, answers=("opened",)):
    """Ask for the tree of a game."""

    text: Pgn


class Annotate(Message, answers=("progress", "annotation")):
    """Analyse a whole game. nodes: for each position."""

    text: Pgn
    nodes: Annotated[int, whole(1, 2_000_000)] = DEFAULT_NODES


class Cancel(Message):
    """End the analysis of a game, or the search for mistakes."""

    what: Annotated[str, choice(("annotate", "learn"))] = "annotate"


class Explore(Message, answers=("explored",)):
    """Ask what was played in the position after some moves, in the games of the library."""

    start: Fen
    moves: Moves


class Past(Message, answers=("games",)):
    """Ask for a game of the library, by its number in an answer on a position."""

    past: Annotated[int, whole(0, LARGEST)]


# --- Saved analyses ---------------------------------------------------------------------------------------------------


class Save(Message, answers=("saved",)):
    """Save an analysis: a new one, or a change of one, based on a `revision`. Other pages that show it are told.

    chapters: each a game as PGN, or the number that a chapter had in this revision, from 0.
    """

    analysis: AnalysisId = ""
    revision: Annotated[int, whole(0, LARGEST)] = 0
    name: Annotated[str, text(100)] = ""
    chapters: Annotated[
        Sequence[int | str], several(either(whole(0, MOST_CHAPTERS - 1), text(LONGEST_MESSAGE)), MOST_CHAPTERS)
    ]


class Load(Message, answers=("analysis",)):
    """Ask for an analysis. The answer comes again at each change of another page, until the page loads another one."""

    analysis: AnalysisId


class Copy(Message, answers=("saved",)):
    """Save a copy of an analysis."""

    analysis: AnalysisId


class Analyses(Message, answers=("analyses",)):
    """Ask for analyses that have all words of a search. analyses: the ids that the browser knows."""

    search: Search = ""
    analyses: Known = ()


# --- Training ---------------------------------------------------------------------------------------------------------


class Train(Message, answers=("drill",)):
    """Begin a session, in place of the one before: one's own mistakes, those that are due first, or the open set.

    theme: of the open set, if `what` is theme. keys: train these puzzles, whatever is due. length: none for a rush.
    """

    what: Annotated[str, choice(KINDS)]
    theme: Annotated[str, text(40)] = ""
    keys: Annotated[Sequence[str], several(text(40), MOST_LEARNT)] = ()
    length: Annotated[int, whole(1, 100)] = 10


class Next(Message, answers=("drill",)):
    """Ask for the next puzzle of the session. done: the key of the one before; without it, the current one comes."""

    done: PuzzleKey = ""


class Try(Message, answers=("tried",)):
    """Try a move in the current puzzle."""

    key: PuzzleKey
    move: MoveText


class Reveal(Message, answers=("revealed",)):
    """Ask for the square of the piece that moves, or for the solution."""

    key: PuzzleKey
    what: Annotated[str, choice(("hint", "solution"))]


class Learn(Message, answers=("progress", "learnt")):
    """Make puzzles of one's own mistakes: in games played here, or in the games of a PGN by a player with a name.

    games: their ids; without them and without a PGN, all that were not looked at before. most: puzzles of a game.
    """

    games: Known = ()
    player: Annotated[str, text(100)] = ""
    text: Pgn = ""
    most: Annotated[int, whole(1, 100)] = 100


class Statistics(Message, answers=("statistics",)):
    """Ask how the training goes."""


# --- Looking inside ---------------------------------------------------------------------------------------------------


class Show(Message, answers=("picture",)):
    """Ask for a picture of `ox88 show`."""

    fen: Fen
    view: Annotated[str, text(20)]
    square: Annotated[str, text(2)] = ""
    bits: Annotated[str, text(200)] = ""
    depth: Annotated[int | None, whole(1, 5)] = None


class Outline(Message, answers=("outline",)):
    """Ask for micro-Max's search of a position as a whole."""

    fen: Fen
    nodes: Annotated[int, whole(0, LARGEST)]
    without: Annotated[Sequence[str], several(choice(WITHOUT), len(WITHOUT))] = ()


class Think(Outline, answers=("watching", "window")):
    """Ask for a window of the search's events, in place of the window before.

    It is around a `node` that is entered, perhaps a `step` after it; or around the try of a move (`from`, `to`) by the
    open node of a `ply`, after `node`; or around an `event`, or the next one after it to which an `aim` leads.
    """

    node: Annotated[int | None, whole(-LARGEST, LARGEST)] = None
    step: Annotated[int, whole(0, LARGEST)] = 0
    event: Annotated[int | None, whole(0, LARGEST)] = None
    aim: Annotated[str | None, choice(AIMS)] = None
    ply: Annotated[int | None, whole(0, 1000)] = None
    from_: Square = None
    to: Square = None


class Unwatch(Message):
    """End the searches that are watched."""


class Listing(Message, answers=("listing",)):
    """Ask for micro-Max's listing."""


MESSAGES: Final[dict[str, type[Message]]] = {
    message.kind(): message
    for message in (
        New, Join, Move, Takeback, Putback, Hint, Resign, Draw, Rematch, Library, Delete, Chess960,
        Position, Analyse, Stop, Games, Open, Annotate, Cancel, Explore, Past,
        Save, Load, Copy, Analyses,
        Train, Next, Try, Reveal, Learn, Statistics,
        Show, Outline, Think, Unwatch, Listing,
    )
}  # fmt: skip
