"""`ox88 match`: its options, read into a match."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ox88.apps.match.game import NO_ADJUDICATION, Adjudication, Rules
from ox88.apps.match.match import Match
from ox88.apps.match.openings import RANDOM_PLIES, Book, Openings, RandomOpenings
from ox88.apps.match.participant import Limits, Participant, read_participant, with_distinct_names
from ox88.apps.match.statistics import Sprt
from ox88.apps.options import read_settings
from ox88.apps.streams import label
from ox88.apps.time_control import parse_time_control
from ox88.cores import cores
from ox88.errors import Ox88Error

DEFAULT_GAMES: Final = 100
MAX_GAMES: Final = 1_000_000  # A sequential test that does not end stops here.
_MAX_ELO: Final = 1000.0  # The largest elo0 or elo1 of a sequential test.


def read_match(
    engines: Sequence[str],
    games: int | None,
    tc: str | None,
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
    options: Sequence[str],
    openings: str,
    seed: int,
    chess960: bool,
    gauntlet: bool,
    sprt: tuple[float, float] | None,
    draw: tuple[int, int, int],
    win: tuple[int, int],
    no_adjudication: bool,
    margin: float,
    timeout: float,
) -> Match:
    """The match that the options of `ox88 match` describe. Raises Ox88Error."""
    limits = Limits(parse_time_control(tc) if tc else None, nodes, depth, seconds)
    participants = read_participants(engines, limits, options)
    book, name = read_openings(openings, seed, chess960)
    rules = Rules(NO_ADJUDICATION if no_adjudication else Adjudication(*draw, *win), margin / 1000, timeout)
    test = read_sprt(sprt, len(participants))
    games = games or (MAX_GAMES if test else DEFAULT_GAMES)
    return Match(participants, games, book, name, "gauntlet" if gauntlet else "round-robin", rules, test)


def read_participants(engines: Sequence[str], limits: Limits, options: Sequence[str]) -> tuple[Participant, ...]:
    """The participants of a match, with different names. Raises Ox88Error."""
    if len(engines) < 2:
        raise Ox88Error(f"a match needs two engines or more, and {' '.join(engines)!r} is one")
    common = tuple((name, str(value or "")) for name, value in read_settings(tuple(options)).items())
    return with_distinct_names([read_participant(text, limits, common) for text in engines])


def read_openings(text: str, seed: int, chess960: bool) -> tuple[Openings, str]:
    """The openings, and their name for the table. Raises Ox88Error."""
    variant = " (Chess960)" if chess960 else ""
    if text == "random":
        return RandomOpenings(seed, chess960=chess960), f"{RANDOM_PLIES} random plies, seed {seed}{variant}"
    if text == "none":
        name = f"the starts of Chess960, seed {seed}" if chess960 else "the start"
        return RandomOpenings(seed, plies=0, chess960=chess960), name
    return Book(Path(text), seed, chess960), f"{label(Path(text).name)}, seed {seed}{variant}"


def read_sprt(elos: tuple[float, float] | None, participants: int) -> Sprt | None:
    """The sequential test. Raises Ox88Error."""
    if elos is None:
        return None
    if participants != 2:
        raise Ox88Error(f"--sprt is a test of two engines, not of {participants}")
    elo0, elo1 = elos
    if not -_MAX_ELO <= elo0 < elo1 <= _MAX_ELO:
        raise Ox88Error(f"--sprt {elo0:g} {elo1:g}: the smaller comes first, and both are from -1000 to 1000")
    return Sprt(elo0, elo1)


def default_concurrency(participants: Sequence[Participant]) -> int:
    """As many games as the cores allow for the engine with the most threads."""
    options = [option for participant in participants for option in (*participant.common_options, *participant.options)]
    values = [value for name, value in options if name.lower() in ("threads", "cores")]
    threads = [int(value) for value in values if re.fullmatch("[0-9]{1,4}", value)]
    return max(1, cores() // max([1, *threads]))
