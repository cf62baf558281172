"""Cases tried in turn here, or by worker processes of which each owns an engine. The answers come as they are found."""

import functools
from collections.abc import Generator, Sequence

from ox88.apps.engines import Settings, make_ready_engine
from ox88.apps.epd.suite import Case
from ox88.apps.epd.trial import Answer, try_case
from ox88.apps.jobs import LocalWorkers, do_jobs
from ox88.engines.base import Engine, EngineEntry, Limit, OptionValue

_FrozenSettings = tuple[tuple[str, OptionValue], ...]


def try_cases(
    cases: Sequence[Case], entry: EngineEntry, settings: Settings, limit: Limit, workers: int = 1
) -> Generator[Answer, None, None]:
    """An answer for each case; with several workers in the order in which they end.

    The engine is made here first in any case: it compiles once, and refuses wrong options. Raises EngineError, and
    Ox88Error where workers die again and again. Closing the iterator stops the searches.
    """
    engine = make_ready_engine(entry, settings)
    workers = min(workers, len(cases))
    if workers <= 1:
        return (try_case(engine, case, limit) for case in cases)
    del engine
    return _try_in_processes(cases, functools.partial(_try_here, entry, tuple(settings.items()), limit), workers)


def _try_in_processes(
    cases: Sequence[Case], trial: "functools.partial[Answer]", workers: int
) -> Generator[Answer, None, None]:
    with LocalWorkers(workers) as processes:
        for done in do_jobs(processes, trial, cases):
            yield done.result


def _try_here(entry: EngineEntry, settings: _FrozenSettings, limit: Limit, case: Case) -> Answer:
    return try_case(_engine(entry, settings), case, limit)


@functools.lru_cache(maxsize=1)
def _engine(entry: EngineEntry, settings: _FrozenSettings) -> Engine:
    """The engine of this process."""
    return make_ready_engine(entry, dict(settings), tell=False)
