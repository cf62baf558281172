"""`ox88 perft`: count the move sequences of a move generator, or check the counts of an EPD file."""

import json
import re
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ox88.apps.files import read_lines
from ox88.apps.options import FILE, MEGABYTES, NODES, THREADS, Whole
from ox88.errors import Ox88Error
from ox88.setup import parse_epd, parse_fen
from ox88.types import format_uci

if TYPE_CHECKING:
    from ox88.perft import Perft

_EXPECTED: Final = re.compile(r"\s*D(\d{1,3})\s+(\d{1,18})\s*")


@dataclass(frozen=True, slots=True)
class Settings:
    """The options that say how to count."""

    board: str = "bitboard"
    mode: str | None = None
    threads: int = 1
    hash_megabytes: int = 0

    def perft(self, fen: str) -> "Perft":
        from ox88.perft import Perft  # This import loads NumPy.

        return Perft(parse_epd(fen)[0], self.board, self.threads, self.hash_megabytes)


class _Depth(Whole):
    """A number of plies. Of a FEN without quotes the second word comes here, too."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> int:
        try:
            return int(super().convert(value, parameter, context))
        except click.BadParameter:
            self.fail(f"{value!r} is no number of plies; a FEN needs quotes around it.", parameter, context)


@click.command()
@click.argument("fen", required=False)
@click.argument("depth", required=False, type=_Depth(min=0))
@click.option("--epd", type=FILE, help="Check every ;Dn count of this file instead.")
@click.option("--max-nodes", type=NODES, help="With --epd: skip larger counts.")
@click.option(
    "--board",
    type=click.Choice(["bitboard", "rotated", "mailbox"]),
    default="bitboard",
    show_default=True,
    help="Magic bitboards, rotated bitboards, or the 0x88 board.",
)
@click.option(
    "--mode",
    type=click.Choice(["bulk", "listed", "made"]),
    help="The moves of the last ply: bulk counts them without a list (bitboard only, its default), listed takes the "
    "length of the list, made plays every move.",
)
@click.option("--divide", is_flag=True, help="Print the count of each move.")
@click.option("--chess960", is_flag=True, help="Write castling as the king taking its rook: e1h1.")
@click.option("--threads", type=THREADS, default=1, show_default=True, help="Threads to count on.")
@click.option("--hash", "hash_megabytes", type=MEGABYTES, help="Megabytes for a table of counts (bitboard only).")
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
    """Count move sequences of DEPTH plies, to check a move generator.

    FEN may be startpos.
    """
    if hash_megabytes is not None and (board != "bitboard" or mode is not None):
        raise click.UsageError("--hash is for the bitboard only, in its own mode: leave out --board and --mode")
    settings = Settings(board, mode, threads, hash_megabytes or 0)
    if epd is not None:
        if fen is not None or divide or as_json:
            raise click.UsageError("--epd takes its positions from the file: leave out FEN, --divide and --json")
        if not check_epd(epd, max_nodes, settings):
            raise click.exceptions.Exit(1)
    elif fen is None or depth is None or max_nodes is not None:
        raise click.UsageError("give FEN and DEPTH, such as: ox88 perft startpos 5; or --epd FILE [--max-nodes N]")
    else:
        count_position(fen, depth, settings, divide, chess960, as_json)


def count_position(fen: str, depth: int, settings: Settings, divide: bool, chess960: bool, as_json: bool) -> None:
    """Print how many sequences of `depth` moves a position has, and with `divide` how many begin with each move."""
    chess960 = chess960 or parse_fen(fen).is_chess960()
    perft = settings.perft(fen)
    perft.count(2, settings.mode)  # Compiles before the clock starts.
    started = time.perf_counter()
    counts = perft.divide(depth, settings.mode) if depth else {}
    seconds = time.perf_counter() - started
    nodes = sum(counts.values()) if depth else 1
    divided = dict(sorted((format_uci(move, chess960), count) for move, count in counts.items())) if divide else {}
    mode = settings.mode or perft.modes[0]
    if as_json:
        result = {"fen": fen, "depth": depth, "board": settings.board, "mode": mode, "threads": settings.threads}
        result |= {"nodes": nodes, "seconds": round(seconds, 6), "nps": int(nodes / max(seconds, 1e-9))}
        click.echo(json.dumps(result | ({"divide": divided} if divide else {})))
        return
    for move, count in divided.items():
        click.echo(f"{move}: {count}")
    click.echo(f"{nodes} nodes, {seconds:.3f} s, {_speed(nodes, seconds)} ({settings.board}, {mode})")


def _speed(nodes: int, seconds: float) -> str:
    return f"{nodes / max(seconds, 1e-9) / 1e6:.1f} Mnps"


@dataclass(slots=True)
class EpdResult:
    """The result of checking a file of counts."""

    right: int = 0
    wrong: int = 0
    unread: int = 0
    skipped: int = 0
    nodes: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        failures = f"{self.wrong} wrong, {self.unread} unread lines"
        return f"{self.right} counts right, {failures}, {self.nodes} nodes, {_speed(self.nodes, self.seconds)}"


def check_epd(path: Path, max_nodes: int | None, settings: Settings) -> bool:
    """Check the `;Dn count`s of a file up to `max_nodes`, and print the wrong ones. True if all are right."""
    result = EpdResult()
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            for problem in _check_line(line, max_nodes, settings, result):
                _show_progress("")
                click.echo(f"{path}:{number}: {problem}")
            _show_progress(f"line {number}: {result}")
        except Ox88Error as error:
            result.unread += 1
            _show_progress("")
            click.echo(f"ox88: {path}:{number}: {error}", err=True)
    _show_progress("")
    if not result.right + result.wrong + result.unread + result.skipped:
        raise Ox88Error(f"{path} has no positions")
    click.echo(str(result))
    return not result.wrong and not result.unread


def _check_line(line: str, max_nodes: int | None, settings: Settings, result: EpdResult) -> Iterator[str]:
    """Count the position of a line and add to the result. Yields a text for each wrong count."""
    fen, *fields = line.split(";")
    expected = dict(_expected_counts(fields))
    perft = settings.perft(fen)
    for depth, count in expected.items():
        if max_nodes is not None and count > max_nodes:
            result.skipped += 1
            continue
        started = time.perf_counter()
        nodes = perft.count(depth, settings.mode)
        result.seconds += time.perf_counter() - started
        result.nodes += nodes
        if nodes == count:
            result.right += 1
        else:
            result.wrong += 1
            yield f"depth {depth}: {nodes} nodes, not {count}: {fen.strip()}"


def _expected_counts(fields: Iterable[str]) -> Iterator[tuple[int, int]]:
    found = False
    for field in fields:
        match = _EXPECTED.fullmatch(field)
        if match is None and field.strip():
            raise Ox88Error(f"{field.strip()!r} is not an expected count such as D4 197281")
        if match is not None:
            found = True
            yield int(match[1]), int(match[2])
    if not found:
        raise Ox88Error("it has no expected count such as ;D4 197281")


def _show_progress(text: str) -> None:
    """Replace the line of progress on stderr, if that is a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text[:100]}")
        sys.stderr.flush()
