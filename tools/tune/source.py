"""The source text of weights.py: find its numbers, and replace them."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ox88.engines.modern.options import SWITCHED

# Groups and their tables, besides those that can be switched off.
_MORE: Final[Mapping[str, tuple[str, ...]]] = {"material": ("piece_values", "bishop_pair"), "tempo": ("tempo",)}
KING_DANGER: Final = "king_danger"
TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    **_MORE,
    **{switch.removeprefix("use_"): fields for switch, fields in SWITCHED.items()},
}
GROUPS: Final = (*TABLES, KING_DANGER)

_MADE_BY: Final = "\n\nThen they were tuned, by the commit before (docs/tuning.md):\n"
_WIDTH: Final = 110  # Columns of a command's lines.


@dataclass(frozen=True, slots=True)
class Number:
    """A number in the text.

    name: of its table. place: its indices in the table; the last one is 0 or 1 in a pair. line: from 1. columns: byte
    offsets of its start and end in the line.
    """

    name: str
    place: tuple[int, ...]
    value: int
    line: int
    columns: tuple[int, int]

    @property
    def is_unit(self) -> bool:
        """True if it counts units of king danger, not hundredths of a pawn."""
        return self.name.endswith("_UNITS")

    @property
    def group(self) -> str:
        """The group of terms that it belongs to; empty if it is not tuned."""
        field = "mobility" if self.name.endswith("_MOBILITY") else self.name.lower()
        found = next((group for group, fields in TABLES.items() if field in fields), "")
        return KING_DANGER if self.is_unit and found else found


def read_numbers(text: str) -> list[Number]:
    """All numbers in tables with upper-case names, in the order of the text."""
    numbers: list[Number] = []
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
            name = statement.target.id
            if not name.startswith("_"):
                numbers += [
                    Number(name, place, value, node.lineno, (node.col_offset, node.end_col_offset or 0))
                    for place, node, value in _literals(statement.value, ())
                ]
    return numbers


def _literals(node: ast.expr, place: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ast.expr, int]]:
    """The numbers below a node of the syntax tree: (place, node, value). Names such as _NONE are skipped."""
    if isinstance(node, ast.Tuple):
        for index, element in enumerate(node.elts):
            yield from _literals(element, (*place, index))
    elif isinstance(node, (ast.Constant, ast.UnaryOp)):
        yield place, node, ast.literal_eval(node)


def with_values(numbers: Sequence[Number], values: Sequence[int], tables: Mapping[str, Any]) -> dict[str, Any]:
    """The tables with new values for some numbers."""
    changed = {name: table for name, table in tables.items() if name.isupper()}
    for name in {number.name for number in numbers}:
        changed[name] = _as_list(changed[name])
    for number, value in zip(numbers, values, strict=True):
        if not number.place:
            changed[number.name] = value
            continue
        row = changed[number.name]
        for index in number.place[:-1]:
            row = row[index]
        row[number.place[-1]] = value
    return changed


def _as_list(table: Any) -> Any:
    return [_as_list(row) for row in table] if isinstance(table, (tuple, list)) else table


def rewrite(text: str, numbers: Sequence[Number], values: Sequence[int]) -> str:
    """The text with new values for some numbers."""
    lines = [line.encode() for line in text.split("\n")]
    for number, value in sorted(zip(numbers, values, strict=True), key=lambda pair: pair[0].columns, reverse=True):
        start, end = number.columns
        line = lines[number.line - 1]
        lines[number.line - 1] = line[:start] + str(value).encode() + line[end:]
    return b"\n".join(lines).decode()


def with_commands(text: str, commands: Sequence[str]) -> str:
    """The text with these commands at the end of its docstring, in place of those of an earlier tuning."""
    docstring, end, rest = text.partition('\n"""\n')
    docstring = "r" + docstring.removeprefix("r").partition(_MADE_BY)[0]  # The commands have backslashes.
    return docstring + _MADE_BY + "".join(f"\n    {line}" for each in commands for line in _lines(each)) + end + rest


def _lines(command: str) -> list[str]:
    """A command split into lines with a backslash at the end, each continued with an option."""
    lines = [""]
    for words in command.split(" --"):
        option = f" --{words}" if lines[0] else words
        if len(lines[-1]) + len(option) > _WIDTH:
            lines[-1] += " \\"
            lines.append("   ")
        lines[-1] += option
    return lines
