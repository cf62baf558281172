"""Draw docs/pictures: run every `ox88 show ... --svg FILE` that is in the README or a page of docs.

python tools/pictures.py
"""

import shlex
from collections.abc import Iterator
from pathlib import Path

from ox88.cli import cli

ROOT = Path(__file__).parent.parent
COMMAND = "    ox88 show "


def commands() -> Iterator[list[str]]:
    """The arguments of each command. File names are relative to the root of the repository."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for line in page.read_text(encoding="utf-8").splitlines():
            if line.startswith(COMMAND) and "--svg" in line:
                yield shlex.split(line)[1:]


def draw(arguments: list[str], root: Path = ROOT) -> Path:
    """Run one command with its picture below `root`. Returns the file."""
    *others, name = arguments
    target = root / name
    target.parent.mkdir(parents=True, exist_ok=True)
    cli.main([*others, str(target)], standalone_mode=False)
    return target


def main() -> None:
    for arguments in commands():
        draw(arguments)


if __name__ == "__main__":
    main()
