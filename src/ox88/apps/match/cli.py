"""`ox88 match`: its options."""

from typing import Any

import click

from ox88.apps.options import DEPTH, FILE, NODES, SECONDS, Number, Whole

_HELP = """Let engines play a match, and compare their strength.

ENGINE is a command, Ox88, micro-Max or a folder with another checkout of Ox88. Settings follow after semicolons:

\b
ox88 match Ox88 "gnuchess --uci; name=GNU Chess" --tc 5+0.05 --option Hash=16
ox88 match Ox88 "fairymax; protocol=xboard" --games 20 --time 0.1
ox88 match "Ox88; name=new" "../old; name=old" --nodes 10000 --sprt 0 5 --pgn test.pgn

Settings: name, protocol (uci or xboard), tc, time, nodes, depth; all others are options of the engine.
"""


@click.command(help=_HELP)
@click.argument("engines", nargs=-1, required=True, metavar="ENGINE ENGINE...")
@click.option("--games", type=Whole(min=1), help="Games a pairing. Default: 100, or no limit with --sprt.")
@click.option("--tc", metavar="SECONDS+INC", help="Clock: 5+0.05, 1:30+1, or 40/60 for 60 s every 40 moves.")
@click.option("--time", "seconds", type=SECONDS, help="Seconds a move.")
@click.option("--nodes", type=NODES, help="Nodes a move.")
@click.option("--depth", type=DEPTH, help="Plies a move.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option, set in all engines that have it; at least one must have it. Repeatable.",
)
@click.option(
    "--openings",
    default="random",
    show_default=True,
    metavar="FILE",
    help="A PGN or EPD file, plain or packed; random: eight random plies; none: the start position.",
)
@click.option("--seed", type=Whole(min=0), default=0, show_default=True, help="Seed of the openings.")
@click.option("--chess960", is_flag=True, help="Play Chess960.")
@click.option("--gauntlet", is_flag=True, help="Only the first engine plays against all others.")
@click.option(
    "--sprt",
    type=(float, float),
    metavar="ELO0 ELO1",
    help="Stop when a sequential test accepts that the first engine is ELO0 or ELO1 stronger, with 5 % errors.",
)
@click.option(
    "--draw",
    type=(Whole(0), Whole(0), Whole(0)),
    default=(40, 8, 8),
    show_default="40 8 8",
    metavar="MOVE PLIES CP",
    help="Adjudicate a draw after MOVE if both engines' scores were within CP for PLIES.",
)
@click.option(
    "--win",
    type=(Whole(0), Whole(1)),
    default=(6, 900),
    show_default="6 900",
    metavar="PLIES CP",
    help="Adjudicate a win if both engines' scores were beyond CP for PLIES.",
)
@click.option("--no-adjudication", is_flag=True, help="Play all games to the end by the rules.")
@click.option(
    "--margin",
    type=Number(min=0),
    default=20,
    show_default=True,
    help="Milliseconds by which a move may exceed the time.",
)
@click.option(
    "--timeout",
    type=SECONDS,
    default=60,
    show_default=True,
    help="Seconds until a move that has no limit of time, with --nodes or --depth alone, is taken for a hang.",
)
@click.option("--concurrency", type=Whole(1, 1024), help="Games at a time. Default: what the cores allow.")
@click.option("--scheduler", metavar="ADDRESS", help="Play on a Dask cluster, such as tcp://10.0.0.1:8786.")
@click.option(
    "--pgn", type=FILE, metavar="FILE", help="Write the games here. A match that was stopped resumes from this file."
)
@click.option("--json", "json_path", type=FILE, metavar="FILE", help="Write the standings; - is stdout.")
def match(**given: Any) -> None:
    from ox88.apps.match.match import default_concurrency, read_match, run_match

    outputs = {name: given.pop(name) for name in ("scheduler", "pgn", "json_path")}
    concurrency = given.pop("concurrency")
    asked = read_match(**given)
    raise click.exceptions.Exit(run_match(asked, concurrency or default_concurrency(asked.participants), **outputs))
