"""Check an installed Ox88 as its users have it: from a wheel with the extra `web`, without npm, far from this checkout.

    python -m tools.installed

The commands tell their version, an engine answers, and `ox88 serve` serves the page with all that it loads. The exit
code is 0 if all of this works.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import urllib.request
from importlib.metadata import version
from pathlib import Path
from typing import Final

import ox88
from ox88.apps.web import chessground

SCRIPTS: Final = sysconfig.get_path("scripts")
OX88: Final = shutil.which("ox88", path=SCRIPTS) or "ox88"
ENVIRONMENT: Final = os.environ | {"PATH": SCRIPTS}  # Here is no npm.
PATIENCE: Final = 300  # Seconds; the engine may have to be compiled.


def main() -> None:
    if not Path(ox88.__file__).is_relative_to(sysconfig.get_path("purelib")):
        sys.exit(f"Ox88 is not installed from a wheel: it is in {Path(ox88.__file__).parent}")
    if chessground.find([chessground.PACKAGED]) is None:
        sys.exit("The wheel was made without the board of `ox88 serve`.")
    with tempfile.TemporaryDirectory(prefix="ox88-installed-", ignore_cleanup_errors=True) as folder:
        for command in ([OX88], [sys.executable, "-m", "ox88"]):
            expect(run(folder, *command, "--version"), f"ox88 {version('ox88')}\n")
        expect(run(folder, OX88, lines="uci\nposition startpos\ngo depth 1\nquit\n"), r"(?s).*\nbestmove \w{4}.*")
        files = served(folder)
    sys.stdout.write(f"Ox88 {version('ox88')} works; its page has loaded {files} files.\n")


def run(folder: str, *command: str, lines: str = "") -> str:
    """What a command writes."""
    return subprocess.run(  # noqa: S603 - Ox88.
        command,
        input=lines,
        env=ENVIRONMENT,
        cwd=folder,
        check=True,
        text=True,
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
    ).stdout


def expect(said: str, pattern: str) -> None:
    if not re.fullmatch(pattern, said):
        sys.exit(f"{said!r} is not what was expected: {pattern}")


def served(folder: str) -> int:
    """How many files the page loads from `ox88 serve`; none may be missing or empty."""
    command = [OX88, "serve", "--port", "0", "--data", folder]
    with subprocess.Popen(command, env=ENVIRONMENT, cwd=folder, text=True, stdout=subprocess.PIPE) as server:  # noqa: S603
        try:
            assert server.stdout is not None  # noqa: S101
            said = server.stdout.readline()
            expect(said, r"Ox88 is at http://\S+/ .*\n")
            url = said.split()[3]
            names = re.findall(r'(?:href|src)="/([^"]+)"', load(url).decode())
            for name in names:
                if not load(url + name):
                    sys.exit(f"{name} is empty")
        finally:
            server.kill()
    return len(names)


def load(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:  # noqa: S310 - Of our own server.
        content: bytes = response.read()
        return content


if __name__ == "__main__":
    main()
