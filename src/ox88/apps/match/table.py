"""The standings as tables, and what a sequential test says of them."""

from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ox88.apps.match import statistics as stats
from ox88.apps.match.standings import Standings, Tally

_BOUNDED: Final = 1999.0  # Elo beyond which only the bound is known.


def standings_table(standings: Standings, sprt: stats.Sprt | None, heading: str) -> RenderableType:
    """A row for each contender where there are more than two, one for each pairing, and the test's state."""
    parts: list[RenderableType] = [Text(heading)]
    if len(standings.names) > 2:
        parts.append(_contenders(standings))
    parts.append(_pairings(standings))
    if sprt is not None:
        parts.append(Text(sprt_text(next(iter(standings.pairings.values())), sprt)))
    parts += [Text(line) for line in _fault_lines(standings)]
    return Group(*parts)


def _contenders(standings: Standings) -> Table:
    table = _table("contender", "games", "points", "%", "Elo", "LOS %")
    for side in standings.ranking():
        tally = standings.totals[side]
        if tally.played:
            sample = tally.sample
            points, share = f"{tally.points:g}", f"{100 * tally.points / tally.played:.1f}"
            likely = f"{100 * stats.superiority(sample):.1f}"
            table.add_row(Text(standings.names[side]), str(tally.played), points, share, elo_text(sample), likely)
    return table


def _pairings(standings: Standings) -> Table:
    table = _table("pairing", "games", "won", "drawn", "lost", "%", "Elo", "LOS %", "pairs 0  ½  1  1½  2")
    for (first, second), tally in standings.pairings.items():
        names = Text(f"{standings.names[first]} : {standings.names[second]}")
        lost, drawn, won = tally.games
        cells = [str(tally.played), str(won), str(drawn), str(lost)]
        if tally.played:
            score, sample = stats.score_estimate(tally.sample), tally.sample
            cells.append(f"{100 * tally.points / tally.played:.1f} ±{50 * (score.high - score.low):.1f}")
            cells += [elo_text(sample), f"{100 * stats.superiority(sample):.1f}", "  ".join(map(str, tally.pairs))]
        table.add_row(names, *cells)
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def elo_text(sample: stats.Sample) -> str:
    """Elo and half of its interval; the interval's ends where one is beyond all bounds."""
    elo = stats.elo_estimate(sample)
    if abs(elo.value) > _BOUNDED:
        return "all won" if elo.value > 0 else "all lost"
    if elo.high > _BOUNDED or elo.low < -_BOUNDED:
        low = "-∞" if elo.low < -_BOUNDED else f"{elo.low:+.0f}"
        high = "∞" if elo.high > _BOUNDED else f"{elo.high:+.0f}"
        return f"{elo.value:+.0f} ({low} to {high})"
    value = round(elo.value, 1) + 0.0  # No -0.0.
    return f"{value:+.1f} ±{(elo.high - elo.low) / 2:.1f}"


def sprt_text(tally: Tally, sprt: stats.Sprt) -> str:
    """Where the test stands, in a line."""
    pairs = tally.pair_sample
    ratio = sprt.ratio(pairs)
    text = f"SPRT [{sprt.elo0:g}, {sprt.elo1:g}]: LLR {ratio:+.2f} of ±{sprt.bound:.2f}"
    accepted = sprt.accepted(pairs)
    return text if accepted is None else f"{text}: {accepted:g} Elo accepted"


def _fault_lines(standings: Standings) -> list[str]:
    lines = []
    for name, tally in zip(standings.names, standings.totals, strict=True):
        if tally.faults:
            faults = ", ".join(f"{count} by {kind}" for kind, count in tally.faults.most_common())
            lines.append(f"{name} lost {faults}")
    return lines
