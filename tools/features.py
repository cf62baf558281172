"""Measure what the ideas of search and evaluation are worth, by matches and node counts, for docs/features.md.

    python -m tools.features games --openings 8moves_v3.pgn.zip --folder runs
    python -m tools.features nodes --folder runs
    python -m tools.features write --folder runs

`games` plays matches of the full engine against the engine without one group of features, for all groups or those
named; a stopped run continues. `nodes` counts the nodes of the bench's positions without each single feature.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from ox88.engines.base import Limit
from ox88.engines.benchmark import FENS
from ox88.engines.modern.driver import Modern
from ox88.engines.modern.options import SWITCHED, SWITCHES
from ox88.setup import parse_fen
from tools.matches import FOLDER, file_name, match_options, play_match, read_tally, replace_section

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "hash table": ("table",),
    "null move": ("null_move",),
    "reductions": ("late_move_reduction", "internal_reduction"),
    "pruning": (
        "reverse_futility", "razoring", "futility", "late_move_pruning", "see_pruning", "history_pruning", "probcut",
        "quiescence_pruning", "mate_distance", "upcoming_repetition",
    ),
    "extensions": ("check_extension", "singular_extension", "endgame_extension", "passed_pawn_extension"),
    "history": ("killers", "history", "threat_history"),
    "correction of the evaluation": ("correction",),
    "piece squares": ("piece_squares",),
    "pieces": ("mobility", "pieces", "threats"),
    "pawns": ("pawn_structure", "passed_pawns"),
    "king safety": ("king_safety",),
    "network": ("network",),
}  # fmt: skip
NODES: Final = 4000  # A move.
GAMES: Final = 1000
DEPTH: Final = 10
PAGE: Final = Path(__file__).parent.parent / "docs" / "features.md"


@click.group()
def main() -> None:
    """Measure what the ideas of search and evaluation are worth."""


@main.command()
@click.argument("names", nargs=-1, metavar="[GROUP]...")
@match_options(GAMES)
@click.option("--nodes", type=click.IntRange(1), default=NODES, show_default=True, help="A move.")
def games(names: Sequence[str], folder: Path, **options: object) -> None:
    """Play the full engine against the engine without a group."""
    for name in names or GROUPS:
        if name not in GROUPS:
            raise click.UsageError(f"there is no group {name!r}; there are {', '.join(GROUPS)}")
        engines = participants(GROUPS[name])
        click.echo(name, err=True)
        play_match(engines, folder, name, **options)


def participants(features: Sequence[str]) -> tuple[str, str]:
    """The engine and the one without some features. Terms of the handcrafted evaluation matter to it alone."""
    switches = [f"use_{feature}" for feature in features]
    both = "; Use NNUE=false" if set(switches) & set(SWITCHED) else ""
    off = "; ".join("Use NNUE=false" if switch == "use_network" else f"{switch}=0" for switch in switches)
    return f"Ox88; name=whole{both}", f"Ox88; name=without{both}; {off}"


@main.command()
@FOLDER
@click.option("--depth", type=click.IntRange(1), default=DEPTH, show_default=True)
def nodes(folder: Path, depth: int) -> None:
    """Count the nodes of the bench's positions without each feature in turn."""
    folder.mkdir(parents=True, exist_ok=True)
    engine = Modern()
    counts = {"": count_nodes(engine, depth)}
    for switch in SWITCHES:
        engine.set_option(switch.name, 0)
        counts[switch.name] = count_nodes(engine, depth)
        engine.set_option(switch.name, 1)
        click.echo(f"{switch.name} {counts[switch.name] / counts['']:.2f}", err=True)
    (folder / "nodes.json").write_text(json.dumps({"depth": depth, "counts": counts}, indent=1), encoding="utf-8")


def count_nodes(engine: Modern, depth: int) -> int:
    """Nodes of all positions of the bench."""
    total = 0
    for fen in FENS:
        engine.new_game()
        engine.set_position(parse_fen(fen))
        *_, last = engine.search(Limit(depth=depth))
        total += last.nodes
    return total


@main.command()
@FOLDER
def write(folder: Path) -> None:
    """Write the results into the tables of docs/features.md; rows without a new result stay."""
    page = PAGE.read_text(encoding="utf-8")
    page = replace_section(page, "games", games_table(folder, page))
    if (folder / "nodes.json").exists():
        page = replace_section(page, "nodes", nodes_table(folder))
    PAGE.write_text(page, encoding="utf-8")


def games_table(folder: Path, page: str = "") -> str:
    """A row for each group's match, from the full engine's view; a group without a match keeps the page's row."""
    rows = [
        "| without | games | won, drawn, lost by the whole | pairs 0, ½, 1, 1½, 2 | worth, Elo |",
        "|---|---|---|---|---|",
    ]
    for name, features in GROUPS.items():
        if not file_name(folder, name, "json").exists():
            rows += [line for line in page.splitlines() if line.startswith(f"| {name} (`")]
            continue
        tally = read_tally(folder, name)
        low, value, high = tally["elo"]
        result = f"{tally['wins']}, {tally['draws']}, {tally['losses']}"
        pairs = ", ".join(map(str, tally["pentanomial"]))
        what = f"{name} (`{'`, `'.join(features)}`)"
        rows.append(f"| {what} | {tally['games']} | {result} | {pairs} | {value:+.0f} ± {(high - low) / 2:.0f} |")
    return "\n".join(rows) + "\n"


def nodes_table(folder: Path) -> str:
    """A row for each feature's nodes, those that save most first."""
    data = json.loads((folder / "nodes.json").read_text(encoding="utf-8"))
    counts: dict[str, int] = data["counts"]
    whole = counts.pop("")
    rows = ["| without | nodes | times the whole engine's |", "|---|---|---|", f"| (nothing) | {whole:,} | 1.00 |"]
    for name, count in sorted(counts.items(), key=lambda item: -item[1]):
        rows.append(f"| `{name}` | {count:,} | {count / whole:.2f} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    main()
