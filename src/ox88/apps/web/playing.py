"""Playing: the handlers of the page's messages on a game."""

import secrets
import time
from typing import Annotated, Final, Literal, TypedDict

import chess

from ox88.apps.fields import choice, number, whole
from ox88.apps.game import ChessClock
from ox88.apps.web.connection import Connection
from ox88.apps.web.engine_pool import Lease
from ox88.apps.web.game import Opponent, PlayedGame
from ox88.apps.web.messages import LONGEST_GAME, EngineName, Fen, Id, MessageError, MoveText, Tell, message
from ox88.apps.web.session import GameState
from ox88.engines.base import Limit
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO
from ox88.engines.registry import MODERN
from ox88.fen import STARTPOS

Time = Annotated[float | None, number(10, 180 * 60)]
Increment = Annotated[float, number(0, 180)]
SECONDS_OF_HINT: Final = 1.0


@message(GameState)
async def new(
    page: Connection,
    engine: EngineName,
    side: Annotated[str, choice(("white", "black", "random"))],
    elo: Annotated[int | None, whole(LEAST_ELO, MOST_ELO)] = None,
    seconds: Annotated[float, number(0.1, 60)] = 3.0,
    initial: Time = None,
    increment: Increment = 0,
    engine_initial: Time = None,
    engine_increment: Increment = 0,
    fen: Fen = "",
    move: MoveText = "",
) -> None:
    """Begin a game, perhaps with a first move. Times are in seconds: for a move, or of a clock.

    The engine has the person's clock, unless engine_initial is there.
    """
    if elo is not None and engine != MODERN.name:
        raise MessageError(f"{engine} plays at one strength only: elo is for {MODERN.name}")
    side = secrets.choice(("white", "black")) if side == "random" else side
    clock = None
    if initial is not None:
        person = initial, increment
        other = person if engine_initial is None else (engine_initial, engine_increment)
        white, black = (person, other) if side == "white" else (other, person)
        clock = ChessClock(*white, control_of_black=black)
    game = PlayedGame.begin(_new_id(), Opponent(engine, elo, seconds), side, fen or STARTPOS, clock)
    if move:
        if not game.is_persons_turn:
            raise MessageError(f"{move}: it is {engine}'s move")
        game.play(move, time.monotonic())
    page.join_session(page.state.start_session(game))


def _new_id() -> str:
    return secrets.token_urlsafe(12)


@message(GameState)
async def join(page: Connection, game: Id) -> None:
    """Continue a game. The answer comes again at each change."""
    session = page.state.sessions.get(game)
    page.join_session(session or page.state.start_session(page.state.load_game(game)))


@message(GameState)
async def move(page: Connection, move: MoveText, ply: Annotated[int | None, whole(0, LONGEST_GAME)] = None) -> None:
    """Play a move. ply: how many were played before it, as far as the page knows."""
    session = page.playing()
    if ply not in (None, len(session.game.board.move_stack)):
        raise MessageError("the game has continued meanwhile")
    session.play(move)


@message()
async def pace(page: Connection, mode: Annotated[str, choice(("human", "quick"))]) -> None:
    """Let levels that play as people do take as long for a move as a person would, or move at once, as at first."""
    page.set_pace(mode == "human")


@message(GameState)
async def takeback(page: Connection) -> None:
    """Take a move back, and the engine's answer to it."""
    page.playing().act(PlayedGame.take_back)


@message(GameState)
async def putback(page: Connection) -> None:
    """Play again what was taken back last."""
    page.playing().act(PlayedGame.put_back)


class Hint(TypedDict):
    """The best move that Ox88 has found at full strength (UCI)."""

    type: Literal["hinted"]
    move: str


@message(GameState, task="hint")
async def hint(page: Connection, _: Tell) -> Hint:
    """Ask for the best move, found in a second. The person's next move is marked: a hint was seen for it."""
    session = page.playing()
    session.act(PlayedGame.note_hint)
    board, limit = session.game.board.copy(), Limit(time=SECONDS_OF_HINT)
    found = await page.state.engines.run(Lease(MODERN, (page, "hint")), lambda engine: engine.find_move(board, limit))
    return {"type": "hinted", "move": board.uci(found[0])}


@message(GameState)
async def resign(page: Connection) -> None:
    """Give the game up."""
    page.playing().act(lambda game: game.resign(game.side))


@message(GameState)
async def draw(page: Connection) -> None:
    """Offer a draw."""
    page.playing().act(PlayedGame.offer_draw)


@message(GameState)
async def rematch(page: Connection, colours: Annotated[str, choice(("same", "swapped"))]) -> None:
    """Begin another game with the same options."""
    game = page.playing().game.again(_new_id(), colours == "swapped")
    page.join_session(page.state.start_session(game))


class Chess960(TypedDict):
    """A start position of Chess960."""

    type: Literal["chess960"]
    number: int
    start: str


@message()
async def chess960(_: Connection, number: Annotated[int | None, whole(0, 959)] = None) -> Chess960:
    """Ask for a start position of Chess960, by its number or at random."""
    chosen = secrets.randbelow(960) if number is None else number
    return {"type": "chess960", "number": chosen, "start": chess.Board.from_chess960_pos(chosen).fen()}
