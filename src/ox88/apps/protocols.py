"""`ox88 uci` and `ox88 xboard`: the engines for chess GUIs."""

import gc
import os
import sys
import threading
from collections.abc import Callable, Iterable

import click

from ox88.apps.options import engine_option, program_name
from ox88.apps.streams import input_lines, lenient
from ox88.engines.base import EngineEntry
from ox88.engines.registry import ENGINES


def _protocol_options(command: Callable[..., None]) -> Callable[..., None]:
    expert = click.option("--expert", is_flag=True, help="Also list the options for developers.")
    return expert(engine_option("The engine to begin with; the option Engine changes it.")(command))


@click.command()
@_protocol_options
@click.pass_obj
def uci(lines: Iterable[str] | None, expert: bool, engine: EngineEntry) -> None:
    """Speak UCI, for chess GUIs and matches.

    ox88 without a command does the same if the first line on a pipe is uci.
    """
    from ox88.protocols.uci import Session

    lenient(sys.stdout)
    name = program_name(engine)
    session = Session(
        ENGINES, _write_line, _bench_strongest, name=name, engine=engine.name, expert=expert, when_ready=_freeze_objects
    )
    session.run(input_lines() if lines is None else lines)


@click.command()
@_protocol_options
@click.pass_obj
def xboard(lines: Iterable[str] | None, expert: bool, engine: EngineEntry) -> None:
    """Speak XBoard's protocol, for XBoard and WinBoard.

    ox88 without a command does the same if the first line on a pipe is xboard.
    """
    from ox88.protocols.xboard import Session

    lenient(sys.stdout)
    name = program_name(engine)
    session = Session(ENGINES, _write_line, name=name, engine=engine.name, expert=expert, when_ready=_freeze_objects)
    session.run(input_lines() if lines is None else lines)


def _freeze_objects() -> None:
    """Let the garbage collector ignore all objects that exist, most of which are the compiler's.

    To collect all these objects would stop the program for 0.1 seconds, perhaps with less on the clock.
    """
    gc.collect()
    gc.freeze()


def _bench_strongest(write: Callable[[str], None]) -> None:
    from ox88.apps.bench.cli import bench_signature

    bench_signature(ENGINES[0], {}, write)


def _write_line(line: str) -> None:
    """Write a line at once; end the program if the reader has left.

    An exception in another thread would not end the main thread, which may be waiting for input.
    """
    try:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except OSError:
        if threading.current_thread() is threading.main_thread():
            raise BrokenPipeError from None
        os._exit(141)
