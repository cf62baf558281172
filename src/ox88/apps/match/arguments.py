"""The words of the command line as a match."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ox88.apps.engines import read_settings
from ox88.apps.labels import label
from ox88.apps.match.command import MOST_GAMES, Match
from ox88.apps.match.contender import Contender, read_contender, with_own_names
from ox88.apps.match.game import Rules
from ox88.apps.match.openings import RANDOM_PLIES, Book, Openings, RandomOpenings, StartPosition
from ox88.apps.match.pace import Pace
from ox88.apps.match.referee import NO_ADJUDICATION, Adjudication
from ox88.apps.match.statistics import Sprt
from ox88.apps.time_control import parse_time_control
from ox88.types import Ox88Error

DEFAULT_GAMES: Final = 100
_RANDOM, _NONE = "random", "none"
_MOST_ELO: Final = 1000.0  # Of a sequential test.


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
    draw: tuple[int, int, int] | None,
    win: tuple[int, int] | None,
    no_adjudication: bool,
    margin: float,
) -> Match:
    """The match that the options ask for, by their names there. Raises Ox88Error."""
    pace = Pace(parse_time_control(tc) if tc else None, nodes, depth, seconds)
    contenders = read_contenders(engines, pace, options)
    book, name = read_openings(openings, seed, chess960)
    rules = Rules(NO_ADJUDICATION if no_adjudication else read_adjudication(draw, win), margin / 1000)
    test = read_sprt(sprt, len(contenders))
    most = games or (MOST_GAMES if test else DEFAULT_GAMES)
    return Match(contenders, most, book, name, "gauntlet" if gauntlet else "round-robin", rules, test)


def read_contenders(engines: Sequence[str], pace: Pace, options: Sequence[str]) -> tuple[Contender, ...]:
    """The engines of a match, each with a name of its own. Raises Ox88Error."""
    if len(engines) < 2:
        raise Ox88Error(f"a match needs two engines or more, and {' '.join(engines)!r} is one")
    common = tuple((name, str(value or "")) for name, value in read_settings(tuple(options)).items())
    return with_own_names([read_contender(text, pace, common) for text in engines])


def read_openings(text: str, seed: int, chess960: bool) -> tuple[Openings, str]:
    """The openings, and what names them. Raises Ox88Error."""
    kind = " (Chess960)" if chess960 else ""
    if text == _RANDOM:
        return RandomOpenings(seed, chess960=chess960), f"{RANDOM_PLIES} random plies, seed {seed}{kind}"
    if text == _NONE:
        if chess960:
            return RandomOpenings(seed, plies=0, chess960=True), f"the starts of Chess960, seed {seed}"
        return StartPosition(), "the start"
    return Book(Path(text), seed, chess960), f"{label(Path(text).name)}, seed {seed}{kind}"


def read_adjudication(draw: tuple[int, int, int] | None, win: tuple[int, int] | None) -> Adjudication:
    """When engines that agree are believed. Raises Ox88Error."""
    default = Adjudication()
    move, draw_plies, draw_score = draw or (default.draw_move, default.draw_plies, default.draw_score)
    win_plies, win_score = win or (default.win_plies, default.win_score)
    if min(move, draw_plies, draw_score, win_plies) < 0 or win_score <= 0:
        raise Ox88Error("--draw and --win take numbers from 0 on, and a win's score is above 0")
    return Adjudication(move, draw_plies, draw_score, win_plies, win_score)


def read_sprt(elos: tuple[float, float] | None, contenders: int) -> Sprt | None:
    """The sequential test. Raises Ox88Error."""
    if elos is None:
        return None
    if contenders != 2:
        raise Ox88Error(f"--sprt is a test of two engines, not of {contenders}")
    elo0, elo1 = elos
    if not -_MOST_ELO <= elo0 < elo1 <= _MOST_ELO:
        raise Ox88Error(f"--sprt {elo0:g} {elo1:g}: the smaller comes first, and both are from -1000 to 1000")
    return Sprt(elo0, elo1)


def default_concurrency(contenders: Sequence[Contender]) -> int:
    """As many games as there are cores for the threads of the engine that takes most."""
    threads = [
        int(value)
        for c in contenders
        for name, value in (*c.common, *c.options)
        if name.lower() in ("threads", "cores") and re.fullmatch("[0-9]{1,4}", value)
    ]
    return max(1, (os.cpu_count() or 1) // max([1, *threads]))
