"""Training: the handlers of the page's messages on puzzles. There is one trainee on a server."""

import asyncio
import contextlib
import functools
from collections.abc import Iterator, Sequence
from typing import Annotated, Final, Literal, TypedDict, get_args

import chess

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.fields import choice, several, text, whole
from ox88.apps.game import NAMES, Color
from ox88.apps.puzzles.games import OwnGame, own_games
from ox88.apps.puzzles.making import mistakes_of
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.train import records, sessions
from ox88.apps.train.grading import Grade
from ox88.apps.train.records import Kind
from ox88.apps.train.sessions import Trainer, Verdict, What
from ox88.apps.web.analysing import Progress
from ox88.apps.web.connection import Connection
from ox88.apps.web.engine_pool import Lease, PooledEngine
from ox88.apps.web.game import PlayedGame
from ox88.apps.web.messages import Id, Ids, MoveText, Pgn, Tell, Words, message
from ox88.apps.web.positions import MoveData, PositionData, describe_moves, describe_position
from ox88.apps.web.session import AppState
from ox88.engines.registry import MODERN
from ox88.errors import Ox88Error
from ox88.rules import parse_move

MOST_LEARNT: Final = 100  # Puzzles that are trained by their keys.
_NO_NAMES: Final = OpeningNames({})  # Openings say nothing about a puzzle.


class TrainingSession(TypedDict):
    """A session. place: of the puzzle, from 1. length: puzzles; 0 for a rush, which has `seconds` left.

    right: solved at once, without a hint. wrong: all others that were answered. grades: of each. change: of the rating.
    back: when they come back, in seconds since 1970. best: the most that was right in a rush.
    """

    what: What
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
    kind: Kind
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
    """What is said when a puzzle is over. solution: from its start. also: other first moves that are right, in SAN.

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


@message()
async def train(
    page: Connection,
    what: Annotated[What, choice(get_args(What))],
    theme: Id = "",
    keys: Annotated[Sequence[str], several(text(40), MOST_LEARNT)] = (),
    length: Annotated[int, whole(1, 100)] = 10,
) -> Drill:
    """Begin a session, in place of the one before: one's own mistakes, those that are due first, or the open set.

    theme: of the open set, if `what` is theme. keys: train these puzzles, whatever is due. length: none for a rush.
    """
    trainer = await _prepared(page)
    trainer.begin(what, theme, keys, length)
    return _describe(trainer)


async def _prepared(page: Connection) -> Trainer:
    """The trainer, whose open set is read."""
    trainer = page.state.trainer
    await asyncio.to_thread(lambda: trainer.open_puzzles.themes)
    return trainer


@message()
async def next_(page: Connection, done: Id = "") -> Drill:
    """Ask for the next puzzle of the session. done: the key of the one before; without it, the current one comes."""
    page.state.trainer.advance(done)
    return _describe(page.state.trainer)


class Tried(TypedDict):
    """What a move is worth. move: that was tried. moves: all since the start, with the reply if the move is right.

    answer: once the puzzle is over, since it is solved, or since a first wrong move was tried in a rush.
    """

    type: Literal["tried"]
    key: str
    verdict: Verdict
    move: MoveData
    moves: list[MoveData]
    position: PositionData
    session: TrainingSession
    answer: Answered | None


@message()
async def try_(page: Connection, key: Id, move: MoveText) -> Tried:
    """Try a move in the current puzzle."""
    trainer = page.state.trainer
    before = trainer.current(key).board.copy()
    verdict, drill = trainer.play(key, move)
    before.push(parse_move(move, before))
    return {
        "type": "tried",
        "key": key,
        "verdict": verdict,
        "move": _moves(before)[-1],
        "moves": _moves(drill.board),
        "position": describe_position(drill.board, movable=verdict != "solved"),
        "session": _describe_session(trainer),
        "answer": _describe_answer(trainer),
    }


class Revealed(TypedDict):
    """The square of the piece that moves, or the answer, after which the puzzle is over."""

    type: Literal["revealed"]
    key: str
    hint: str
    session: TrainingSession
    answer: Answered | None


@message()
async def reveal(page: Connection, key: Id, what: Annotated[str, choice(("hint", "solution"))]) -> Revealed:
    """Ask for the square of the piece that moves, or for the solution."""
    trainer = page.state.trainer
    square = chess.square_name(trainer.current(key).expected.from_square)
    (trainer.hint if what == "hint" else trainer.show)(key)
    session, answer = _describe_session(trainer), _describe_answer(trainer)
    return {"type": "revealed", "key": key, "hint": square, "session": session, "answer": answer}


def _describe(trainer: Trainer) -> Drill:
    return {
        "type": "drill",
        "session": _describe_session(trainer),
        "puzzle": None if trainer.drill is None else _describe_puzzle(trainer.drill),
        "answer": _describe_answer(trainer),
        "due": trainer.due_count(),
    }


def _describe_session(trainer: Trainer) -> TrainingSession:
    session = trainer.going_on()
    return {
        "what": session.what,
        "theme": session.theme,
        "place": len(session.seen),
        "length": session.length,
        "right": session.right,
        "wrong": session.wrong,
        "grades": session.grades,
        "change": round(sum(outcome.answer.change for outcome in session.outcomes.values())),
        "back": sorted(outcome.due for outcome in session.outcomes.values() if outcome.due is not None),
        "best": trainer.records.best_rush(),
        "seconds": None if session.end is None else max(session.end - trainer.clock(), 0.0),
        "over": session.is_over,
    }


def _describe_puzzle(drill: sessions.Drill) -> Drilled:
    puzzle, start = drill.puzzle, drill.puzzle.board()
    played = start.copy()
    if puzzle.played:
        played.push_uci(puzzle.played)
    return {
        "key": puzzle.id,
        "kind": drill.kind,
        "fen": puzzle.fen,
        "previous": puzzle.moves[0],
        "start": start.fen(),
        "side": NAMES[start.turn],
        "rating": puzzle.rating,
        "again": drill.comes_back,
        "played": _moves(played)[0] if puzzle.played else None,
        "source": puzzle.source,
        "moves": _moves(drill.board),
        "position": describe_position(drill.board, movable=not drill.is_over),
        "hint": chess.square_name(drill.expected.from_square) if drill.is_hinted and not drill.is_over else "",
        "missed": drill.is_missed,
    }


def _describe_answer(trainer: Trainer) -> Answered | None:
    drill = trainer.drill
    if drill is None or not drill.is_over:
        return None
    answer, due = trainer.going_on().outcomes[drill.puzzle.id]
    return {
        "solution": _moves(drill.solved_board()),
        "also": drill.also_san(),
        "themes": list(drill.puzzle.themes),
        "reason": drill.puzzle.reason,
        "grade": answer.grade,
        "due": due,
        "rating": round(answer.rating),
        "deviation": round(answer.deviation),
        "change": round(answer.change),
    }


def _moves(board: chess.Board) -> list[MoveData]:
    """The moves since the start of the puzzle."""
    return describe_moves(board, _NO_NAMES, after=1)


# --- Learning ---------------------------------------------------------------------------------------------------------


class Learnt(TypedDict):
    """Puzzles are made of mistakes: the keys of all, also of known ones, and how many games were read.

    wrong: what is wrong with a game of the PGN, or "".
    """

    type: Literal["learnt"]
    keys: list[str]
    games: int
    wrong: str


@message(Progress, task="learn")
async def learn(
    page: Connection,
    tell: Tell,
    games: Ids = (),
    player: Words = "",
    text: Pgn = "",
    most: Annotated[int, whole(1, 100)] = MOST_LEARNT,
) -> Learnt:
    """Make puzzles of one's own mistakes: in games played here, or in the games of a PGN by a player with a name.

    What is found in a game is kept when the game has been looked at.

    games: their ids; without them and without a PGN, all that were not looked at before. most: puzzles of a game.
    """
    trainer = page.state.trainer
    wanted, wrong = await asyncio.to_thread(_games, page.state, games, player, text)
    total, done, keys = sum(len(game.board.move_stack) for _, game in wanted), 0, list[str]()
    loop = asyncio.get_running_loop()

    def search(game: OwnGame, done: int, engine: PooledEngine) -> list[tuple[Puzzle, list[str]]]:
        def go_on(share: float) -> bool:
            looked = done + int(share * len(game.board.move_stack))
            loop.call_soon_threadsafe(tell, {"type": "progress", "done": looked, "total": total})
            return not engine.is_stopped()

        return mistakes_of(engine.placed, game, most, go_on)

    for game_id, game in wanted:
        found = await page.state.engines.run(
            Lease(MODERN, trainer),
            functools.partial(search, game, done),
            lambda notice: tell({"type": "progress", "notice": notice}),
        )
        keys += trainer.keep(found)
        if game_id and most == MOST_LEARNT:
            trainer.records.note_learnt(game_id)
        done += len(game.board.move_stack)
    return {"type": "learnt", "keys": [*dict.fromkeys(keys)][:MOST_LEARNT], "games": len(wanted), "wrong": wrong}


def _games(state: AppState, ids: Sequence[str], player: str, text: str) -> tuple[list[tuple[str, OwnGame]], str]:
    """The games that are wished for, with their ids if they were played here; and what is wrong with one."""
    if text:
        found, wrong = own_games(text, player)
        return [("", game) for game in found], wrong
    played = map(state.load_game, ids) if ids else _unlearnt_games(state)
    own = [(game.id, OwnGame(game.board.copy(), game.side, game.id)) for game in played if not game.board.chess960]
    return own, ""


def _unlearnt_games(state: AppState) -> Iterator[PlayedGame]:
    """The games that have ended and are not learnt. On a shared server nobody may ask for all."""
    learnt = state.trainer.records.learnt()
    for game_id in () if state.is_shared else state.store.games.ids():
        if game_id not in learnt:
            with contextlib.suppress(Ox88Error, KeyError, TypeError, ValueError):  # Such as one of a later version.
                game = state.load_game(game_id)
                if game.end is not None:
                    yield game


# --- Statistics -------------------------------------------------------------------------------------------------------


class Statistics(records.Statistics):
    """How the training goes. due: puzzles that come back today. rating: of now, with its deviation.

    open: the themes of the open set. session: if one goes on.
    """

    type: Literal["statistics"]
    due: int
    rating: int
    deviation: int
    open: list[str]
    session: TrainingSession | None


@message()
async def statistics(page: Connection) -> Statistics:
    """Ask how the training goes."""
    trainer = await _prepared(page)
    found, rating = trainer.records.statistics(trainer.clock()), trainer.records.rating()
    return {
        **found,
        "type": "statistics",
        "due": found["days"][0],
        "rating": round(rating.value),
        "deviation": round(rating.deviation),
        "open": trainer.open_puzzles.themes,
        "session": _describe_session(trainer) if trainer.goes_on() else None,
    }
