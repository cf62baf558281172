"""What the cases of a campaign have shown so far."""

import json
import platform
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ox88.apps.bench.cli import cpu_name
from ox88.apps.journal import Journal
from ox88.cores import cores
from tools.proof.campaign import Block, Finding, Tally, campaign_class
from tools.proof.page import Total


class Results:
    """The total of a seed's cases, and those that failed. The journal keeps the result of each block."""

    def __init__(self, name: str, seed: int, wanted: int, journal: Journal, folder: Path) -> None:
        """wanted: the number of cases."""
        self.failures: dict[int, str] = {}
        self._name, self._seed, self._wanted = name, seed, wanted
        self._journal, self._folder = journal, folder
        self.total = Total()

    def missing(self, end: float | None) -> Iterator[Block]:
        """The blocks that are not yet run, until time.monotonic() is `end`."""
        size = campaign_class(self._name).block
        for first in range(0, self._wanted, size):
            block = Block(self._name, first, min(size, self._wanted - first), self._seed)
            kept = self._journal.get(_key(block))
            if kept is not None:
                self._count(block, json.loads(kept))
            elif end is None or time.monotonic() < end:
                yield block

    def add(self, block: Block, finding: Finding) -> None:
        result = {
            **finding.tally.to_json(),
            "failures": finding.failures,
            "seconds": finding.seconds,
            "day": datetime.now(UTC).date().isoformat(),
            "machines": [_machine()],
        }
        self._journal.add(_key(block), json.dumps(result).encode())
        self._count(block, json.loads(json.dumps(result)))
        for case, text in finding.failures.items():
            head = f"python -m tools.proof {self._name} --seed {self._seed} --case {case}\n\n"
            (self._folder / f"{self._name}-{self._seed}-{case}.txt").write_text(f"{head}{text}\n", encoding="utf-8")

    def _count(self, block: Block, result: dict[str, Any]) -> None:
        self.failures.update({int(case): text for case, text in result["failures"].items()})
        failed = len(result["failures"])
        machines = frozenset(result.get("machines", ()))  # Early blocks do not have them.
        tally = Tally.from_json(result)
        self.total += Total(block.count, failed, result["seconds"], result["day"], machines, tally)

    def view(self) -> RenderableType:
        """A line, a table of what was counted and measured, and the last failures."""
        table = Table(show_header=False)
        for label, value in self.total.figures():
            table.add_row(label, value)
        failures = [Text(f"case {case}: {text[-400:]}") for case, text in list(self.failures.items())[-3:]]
        return Group(Text(str(self)), table, *failures)

    def __str__(self) -> str:
        return f"{self.total.cases:,} of {self._wanted:,} cases of {self._name}, {len(self.failures):,} failed"


def _machine() -> str:
    """A line on the machine, such as `AMD EPYC, 2 cores, Python 3.11.7, Linux`."""
    return f"{cpu_name()}, {cores()} cores, Python {platform.python_version()}, {platform.system()}"


def _key(block: Block) -> bytes:
    return f"{block.first} {block.count}".encode()
