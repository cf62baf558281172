"""Building opponents: which target, the nodes of their bench, and a checkout that is none."""

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from ox88.types import Ox88Error
from tests.conftest import missing
from tools import opponents
from tools.opponents import OPPONENTS, Opponent, build, check_bench, target

TWIN = Opponent("v1", "https://example.org/twin", (("", ("all",)),), "twin", 42)
MAKEFILE = "all:\n\tprintf '#!/bin/sh\\necho \"Nodes searched  : 42\" >&2\\n' > twin\n\tchmod +x twin\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with a tag, whose files are gone since."""
    for command in ("git", "make", "gcc"):
        if shutil.which(command) is None:
            missing(f"{command} is not installed")
    folder = tmp_path / "checkout"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "Makefile").write_text(MAKEFILE)
    name = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for words in (["init", "-q"], ["add", "."], [*name, "commit", "-qm", "a"], ["tag", "v1"], ["rm", "-q", "-r", "."]):
        subprocess.run(["git", "-C", folder, *words], check=True)
    return folder


@pytest.mark.posix("make")
def test_an_opponent_is_built(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPPONENTS, "ethereal", TWIN)
    output = tmp_path / "engine"
    told = CliRunner().invoke(opponents.main, ["ethereal", str(checkout), "-o", str(output)])
    assert (told.exit_code, told.output) == (0, f"{output}\n")
    assert output.read_text().startswith("#!/bin/sh")
    assert not (checkout / "src").exists()


@pytest.mark.posix("make")
def test_another_bench_is_refused(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "built").mkdir()
    program = build(TWIN, checkout, tmp_path / "built")
    check_bench(TWIN, program)
    with pytest.raises(Ox88Error, match="twin searches 42 nodes in its bench, not 43"):
        check_bench(TWIN._replace(nodes=43), program)
    with pytest.raises(Ox88Error, match=r"git clone https://example\.org/twin gets a checkout"):
        build(TWIN._replace(tag="v2"), checkout, tmp_path / "built")


def test_a_target_for_each_processor() -> None:
    ethereal, stockfish = OPPONENTS["ethereal"], OPPONENTS["stockfish"]
    assert target(ethereal, frozenset({"__BMI2__", "__POPCNT__"})) == ("pext",)
    assert target(ethereal, frozenset()) == ("nopopcnt",)
    assert target(stockfish, frozenset({"__POPCNT__", "__x86_64__"})) == ("build", "ARCH=x86-64-modern")
    with pytest.raises(Ox88Error, match="stockfish cannot be built for this processor"):
        target(stockfish, frozenset())
