"""Arguments of the command line, for the campaign fuzz. A command works, or says in a line what is wrong."""

import os
import re
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple
from unittest.mock import patch

from click.testing import CliRunner

from ox88.apps.match.workers import Check
from ox88.cli import cli
from ox88.errors import Ox88Error
from tests.apps.inline import InlineWorkers
from tests.batch.pgn import samples
from tests.positions import FENS
from tools.proof.campaign import FailureError, Tally
from tools.proof.fuzz.inputs import TEXTS, Kind, changed


class Command(NamedTuple):
    """Arguments of the command line, and what stands on the standard input."""

    arguments: list[str]
    text: str


_COMMANDS: Final = tuple(tuple(line.split()) for line in """
    perft startpos 2 | perft startpos 2 --divide --board mailbox | perft startpos 1 --json --mode made --chess960
    perft --epd suite.epd --max-nodes 500 | perft startpos 2 --threads 2 --hash 1 | show | show startpos --view attacks
    show --bits white&pawns | show --view iterations --depth 1 | show --svg out.svg | show --view network --square e2
    show --view weights --neuron 3 --svg - | trace | trace --plies 2 --eval 50 | trace --events 10 --without hash
    play --side both | play --engine Ox88 --elo 1000 --fen startpos | play --tc 5+0.1 --side black | play --side none
    uci | xboard --engine micro-Max --expert | epd suite.epd --workers 2 --option Hash=1 | epd suite.epd --json -
    analyse games.pgn -o out.pgn --multipv 2 | analyse games.pgn --json out.json --html out.html --workers 2
    dataset games.pgn -o data --columns ply,fen,move | dataset games.pgn -o more --unique --per-game 2 --sample 0.5
    match Ox88 micro-Max --games 2 --tc 5+0.05 --openings suite.epd | match Ox88 x;y=z --sprt 0 5 --draw 1 2 3
    match Ox88 Ox88;name=b;Hash=1 --nodes 9 --openings games.pgn --pgn games.pgn | bench --evaluation network --hash 1
    match Ox88 y;protocol=xboard;tc=40/60 --time 0.1 --option Hash=1 --win 3 500 --margin 5 --json - --gauntlet
    serve --port 0 --searches 2 --allow-host x | bench --depth 1 | bench start | warmup | --help | --version | play -h
""".replace("\n", "|").split("|") if line.strip())  # fmt: skip
_INPUT: Final = (
    "e2e4", "Nf3", "undo", "hint", "fen", f"fen {FENS[1]}", "pgn", "pgn out.pgn", "new", "flip", "board", "help",
    "both", "none", "white", "draw", "resign", "analyse", "", "uci", "isready", "position startpos", "go depth 1",
    "force", "xboard", *FENS,
)  # fmt: skip


def command(dice: Random) -> Command:
    """Words of a command, some left out, doubled or changed; and lines that games, protocols and traces read."""
    words = list(dice.choice(_COMMANDS))
    for _ in range(dice.choice((0, 0, 0, 1, 1, 2, 4))):
        place, other = dice.randint(0, len(words)), dice.choice(_COMMANDS)
        new = dice.choice((changed(dice, other, TEXTS, 6000), dice.choice(other), dice.choice(FENS)))
        words[place : place + dice.randrange(3)] = [new] * dice.randrange(3)
    lines = [
        changed(dice, _INPUT, TEXTS) if dice.random() < 0.3 else dice.choice(_INPUT) for _ in range(dice.randrange(9))
    ]
    return Command(words, "\n".join([*lines, "force", "quit", ""]))


# What ends the work of a command soon, and is given last, so that it counts.
_LIMITS: Final = {
    "play": ("--nodes", "20"),
    "trace": ("--nodes", "100"),
    "epd": ("--nodes", "10"),
    "analyse": ("--nodes", "10"),
}
# What commands do that no input changes.
_LEFT_OUT: Final = (
    "web.cli.run_server",
    "web.cli.chessground.fetch",
    "protocols._freeze_objects",
    "protocols._bench_strongest",
    "bench.cli.bench_signature",
    "bench.cli.machine_text",
    "bench.cli.bench_micromax",
    "bench.cli.bench_start",
    "bench.batch.bench_batch",
    "bench.network.bench_network",
    "bench.perft.bench_perft",
    "warmup.warm_up",
)
_ABSOLUTE: Final = re.compile(r"(?:^|(?<=[^1-8pnbrqkPNBRQK]))[/~]|\.\.")  # No path leaves the folder; FENs stay.
_NO_ARGUMENT: Final = re.compile("[\\0\\ud800-\\udc7f\\udd00-\\udfff]")  # No bytes of an argument become these.
_NUMBER: Final = re.compile(r"[0-9]{1,3}")


def limited(command: Command) -> Command:
    """The command with limits, with small numbers, and with files in its own folder alone."""
    words = [_NO_ARGUMENT.sub("?", _ABSOLUTE.sub("_", word)) for word in command.arguments]
    if "perft" in words:  # It has no limit but the depth.
        words = [str(int(word) % 3) if _NUMBER.fullmatch(word) and word.isascii() else word for word in words]
    limits = [word for name, limit in _LIMITS.items() if name in words for word in limit]
    return Command(words + limits, _ABSOLUTE.sub("_", command.text))


@cache
def _folder() -> Path:
    """The folder of this process, where its commands run: with games and a suite. They start no processes."""
    folder = Path(tempfile.mkdtemp())
    os.chdir(folder)
    (folder / "games.pgn").write_bytes(b"".join(samples.GAMES[:3]))
    (folder / "suite.epd").write_text("".join(f"{fen.rsplit(' ', 2)[0]} bm e4; ;D1 20 ;D2 400\n" for fen in FENS[:2]))
    for workers in ("analyse.command", "dataset.command", "match.match"):
        patch(f"ox88.apps.{workers}.make_workers", lambda *_: InlineWorkers(object)).start()
    patch("ox88.apps.epd.solving.LocalWorkers", lambda *_: InlineWorkers(object)).start()
    # A match reads its arguments, openings and games, and then ends with this reason.
    patch("ox88.apps.match.match.check_participant", lambda _: Check("no games are played here")).start()
    for left_out in _LEFT_OUT:
        patch(f"ox88.apps.{left_out}").start()
    return folder


def check_command(command: Command, tally: Tally) -> None:
    """The command ends with an exit code, or with an Ox88Error, which `main` tells in one line."""
    _folder()
    arguments, text = limited(command)
    result = CliRunner().invoke(cli, arguments, input=text.encode(errors="replace"), prog_name="ox88")
    if not isinstance(result.exception, SystemExit | Ox88Error | None):
        raise FailureError(f"{arguments}: {result.exception!r}") from result.exception
    if "Traceback" in result.output:
        raise FailureError(f"{arguments}: {result.output[-2000:]}")
    tally.counts["commands that worked" if result.exit_code == 0 else "commands that were refused"] += 1


KINDS: Final = (Kind("command line", command, check_command, 10),)
