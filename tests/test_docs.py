"""The pages of docs and the README: excerpts and help are the program's, commands and code are right, links open."""

import ast
import doctest
import functools
import importlib
import os
import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import chess
import chess.engine
import click
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import ox88
from ox88.apps.puzzles import open_set
from ox88.apps.show.expression import Boards
from ox88.bitboard.rotated import rotated_tables
from ox88.cli import COMMANDS, cli
from ox88.engines.micromax.machine import Machine
from ox88.engines.modern.options import NUMBERS, SWITCHES
from ox88.setup import parse_fen
from ox88.types import to_0x88
from tests.conftest import RunPython, imported
from tests.positions import FENS
from tests.processes import PATIENCE
from tests.test_scripts import ROOT
from tools import pages

DOCS: Final = ROOT / "docs"
PAGES: Final = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in
                (*sorted(DOCS.rglob("*.md")), ROOT / "README.md")}  # fmt: skip
IDEAS: Final = {name: page for name, page in PAGES.items() if name.startswith("docs/micromax/")}
by_page = pytest.mark.parametrize("name", PAGES)

# Programs of others, which the pages name.
PROGRAMS: Final = {"pip", "pipx", "uvx", "xboard", "winboard", "dask", "git", "eval"}
SUFFIX: Final = re.compile(r"\.(pgn|epd|fen|zst|zip|gz|journal|bin|parquet)$")


class Block(NamedTuple):
    """A block of code. language: what follows the fence; "" for an indented block."""

    language: str
    text: str


def blocks(page: str) -> Iterator[Block]:
    fence = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    yield from (Block(language, text) for language, text in fence.findall(page))
    indented = re.findall(r"(?:(?<=\n\n)|\A)((?:    .*\n|\n(?=    ))+)", fence.sub("", page))
    yield from (Block("", textwrap.dedent(text)) for text in indented)


def is_python(block: Block) -> bool:
    """True for a block that can be read as Python; a doctest cannot, nor the lines of a shell but for bare paths."""
    if block.text.startswith("scripts/"):
        return False
    try:
        ast.parse(block.text)
    except SyntaxError:
        return False
    return True


def shell_lines(page: str) -> Iterator[list[str]]:
    """The commands of a page as words, those of a pipe apart."""
    for block in blocks(page):
        if block.language in ("", "sh") and not is_python(block) and not block.text.startswith(">>>"):
            for line in block.text.splitlines():
                words = shlex.split(line, comments=True)
                while words:
                    end = next((place for place, word in enumerate(words) if word == "|"), len(words))
                    yield [word.rstrip(";") for word in words[:end]]
                    words = words[end + 1 :]


# --- What is taken from the program -----------------------------------------------------------------------------------


@by_page
def test_excerpts_are_the_programs(name: str) -> None:
    assert pages.with_excerpts(PAGES[name]) == PAGES[name], "run python -m tools.pages"


def test_parts_of_files_and_the_help() -> None:
    assert pages.excerpt("search.py", "OFF_BOARD") == "OFF_BOARD = 0x88\n"
    assert pages.excerpt("search.py", "promotes").startswith("@kernel\ndef promotes(")
    assert pages.excerpt("machine.py", "Machine.stop").startswith("def stop(self)")
    assert pages.excerpt("modern/network/inference.py", "view_of").startswith("@kernel\ndef view_of(")
    step = pages.excerpt("search.py", "steps 15 to 16")
    assert step.startswith("# Step 15. ")
    assert "# Step 16. " in step
    assert "# Step 17. " not in step
    assert pages.excerpt("search.py", "step 14").endswith("    rook_from = castling_corner(from_square, step)\n")
    for part in ("step 99", "nonsense", "Machine.nonsense", "search.nonsense"):
        with pytest.raises(ox88.Ox88Error, match=f"has no '{part}'"):
            pages.excerpt("search.py", part)
    assert all(f"\n## ox88 {name}\n\n```text\nUsage: ox88 {name} " in pages.help_page() for name in COMMANDS)


def test_the_reference_has_every_public_name_once() -> None:
    named = [
        line.removeprefix("::: ox88.") for page in PAGES.values() for line in page.splitlines() if line[:3] == ":::"
    ]
    assert sorted(name for name in named if "." not in name) == vars(ox88)["__all__"]
    assert len(named) == len(set(named))


# --- How micro-Max thinks ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", IDEAS)
def test_a_page_on_an_idea_has_a_picture_our_code_and_a_link(name: str) -> None:
    page = IDEAS[name]
    assert "](../pictures/" in page
    assert list(pages.excerpts(page))
    assert len(think_links(page)) == 1
    assert len(page.split()) < 600


def test_the_ideas_are_listed_in_their_order() -> None:
    listed = re.findall(r"^\d+\. .*?\]\((micromax/.*?)\)", PAGES["docs/micro-max.md"], re.MULTILINE)
    navigation = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"]
    (chapter,) = (part["How micro-Max thinks"] for part in navigation if "How micro-Max thinks" in part)
    assert chapter == ["micro-max.md", *listed]
    assert {f"docs/{name}" for name in listed} == IDEAS.keys()


def think_links(page: str) -> list[tuple[str, int, int]]:
    """The position, the node limit and the node of each link into the page Think."""
    found = re.findall(r"\(http://localhost:8088/#think/(.*)/(\d+)/(\d+)\)", page)
    return [(fen.replace("_", " "), int(nodes), int(node)) for fen, nodes, node in found]


def test_the_links_open_nodes_that_exist() -> None:
    machine = Machine()
    for page in IDEAS.values():
        ((fen, nodes, node),) = think_links(page)
        machine.set_position(parse_fen(fen))
        machine.think(nodes)
        assert 1 <= node <= machine.record.nodes, fen


def test_the_worked_examples_have_the_engines_numbers() -> None:
    """Each of these is a part of an example of docs/search.md, made of the numbers of options.py."""
    p: dict[str, int] = {option.name: option.default for option in NUMBERS}  # type: ignore[misc]
    page = " ".join(PAGES["docs/search.md"].split())
    for text in (
        f"the bonus is 5 x {p['history_bonus_factor']} = {5 * p['history_bonus_factor']:,},",
        f"the malus 5 x {p['history_malus_factor']} = {5 * p['history_malus_factor']:,}",
        f"from {30 - p['aspiration_window']} to {30 + p['aspiration_window']} only",
        f"{p['razoring_base']} + {p['razoring_margin']} x 1 = {p['razoring_base'] + p['razoring_margin']}",
        f"3 x {p['reverse_futility_margin']} = {3 * p['reverse_futility_margin']}",
        f"10 - {p['null_move_base']} - {10 // p['null_move_depth_divisor']} = 4",
        f"worth {p['probcut_margin']} more than beta",
        f"6 - {p['probcut_reduction']} = 2",
        f"({p['late_move_pruning_base']} + 2 x 2) / 2 = 6",
        f"{p['futility_base']} + {p['futility_margin']} x 1 = {p['futility_base'] + p['futility_margin']}",
        f"{p['capture_futility_base']} + 2 x {p['capture_futility_margin']} = 619",
        f"-{p['history_pruning_margin']:,} x 2 = -{2 * p['history_pruning_margin']:,}",
        f"{p['see_quiet_margin']} x 2 x 2 = {4 * p['see_quiet_margin']}",
        f"(less than {p['shallower_margin']})",
        f"100 + {p['delta_margin']}",
        f"120 - {p['singular_margin']} x 8 = 104",
        f"{p['double_extension_margin']} more below, and three if they stay {p['triple_extension_margin']} more below",
        f"{p['non_pawn_correction_weight']}/128",
    ):
        assert text in page


def test_the_worked_example_of_the_network() -> None:
    """The table of docs/network.md as a network of two neurons, before and after e2-e4."""
    page = " ".join(PAGES["docs/network.md"].split())
    cell = r"(own|their) (\w+) (\w\d) \| (-?\d+) \| (-?\d+) \|"
    inputs = np.zeros((768, 256), np.int16)
    found = re.findall(cell, page)
    assert len(found) == 10
    for side, kind, square, *weights in found:
        row = 384 * (side == "their") + 64 * (chess.PIECE_NAMES.index(kind) - 1) + chess.parse_square(square)
        inputs[row, :2] = [int(weight) for weight in weights]
    bias, outputs = np.zeros(256, np.int16), np.zeros((8, 2, 256), np.int16)
    bias[:2], outputs[0, :, :2] = (30, 60), ((64, 8), (-64, -8))
    network = ox88.Network(inputs, bias, outputs, np.full(8, 800), np.full(8, 400))
    positions = ox88.Positions.from_fens([
        "4k3/p7/8/8/8/8/4P3/2K5 w - - 0 1", "4k3/p7/8/8/4P3/8/8/2K5 b - - 0 1",
    ])  # fmt: skip
    assert positions.accumulators(network=network)[:, :, :2].tolist() == [
        [[100, -30], [60, 275]],
        [[30, 235], [140, -45]],
    ]
    assert positions.evaluate(by=network, view="mover").tolist() == [8, -53]
    for text in (
        "= 100 and 60 - 20 + 10 + 50 - 130 = -30, Black's are 60 and 275.",
        "100 - 25 + 65 = 140 and -30 - 10 - 5 = -45.",
        "60 + 20 - 50 = 30 and 275 - 45 + 5 = 235.",
        "30² x 64 + 235² x 8 - 140² x 64 - 0² x 8 = -755,000",
        "rounded down, it is -2,961. The output's bias, here 800, is added: -2,161.",
        "makes it -53: Black",
        "the same calculation gives +8.",
    ):
        assert text in page
    assert (-755_000 // 255, -2161 * 400 // (255 * 64)) == (-2961, -53)


def test_switches_and_steps_of_the_search_are_explained_and_measured() -> None:
    named = set(re.findall(r"`(use_\w+)`", PAGES["docs/search.md"]))
    switches = {option.name for option in SWITCHES}
    assert named == switches
    steps = (ROOT / "src/ox88/engines/modern/search.py").read_text(encoding="utf-8")
    worths = re.findall(r"[+-]\d+ ± \d+", steps)
    assert len(worths) > 10
    assert [worth for worth in worths if worth not in PAGES["docs/features.md"]] == []


# --- Code -------------------------------------------------------------------------------------------------------------


@by_page
def test_examples_say_what_they_show(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # They write files.
    if any(block.text.startswith(">>>") for block in blocks(PAGES[name])):
        failed, tried = doctest.testfile(str(ROOT / name), module_relative=False)
        assert failed == 0
        assert tried > 0


@by_page
def test_names_of_ox88_in_code_exist(name: str) -> None:
    for block in blocks(PAGES[name]):
        if is_python(block):
            for found in re.findall(r"\box88\.([a-zA-Z]\w*)", block.text):
                assert hasattr(ox88, found) or importlib.import_module(f"ox88.{found}")


def code_of(name: str) -> list[str]:
    """The blocks of Python on a page that are neither doctests nor excerpts."""
    excerpts = {code for _, _, code in pages.excerpts(PAGES[name])}
    return [block.text for block in blocks(PAGES[name]) if is_python(block) and block.text not in excerpts]


def test_every_block_of_python_is_run_below() -> None:
    with_code = {name for name in PAGES if code_of(name)}
    assert with_code == {
        "README.md",
        "docs/0x88.md",
        "docs/dataset.md",
        "docs/learning.md",  # In tests/batch/training/test_loader.py.
        "docs/micromax/next-square.md",
        "docs/notebook.md",
        "docs/positions.md",
        "docs/puzzles.md",
        "docs/reference/index.md",
        "docs/rotated-bitboards.md",
        "docs/xboard.md",
    }
    assert code_of("docs/reference/index.md") == ["import ox88\n"]
    assert [code.split("\n")[0] for code in code_of("docs/dataset.md")] == ["import pandas", "import ox88"]


def test_the_code_on_puzzles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    open_set.load()[:2000].write("lichess_db_puzzle.csv.zst")
    for code in code_of("docs/puzzles.md"):
        exec(code, {"ox88": ox88})  # noqa: S102
    forks = ox88.Puzzles.read("forks.pgn")
    assert len(forks) > 3
    assert all("fork" in puzzle.themes and 1500 <= puzzle.rating <= 1700 for puzzle in forks)


def printed(heading: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What the code in a section of the README prints."""
    monkeypatch.chdir(ROOT)
    section = PAGES["README.md"].split(f"\n## {heading}\n")[1].split("\n## ")[0]
    exec("\n".join(block.text for block in blocks(section) if is_python(block)), {})  # noqa: S102
    return capsys.readouterr().out.splitlines()


def test_the_readmes_code(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    move, *lines = printed("An engine in a script", monkeypatch, capsys)
    assert chess.Board().is_legal(chess.Move.from_uci(move))
    assert len(lines) == 3
    for line in lines:
        assert re.match(r"[+-]?\d+ 1\. \S+ \S+", line)
    first, last = printed("Millions of positions", monkeypatch, capsys)
    assert re.fullmatch(r"\['f2f3', 'e7e5', 'g2g3', 'a7a6'\] \S+ \[\]", first)
    count, checks, fen = last.split(maxsplit=2)
    assert int(count) > 400_000
    assert 0 < float(checks) < 0.2
    assert chess.Board(fen).is_valid()
    ((total, shape),) = (line.split(maxsplit=1) for line in printed("Features for learning", monkeypatch, capsys))
    assert int(total) > 20_000
    assert shape == "(1000,)"


@pytest.mark.parametrize("fen", FENS[:3])
def test_the_walk_along_a_ray(fen: str) -> None:
    (code,) = code_of("docs/0x88.md")
    chess_board = chess.Board(fen)
    board = {to_0x88(square): chess_board.piece_type_at(square) or 0 for square in chess.SQUARES}
    rooks = [square for square, piece in chess_board.piece_map().items() if piece.piece_type == chess.ROOK]
    assert rooks
    for square in rooks:
        reached = set()
        for step in (1, -1, 16, -16):
            names: dict[str, Any] = {"board": board, "EMPTY": 0, "square": to_0x88(square), "step": step}
            exec(code, names)  # noqa: S102
            end = names["target"]
            reached |= {place for place in (*range(to_0x88(square) + step, end, step), end) if not place & 0x88}
        assert reached == {to_0x88(place) for place in chess_board.attacks(square)}


def test_the_next_square() -> None:
    (code,) = code_of("docs/micromax/next-square.md")
    names: dict[str, Any] = {"OFF_BOARD": 0x88, "from_square": 0}
    for expected in (*sorted(map(to_0x88, range(1, 64))), 0):
        exec(code, names)  # noqa: S102
        assert names["from_square"] == expected


def test_the_lookup_on_a_rotated_board() -> None:
    (code,) = code_of("docs/rotated-bitboards.md")
    tables, boards = rotated_tables(), Boards(parse_fen(FENS[1]))
    cuts = {name: tables.file_cuts[name] for name in ("shift", "mask")}
    for square in chess.SQUARES:
        names = {"rotated90": boards.rotated.rotated90, "square": square, "file_attacks": tables.file_attacks, **cuts}
        exec(code, names)  # noqa: S102
        board = chess.Board(FENS[1])
        board.set_piece_at(square, chess.Piece(chess.ROOK, chess.WHITE))
        on_file = board.attacks_mask(square) & chess.BB_FILES[chess.square_file(square)]
        assert int(names["attacks"]) == on_file


def test_the_notebooks_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.pgn").write_text("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n")
    boards, analysis = code_of("docs/notebook.md")
    exec(boards, {})  # noqa: S102
    assert Path("ends.svg").read_text(encoding="utf-8").startswith("<svg")
    names: dict[str, Any] = {"ox88": ox88, "game": Path("games.pgn")}
    exec(analysis.replace("100_000", "2_000"), names)  # noqa: S102
    assert names["analysis"].moments


def test_the_table_from_python_chess_compares_what_is_equal() -> None:
    """Rows without moves and squares: the first code of each column, of boards and of positions."""
    rows = re.findall(r"^\| `(board\.[^`]*)`.*? \| `(positions\.[^`]*)`", PAGES["docs/positions.md"], re.MULTILINE)
    boards = [chess.Board(fen, chess960=True) for fen in FENS]
    names = {"chess": chess, "ox88": ox88, "positions": ox88.Positions.from_boards(boards)}
    compared = [row for row in rows if re.search(r"turn|castling|checkers", row[0])]
    assert len(compared) == 3
    for theirs, ours in compared:
        expected = [eval(theirs, names, {"board": board}) for board in boards]  # noqa: S307 - It is our own page.
        assert eval(ours, names).tolist() == expected, ours  # noqa: S307


def test_positions_from_parquet_and_arrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    games = ox88.read_pgn_text("1. e4 e5 2. Nf3 *")
    positions = games.positions(final=False)
    column = pyarrow.FixedSizeBinaryArray.from_buffers(
        pyarrow.binary(32), len(positions), [None, pyarrow.py_buffer(positions.pack().tobytes())]
    )
    Path("positions").mkdir()
    pyarrow.parquet.write_table(pyarrow.table({"position": column}), "positions/part-00000.parquet")
    pyarrow.parquet.write_table(pyarrow.table({"fen": [*positions.fens(), "noise"]}), "evaluations.parquet")
    (code,) = code_of("docs/positions.md")
    for line in code.splitlines():
        names: dict[str, Any] = {"ox88": ox88, "polars": imported("polars"), "duckdb": imported("duckdb")}
        exec(line, names)  # noqa: S102
        assert names["positions"] == positions


def test_a_data_set_as_others_read_it(
    call_ox88: RunPython, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.pgn").write_text('[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n')
    assert call_ox88("dataset", "games.pgn", "-o", "positions/").returncode == 0
    others, ours = code_of("docs/dataset.md")
    for lines in others.split("\n\n"):
        names: dict[str, Any] = {"library": imported(lines.split()[1])}
        exec(f"{lines}\n{ours}", names)  # noqa: S102
        assert len(names["positions"]) == 3
        if "table" in names:
            assert ox88.Positions.from_arrow(names["table"]) == names["positions"]
            assert [*names["table"]["move"]] == ["e2e4", "e7e5", "g1f3"]
    assert re.findall(r"(\w{4}) +│ +(1\.0)", capsys.readouterr().out)


def test_xboards_code(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    patient = functools.partial(chess.engine.SimpleEngine.popen_xboard, timeout=PATIENCE)
    monkeypatch.setattr(chess.engine.SimpleEngine, "popen_xboard", patient)
    (code,) = code_of("docs/xboard.md")
    exec(code, {})  # noqa: S102
    assert chess.Board().is_legal(chess.Move.from_uci(capfd.readouterr().out.strip()))


# --- Commands ---------------------------------------------------------------------------------------------------------


@by_page
def test_commands_exist_with_their_options(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in shell_lines(PAGES[name]):
        if "ox88" in words and words[0] in PROGRAMS | {"ox88"} - {"pip"}:
            read_command(words[words.index("ox88") + 1 :])
        match words:
            case ["python", "-m", "ox88", *rest]:
                read_command(rest)
            case ["python", "-m", "scripts", script, *_]:
                assert (ROOT / "scripts" / script).is_file()
            case ["python", "-m", module, *rest]:
                read_tool(module, rest)
            case ["python", "-c", code, *_]:
                exec(code, {})  # noqa: S102
            case ["python", script, *_]:
                assert (ROOT / script).is_file()
            case [program, *_] if program.startswith("scripts/"):
                assert (ROOT / program).is_file()
            case [program, *_]:
                assert program in PROGRAMS | {"ox88", "printf", "echo", "ruff"}, words


def read_command(words: list[str]) -> None:
    """Let click read a command line of ox88. Its files are made first, as empty ones."""
    if words and not words[0].startswith("-"):
        with click.Context(cli) as parent:
            command = cli.get_command(parent, words[0])
        assert command is not None, words
        read(command, words)


def read_tool(module: str, words: list[str]) -> None:
    path = ROOT / module.replace(".", "/")
    assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module
    main = getattr(importlib.import_module(f"{module}.__main__" if path.is_dir() else module), "main", None)
    if isinstance(main, click.Command) and "..." not in words:
        read(main, [module, *words])


def read(command: click.Command, words: list[str]) -> None:
    for word in words[1:]:
        if SUFFIX.search(word):
            file = Path(word.replace("*", "1"))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
    if ">" in words:
        words = words[: words.index(">")]
    parent = click.Context(cli, **cli.context_settings)  # A command keeps the options for help that it is given first.
    command.make_context(words[0], words[1:], parent)


QUICK: Final = [
    line.strip() for page in PAGES.values() for block in blocks(page) if block.language == ""
    for line in block.text.splitlines() if re.search(r"\| ox88 |^ox88 (perft|show)(?!.*--svg)", line)
]  # fmt: skip


@pytest.mark.posix("shells")
@pytest.mark.parametrize("line", [
    pytest.param(line, marks=[pytest.mark.slow] if " perft " in line else []) for line in QUICK
])  # fmt: skip
def test_quick_commands_run(line: str, call_ox88: RunPython, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    before, _, command = line.rpartition("| ")
    text = subprocess.run(["sh", "-c", before], capture_output=True, text=True, check=True).stdout
    _, name, *words = shlex.split(command)
    done = call_ox88(name, *words, input=text)
    assert done.returncode == 0, done.stderr
    assert done.stdout
