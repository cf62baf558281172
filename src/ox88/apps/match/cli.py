"""`ox88 match`: its options."""

from pathlib import Path
from typing import Any

import click

from ox88.apps.options import DEPTH, NODES, SECONDS

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
@click.option("--games", type=click.IntRange(min=1), help="Games of each pairing. Default: 100, with --sprt no end.")
@click.option("--tc", metavar="SECONDS+INC", help="Clock: 5+0.05, 1:30+1, or 40/60 for 60 s every 40 moves.")
@click.option("--time", "seconds", type=SECONDS, help="Seconds a move.")
@click.option("--nodes", type=NODES, help="Positions a move.")
@click.option("--depth", type=DEPTH, help="Plies a move.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="For all engines that have it; repeatable."
)
@click.option(
    "--openings",
    default="random",
    show_default=True,
    metavar="FILE",
    help="PGN or EPD, plain or zipped; random: eight random plies; none: the start position.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Fixes the openings' order.")
@click.option("--chess960", is_flag=True, help="Play Chess960.")
@click.option("--gauntlet", is_flag=True, help="The first engine against each other one, instead of all against all.")
@click.option(
    "--sprt",
    type=(float, float),
    metavar="ELO0 ELO1",
    help="Stop when the first engine is shown to be ELO0 or ELO1 stronger than the second, with 5 % of errors.",
)
@click.option(
    "--draw",
    type=(int, int, int),
    metavar="MOVE PLIES CP",
    help="A draw after MOVE, when for PLIES both scores were within CP. Default: 40 8 8.",
)
@click.option(
    "--win",
    type=(int, int),
    metavar="PLIES CP",
    help="A win when for PLIES both scores were beyond CP. Default: 6 900.",
)
@click.option("--no-adjudication", is_flag=True, help="Play all games to the end by the rules.")
@click.option(
    "--margin",
    type=click.FloatRange(min=0),
    default=20,
    show_default=True,
    help="Milliseconds over the time that are forgiven.",
)
@click.option("--concurrency", type=click.IntRange(1, 1024), help="Games at a time. Default: as the cores allow.")
@click.option("--scheduler", metavar="ADDRESS", help="Play on a Dask cluster, such as tcp://10.0.0.1:8786.")
@click.option(
    "--pgn",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the games here; a match that was stopped goes on from it.",
)
@click.option(
    "--json", "json_path", type=click.Path(path_type=Path), metavar="FILE", help="Write the standings; - is stdout."
)
def match(**given: Any) -> None:
    from ox88.apps.match.command import default_concurrency, read_match
    from ox88.apps.match.match import run_match

    way = {name: given.pop(name) for name in ("scheduler", "pgn", "json_path")}
    concurrency = given.pop("concurrency")
    asked = read_match(**given)
    raise click.exceptions.Exit(run_match(asked, concurrency or default_concurrency(asked.participants), **way))
