"""Analysis for the page: positions and the best lines in them, games of a PGN, and what was played before."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from typing import Annotated, Final, Literal, TypedDict

import chess

from ox88.apps.analyse.accuracy import Judgement
from ox88.apps.analyse.page_output import Player, player_data
from ox88.apps.analyse.parsing import ParsedGame, parse_game
from ox88.apps.analyse.recording import explain_errors, record_analysis, record_line, set_evaluation
from ox88.apps.analyse.records import AnalysedGame, fens_of, format_evaluation
from ox88.apps.analyse.search import DEFAULT_NODES, PositionAnalysis, line_of, search_backwards
from ox88.apps.fields import choice, several, text, whole
from ox88.apps.reasons.reason import Reason
from ox88.apps.reasons.searching import search_by_placed
from ox88.apps.web.connection import Connection
from ox88.apps.web.engine_pool import Lease, PooledEngine, find_engine
from ox88.apps.web.explorer import Explored
from ox88.apps.web.human_moves import LikelyMove, find_errors, likely_moves
from ox88.apps.web.messages import LARGEST, LONGEST_GAME, EngineName, Fen, Moves, Pgn, Tell, message
from ox88.apps.web.positions import (
    GameText,
    MoveData,
    Node,
    Opened,
    PositionData,
    describe_moves,
    describe_position,
    describe_tree,
    list_games,
    open_game,
    read_position,
)
from ox88.engines import base
from ox88.engines.base import Limit
from ox88.engines.modern.options import LEAST_ELO, MOST_HUMAN_ELO
from ox88.engines.registry import MODERN
from ox88.errors import Ox88Error
from ox88.rules import parse_move

LONGEST: Final = 300.0  # Seconds. Then an analysis ends, since nobody may be looking at the page any more.
MOST_PLIES: Final = 1000  # Of a game; more would keep an engine from others for too long.
Candidates = Annotated[Sequence[str], several(text(20), 5)]
_PAUSE: Final = 0.05  # Seconds between two reports at least.


class Position(TypedDict):
    """A position, and the moves to it after the ply `after`."""

    type: Literal["position"]
    start: str
    chess960: bool
    moves: list[MoveData]
    position: PositionData


@message()
def position(page: Connection, start: Fen, moves: Moves, after: Annotated[int, whole(0, LONGEST_GAME)] = 0) -> Position:
    """Ask for the position after some moves. after: moves up to this ply are not described."""
    board = read_position(start, moves)
    return {
        "type": "position",
        "start": board.root().fen(),
        "chess960": board.chess960,
        "moves": describe_moves(board, page.state.names, after),
        "position": describe_position(board),
    }


@message()
def explore(page: Connection, start: Fen, moves: Moves) -> Explored:
    """Ask what was played in the position after some moves, in the games of the library."""
    return page.state.library.explore(read_position(start, moves))


class People(TypedDict):
    """What people of a rating play, the likeliest first. Moves that fewer than one in 200 play are left out."""

    type: Literal["people"]
    moves: list[LikelyMove]


@message()
def people(_: Connection, start: Fen, moves: Moves, rating: Annotated[int, whole(LEAST_ELO, MOST_HUMAN_ELO)]) -> People:
    """Ask what people of a rating (of Lichess) play in the position after some moves."""
    return {"type": "people", "moves": likely_moves(read_position(start, moves), rating)}


class Judged(TypedDict):
    """Which moves are mistakes or blunders, by their UCI. Of a move that is not here, nothing is known."""

    type: Literal["judged"]
    errors: dict[str, Judgement]


@message(task="judge")
async def judge(page: Connection, _: Tell, start: Fen, moves: Moves, of: Candidates) -> Judged:
    """Ask which moves in a position are errors, in place of the question before. It takes half a second."""
    board = await asyncio.to_thread(read_position, start, moves)
    candidates = [parse_move(move, board) for move in of]
    lease = Lease(MODERN, (page, "people"), is_analysis=False)  # Else it would wait for the end of an analysis.
    return {
        "type": "judged",
        "errors": await page.state.engines.run(lease, lambda engine: find_errors(engine, board, candidates)),
    }


# --- The best lines ---------------------------------------------------------------------------------------------------


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


@message(task="analyse")
async def analyse(
    page: Connection,
    tell: Tell,
    start: Fen,
    moves: Moves,
    lines: Annotated[int, whole(1, 5)],
    engine: EngineName = MODERN.name,
) -> Info:
    """Search the position after some moves, in place of the one before, and tell the best lines again and again.

    An engine without MultiPV has one line.
    """
    board = await asyncio.to_thread(read_position, start, moves)
    best: dict[int, base.Info] = {}  # The last base.Info of each line, by its rank.
    newest: deque[base.Info] = deque(maxlen=1)
    loop, arrived = asyncio.get_running_loop(), asyncio.Event()

    def listen(info: base.Info) -> None:  # In the thread of the search.
        if info.line and info.bound == "exact":
            best[info.multipv] = info
        newest.append(info)
        loop.call_soon_threadsafe(arrived.set)

    async def report() -> None:
        while await arrived.wait():
            arrived.clear()
            tell(_describe_search(board, best.copy(), newest[0], is_over=False))
            await asyncio.sleep(_PAUSE)

    reporting = asyncio.create_task(report())
    try:
        await page.state.engines.run(
            Lease(find_engine(engine), page, {"MultiPV": lines}),
            lambda pooled: pooled.search(board, Limit(time=LONGEST), listen),
            lambda notice: tell({"type": "info", "notice": notice}),
        )
    finally:
        reporting.cancel()
    return _describe_search(board, best, newest[0] if newest else None, is_over=True)


def _describe_search(board: chess.Board, best: dict[int, base.Info], last: base.Info | None, is_over: bool) -> Info:
    """The lines, the best first, and the state of the search."""
    infos = [best[number] for number in sorted(best)]
    described: Info = {
        "type": "info",
        "lines": [_describe_line(info, board) for info in infos],
        "over": is_over,
    }
    if last is not None:
        described["depth"] = max((info.depth for info in infos), default=last.depth)
        described["nodes"] = last.nodes
        described["speed"] = last.nodes_per_second
        described["time"] = round(last.time, 2)
    return described


def _describe_line(info: base.Info, board: chess.Board) -> LineData:
    """The line as a record, but with White's evaluation as text, and White's winning chances in percent."""
    line = line_of(info, board)
    record = record_line(line)
    return {
        "eval": format_evaluation(record["eval"]),
        "win": round(line.evaluation.win_percent, 2),
        "depth": record["depth"],
        "moves": record["moves"],
        "san": record["san"],
    }


@message()
async def stop(page: Connection) -> None:
    """End the search of a position."""
    page.end("analyse")


# --- Games ------------------------------------------------------------------------------------------------------------


class Games(TypedDict):
    """The games of a PGN."""

    type: Literal["games"]
    games: list[GameText]


@message()
def games(_: Connection, text: Pgn) -> Games:
    """Ask for the games of a PGN."""
    return {"type": "games", "games": list_games(text)}


@message()
def past(page: Connection, past: Annotated[int, whole(0, LARGEST)]) -> Games:
    """Ask for a game of the library, by its number in an answer on a position."""
    return {"type": "games", "games": list_games(page.state.library.text(past))}


@message()
def open_(page: Connection, text: Pgn) -> Opened:
    """Ask for the tree of a game."""
    return open_game(text, page.state.names)


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
    tags: dict[str, str]
    nodes: list[Node]
    white: Player
    black: Player


@message(Progress, task="annotate")
async def annotate(
    page: Connection, tell: Tell, text: Pgn, nodes: Annotated[int, whole(1, 2_000_000)] = DEFAULT_NODES
) -> Annotation:
    """Analyse a whole game, from the last position to the first. nodes: for each position."""
    parsed = await asyncio.to_thread(parse_game, text)
    if not parsed.moves:
        raise Ox88Error(parsed.errors[0]["reason"] if parsed.errors else "there is no move to analyse in this game")
    if len(parsed.moves) > MOST_PLIES:
        raise Ox88Error(f"the game has {len(parsed.moves)} plies: at most {MOST_PLIES} are analysed here")
    loop = asyncio.get_running_loop()

    def listen(done: int, position: PositionAnalysis) -> None:
        win = round(position.evaluation.win_percent, 2)
        news: Progress = {"type": "progress", "done": done, "total": len(parsed.moves) + 1, "win": win}
        loop.call_soon_threadsafe(tell, news)

    positions, reasons = await page.state.engines.run(
        Lease(MODERN, (page, "game")),
        lambda engine: _search_game(engine, parsed, Limit(nodes=nodes), listen),
        lambda notice: tell({"type": "progress", "notice": notice}),
    )

    def describe() -> Annotation:
        record = record_analysis(parsed, positions, "Ox88", reasons)
        game = AnalysedGame(1, "game", 1, record, page.state.names.of_game(fens_of(record)))
        set_evaluation(parsed.game, positions[0].evaluation)
        return {
            "type": "annotation",
            "tags": game.tags,
            "nodes": describe_tree(parsed.game, page.state.names),
            "white": player_data(game.tags, "White", record["white"]),
            "black": player_data(game.tags, "Black", record["black"]),
        }

    return await asyncio.to_thread(describe)


def _search_game(
    engine: PooledEngine, parsed: ParsedGame, limit: Limit, listen: Callable[[int, PositionAnalysis], None]
) -> tuple[list[PositionAnalysis], dict[int, Reason]]:
    """The analyses, first position first, and the reasons of errors. Ends early if the engine is stopped."""
    found: list[PositionAnalysis] = []
    with contextlib.closing(search_backwards(engine.placed, parsed.last_board(), limit)) as searches:
        for position in searches:
            if engine.is_stopped():
                break
            found.append(position)
            listen(len(found), position)
    if engine.is_stopped():
        return found[::-1], {}
    search = search_by_placed(engine.placed, limit)
    return found[::-1], explain_errors(search, parsed, found[::-1], engine.is_stopped)


@message()
async def cancel(page: Connection, what: Annotated[str, choice(("annotate", "learn"))] = "annotate") -> None:
    """End the analysis of a game, or the search for mistakes."""
    page.end(what)
