"""The command line: the list of commands. A command's module is imported when the command runs."""

import contextlib
import errno
import importlib
import itertools
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from ox88.errors import Ox88Error

# Each command: the module that defines it, and the first line of its help.
COMMANDS: Final = {
    "analyse": ("ox88.apps.analyse.cli", "Annotate games with evaluations, mistakes and better lines."),
    "bench": ("ox88.apps.bench.cli", "Measure the speed of the engines and boards."),
    "dataset": ("ox88.apps.dataset.cli", "Make a data set of the positions of games."),
    "epd": ("ox88.apps.epd.cli", "Let an engine solve test suites."),
    "explore": ("ox88.apps.explore", "Show what was played in a position."),
    "games": ("ox88.apps.games.cli", "Choose games of PGN files, and write them unchanged."),
    "match": ("ox88.apps.match.cli", "Let engines play a match, and compare their strength."),
    "perft": ("ox88.apps.perft", "Count move sequences of DEPTH plies, to check a move generator."),
    "play": ("ox88.apps.play", "Play a game in the terminal."),
    "puzzles": ("ox88.apps.puzzles.cli", "Make puzzles of the mistakes in games."),
    "serve": ("ox88.apps.web.cli", "Play and analyse in the browser."),
    "show": ("ox88.apps.show.cli", "Show how the boards represent a position."),
    "trace": ("ox88.apps.trace", "Print micro-Max's searches of FENs as JSON."),
    "train": ("ox88.apps.train.cli", "Solve puzzles in the terminal."),
    "uci": ("ox88.apps.protocols", "Speak UCI, for chess GUIs and matches."),
    "warmup": ("ox88.apps.warmup", "Compile everything now, so that later starts are quick."),
    "xboard": ("ox88.apps.protocols", "Speak XBoard's protocol, for XBoard and WinBoard."),
}
_COMPLETION: Final = "_OX88_COMPLETE"  # Set by shells that complete a command; click reads it.
_PROTOCOLS = ("uci", "xboard")  # Each is a command, and also the first line that a GUI of the protocol sends.
# Megabytes of virtual memory: compiling all kernels takes nearly as much. With less, LLVM may crash or hang.
_LEAST_MEMORY: Final = 1024
# The errors of writing to standard output.
_WRITE_ERRORS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EINVAL)


class LazyGroup(click.Group):
    """A group that imports a command's module when the command runs, and never for its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        _check_memory()
        module, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except OSError as error:
            if isinstance(error, Ox88Error) or error.errno != errno.ENAMETOOLONG:
                raise
            raise Ox88Error(f"{str(error.filename)[:50]!r}...: the name of a file is too long") from None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        return [CompletionItem(name, help=COMMANDS[name][1]) for name in names] + click.Command.shell_complete(
            self, ctx, incomplete
        )

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ox88", prog_name="ox88", message="%(prog)s %(version)s")
def cli() -> None:
    """Chess at the speed of C, written in Python."""


def main() -> None:
    """Run the command line; errors become one line on stderr and an exit code."""
    _replace_closed_streams()
    try:
        protocol, lines = _detect_protocol() if len(sys.argv) == 1 else (None, None)
        arguments = sys.argv[1:] if protocol is None else [protocol]
        code = cli.main(arguments, prog_name="ox88", standalone_mode=False, obj=lines)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except Ox88Error as error:
        click.echo(f"ox88: {error}", err=True)
        code = 2
    except (click.Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:  # The reader of our output has left, for example `head`.
        _drop_output()
        code = 141
    except OSError as error:
        if error.filename is not None:
            raise
        _drop_output()
        what = "standard output cannot be written: " if error.errno in _WRITE_ERRORS else ""
        click.echo(f"ox88: {what}{error.strerror or error}", err=True)
        code = 2
    except MemoryError:
        click.echo("ox88: there is not enough memory", err=True)
        code = 2
    sys.exit(code)


def _check_memory() -> None:
    """Raise Ox88Error if the system limits this process (`ulimit -v`) to less memory than Ox88 needs."""
    with contextlib.suppress(ImportError):  # Windows has no such limit.
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if 0 <= limit < _LEAST_MEMORY << 20:  # Less than 0: no limit.
            text = f"a limit of {limit >> 20:,} MB of memory (ulimit -v) is too low: Ox88 needs {_LEAST_MEMORY:,} MB"
            raise Ox88Error(text)


def _replace_closed_streams() -> None:
    """Where the caller has closed standard input, it is empty; what goes to a closed output is lost."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - It stays open to the end.


def _drop_output() -> None:
    """Let standard output go nowhere, so that nothing fails when Python flushes it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _detect_protocol() -> tuple[str | None, Iterable[str] | None]:
    """(uci or xboard, if the first line of standard input is that word; all lines of the input), or (None, None).

    GUIs start the program without a command and send this word. Nothing is read from a terminal, or while a shell
    completes a command.
    """
    if sys.stdin.isatty() or _COMPLETION in os.environ:
        return None, None
    from ox88.apps.streams import input_lines

    lines = input_lines()
    first = next(lines, "")
    return (first.strip(), itertools.chain([first], lines)) if first.strip() in _PROTOCOLS else (None, None)
