"""The command line with arguments that are nearly right: a command works, or says in a line what is wrong."""

import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.apps.match.workers import Check
from ox88.cli import cli
from ox88.errors import Ox88Error
from tests.apps.inline import InlineWorkers
from tests.batch.pgn import samples
from tests.campaigns.changing import TEXTS, changed, fuzzing
from tests.positions import FENS

pytestmark = pytest.mark.slow

COMMANDS = [line.split() for line in """
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
""".replace("\n", "|").split("|") if line.strip()]  # fmt: skip
WORDS = [*{word for words in COMMANDS for word in words}, *FENS]
INPUT = [
    "e2e4", "Nf3", "undo", "hint", "fen", f"fen {FENS[1]}", "pgn", "pgn out.pgn", "new", "flip", "board", "help",
    "both", "none", "white", "draw", "resign", "analyse", "", "uci", "isready", "position startpos", "go depth 1",
    "force", "xboard", *FENS,
]  # fmt: skip
# Limits that end a command soon. They stand last on the line, so that they override others.
LIMITS = {
    "play": ["--nodes", "20"],
    "trace": ["--nodes", "100"],
    "epd": ["--nodes", "10"],
    "analyse": ["--nodes", "10"],
}
# What commands do that no input changes.
LEFT_OUT = """
    web.cli.run_server web.cli.chessground.fetch protocols._freeze_objects protocols._bench_strongest warmup.warm_up
    bench.cli.bench_signature bench.cli.machine_text bench.cli.bench_micromax bench.cli.bench_start
    bench.batch.bench_batch bench.network.bench_network bench.perft.bench_perft
""".split()  # noqa: SIM905 - Lines of words.
ABSOLUTE = re.compile(r"(?:^|(?<=[^1-8pnbrqkPNBRQK]))[/~]|\.\.")  # No path leaves the folder; FENs stay.
NO_ARGUMENT = re.compile("[\\0\\ud800-\\udc7f\\udd00-\\udfff]")  # No bytes of an argument become these.
NUMBER = re.compile(r"[0-9]{1,3}")


@st.composite
def commands(draw: st.DrawFn) -> list[str]:
    """A command, some of its words left out, doubled or changed; with limits, small numbers and files of its folder."""
    words = list(draw(st.sampled_from(COMMANDS)))
    for _ in range(draw(st.sampled_from((0, 1, 1, 2, 3)))):
        place = draw(st.integers(0, len(words)))
        word = words[place : place + 1] or WORDS
        new = draw(st.lists(changed(word, TEXTS, 6000) | changed(WORDS, TEXTS, 6000), max_size=2))
        words[place : place + draw(st.integers(0, 2))] = new
    words = [NO_ARGUMENT.sub("?", ABSOLUTE.sub("_", word)) for word in words]
    if "perft" in words:  # It has no limit but the depth.
        words = [str(int(word) % 3) if NUMBER.fullmatch(word) and word.isascii() else word for word in words]
    return words + [word for name, limit in LIMITS.items() if name in words for word in limit]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder with games and a suite, where commands start no processes."""
    path: Path = tmp_path_factory.mktemp("commands")
    (path / "games.pgn").write_bytes(b"".join(samples.GAMES[:3]))
    (path / "suite.epd").write_text("".join(f"{fen.rsplit(' ', 2)[0]} bm e4; ;D1 20 ;D2 400\n" for fen in FENS[:2]))
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(path)
        for workers in ("analyse.command", "dataset.command", "match.match"):
            patched.setattr(f"ox88.apps.{workers}.make_workers", lambda *_: InlineWorkers(object))
        patched.setattr("ox88.apps.epd.solving.LocalWorkers", lambda *_: InlineWorkers(object))
        # A match reads its arguments, openings and games, and then ends with this reason.
        patched.setattr("ox88.apps.match.match.check_participant", lambda _: Check("no games are played here"))
        for left_out in LEFT_OUT:
            patched.setattr(f"ox88.apps.{left_out}", Mock())
        yield


@settings(fuzzing, max_examples=300)
@given(words=commands(), lines=st.lists(st.sampled_from(INPUT) | changed(INPUT, TEXTS), max_size=9))
@pytest.mark.usefixtures("folder")
def test_commands(words: list[str], lines: list[str]) -> None:
    """The command ends with an exit code, or with an Ox88Error, which `main` tells in one line."""
    text = ABSOLUTE.sub("_", "\n".join([*lines, "force", "quit", ""]))
    result = CliRunner().invoke(cli, words, input=text.encode(errors="replace"), prog_name="ox88")
    if not isinstance(result.exception, SystemExit | Ox88Error | None):
        raise result.exception
    assert "Traceback" not in result.output
