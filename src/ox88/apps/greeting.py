"""What a game in the terminal begins with: who plays, at which level, how long a move takes, and where help is."""

from ox88.engines.base import Limit
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO


def opponent_name(engine: str, level: int | None) -> str:
    """The engine's name, with its level if its strength is limited."""
    return engine if level is None else f"{engine} (level {level})"


def greet(engine: str, level: int | None, side: str, limit: Limit, clock: str | None, has_levels: bool) -> str:
    """The greeting.

    Args:
        engine: its name.
        level: None for full strength.
        side: the person's side, a name in `terminal.SIDES`.
        limit: for a move of the engine.
        clock: the time control as it was asked for, if there is one.
        has_levels: False for an engine of one strength, which is micro-Max.
    """
    name = opponent_name(engine, level)
    sides = {
        "both": f"You play both sides; an empty line lets {name} move.",
        "none": f"{name} plays both sides; Ctrl-C ends that.",
    }
    lines = [
        sides.get(side, f"You play {side.capitalize()} against {name}."),
        _strength(level) if has_levels else "",
        _pace(limit) if has_levels else _micromax_pace(limit, clock),
        f"The clock is set to {clock}." if clock else "",
        "Type a move such as e2e4, or type help.",
    ]
    return "\n".join(filter(None, lines))


def _strength(level: int | None) -> str:
    if level is None:
        return "It plays at full strength; --elo 1000 would make it a beginner."
    return f"Levels go from {LEAST_ELO} to {MOST_ELO}, on Ox88's own scale (docs/levels.md)."


def _pace(limit: Limit) -> str:
    """How long the engine thinks; empty if only a level or the clock says so."""
    if limit == Limit(time=1.0):
        return "It takes about a second for a move."
    limits = [
        *([f"{limit.nodes:,} positions"] if limit.nodes is not None else []),
        *([f"{limit.time:g} seconds"] if limit.time is not None else []),
        *([f"{limit.depth} plies"] if limit.depth is not None else []),
    ]
    return f"Its search for a move ends after {' or '.join(limits)}." if limits else ""


def _micromax_pace(limit: Limit, clock: str | None) -> str:
    if limit == Limit():
        return "" if clock else "It thinks as long as its listing does: ten million positions a move, perhaps a minute."
    return _pace(limit) + ("\nWith --original it thinks as its listing does." if limit.time == 1.0 else "")
