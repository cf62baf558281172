"""`ox88 analyse`: its outputs, messages and errors."""

import gzip
import io
import json
import os
import re
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

from ox88.apps.analyse.command import Outputs
from ox88.apps.analyse.worker import AnalysisSettings
from ox88.apps.options import program_name
from ox88.engines.base import Limit
from ox88.engines.registry import MICROMAX, MODERN
from tests.apps.inline import InlineWorkers, Run
from tests.conftest import RunPython
from tests.processes import but_compiling

SHORT = """\
[Event "Fool's mate"]
[White "Mr \\"A\\""]
[Black "<b>"]
[Result "0-1"]

1. f3 { [%clk 0:01:00] hm } 1... e5 2. g4?! $10 ( 2. e4 Nc6 ) 2... Qh4# 0-1
"""
FEW = ("--nodes", "500")


def read_games(path: Path) -> list[chess.pgn.Game]:
    stream = io.StringIO(path.read_text(encoding="utf-8"))
    return list(iter(lambda: chess.pgn.read_game(stream), None))


def stop(*_: object) -> str:
    raise KeyboardInterrupt


@pytest.fixture
def short(tmp_path: Path) -> Path:
    path = tmp_path / "short.pgn"
    path.write_text(SHORT)
    return path


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "out.pgn"


def test_an_annotated_game(short: Path, output: Path, run: Run) -> None:
    """A game that is analysed again stays as it is."""
    code, said, errors = run(short, "-o", output, *FEW)
    assert (code, but_compiling(errors)) == (0, "")
    *table, summary = said.splitlines()
    assert [line.split()[-1] for line in table if "Mr" in line or "<b>" in line] == ["1", "0"]
    assert re.fullmatch(rf"{output}: 1 game, 4 moves; inaccuracies: ., mistakes: ., blunders: 1", summary)
    (game,) = read_games(output)
    assert re.fullmatch(
        r"\[%eval #-1\] Blunder: \S+ is better\. Allows mate: 2\.\.\. Qh4#\.", list(game.mainline())[2].comment
    )
    assert float(game.headers["WhiteAccuracy"]) < 50 < float(game.headers["BlackAccuracy"])
    assert (game.headers["ECO"], game.headers["Opening"]) == ("A00", "Barnes Opening: Fool's Mate")
    assert game.headers["Annotator"].startswith("Ox88 ")
    assert sorted(path.name for path in output.parent.iterdir()) == ["out.pgn", "short.pgn"]
    again = short.with_name("again.pgn")
    assert run(output, "-o", again, *FEW)[0] == 0
    assert again.read_text() == output.read_text()


def test_each_option_reaches_the_search(short: Path, monkeypatch: pytest.MonkeyPatch, call_ox88: RunPython) -> None:
    asked: list[tuple[Any, ...]] = []

    def analyse(*arguments: Any) -> int:
        asked.append(arguments)
        return 0

    monkeypatch.setattr("ox88.apps.analyse.command.analyse_files", analyse)
    monkeypatch.setattr("ox88.apps.analyse.cli.cores", lambda: 8)
    names = {name: Path(f"out.{name}") for name in ("pgn", "json", "parquet", "html")}
    files = [word for name, path in names.items() for word in ("-o" if name == "pgn" else f"--{name}", path)]
    for words, limit, options, workers in (
        ((), Limit(nodes=100_000), (), 8),
        (("--time", 0.5), Limit(time=0.5), (), 8),
        (("--depth", 3), Limit(depth=3), (), 8),
        (("--nodes", 7, "--option", "hash=2"), Limit(nodes=7), (("Hash", 2),), 8),
        (("--multipv", 3, "--option", "Threads=2"), Limit(nodes=100_000), (("Threads", 2), ("MultiPV", 3)), 4),
        (("--workers", 3), Limit(nodes=100_000), (), 3),
    ):
        assert call_ox88("analyse", short, *files, *words).returncode == 0
        settings = AnalysisSettings(MODERN, options, limit, program_name(MODERN))
        assert asked.pop() == ((short,), settings, Outputs(**names), workers, None)
    assert call_ox88("analyse", short, *files, "--engine", "micro-Max", "--scheduler", "tcp://a:1").returncode == 0
    (_, settings, _, _, scheduler) = asked.pop()
    assert (settings.entry, scheduler) == (MICROMAX, "tcp://a:1")


def test_settings_differ_in_their_text() -> None:
    """An unfinished run is resumed only by the same search."""
    settings = AnalysisSettings(MODERN, (("Hash", 2),), Limit(nodes=7), "Ox88 1")
    changes: list[dict[str, Any]] = [{"options": (("Hash", 3),)}, {"options": ()}, {"annotator": "Ox88 2"}]
    changes += [{"limit": limit} for limit in (Limit(nodes=8), Limit(depth=7), Limit(time=7), Limit(nodes=7, depth=7))]
    assert len({str(settings), *(str(replace(settings, **change)) for change in changes)}) == 8


def test_broken_games_are_reported_and_the_others_analysed(tmp_path: Path, output: Path, run: Run) -> None:
    """Of many errors the first."""
    path, file = tmp_path / "broken.pgn", tmp_path / "out.json"
    bad = [
        '[Event "1"]\n\n1. e4 e5\n2. Nf6 Nc6 *',
        '[Event "2"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *',
        '[Event "3"]\n[Variant "Atomic"]\n\n1. e4 *',
        '[Event "4"]\n\n1. e4 e5 2. -- d5 *',
        "nothing of a game",
        '[Event "6"]\n\n1. e4 e5 ( 1... Ke7 2. d4 ) 2. Nf3 { not closed',
    ]
    path.write_text("\n\n".join([*bad, SHORT, *(f'[Event "{number}"]\n\n1. Ke4 *' for number in range(8, 34))]))
    code, said, errors = run(path, "-o", output, "--json", file, *FEW)
    assert code == 1
    assert said.endswith("; 32 games with errors\n")
    *shown, more = errors.splitlines()
    lines, numbers = [4, 7, 12, 18, 20, 24, 24, *range(36, 88, 4)], [1, 2, 3, 4, 5, 6, 6, *range(8, 21)]
    places = [[f"{path}:{line}", f"game {number}"] for line, number in zip(lines, numbers, strict=True)]
    assert [line.split(": ")[1:3] for line in shown] == places
    assert more == "ox88: ... and 13 more"
    for reason in ("'Nf6' is not a legal move", "no king", "Atomic", "passes", "no tag,", "'Ke7'", "not closed"):
        assert reason in errors
    games = [json.loads(line) for line in file.read_text().splitlines()][:7]
    assert [len(game["moves"]) for game in games] == [2, 0, 0, 2, 0, 3, 4]
    assert [len(game["errors"]) for game in games] == [1, 1, 1, 1, 1, 2, 0]
    assert games[0]["errors"][0]["line"] == 4
    text = output.read_text()
    assert "{ The game cannot be read further: 'Ke4' is not a legal move } *" in text
    for unread in bad[1:3]:
        assert unread in text


def test_where_games_stand(tmp_path: Path, output: Path, run: Run) -> None:
    """In several files, of which one is a zip archive, one has lost its end, and one has a name of strange bytes."""
    archive, damaged, strange = tmp_path / "a.zip", tmp_path / "b.gz", Path(f"{tmp_path}/\udcff.pgn")
    with zipfile.ZipFile(archive, "w") as files:
        for number in (1, 2):
            files.writestr(f"{number}.pgn", "% escaped\n\n1. e4 *\n\n\n1. d4 *")
    damaged.write_bytes(gzip.compress(b"1. c4 *\n\n1. f4 *")[:-8])  # Without checksum and size.
    strange.write_text("*")
    file = tmp_path / "out.json"
    code, said, errors = run(archive, damaged, strange, "-o", output, "--json", file, "--nodes", 1)
    assert (code, "with errors" in said) == (1, False)
    assert but_compiling(errors) == f"ox88: {damaged}: the file breaks off in line 3\n"
    games = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [(game["file"], game["line"]) for game in games] == [
        *((name, line) for name in (str(archive), f"{archive} (file 2)") for line in (3, 6)),
        *((str(damaged), line) for line in (1, 3)),
        (f"{tmp_path}/\ufffd.pgn", 1),
    ]


def test_clocks_that_no_number_can_hold_are_left_out(tmp_path: Path, run: Run) -> None:
    path, file = tmp_path / "clocks.pgn", tmp_path / "out.json"
    hours, more, seconds = "9" * 400, "9" * 5000, "9" * 400
    clocks = (f"{hours}:00:00", f"{more}:00:00", f"0:00:{seconds}", "0:01:00")
    moves = (f"{move} {{ [%clk {clock}] }}" for move, clock in zip(("f3", "e5", "g4", "Qh4#"), clocks, strict=True))
    path.write_text(" ".join(moves))
    assert run(path, "--json", file, *FEW)[0] == 0
    assert [move["clock"] for move in json.loads(file.read_text())["moves"]] == [None, None, None, 60]


def test_a_text_is_analysed_once(tmp_path: Path, output: Path, run: Run, workers: InlineWorkers) -> None:
    path = tmp_path / "twice.pgn"
    path.write_text(f"{SHORT}\n{SHORT}\n{SHORT}")
    assert run(path, "-o", output, *FEW)[0] == 0
    assert len(workers.jobs) == 1
    assert len(read_games(output)) == 3


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["-o", "{folder}/out.pgn"], "GAMES"),
        (["{short}"], "no output is named: give one or more of -o, --html, --json and --parquet"),
        (["{folder}", "-o", "{folder}/out.pgn"], "Is a directory"),
        (["x" * 5000, "-o", "{folder}/out.pgn"], "cannot be opened: "),
        (["{short}", "-o", "x" * 5000], "cannot be written: "),
        (["{folder}/empty.pgn", "-o", "{folder}/out.pgn"], "there is no game in"),
        (["{folder}/table.gz", "-o", "{folder}/out.pgn"], "table.gz' is not text but Parquet: a PGN, plain or packed"),
        (["{short}", "-o", "no/such/out.pgn"], "no/such/out.pgn cannot be written"),
        (["{short}", "-o", "{short}"], "both read and written"),
        (["{short}", "-o", "{folder}/a", "--json", "{folder}/a"], "a file of its own"),
        (["{short}", "-o", "-", "--json", "-"], "- is written twice: each output needs a file of its own"),
        (["{short}", "--parquet", "-"], "--parquet writes no table to standard output: name a file"),
        (
            ["{folder}/a.journal", "-o", "{folder}/a"],
            "a.journal cannot be named: Ox88 keeps unfinished work of its own",
        ),
        (["{short}", "-o", "{folder}/b", "--json", "{folder}/b.journal"], "b.journal cannot be named"),
        (["{short}", "-o", "{folder}/a", "--html", "no/such/b"], "no/such/b cannot be written"),
        (["{short}", "-o", "{folder}/out.pgn", "--option", "Nonsense=1"], "there is no option 'Nonsense'"),
        (["{short}", "-o", "{folder}/out.pgn", "--option", "Hash=many"], "Hash is a whole number"),
        (["{short}", "-o", "{folder}/out.pgn", "--multipv", "2", "--engine", "micro-Max"], "no option 'MultiPV'"),
        (["{short}", "-o", "{folder}/out.pgn", "--nodes", "0"], "--nodes"),
        (["{short}", "-o", "{folder}/out.pgn", "--engine", "nonsense"], "--engine"),
    ],
)
def test_what_is_refused(arguments: list[str], reason: str, short: Path, run: Run, workers: InlineWorkers) -> None:
    (short.parent / "empty.pgn").touch()
    (short.parent / "a.journal").write_text(SHORT)
    (short.parent / "table.gz").write_bytes(gzip.compress(b"PAR1\x15\x04\x15\x20"))
    before = sorted(short.parent.iterdir())
    code, said, errors = run(*(argument.format(short=short, folder=short.parent) for argument in arguments))
    assert (code, said) == (2, "")
    assert reason in errors
    assert not workers.jobs
    assert sorted(short.parent.iterdir()) == before


@pytest.mark.posix("pipes that have a name")
def test_a_pipe_is_refused(output: Path, run: Run, workers: InlineWorkers) -> None:
    """As of a shell: ox88 analyse <(cat games.pgn)."""
    reader, writer = os.pipe()
    os.write(writer, SHORT.encode())
    os.close(writer)
    name = f"/dev/fd/{reader}"
    reason = f"ox88: {name} is a pipe or a device, and the games are read several times: write them into a file\n"
    assert run(name, "-o", output, *FEW) == (2, "", reason)
    os.close(reader)
    assert not workers.jobs
    assert not output.exists()


def test_what_is_one_is_named_so(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "one.pgn"
    path.write_text("1. e4 *\n")
    assert ": 1 game, 1 move; " in run(path, "-o", tmp_path / "out.pgn", *FEW)[1]


@pytest.mark.parametrize("option", ["-o", "--json", "--html", "--parquet"])
def test_one_output_is_enough(option: str, short: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text may go to standard output; then the table and the sums go to stderr."""
    monkeypatch.chdir(short.parent)
    code, said, errors = run(short, option, "file", *FEW)
    assert (code, but_compiling(errors)) == (0, "")
    assert said.splitlines()[-1].startswith("file: 1 game, 4 moves; ")
    if option != "--parquet":
        code, said, errors = run(short, option, "-", *FEW)
        assert (code, said) == (0, Path("file").read_text(encoding="utf-8"))
        assert errors.splitlines()[-1].startswith("-: 1 game, 4 moves; ")
    assert sorted(path.name for path in short.parent.iterdir()) == ["file", "short.pgn"]


def test_the_journal_stands_beside_the_first_output(
    short: Path, tmp_path: Path, run: Run, workers: InlineWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run with other settings does not resume from it."""
    page = tmp_path / "page.html"
    with monkeypatch.context() as patched:
        patched.setattr("ox88.apps.analyse.page_output.page_data", stop)
        assert run(short, "--html", page, *FEW)[0] == 130
    assert page.with_name("page.html.journal").exists()
    code, _, errors = run(short, "--html", page, "--nodes", 501)
    assert code == 2
    assert all(f"{nodes} nodes a position" in errors for nodes in (500, 501))
    assert run(short, "--html", page, *FEW)[2] == f"ox88: resuming from {page}.journal, 1 game is done\n"
    assert len(workers.jobs) == 1


def test_a_package_that_is_missing(short: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    reason = "ox88: --parquet needs pyarrow, which is not installed: pip install 'ox88[data]'\n"
    assert run(short, "--parquet", short.with_name("a"), *FEW) == (2, "", reason)


def test_an_output_is_replaced_at_once_or_not_at_all(
    short: Path, output: Path, run: Run, monkeypatch: pytest.MonkeyPatch, workers: InlineWorkers
) -> None:
    output.write_text("what was there")
    done = f"ox88: 1 game is done; the same command resumes from {output}.journal"

    def fail(_: object) -> str:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("ox88.apps.analyse.command.game_text", fail)
        code, _, errors = run(short, "-o", output, *FEW)
    assert (code, errors.splitlines()) == (2, [done, f"ox88: {output} cannot be written: No space left on device"])
    assert output.read_text() == "what was there"
    code, _, errors = run(short, "-o", output, *FEW)
    assert (code, errors) == (0, f"ox88: resuming from {output}.journal, 1 game is done\n")
    assert len(workers.jobs) == 1
    assert len(read_games(output)) == 1
    assert not list(output.parent.glob("*.tmp"))


def test_an_input_that_changes_meanwhile(short: Path, output: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(*_: object) -> None:
        short.write_text(SHORT.replace("2. g4", "2. a3"))

    with monkeypatch.context() as patched:
        patched.setattr("ox88.apps.live.Progress.restart", change)
        code, _, errors = run(short, "-o", output, *FEW)
    assert code == 2
    assert f"{short} has changed since it was analysed" in errors
    assert run(short, "-o", output, *FEW)[0] == 0
    assert [node.san() for node in read_games(output)[0].mainline()][2] == "a3"
