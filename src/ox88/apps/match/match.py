"""A match: its options are read; workers play its games, which are recorded and counted until all are played."""

import datetime
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, Final, Literal

import click
from rich.console import RenderableType

from ox88.apps.files import STANDARD_OUTPUT, check_distinct, check_writable, write_json
from ox88.apps.jobs import Workers, do_jobs, make_workers
from ox88.apps.live import LiveView, print_view
from ox88.apps.match.game import NO_ADJUDICATION, Adjudication, Fixture, Rules
from ox88.apps.match.openings import RANDOM_PLIES, OpeningFile, Openings, RandomOpenings
from ox88.apps.match.participant import Limits, Participant, read_participant, with_distinct_names
from ox88.apps.match.pgn_file import PgnFile, game_tags, lock_of, match_id
from ox88.apps.match.standings import Standings, standings_table
from ox88.apps.match.statistics import Sprt
from ox88.apps.match.workers import GameJob, check_participant, play_game
from ox88.apps.options import read_settings
from ox88.apps.time_control import parse_time_control
from ox88.cores import cores
from ox88.errors import Ox88Error

DEFAULT_GAMES: Final = 100
MAX_GAMES: Final = 1_000_000  # A sequential test that does not end stops here.
_MAX_ELO: Final = 1000.0  # The largest elo0 or elo1 of a sequential test.

Form = Literal["round-robin", "gauntlet"]


@dataclass(frozen=True, slots=True)
class Match:
    """What to play. games: for each pairing. sprt: a test of two participants, which ends the match when decided."""

    participants: Sequence[Participant]
    games: int
    openings: Openings
    form: Form = "round-robin"
    rules: Rules = field(default_factory=Rules)
    sprt: Sprt | None = None

    @property
    def names(self) -> list[str]:
        return [participant.name for participant in self.participants]

    @property
    def id(self) -> str:
        return match_id(self.participants, self.form, self.openings.identity, self.rules)

    @property
    def pairings(self) -> Sequence[tuple[int, int]]:
        return pairings(len(self.participants), self.form)

    def fixtures(self, played: Collection[Fixture]) -> Iterator[Fixture]:
        """The games that are not played yet, in order."""
        every = schedule(len(self.participants), self.form, self.games)
        return (fixture for fixture in every if fixture not in played)

    def job(self, fixture: Fixture) -> GameJob:
        date = datetime.datetime.now(tz=datetime.UTC).strftime("%Y.%m.%d")
        tags = game_tags(fixture, self.names, self.id, date)
        white, black = self.participants[fixture.white], self.participants[fixture.black]
        return GameJob(fixture, self.openings.opening(fixture.pair), white, black, self.rules, tags)


def pairings(participants: int, form: Form) -> Sequence[tuple[int, int]]:
    """Who plays whom: all against all, or the first against each of the others."""
    if form == "gauntlet":
        return [(0, other) for other in range(1, participants)]
    return list(combinations(range(participants), 2))


def schedule(participants: int, form: Form, games: int) -> Iterator[Fixture]:
    """All games in order: one pair of games for each pairing, then the next pair. games: for each pairing."""
    for pair in range((games + 1) // 2):
        for first, second in pairings(participants, form):
            yield Fixture(first, second, pair, is_reversed=False)
            if 2 * pair + 1 < games:
                yield Fixture(first, second, pair, is_reversed=True)


# --- The options ------------------------------------------------------------------------------------------------------


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
    if len(engines) < 2:
        raise Ox88Error(f"a match needs two engines or more, and {' '.join(engines)!r} is one")
    common = tuple((name, str(value or "")) for name, value in read_settings(tuple(options)).items())
    participants = with_distinct_names([read_participant(text, limits, common) for text in engines])
    book: Openings
    if openings in ("random", "none"):
        book = RandomOpenings(seed, RANDOM_PLIES if openings == "random" else 0, chess960)
    else:
        book = OpeningFile(Path(openings), seed, chess960)
    test = _read_sprt(sprt, len(participants))
    rules = Rules(NO_ADJUDICATION if no_adjudication else Adjudication(*draw, *win), margin / 1000, timeout)
    games = games or (MAX_GAMES if test else DEFAULT_GAMES)
    return Match(participants, games, book, "gauntlet" if gauntlet else "round-robin", rules, test)


def _read_sprt(elos: tuple[float, float] | None, participants: int) -> Sprt | None:
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


# --- The games --------------------------------------------------------------------------------------------------------


def run_match(match: Match, concurrency: int, scheduler: str | None, pgn: Path | None, json_path: Path | None) -> int:
    """Play a match, and print its standings on standard output; with JSON there, on stderr.

    Games that the PGN file has already are not played again. Returns the exit code: 0, or 130 after Ctrl-C, which ends
    the match with the games so far. Raises Ox88Error; games that were played before the error are printed and kept.
    """
    if pgn == STANDARD_OUTPUT:
        raise Ox88Error("--pgn writes no games to standard output, since a match resumes from them: name a file")
    inputs = [match.openings.path] if isinstance(match.openings, OpeningFile) else []
    outputs = [path for path in (pgn, json_path) if path is not None]
    check_distinct(inputs, outputs, () if pgn is None else (lock_of(pgn),))
    if json_path is not None:
        check_writable(json_path)
    standings = Standings(match.names, match.pairings)
    file = PgnFile(pgn, match.id, match.names, match.pairings) if pgn is not None else None
    to_stderr = json_path == STANDARD_OUTPUT
    try:
        interrupted = _play(match, standings, file, (concurrency, scheduler))
    except Ox88Error:
        if standings.played:
            print_view(_view(match, standings), to_stderr)
        raise
    finally:
        if file is not None:
            file.close()
    print_view(_view(match, standings), to_stderr)
    if json_path is not None:
        write_json(json_path, _as_data(match, standings, interrupted))
    if interrupted and pgn is not None:
        click.echo(f"ox88: stopped; the same command resumes from {pgn}", err=True)
    return 130 if interrupted else 0


def _play(match: Match, standings: Standings, file: PgnFile | None, where: tuple[int, str | None]) -> bool:
    """Play the games that the file does not have. True if Ctrl-C ended it."""
    played = file.games if file is not None else {}
    for fixture, game in played.items():
        standings.add(fixture, game)
    if played:
        click.echo(f"ox88: resuming after {len(played)} games", err=True)
    if _is_decided(match, standings) or next(match.fixtures(played), None) is None:
        return False
    try:
        with make_workers(*where) as workers:
            _check_participants(workers, match)
            with LiveView(lambda: _view(match, standings)):
                for job, game in do_jobs(workers, play_game, map(match.job, match.fixtures(played))):
                    if file is not None:
                        file.add(game)
                    standings.add(job.fixture, game)
                    if _is_decided(match, standings):
                        workers.close(at_once=True)
                        break
    except KeyboardInterrupt:
        return True
    return False


def _check_participants(workers: Workers, match: Match) -> None:
    """Start each participant once on the workers. Raises Ox88Error if one cannot play, or no one has an option."""
    jobs = [(participant, match.openings.opening(0)) for participant in match.participants]
    unknown_to_all = {name for participant in match.participants for name, _ in participant.common_options}
    for (participant, _), check in do_jobs(workers, check_participant, jobs):
        if check.reason:
            raise Ox88Error(f"{participant.name} cannot play: {check.reason}")
        unknown_to_all &= check.unknown_options
    if unknown_to_all:
        raise Ox88Error(f"--option {min(unknown_to_all)}: no engine of this match has it")


def _is_decided(match: Match, standings: Standings) -> bool:
    return match.sprt is not None and match.sprt.accepted(standings.first_pairing.pair_sample) is not None


def _view(match: Match, standings: Standings) -> RenderableType:
    limits = " against ".join(dict.fromkeys(str(participant.limits) for participant in match.participants))
    total = "" if match.sprt is not None else f" of {match.games * len(standings.pairings)}"
    heading = f"{standings.played}{total} games, {limits}, openings: {match.openings.name}"
    return standings_table(standings, match.sprt, heading)


def _as_data(match: Match, standings: Standings, interrupted: bool) -> dict[str, Any]:
    data: dict[str, Any] = {"openings": match.openings.name, "form": match.form, "interrupted": interrupted}
    data |= standings.as_data()
    if match.sprt is not None:
        pairs = standings.first_pairing.pair_sample
        sprt = {"elo0": match.sprt.elo0, "elo1": match.sprt.elo1, "bound": match.sprt.bound}
        data["sprt"] = sprt | {"ratio": match.sprt.ratio(pairs), "accepted": match.sprt.accepted(pairs)}
    return data
