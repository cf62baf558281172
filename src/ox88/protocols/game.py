"""The way to a position: a start and the moves from it, and how an engine is brought there."""

from dataclasses import dataclass

from ox88.engines.base import Engine
from ox88.fen import STARTPOS, parse_fen
from ox88.types import Ox88Error, Setup, from_uci


@dataclass(frozen=True, slots=True)
class Game:
    """The way to a position: a start, and moves as they were written."""

    start: Setup
    moves: tuple[str, ...] = ()


def initial_game() -> Game:
    return Game(parse_fen(STARTPOS))


def place(engine: Engine, game: Game) -> None:
    """Bring an engine to a position with all of its past. Raises Ox88Error, with the engine somewhere on the way."""
    engine.set_position(game.start)
    _push_all(engine, game.moves)


def go_on(engine: Engine, old: Game, new: Game) -> None:
    """Bring an engine from one position to another: only the new moves are pushed where the game goes on.

    Raises Ox88Error, and leaves the engine at the old position then.
    """
    try:
        if new.start == old.start and new.moves[: len(old.moves)] == old.moves:
            _push_all(engine, new.moves[len(old.moves) :])
        else:
            place(engine, new)
    except Ox88Error:
        place(engine, old)
        raise


def _push_all(engine: Engine, moves: tuple[str, ...]) -> None:
    for text in moves:
        engine.push(from_uci(text, engine.setup))
