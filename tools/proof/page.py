"""docs/reliability.md: the totals of all campaigns, which docs/reliability.json keeps by campaign and seed.

So runs on several days and machines add up, each with a seed of its own.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any, Final

from ox88.errors import Ox88Error
from tools.matches import replace_section
from tools.proof.campaign import Tally, campaign_class

PAGE: Final = Path(__file__).parents[2] / "docs" / "reliability.md"


@dataclass(frozen=True, slots=True)
class Total:
    """What some cases have shown together. seconds: of all workers together. day: the last one, such as 2026-11-23.

    machines: the processors, cores, Pythons and systems that the cases ran on.
    """

    cases: int = 0
    failed: int = 0
    seconds: float = 0.0
    day: str = ""
    machines: frozenset[str] = frozenset()
    tally: Tally = field(default_factory=Tally)

    def __add__(self, other: "Total") -> "Total":
        tally = Tally()
        tally.add(self.tally)
        tally.add(other.tally)
        seconds, day = self.seconds + other.seconds, max(self.day, other.day)
        machines = self.machines | other.machines
        return Total(self.cases + other.cases, self.failed + other.failed, seconds, day, machines, tally)

    def figures(self) -> Iterator[tuple[str, str]]:
        """Labels and numbers of what was counted and measured."""
        for label, count in sorted(self.tally.counts.items()):
            yield label, f"{count:,}"
        for label, number in sorted(self.tally.most.items()):
            yield f"{label}, at most", f"{number:,.0f}" if number >= 100 else f"{number:.3g}"

    def to_json(self) -> dict[str, Any]:
        own = {"cases": self.cases, "failed": self.failed, "seconds": round(self.seconds), "day": self.day}
        return own | {"machines": sorted(self.machines)} | self.tally.to_json()

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Total":
        machines = frozenset(data.get("machines", ()))  # Early totals do not have them.
        return cls(data["cases"], data["failed"], data["seconds"], data["day"], machines, Tally.from_json(data))


def write(campaign: str, seed: int, total: Total) -> None:
    """Put the total of a seed in the place of that seed's last one, and renew the section of the campaign.

    Raises Ox88Error if that one has more cases: its journal is elsewhere.
    """
    kept = PAGE.with_suffix(".json")
    totals = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    before = totals.get(campaign, {}).get(str(seed), {}).get("cases", 0)
    if before > total.cases:
        raise Ox88Error(f"{PAGE.name} has {before:,} cases of seed {seed} already: give another --seed")
    totals.setdefault(campaign, {})[str(seed)] = total.to_json()
    kept.write_text(json.dumps(totals, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    by_seed = {int(number): Total.from_json(data) for number, data in totals[campaign].items()}
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(replace_section(text, campaign, _section(campaign, by_seed)), encoding="utf-8")


def _section(campaign: str, by_seed: dict[int, Total]) -> str:
    """The commands, and a table of the figures."""
    commands = "".join(
        f"    python -m tools.proof {campaign} --seed {seed} --count {total.cases}\n"
        for seed, total in sorted(by_seed.items())
    )
    whole = reduce(add, by_seed.values())
    rows = [
        ("cases wanted", f"{campaign_class(campaign).goal:,}"),
        ("cases", f"{whole.cases:,}"),
        ("failed", f"{whole.failed:,}"),
        *whole.figures(),
    ]
    rows += [("hours of a worker", f"{whole.seconds / 3600:.1f}"), ("last run", whole.day)]
    rows += [("machine", machine) for machine in sorted(whole.machines)]
    lines = "".join(f"| {label} | {value} |\n" for label, value in rows)
    return f"\n{commands}\n| | |\n|---|---|\n{lines}\n"
