"""`ox88 play`: the options of a game in the terminal, and the greeting, which says what they mean."""

from collections.abc import Iterator

import click

from ox88.apps.options import DEPTH, NODES, SECONDS, Whole, engine_option
from ox88.engines.base import EngineEntry, Limit
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO, MOST_HUMAN_ELO
from ox88.engines.registry import MICROMAX

_MOVE_SECONDS = 1.0  # So that nobody waits long, whatever the machine.


@click.command()
@click.option(
    "--side",
    type=click.Choice(["white", "black", "both", "none"]),
    default="white",
    show_default=True,
    help="The side you play. The engine answers for the other side; with both, an empty line makes it move.",
)
@click.option("--fen", default="startpos", show_default=True, help="The position to start from.")
@click.option("--nodes", type=NODES, help="Positions to search a move.")
@click.option("--time", "seconds", type=SECONDS, help="Seconds a move. Default, without another limit or a level: 1.")
@click.option("--depth", type=DEPTH, help="Plies a move.")
@click.option(
    "--original", is_flag=True, help="Let micro-Max think as long as its listing does: ten million positions a move."
)
@engine_option("Your opponent.", MICROMAX)
@click.option(
    "--elo",
    "level",
    type=Whole(LEAST_ELO, MOST_ELO),
    help="Let Ox88 play at a level: up to 2200 as people with this rating on Lichess do, above stronger.",
)
@click.option("--tc", metavar="SECONDS+INC", help="Play with a clock: 300+3, or 5:00+3.")
def play(
    side: str,
    fen: str,
    nodes: int | None,
    seconds: float | None,
    depth: int | None,
    original: bool,
    engine: EngineEntry,
    level: int | None,
    tc: str | None,
) -> None:
    """Play a game in the terminal.

    The opponent is micro-Max or Ox88. Type help at the prompt.
    """
    from ox88.apps.options import make_engine, make_ready_engine
    from ox88.apps.screen import make_screen
    from ox88.apps.terminal import LIMIT_STRENGTH, TerminalGame
    from ox88.apps.time_control import parse_time_control

    if engine is MICROMAX and level is not None:
        raise click.UsageError("micro-Max plays at one strength: --elo needs --engine Ox88")
    control = None if tc is None else parse_time_control(tc)
    if control is not None and control.moves:
        raise click.UsageError(
            f"--tc {tc}: only ox88 match has a time for a number of moves; expected one such as 300+3"
        )
    limit = Limit(nodes, seconds, depth)
    if original and (engine is not MICROMAX or limit != Limit() or tc):
        raise click.UsageError("--original is micro-Max's own limit: leave out other engines, limits and clocks")
    if limit == Limit() and not (original or level or tc):
        limit = Limit(time=_MOVE_SECONDS)
    settings = {} if level is None else {LIMIT_STRENGTH: True, "UCI_Elo": level}
    make = make_engine if control is None else make_ready_engine
    opponent = make(engine, settings)
    name = opponent.name if level is None else f"{opponent.name} (level {level})"
    screen = make_screen()
    game = TerminalGame(opponent, screen, limit, fen, side, control, name, level is not None)
    screen.say("\n".join(greeting(engine, name, level, side, limit, tc)))
    game.run()


def level_words(level: int) -> str:
    """What a level is like, in a sentence."""
    if level <= MOST_HUMAN_ELO:
        return f"It chooses its moves as people rated {level} on Lichess do; levels go from {LEAST_ELO} to {MOST_ELO}."
    return f"Levels above {MOST_HUMAN_ELO}, up to {MOST_ELO}, search for the best move, the higher the longer."


def greeting(
    engine: EngineEntry, name: str, level: int | None, side: str, limit: Limit, clock: str | None
) -> Iterator[str]:
    """The lines: who plays, at which level, how long a move takes, and where help is."""
    yield {
        "both": f"You play both sides; an empty line lets {name} move.",
        "none": f"{name} plays both sides; Ctrl-C ends that.",
    }.get(side, f"You play {side.capitalize()} against {name}.")
    if engine is MICROMAX:
        if limit == Limit() and not clock:
            yield "It thinks as long as its listing does: ten million positions a move, perhaps a minute."
    elif level is None:
        yield "It plays at full strength; --elo 1000 would make it a beginner."
    else:
        yield level_words(level)
    numbers = ((limit.nodes, "{:,} positions"), (limit.time, "{:g} seconds"), (limit.depth, "{} plies"))
    limits = [words.format(number) for number, words in numbers if number is not None]
    if limit == Limit(time=_MOVE_SECONDS):
        yield "It takes about a second for a move."
    elif limits:
        yield f"Its search for a move ends after {' or '.join(limits)}."
    if engine is MICROMAX and limit.time == _MOVE_SECONDS:
        yield "With --original it thinks as its listing does."
    if clock:
        yield f"The clock is set to {clock}."
    yield "Type a move such as e2e4, or type help."
