"""The command line. Each command imports what it needs when it runs, so that --help and --version answer at once."""

import functools
import itertools
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from ox88.apps.streams import lenient
from ox88.engines.base import EngineEntry, OptionValue
from ox88.engines.benchmark import DEPTH as BENCH_DEPTH
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO
from ox88.engines.registry import ENGINES, MICROMAX
from ox88.types import Ox88Error

_NODES = click.IntRange(min=1)
_DEPTH = click.IntRange(min=1)
_SECONDS = click.FloatRange(min=0, min_open=True)
_ENGINE = click.Choice([entry.name for entry in ENGINES], case_sensitive=False)
_MOVE_SECONDS = 3.0  # Ox88 would think for ever.
_PROTOCOLS = ("uci", "xboard")  # The commands, and the first lines of a GUI that speaks them.
SHOW_VIEWS = ("board", "0x88", "difference", "attacks", "bitboard", "rotated", "micromax", "steps")


def main() -> None:
    """Run the command line; errors become one line on stderr and an exit code."""
    try:
        protocol, lines = _protocol_asked_for() if len(sys.argv) == 1 else (None, None)
        arguments = sys.argv[1:] if protocol is None else [protocol]
        code = cli.main(arguments, prog_name="ox88", standalone_mode=False, obj=lines)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except Ox88Error as error:
        click.echo(f"ox88: {error}", err=True)
        code = 2
    except (click.Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:  # The reader of our output has left, say `head`. Nothing may be flushed to it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 141
    sys.exit(code)


def _protocol_asked_for() -> tuple[str | None, Iterable[str] | None]:
    """The command that speaks what the first line asks for, and all lines, where standard input is no terminal.

    So GUIs start a program.
    """
    if sys.stdin is None or sys.stdin.isatty():
        return None, None
    lines = _input_lines()
    first = next(lines, "")
    return (first.strip(), itertools.chain([first], lines)) if first.strip() in _PROTOCOLS else (None, None)


def _input_lines() -> Iterator[str]:
    return iter(lenient(sys.stdin).readline, "")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ox88", prog_name="ox88", message="%(prog)s %(version)s")
def cli() -> None:
    """Chess at the speed of C, written in Python."""


@cli.command()
@click.option(
    "--side",
    type=click.Choice(["white", "black", "both", "none"]),
    default="both",
    show_default=True,
    help="The side you play. The engine answers for the other by itself; with both, an empty line makes it move.",
)
@click.option("--fen", default="startpos", show_default=True, help="The position to start from.")
@click.option("--nodes", type=_NODES, help="Positions a move. Default, without another limit: 10000000.")
@click.option("--time", "seconds", type=_SECONDS, help="Seconds a move. Default for Ox88, without another limit: 3.")
@click.option("--depth", type=_DEPTH, help="Plies a move.")
@click.option("--engine", type=_ENGINE, default=MICROMAX.name, show_default=True, help="Who plays against you.")
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
    engine: str,
    elo: int | None,
    tc: str | None,
) -> None:
    """Play a game in the terminal, against micro-Max or Ox88. Type help in it."""
    from ox88.apps.engines import make_engine
    from ox88.apps.screen import make_screen
    from ox88.apps.terminal import TerminalGame
    from ox88.apps.time_control import parse_time_control
    from ox88.engines.base import Limit

    entry = next(entry for entry in ENGINES if entry.name == engine)
    if entry is MICROMAX and elo is not None:
        raise click.UsageError("micro-Max has but one strength: --elo needs --engine Ox88")
    control = None if tc is None else parse_time_control(tc)
    if control is not None and control.moves:
        raise click.UsageError(f"--tc {tc}: a clock that is wound up every so many moves is for ox88 match alone")
    if entry is not MICROMAX and (nodes, seconds, depth, tc) == (None, None, None, None):
        seconds = _MOVE_SECONDS
    settings = {} if elo is None else {"UCI_LimitStrength": True, "UCI_Elo": elo}
    TerminalGame(make_engine(entry, settings), make_screen(), Limit(nodes, seconds, depth), fen, side, control).run()


_protocol_options = (
    click.option("--expert", is_flag=True, help="List the options for developers too."),
    click.option(
        "--engine",
        type=_ENGINE,
        default=ENGINES[0].name,
        show_default=True,
        help="The engine to begin with; the option Engine changes it.",
    ),
)


def _with_protocol_options(command: Callable[..., None]) -> Callable[..., None]:
    return functools.reduce(lambda decorated, option: option(decorated), reversed(_protocol_options), command)


@cli.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0: all.")
@click.option("--port", type=click.IntRange(0, 65535), default=8088, show_default=True, help="0 takes a free one.")
@click.option("--open", "opens", is_flag=True, help="Open the page in a browser.")
@click.option("--data", type=click.Path(path_type=Path), metavar="FOLDER", help="Keep the games in this folder.")
@click.option("--searches", type=click.IntRange(2, 256), help="Searches at a time. Default: one a core.")
@click.option("--allow-host", "names", multiple=True, metavar="NAME", help="Another name of this server; repeatable.")
@click.option("--fetch-board", is_flag=True, help="Fetch what the page needs of the npm registry, and do no more.")
def serve(
    host: str,
    port: int,
    opens: bool,
    data: Path | None,
    searches: int | None,
    names: tuple[str, ...],
    fetch_board: bool,
) -> None:
    """Open a board in the browser: play, analyse, look inside. Who can reach the address can use the engines."""
    from ox88.apps.web import command

    if fetch_board:
        command.fetch_board(data)
    else:
        command.serve(host, port, opens, data, searches, names)


@cli.command()
@_with_protocol_options
@click.pass_obj
def uci(lines: Iterable[str] | None, expert: bool, engine: str) -> None:
    """Speak UCI, for chess GUIs and matches. So does ox88 without a command, if the first line on a pipe is uci."""
    from ox88.protocols.uci import Session

    lenient(sys.stdout)
    session = Session(
        ENGINES, _write_line, name=_program_name(engine), engine=engine, expert=expert, bench=_bench_strongest
    )
    session.run(_input_lines() if lines is None else lines)


@cli.command()
@_with_protocol_options
@click.pass_obj
def xboard(lines: Iterable[str] | None, expert: bool, engine: str) -> None:
    """Speak XBoard's protocol, for XBoard and WinBoard. So does ox88 without a command where they start it."""
    from ox88.protocols.xboard import Session

    lenient(sys.stdout)
    session = Session(ENGINES, _write_line, name=_program_name(engine), engine=engine, expert=expert)
    session.run(_input_lines() if lines is None else lines)


def _program_name(engine: str) -> str:
    """What a GUI is told: the program's name and version, and the engine's unless it is the default."""
    from ox88 import __version__

    return f"Ox88 {__version__}" if engine == ENGINES[0].name else f"Ox88 {__version__} {engine}"


def _bench_strongest(write: Callable[[str], None]) -> None:
    from ox88.apps.bench_signature import bench_signature

    bench_signature(ENGINES[0], BENCH_DEPTH, {}, write)


def _write_line(line: str) -> None:
    """Write a line at once; end the program where the reader has left.

    Another thread than the main one has nobody to tell, for that may wait for input which never comes.
    """
    try:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except OSError:
        if threading.current_thread() is threading.main_thread():
            raise BrokenPipeError from None
        os._exit(141)


@cli.command()
@click.option("--nodes", type=_NODES, default=10_000_000, show_default=True, help="The listing's node limit.")
@click.option("--plies", type=click.IntRange(min=1), default=1, show_default=True, help="Moves to play on from a FEN.")
@click.option(
    "--eval", "evaluation", type=click.IntRange(-20000, 20000), default=0, show_default=True, help="The listing's Q."
)
def trace(nodes: int, plies: int, evaluation: int) -> None:
    """Let micro-Max play FENs from standard input, one a line, and print what it searched, one JSON object a line."""
    from ox88.engines.micromax.machine import Machine
    from ox88.engines.micromax.trace import trace as trace_fen
    from ox88.threads import Background

    machine = Machine()
    failures = 0
    for number, line in enumerate(lenient(sys.stdin), 1):
        fen = line.strip()
        if not fen:
            continue
        call = functools.partial(trace_fen, fen, nodes, plies, evaluation, machine)
        try:
            tracing = Background(call, machine.stop)
            click.echo(json.dumps(tracing.result()))
        except Ox88Error as error:
            click.echo(f"ox88: line {number}: {error}", err=True)
            failures += 1
    if failures:
        raise click.exceptions.Exit(1)


@cli.command()
@click.argument("fen", required=False)
@click.argument("depth", required=False, type=click.IntRange(min=0))
@click.option("--epd", type=click.Path(path_type=Path), help="Check every ;Dn count of this file instead.")
@click.option("--max-nodes", type=_NODES, help="With --epd: leave larger counts out.")
@click.option(
    "--board",
    type=click.Choice(["bitboard", "rotated", "mailbox"]),
    default="bitboard",
    show_default=True,
    help="Magic bitboards, rotated bitboards, or the 0x88 board.",
)
@click.option(
    "--mode",
    type=click.Choice(["counted", "listed", "made"]),
    help="What happens at the last ply: its moves are counted without a list (bitboard alone, its default), listed and "
    "the list's length taken, or all made.",
)
@click.option("--divide", is_flag=True, help="Print the count of each move.")
@click.option("--chess960", is_flag=True, help="Write castling as the king taking its rook: e1h1.")
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="Threads to count on.")
@click.option("--hash", "hash_megabytes", type=click.IntRange(min=1), help="Megabytes for a table (bitboard alone).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def perft(
    fen: str | None,
    depth: int | None,
    epd: Path | None,
    max_nodes: int | None,
    board: str,
    mode: str | None,
    divide: bool,
    chess960: bool,
    threads: int,
    hash_megabytes: int | None,
    as_json: bool,
) -> None:
    """Count the games of DEPTH plies from FEN, the proof of a move generator. startpos is a FEN."""
    from ox88.apps.perft import Way, check_epd, count_position

    if hash_megabytes is not None and (board != "bitboard" or mode is not None):
        raise click.UsageError("--hash counts on the bitboard alone, in its own mode: leave --board and --mode out")
    way = Way(board, mode, threads, hash_megabytes or 0)
    if epd is not None:
        if fen is not None or divide or as_json:
            raise click.UsageError("--epd takes its positions from the file: no FEN, --divide or --json beside it")
        if not check_epd(epd, max_nodes, way):
            raise click.exceptions.Exit(1)
    elif fen is None or depth is None or max_nodes is not None:
        raise click.UsageError("give FEN and DEPTH, such as: ox88 perft startpos 5; or --epd FILE [--max-nodes N]")
    else:
        count_position(fen, depth, way, divide, chess960, as_json)


@cli.command()
@click.argument("fen", nargs=-1)
@click.option("--view", type=click.Choice(SHOW_VIEWS), help="What to show. Default: the board; with --bits bitboard.")
@click.option("--square", help="The square that difference, attacks and rotated look from, such as e4.")
@click.option("--bits", help="A bitboard, or some with the operators & | ^ ~, such as 'white & rooks_queens'.")
@click.option("--svg", metavar="FILE", help="Write the picture to a file as SVG; - is standard output.")
def show(fen: tuple[str, ...], view: str | None, square: str | None, bits: str | None, svg: str | None) -> None:
    r"""Show what the boards hold of a position, a FEN or startpos.

    \b
    board       the pieces
    0x88        the 0x88 board with its unused half, and the piece list
    difference  what the table of differences says of each square, seen from --square
    attacks     rays and attacks of the piece on --square; by default of the king that is to move
    bitboard    the bitboards of the position, or --bits
    rotated     the rotated boards, with the lines through --square
    micromax    micro-Max's board
    steps       micro-Max's lists of steps
    """
    from ox88.apps.show.command import show as show_picture

    show_picture(" ".join(fen), view, square, bits, svg)


@cli.command()
@click.argument("what", required=False, type=click.Choice(["batch", "micromax", "perft", "start"]))
@click.option("--engine", type=_ENGINE, help=f"The engine to measure. Default: {ENGINES[0].name}.")
@click.option("--depth", type=_DEPTH, help=f"Plies a position. Default: {BENCH_DEPTH}.")
@click.option("--threads", type=click.IntRange(1, 256), help="Default: 1. With more the nodes differ from run to run.")
@click.option("--hash", "hash_megabytes", type=click.IntRange(min=1), help="Megabytes for the table. Default: 16.")
@click.option("--pgn", type=click.Path(path_type=Path), help="For batch: the games to measure on.")
def bench(
    what: str | None,
    engine: str | None,
    depth: int | None,
    threads: int | None,
    hash_megabytes: int | None,
    pgn: Path | None,
) -> None:
    r"""Measure fixed work: without a word, fifty positions to a fixed depth.

    The sum of their nodes tells whether two versions play alike.

    \b
    batch     work on many positions at once, beside python-chess, rust-chess and cozy-chess-py where installed
    micromax  micro-Max's search of the start position, at its full ten million nodes
    perft     every board's move generator, beside Stockfish's where it is installed
    start     how long the commands take to start, with and without compiled kernels
    """
    from ox88.apps import bench as benches
    from ox88.apps.bench_batch import bench_batch
    from ox88.apps.bench_perft import bench_perft
    from ox88.apps.bench_signature import bench_signature

    if pgn is not None and what != "batch":
        raise click.UsageError("--pgn goes with bench batch")
    if what is None:
        entry = _entry(engine or ENGINES[0].name)
        bench_signature(entry, depth or BENCH_DEPTH, _sizes(hash_megabytes, threads), click.echo)
    elif engine or depth or threads or hash_megabytes:
        raise click.UsageError(f"bench {what} is fixed: the options go with bench alone")
    else:
        {
            "batch": lambda: bench_batch(pgn, click.echo),
            "micromax": benches.bench_micromax,
            "perft": bench_perft,
            "start": benches.bench_start,
        }[what]()


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--time", "seconds", type=_SECONDS, help="Seconds a position. Default, without another limit: 1.")
@click.option("--depth", type=_DEPTH, help="Plies a position.")
@click.option("--nodes", type=_NODES, help="Positions searched a position.")
@click.option("--workers", type=click.IntRange(1, 61), default=1, show_default=True, help="Processes to search in.")
@click.option("--engine", type=_ENGINE, default=ENGINES[0].name, show_default=True, help="The engine to test.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the engine; repeatable.")
@click.option("--hash", "hash_megabytes", type=click.IntRange(min=1), help="Megabytes for the table of each worker.")
@click.option("--threads", type=click.IntRange(1, 256), help="Threads of each worker.")
@click.option(
    "--json", "json_path", type=click.Path(path_type=Path), metavar="FILE", help="Write all there; - is stdout."
)
def epd(
    files: tuple[Path, ...],
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    workers: int,
    engine: str,
    options: tuple[str, ...],
    hash_megabytes: int | None,
    threads: int | None,
    json_path: Path | None,
) -> None:
    """Let an engine solve test suites: EPD FILES with bm (best moves), am (moves to avoid) or points for moves."""
    from ox88.apps.engines import read_settings
    from ox88.apps.epd.command import Way, make_limit, solve_suites

    settings = _sizes(hash_megabytes, threads) | read_settings(options)
    way = Way(_entry(engine), settings, make_limit(seconds, depth, nodes), workers)
    raise click.exceptions.Exit(solve_suites(files, way, json_path))


@cli.command()
@click.argument("engines", nargs=-1, required=True, metavar="ENGINE ENGINE...")
@click.option("--games", type=click.IntRange(min=1), help="Games of each pairing. Default: 100, with --sprt no end.")
@click.option("--tc", metavar="SECONDS+INC", help="Clock: 5+0.05, 1:30+1, or 40/60 for 60 s every 40 moves.")
@click.option("--time", "seconds", type=_SECONDS, help="Seconds a move.")
@click.option("--nodes", type=_NODES, help="Positions a move.")
@click.option("--depth", type=_DEPTH, help="Plies a move.")
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
    r"""Let engines play a match, and say who is how much stronger.

    ENGINE is a command, Ox88, micro-Max or a folder with another checkout of Ox88, and settings behind semicolons:

    \b
    ox88 match Ox88 "gnuchess --uci; name=GNU Chess" --tc 5+0.05 --option Hash=16
    ox88 match Ox88 "fairymax; protocol=xboard" --games 20 --time 0.1
    ox88 match "Ox88; name=new" "../old; name=old" --nodes 10000 --sprt 0 5 --pgn test.pgn

    Settings: name, protocol (uci or xboard), tc, time, nodes, depth; all others are options of the engine.
    """
    from ox88.apps.match.arguments import default_concurrency, read_match
    from ox88.apps.match.command import run_match

    way = {name: given.pop(name) for name in ("scheduler", "pgn", "json_path")}
    concurrency = given.pop("concurrency")
    asked = read_match(**given)
    raise click.exceptions.Exit(run_match(asked, concurrency or default_concurrency(asked.contenders), **way))


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="GAMES.pgn...")
@click.option(
    "-o",
    "--output",
    "pgn",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the annotated games here. Beside it lies a journal, from which a run that was stopped goes on.",
)
@click.option("--nodes", type=_NODES, help="Positions searched a position. Default, without another limit: 100000.")
@click.option("--depth", type=_DEPTH, help="Plies a position.")
@click.option("--time", "seconds", type=_SECONDS, help="Seconds a position; the output then differs from run to run.")
@click.option("--multipv", type=click.IntRange(1, 256), help="How many of the best lines to show. Default: 1.")
@click.option("--engine", type=_ENGINE, default=ENGINES[0].name, show_default=True, help="The engine that annotates.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the engine; repeatable.")
@click.option("--workers", type=click.IntRange(1, 1024), help="Games at a time. Default: as the cores allow.")
@click.option("--scheduler", metavar="ADDRESS", help="Work on a Dask cluster, such as tcp://10.0.0.1:8786.")
@click.option("--json", type=click.Path(path_type=Path), metavar="FILE", help="Write one JSON object a game.")
@click.option("--parquet", type=click.Path(path_type=Path), metavar="FILE", help="Write a table with a row a move.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a page to look at the games.")
def analyse(
    files: tuple[Path, ...],
    pgn: Path,
    nodes: int | None,
    depth: int | None,
    seconds: float | None,
    multipv: int | None,
    engine: str,
    options: tuple[str, ...],
    workers: int | None,
    scheduler: str | None,
    **outputs: Path | None,
) -> None:
    """Annotate games: evaluations, mistakes and better lines, accuracy, openings. The same input, the same output.

    The games are read from PGN files, plain or packed (.gz, .bz2, .zst, .zip), and may be more than fit in memory.
    """
    from ox88.apps.analyse.arguments import default_workers, read_analysis_settings
    from ox88.apps.analyse.command import Outputs, analyse_files

    settings = read_analysis_settings(_entry(engine), _program_name(engine), nodes, depth, seconds, multipv, options)
    workers = workers or default_workers(settings)
    raise click.exceptions.Exit(analyse_files(files, settings, Outputs(pgn, **outputs), workers, scheduler))


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="GAMES.pgn...")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the table here, in Parquet. A run that was stopped goes on where it was.",
)
@click.option(
    "--columns",
    multiple=True,
    metavar="NAMES",
    help="With commas between: game, ply, file, position, fen, key, move, result, eval, eval_after, clock, or tags"
    " such as White. Default: game,ply,position,move,result,eval,clock,WhiteElo,BlackElo.",
)
@click.option("--min-rating", type=click.IntRange(min=0), help="Games of which both players have at least this rating.")
@click.option("--max-rating", type=click.IntRange(min=0), help="And at most this one.")
@click.option("--result", "results", multiple=True, metavar="RESULTS", help="Such as 1-0,0-1 for games that were won.")
@click.option(
    "--time-control",
    "time_controls",
    multiple=True,
    metavar="WORDS",
    help="ultrabullet, bullet, blitz, rapid, classical, correspondence, or as in the tag: 180+2.",
)
@click.option("--min-plies", type=click.IntRange(min=0), help="Games of at least so many plies.")
@click.option("--max-plies", type=click.IntRange(min=0), help="And at most so many.")
@click.option("--from-ply", type=click.IntRange(min=0), help="Positions after at least so many plies.")
@click.option("--to-ply", type=click.IntRange(min=0), help="And at most so many.")
@click.option("--evaluated", is_flag=True, help="Only positions that have an [%eval].")
@click.option(
    "--sample", type=click.FloatRange(0, 1, min_open=True), metavar="SHARE", help="Of the positions, 0.1 for a tenth."
)
@click.option("--per-game", type=click.IntRange(min=1), metavar="N", help="Not more positions of one game.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Fixes what is sampled.")
@click.option("--unique", is_flag=True, help="Each position once, where it comes first.")
@click.option("--nodes", type=_NODES, help="Let the engine search each position: columns score and best.")
@click.option("--depth", type=_DEPTH, help="The same, to so many plies.")
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes that search. Default: one a core.")
@click.option("--scheduler", metavar="ADDRESS", help="Search on a Dask cluster, such as tcp://10.0.0.1:8786.")
@click.option(
    "--compression",
    type=click.Choice(["lz4", "zstd", "snappy"]),
    default="lz4",
    show_default=True,
    help="zstd makes smaller files and takes a little longer; snappy is what the oldest readers know.",
)
def dataset(
    files: tuple[Path, ...],
    output: Path,
    columns: tuple[str, ...],
    unique: bool,
    nodes: int | None,
    depth: int | None,
    workers: int | None,
    scheduler: str | None,
    compression: str,
    **filters: Any,
) -> None:
    """Make a table of the positions of games, for learning or statistics: one row a move, in Parquet.

    The games are read from PGN files, plain or packed (.gz, .bz2, .zst, .zip), and may be more than fit in memory.
    """
    from ox88.apps.dataset.arguments import read_columns, read_filters, read_workers
    from ox88.apps.dataset.command import make_dataset
    from ox88.apps.dataset.wanted import Wanted

    is_scored = nodes is not None or depth is not None
    wanted = Wanted(read_columns(columns, is_scored), read_filters(**filters), unique, nodes, depth, compression)
    workers = read_workers(workers, scheduler, is_scored)
    raise click.exceptions.Exit(make_dataset(files, output, wanted, workers, scheduler))


def _entry(name: str) -> EngineEntry:
    return next(entry for entry in ENGINES if entry.name == name)


def _sizes(hash_megabytes: int | None, threads: int | None) -> dict[str, OptionValue]:
    """The options of an engine that have options of the command line."""
    sizes = {"Hash": hash_megabytes, "Threads": threads}
    return {name: size for name, size in sizes.items() if size is not None}


@cli.command()
def warmup() -> None:
    """Compile everything ahead, so that later starts are quick."""
    from ox88.apps.warmup import warm_up

    warm_up()
