"""`ox88 match`: let engines play, and say who is how much stronger."""

import datetime
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import click

from ox88.apps.files import check_writable
from ox88.apps.jobs import Workers, do_jobs, make_workers
from ox88.apps.live import LiveView, print_view
from ox88.apps.match.contender import Contender
from ox88.apps.match.game import Played, Rules
from ox88.apps.match.openings import Openings
from ox88.apps.match.record import Record, match_name, tags
from ox88.apps.match.schedule import Fixture, Form, pairings, schedule
from ox88.apps.match.standings import Outcome, Standings
from ox88.apps.match.statistics import Sprt
from ox88.apps.match.table import standings_table
from ox88.apps.match.worker import Task, Trial, play_task, try_contender
from ox88.types import Ox88Error

MOST_GAMES: Final = 1_000_000  # Of a sequential test that does not end.
STANDARD_OUTPUT: Final = Path("-")


@dataclass(frozen=True, slots=True)
class Match:
    """What is to be played. games: for each pairing. openings_name: what names them, seed included."""

    contenders: Sequence[Contender]
    games: int
    openings: Openings
    openings_name: str
    form: Form = "round-robin"
    rules: Rules = field(default_factory=Rules)
    sprt: Sprt | None = None

    @property
    def names(self) -> list[str]:
        return [contender.name for contender in self.contenders]

    @property
    def name(self) -> str:
        return match_name(self.contenders, self.form, self.openings.identity, self.rules)

    @property
    def pairings(self) -> Sequence[tuple[int, int]]:
        return pairings(len(self.contenders), self.form)


def run_match(match: Match, concurrency: int, scheduler: str | None, pgn: Path | None, json_path: Path | None) -> int:
    """Play the match, and print its standings on standard output; with JSON there, on stderr.

    Games that the PGN file holds already are not played again. Returns the exit code: 0, or 130 after Ctrl-C, which
    ends the match with what is there. Raises Ox88Error; of games played before it, the standings are printed.
    """
    if json_path is not None and json_path != STANDARD_OUTPUT:
        check_writable(json_path)
    standings = Standings(match.names, match.pairings)
    record = Record(pgn, match.name, match.names, match.pairings) if pgn is not None else None
    try:
        played = _resume(standings, record)
        interrupted = _play(match, standings, record, played, (concurrency, scheduler))
    except Ox88Error:
        if standings.played:
            _print(match, standings, json_path)
        raise
    finally:
        if record is not None:
            record.close()
    _print(match, standings, json_path)
    if json_path is not None:
        _write_json(json_path, match, standings, interrupted)
    if interrupted and pgn is not None:
        click.echo(f"ox88: stopped; the same command goes on from {pgn}", err=True)
    return 130 if interrupted else 0


def _resume(standings: Standings, record: Record | None) -> set[Fixture]:
    outcomes = {outcome.fixture: outcome for outcome in record.outcomes} if record is not None else {}
    for outcome in outcomes.values():
        standings.add(outcome)
    if outcomes:
        click.echo(f"ox88: going on after {len(outcomes)} games", err=True)
    return set(outcomes)


def _play(
    match: Match, standings: Standings, record: Record | None, played: set[Fixture], way: tuple[int, str | None]
) -> bool:
    """Play what is left. Whether Ctrl-C ended it."""
    if _is_decided(match, standings) or all(fixture in played for fixture in _fixtures(match)):
        return False
    try:
        with make_workers(*way) as workers:
            _try_out(workers, match)
            with LiveView(lambda: standings_table(standings, match.sprt, _heading(match, standings))):
                for outcome in _outcomes(workers, match, record, played):
                    standings.add(outcome)
                    if _is_decided(match, standings):
                        workers.close(at_once=True)
                        break
    except KeyboardInterrupt:
        return True
    return False


def _try_out(workers: Workers, match: Match) -> None:
    """Start each contender once, where the games will be played. Raises Ox88Error if one cannot play them."""
    trials = [Trial(contender, match.openings.opening(0)) for contender in match.contenders]
    for done in do_jobs(workers, try_contender, trials):
        if done.result:
            raise Ox88Error(f"{done.job.contender.name} cannot play: {done.result}")


def _outcomes(workers: Workers, match: Match, record: Record | None, played: set[Fixture]) -> Iterator[Outcome]:
    fixtures = (fixture for fixture in _fixtures(match) if fixture not in played)
    for done in do_jobs(workers, _play_job, (_job(match, fixture) for fixture in fixtures)):
        fixture, game = done.job[0], done.result
        if record is not None:
            record.add(game)
        yield Outcome(fixture, game.ending.result, game.fault, game.ending.loser, game.work)


_Job = tuple[Fixture, Task]


def _job(match: Match, fixture: Fixture) -> _Job:
    date = datetime.datetime.now(tz=datetime.UTC).strftime("%Y.%m.%d")
    white, black = match.contenders[fixture.white], match.contenders[fixture.black]
    own_tags = tuple(tags(fixture, match.names, match.name, date).items())
    return fixture, Task(match.openings.opening(fixture.pair), white, black, match.rules, own_tags)


def _play_job(job: _Job) -> Played:
    return play_task(job[1])


def _fixtures(match: Match) -> Iterator[Fixture]:
    return schedule(len(match.contenders), match.form, match.games)


def _is_decided(match: Match, standings: Standings) -> bool:
    if match.sprt is None:
        return False
    return match.sprt.accepted(next(iter(standings.pairings.values())).pair_sample) is not None


def _heading(match: Match, standings: Standings) -> str:
    paces = dict.fromkeys(str(contender.pace) for contender in match.contenders)
    total = match.games * len(standings.pairings)
    of = "" if match.sprt is not None else f" of {total}"
    return f"{standings.played}{of} games, {' against '.join(paces)}, openings: {match.openings_name}"


def _print(match: Match, standings: Standings, json_path: Path | None) -> None:
    print_view(standings_table(standings, match.sprt, _heading(match, standings)), json_path == STANDARD_OUTPUT)


def _write_json(path: Path, match: Match, standings: Standings, interrupted: bool) -> None:
    data = {"openings": match.openings_name, "form": match.form, "interrupted": interrupted} | standings.as_data()
    if match.sprt is not None:
        pairs = next(iter(standings.pairings.values())).pair_sample
        sprt = {"elo0": match.sprt.elo0, "elo1": match.sprt.elo1, "bound": match.sprt.bound}
        data["sprt"] = sprt | {"ratio": match.sprt.ratio(pairs), "accepted": match.sprt.accepted(pairs)}
    text = json.dumps(data, indent=1)
    if path == STANDARD_OUTPUT:
        click.echo(text)
        return
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise Ox88Error(f"{path} cannot be written: {error.strerror or error}") from None
