"""pyright agrees with mypy on right and wrong uses, and finds the types of all public names complete."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ox88
from tests.conftest import missing
from tests.processes import PATIENCE

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
Pyright = Callable[..., dict[str, Any]]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def run_pyright() -> Pyright:
    """Run pyright, as a program or fetched by npx; returns its report."""
    commands = (["pyright"], ["npx", "--yes", "pyright@1"])
    usable = [command for command in commands if shutil.which(command[0]) and _is_usable(command)]
    if not usable:
        missing("pyright cannot be run: it is not installed, and npx cannot fetch it")

    def run(*arguments: str | Path) -> dict[str, Any]:
        words = [str(shutil.which(usable[0][0])), *usable[0][1:], "--outputjson", *arguments]
        # `--verifytypes` ignores `--pythonpath`: it looks for packages where the first `python` of PATH has them.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        process = subprocess.run(
            words,
            cwd=ROOT,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        found: dict[str, Any] = json.loads(process.stdout)
        return found

    return run


def _is_usable(command: list[str]) -> bool:
    words = [str(shutil.which(command[0])), *command[1:], "--version"]
    return subprocess.run(words, capture_output=True, timeout=PATIENCE, check=False).returncode == 0


def errors(report: dict[str, Any]) -> dict[int, str]:
    """The message of each line with an error, from 1."""
    found = (one for one in report["generalDiagnostics"] if one["severity"] == "error")
    return {one["range"]["start"]["line"] + 1: one["message"] for one in found}


def test_right_uses(run_pyright: Pyright) -> None:
    for path in (HERE / "accepted.py", ROOT / "examples"):
        report = run_pyright(path)
        assert report["summary"]["filesAnalyzed"] > 0
        assert errors(report) == {}


def test_wrong_uses(run_pyright: Pyright, tmp_path: Path) -> None:
    """Pyright ignores errors as mypy does, so it sees the file without the comments."""
    lines = (HERE / "refused.py").read_text().splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if "# type: ignore" in line}
    copy = tmp_path / "refused.py"
    copy.write_text("\n".join(re.sub(r" # type: ignore.*", "", line) for line in lines))
    assert len(wrong) > 50
    assert errors(run_pyright(copy)).keys() == wrong


def test_public_names_have_complete_types(run_pyright: Pyright) -> None:
    report = run_pyright("--verifytypes", "ox88", "--ignoreexternal")["typeCompleteness"]
    public = {symbol["name"]: symbol for symbol in report["symbols"] if symbol["name"].count(".") == 1}
    assert public.keys() >= {f"ox88.{name}" for name in vars(ox88)["__all__"]}
    incomplete = [name for name, it in public.items() if not it["isTypeKnown"] or it["isTypeAmbiguous"]]
    assert incomplete == []
