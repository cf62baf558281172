"""`ox88 play`: the options of a game in the terminal."""

import click

from ox88.apps.options import DEPTH, NODES, SECONDS, engine_option
from ox88.engines.base import EngineEntry
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO
from ox88.engines.registry import MICROMAX

_MOVE_SECONDS = 3.0  # For Ox88, which would think for ever without a limit.


@click.command()
@click.option(
    "--side",
    type=click.Choice(["white", "black", "both", "none"]),
    default="both",
    show_default=True,
    help="The side you play. The engine answers for the other by itself; with both, an empty line makes it move.",
)
@click.option("--fen", default="startpos", show_default=True, help="The position to start from.")
@click.option("--nodes", type=NODES, help="Positions to search per move. Default, without another limit: 10000000.")
@click.option("--time", "seconds", type=SECONDS, help="Seconds per move. Default for Ox88, without another limit: 3.")
@click.option("--depth", type=DEPTH, help="Plies a move.")
@engine_option("Your opponent.", MICROMAX)
@click.option(
    "--elo", type=click.IntRange(LEAST_ELO, MOST_ELO), help="Let Ox88 play at about this strength; 1000 is a beginner."
)
@click.option("--tc", metavar="SECONDS+INC", help="Play with a clock: 300+3, or 5:00+3.")
def play(
    side: str,
    fen: str,
    nodes: int | None,
    seconds: float | None,
    depth: int | None,
    engine: EngineEntry,
    elo: int | None,
    tc: str | None,
) -> None:
    """Play a game in the terminal.

    The opponent is micro-Max or Ox88. Type help at the prompt.
    """
    from ox88.apps.options import make_engine
    from ox88.apps.screen import make_screen
    from ox88.apps.terminal import TerminalGame
    from ox88.apps.time_control import parse_time_control
    from ox88.engines.base import Limit

    if engine is MICROMAX and elo is not None:
        raise click.UsageError("micro-Max plays at one strength: --elo needs --engine Ox88")
    control = None if tc is None else parse_time_control(tc)
    if control is not None and control.moves:
        raise click.UsageError(
            f"--tc {tc}: only ox88 match has a time for a number of moves; expected one such as 300+3"
        )
    if engine is not MICROMAX and (nodes, seconds, depth, tc) == (None, None, None, None):
        seconds = _MOVE_SECONDS
    settings = {} if elo is None else {"UCI_LimitStrength": True, "UCI_Elo": elo}
    opponent = make_engine(engine, settings)
    TerminalGame(opponent, make_screen(), Limit(nodes, seconds, depth), fen, side, control).run()
