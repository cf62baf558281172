"""axe-core's rules of accessibility, from npm."""

import functools
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from ox88.apps.web.chessground import npm_command
from tests.conftest import missing

_PACKAGE = "axe-core@4.11.0"
_PATIENCE = 600  # Seconds.


def violations(page: Any) -> list[str]:
    """The rules that the page breaks, each with the elements. Without axe-core the test is skipped."""
    script, reason = _fetched()
    if reason:
        missing(reason)
    if not page.evaluate("'axe' in window"):
        page.evaluate(script)
    found = page.evaluate("async () => (await axe.run(document, { resultTypes: ['violations'] })).violations")
    return [f"{rule['id']}: {', '.join(str(node['target']) for node in rule['nodes'])}" for rule in found]


@functools.cache
def _fetched() -> tuple[str, str]:
    """The script, or why it cannot be had. One try is enough: without a network each takes a minute."""
    npm = npm_command()
    if npm is None:
        return "", "npm is not installed, which fetches axe-core"
    with tempfile.TemporaryDirectory(prefix="ox88-axe-") as folder:
        command = [*npm, "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", _PACKAGE]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            return "", f"axe-core could not be fetched within {_PATIENCE} seconds"
        if done.returncode:
            return "", f"axe-core could not be fetched: {done.stderr[:200]}"
        return (Path(folder) / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8"), ""
