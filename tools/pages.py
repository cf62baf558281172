"""Renew what the pages of docs take from the program: pictures and excerpts of the engines.

python -m tools.pages
python -m tools.pages --help-of-commands    only what `scripts/docs` puts into the page on the command line

An excerpt is a block that begins ```python title="search.py, step 8". The file is one of micro-Max's; with a folder, as
in modern/static_eval.py, one of src/ox88/engines. After the comma stand `step 8`, `steps 4 to 6`, or the name of a
function, a method (Machine.think) or a constant. Lines that only serve the recorder are left out.
"""

import ast
import itertools
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from ox88.apps.web.thinking import RECORDING
from ox88.cli import COMMANDS, cli
from ox88.errors import Ox88Error
from tools import pictures
from tools.command import Command
from tools.train.drawing import draw_strengths, strengths

ROOT: Final = Path(__file__).parent.parent
DOCS: Final = ROOT / "docs"
STRENGTHS: Final = DOCS / "pictures" / "strengths.svg"
HELP: Final = ROOT / "build" / "commands.md"
_ENGINES: Final = ROOT / "src" / "ox88" / "engines"
_WIDTH: Final = 100
_EXCERPT: Final = re.compile(r'^(```python title="([\w./]+), ([^"\n]+)"\n)(.*?)^```$', re.MULTILINE | re.DOTALL)
_HELP_OPTION: Final = re.compile(r"(\n\nOptions:)?\n  -h, --help .*")  # With its heading, if it is the only option.
_STEPS: Final = re.compile(r"steps? (\d+)(?: to (\d+))?")


def help_page() -> str:
    """The commands' own help, a section each."""
    parts = [_help(cli, "ox88")]
    with click.Context(cli, info_name="ox88") as parent:
        for name in COMMANDS:
            command = cli.get_command(parent, name)
            assert command is not None, name  # noqa: S101
            parts += [f"## ox88 {name}", _help(command, f"ox88 {name}")]
    return "\n\n".join(parts) + "\n"


def _help(command: click.Command, name: str) -> str:
    context = click.Context(
        command, info_name=name, terminal_width=_WIDTH, max_content_width=_WIDTH, help_option_names=["-h", "--help"]
    )
    text = _HELP_OPTION.sub("", click.unstyle(command.get_help(context)))
    return f"```text\n{text}\n```"


def excerpts(page: str) -> Iterator[tuple[str, str, str]]:
    """The excerpts of a page: the file's name, the part's name, the code."""
    return ((file, part, code) for _, file, part, code in _EXCERPT.findall(page))


def with_excerpts(page: str) -> str:
    """A page with its excerpts as the files have them now."""
    return _EXCERPT.sub(lambda found: f"{found[1]}{excerpt(found[2], found[3])}```", page)


def excerpt(file: str, part: str) -> str:
    """A part of a file. Raises Ox88Error if there is no such part."""
    text = (_ENGINES / (file if "/" in file else f"micromax/{file}")).read_text(encoding="utf-8")
    lines = _of_steps(text, part) if _STEPS.fullmatch(part) else _of_name(text, part)
    if not lines:
        raise Ox88Error(f"{file} has no {part!r}: name a step, a function, a method or a constant")
    lines = [line for line in lines if not RECORDING.fullmatch(line)]
    return textwrap.dedent("\n".join(lines)).strip("\n") + "\n"


def _of_steps(text: str, part: str) -> list[str]:
    found = _STEPS.fullmatch(part)
    assert found is not None  # noqa: S101
    first, last = int(found[1]), int(found[2] or found[1])
    lines = text.splitlines()
    starts = {int(number[1]): row for row, line in enumerate(lines) if (number := re.match(r" *# Step (\d+)\.", line))}
    if not starts.keys() >= {first, last}:
        return []
    rows = lines[starts[first] : starts.get(last + 1, len(lines))]
    margin = len(rows[0]) - len(rows[0].lstrip())
    return list(itertools.takewhile(lambda line: not line.strip() or line.startswith(margin * " "), rows))


def _of_name(text: str, part: str) -> list[str]:
    nodes: list[ast.stmt] = ast.parse(text).body
    for name in part.split("."):
        node = next((node for node in nodes if name in _names(node)), None)
        if node is None:
            return []
        nodes = node.body if isinstance(node, ast.ClassDef) else []
    assert node is not None  # noqa: S101
    return text.splitlines()[_first_line(node) - 1 : node.end_lineno]


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


@click.command(cls=Command)
@click.option("--help-of-commands", is_flag=True, help="Only write this, for the site.")
def main(help_of_commands: bool) -> None:
    """Renew what the pages of docs take from the program: pictures and excerpts."""
    if help_of_commands:
        HELP.parent.mkdir(exist_ok=True)
        HELP.write_text(help_page(), encoding="utf-8", newline="\n")
        return
    pictures.main()
    draw_strengths(strengths((DOCS / "network.md").read_text(encoding="utf-8")), STRENGTHS)
    for path in sorted(DOCS.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        path.write_text(with_excerpts(text), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
