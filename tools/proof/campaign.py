"""What a campaign is: very many cases, each made from its number alone, so that any of them can be run again."""

import importlib
import time
import traceback
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Final

# By name: module and class. A module is imported where its campaign runs.
CAMPAIGNS: Final = {
    "endings": ("tools.proof.endings.endings", "Endings"),
    "games": ("tools.proof.games.games", "Games"),
    "kills": ("tools.proof.kills.kills", "Kills"),
    "server": ("tools.proof.server.server", "Server"),
}
WORKERS: Final = "OX88_PROOF_WORKERS"  # The environment's name for the number of workers that share the cores.


class FailureError(Exception):
    """What is wrong in a case."""


@dataclass(slots=True)
class Tally:
    """What cases have done and measured.

    counts: by name, such as how many moves were compared. most: by name, the largest number measured.
    """

    counts: Counter[str] = field(default_factory=Counter)
    most: dict[str, float] = field(default_factory=dict)

    def measure(self, name: str, number: float) -> None:
        self.most[name] = max(number, self.most.get(name, number))

    def add(self, other: "Tally") -> None:
        self.counts.update(other.counts)
        for name, number in other.most.items():
            self.measure(name, number)

    def to_json(self) -> dict[str, Any]:
        return {"counts": dict(self.counts), "most": self.most}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Tally":
        return cls(Counter(data["counts"]), dict(data["most"]))


class Campaign(ABC):
    """One in each process that runs cases.

    goal: how many cases docs/reliability.md promises. block: the cases of a job, which take some seconds together.
    """

    goal: ClassVar[int]
    block: ClassVar[int]

    @abstractmethod
    def run(self, case: int, seed: int, tally: Tally) -> None:
        """Run a case. Raises FailureError, which names the input; any other exception is a failure as well."""


@cache
def campaign(name: str) -> Campaign:
    """The campaign of this process."""
    return campaign_class(name)()


def campaign_class(name: str) -> type[Campaign]:
    module, class_name = CAMPAIGNS[name]
    found: type[Campaign] = getattr(importlib.import_module(module), class_name)
    return found


@dataclass(frozen=True, slots=True)
class Block:
    """Cases that a worker runs: `count` of them from `first` on."""

    campaign: str
    first: int
    count: int
    seed: int


@dataclass(slots=True)
class Finding:
    """The result of a block. failures: what was wrong, by case."""

    tally: Tally
    failures: dict[int, str]
    seconds: float


def run_block(block: Block) -> Finding:
    """Run all cases of a block."""
    started, tally, failures = time.monotonic(), Tally(), {}
    chosen = campaign(block.campaign)
    for case in range(block.first, block.first + block.count):
        failure = run_case(chosen, case, block.seed, tally)
        if failure is not None:
            failures[case] = failure
    return Finding(tally, failures, time.monotonic() - started)


def run_case(chosen: Campaign, case: int, seed: int, tally: Tally) -> str | None:
    """Run a case. Returns what is wrong."""
    try:
        chosen.run(case, seed, tally)
    except FailureError as failure:
        return str(failure)
    except Exception:  # Whatever goes wrong is what a campaign looks for.
        return traceback.format_exc()
    return None
