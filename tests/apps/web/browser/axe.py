"""axe-core's rules of accessibility, from npm."""

import functools
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from ox88.apps.web.chessground import npm_command
from tests.conftest import missing

_PACKAGE = "axe-core@4.11.0"
_PATIENCE = 120  # Seconds.


def violations(page: Any) -> list[str]:
    """The rules that the page breaks, each with the elements. Without axe-core the test is skipped."""
    page.evaluate(_script())
    found = page.evaluate("async () => (await axe.run(document, { resultTypes: ['violations'] })).violations")
    return [f"{rule['id']}: {', '.join(str(node['target']) for node in rule['nodes'])}" for rule in found]


@functools.cache
def _script() -> str:
    npm = npm_command()
    if npm is None:
        missing("npm is not installed, which fetches axe-core")
    folder = tempfile.mkdtemp(prefix="ox88-axe-")
    try:
        command = [*npm, "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", _PACKAGE]
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=False)
        if done.returncode:
            missing(f"axe-core could not be fetched: {done.stderr[:200]}")
        return (Path(folder) / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    finally:
        shutil.rmtree(folder)
