"""`ox88 dataset`: the positions of games as a folder of Parquet files."""

import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from ox88.apps.dataset import parts
from ox88.apps.dataset.columns import DEFAULT, NAMES, POSITION, SCORED, is_tag
from ox88.apps.dataset.parts import PartFolder
from ox88.apps.dataset.pipeline import DatasetSpec, Pipeline
from ox88.apps.dataset.rows import RATINGS, Filters, Rows, ratings
from ox88.apps.dataset.scoring import count_scored
from ox88.apps.dataset.source import Source
from ox88.apps.files import check_readable, name_of
from ox88.apps.jobs import make_workers
from ox88.apps.options import version
from ox88.apps.streams import Reports, lenient
from ox88.apps.time_control import TIME_CLASSES, is_time_filter
from ox88.batch.rows.chunks import count_threads
from ox88.errors import Ox88Error
from ox88.rules import POINTS

_RANGES: Final = (("min_rating", "max_rating"), ("min_plies", "max_plies"), ("from_ply", "to_ply"))
_TOGETHER: Final = "no position passes all filters together"
_FILTERS: Final = (  # What a filter lets through, and the fields of Filters that it is made of.
    ("games have ratings of {}", "min_rating", "max_rating"),
    ("games have the result {}", "results"),
    ("games have the time control {}", "time_controls"),
    ("games have {} plies", "min_plies", "max_plies"),
    ("positions come after {} plies", "from_ply", "to_ply"),
)


def make_dataset(
    files: Sequence[Path], output: Path, spec: DatasetSpec, workers: int = 1, scheduler: str | None = None
) -> int:
    """Write the positions of games into a folder, or resume after its last part.

    Returns 1 if games had errors, or no position is left, else 0.

    workers: the number of processes that search, if there is a search. scheduler: the address of a Dask cluster
    that searches instead of these processes. Raises Ox88Error, KeyboardInterrupt; what is done stays.
    """
    files = list(dict.fromkeys(files))  # A file named twice is read once.
    _check_output(output)
    columns = spec.game_columns
    report_error = Reports()
    source = Source(files, spec.filters, tuple(filter(is_tag, columns)), POSITION in columns, report_error)
    check_readable(files)
    with contextlib.ExitStack() as stack:
        pool = None if spec.search is None else stack.enter_context(make_workers(workers, scheduler))
        folder = stack.enter_context(_opened(output, _settings(files, spec)))
        if not _is_finished(folder):
            Pipeline(source, spec, folder, pool).run()
    report_error.close()
    games, errors = folder.state["cursor"]["games"], folder.state["cursor"]["errors"]
    flawed = f"; {errors} with errors" if errors else ""
    click.echo(f"{output}: {games:,} games, {folder.state['rows']:,} rows{flawed}", file=lenient(sys.stdout))
    if not folder.state["rows"]:
        _report(why_nothing(source))
    return 1 if errors or not folder.state["rows"] else 0


def _check_output(output: Path) -> None:
    if output.suffix.lower() in (".csv", ".parquet"):
        folder = output.with_suffix("")
        raise Ox88Error(
            f"-o {output}: a data set is a folder of Parquet files, so write -o {folder}/ and let pandas, polars or"
            f" DuckDB read the folder (docs/dataset.md). A file that an earlier version made stays readable as it is."
        )
    if output.exists() and not output.is_dir():
        raise Ox88Error(f"-o {output}: a data set is a folder, and this is a file: name another place")


def _report(text: str) -> None:
    click.echo(f"ox88: {text}", err=True)


def _settings(files: Sequence[Path], spec: DatasetSpec) -> dict[str, Any]:
    """All that the rows depend on. A run with other settings must not resume in this folder."""
    states = [(path, path.stat()) for path in files]
    inputs = [f"{name_of(path)} ({state.st_size} bytes, changed at {state.st_mtime})" for path, state in states]
    engine = {} if spec.search is None else {"engine": f"Ox88 {version()}"}
    return {"games": inputs, **spec.settings, **engine, "rows of a part": parts.PART_ROWS, "first game": 1}


@contextlib.contextmanager
def _opened(output: Path, settings: dict[str, Any]) -> Iterator[PartFolder]:
    """The folder. After an error, temporary files stay if a later run can resume from them."""
    folder = PartFolder(output, settings)
    if _is_finished(folder):
        _report(f"{output} is finished; nothing is left to do")
    elif done := _describe_done(folder):
        _report(f"resuming after {done}")
    try:
        yield folder
    except BaseException:
        done = _describe_done(folder)
        folder.close(is_finished=not done)
        if done:
            _report(f"{done} are done; the same command resumes from there")
        raise
    folder.close(is_finished=True)


def _is_finished(folder: PartFolder) -> bool:
    """True if the last part has fewer rows than the others, which are full."""
    return bool(folder.count and folder.state["rows"] < folder.count * parts.PART_ROWS)


def _describe_done(folder: PartFolder) -> str:
    """The work that a rerun need not do again; empty if there is none."""
    if scored := count_scored(folder.journal):
        return f"{scored:,} scores"
    return f"{folder.state['rows']:,} rows" if folder.count else ""


# --- The options ------------------------------------------------------------------------------------------------------


def read_columns(words: Sequence[str], is_scored: bool) -> tuple[str, ...]:
    """The columns named on the command line, and the columns of the search. Raises Ox88Error for unknown names."""
    names = tuple(dict.fromkeys(_split(words))) or DEFAULT
    for name in names:
        if name not in NAMES and not is_tag(name) and not (is_scored and name in SCORED):
            if name in SCORED:
                raise Ox88Error(f"the column {name!r} needs --nodes or --depth")
            raise Ox88Error(f"no column {name!r}: there are {', '.join(NAMES)}, and tags such as White or ECO")
    return names + tuple(name for name in SCORED if is_scored and name not in names)


def read_filters(results: Sequence[str], time_controls: Sequence[str], **others: Any) -> Filters:
    """The filters of the command line. Raises Ox88Error for unknown words and empty ranges.

    others: the other fields of Filters.
    """
    known = (*POINTS, "*")
    filters = Filters(
        results=tuple(sorted(set(_checked(results, known.__contains__, "result", known)))),
        time_controls=tuple(_checked(time_controls, is_time_filter, "time control", (*TIME_CLASSES, "180+2"))),
        **others,
    )
    if filters.sample is not None and not 0 < filters.sample <= 1:
        raise Ox88Error(f"--sample {filters.sample} is not a share of the positions: give one such as 0.1")
    for names in _RANGES:
        least, most = (getattr(filters, name) for name in names)
        if least is not None and most is not None and least > most:
            least_word, most_word = (f"--{name.replace('_', '-')}" for name in names)
            raise Ox88Error(f"{least_word} {least} is above {most_word} {most}: nothing would be left")
    return filters


def read_workers(workers: int | None, scheduler: str | None, is_scored: bool) -> int:
    """The number of processes that search, by default one a core. Raises Ox88Error if options do not fit together."""
    given = [word for word, value in (("--workers", workers), ("--scheduler", scheduler)) if value is not None]
    if given and not is_scored:
        raise Ox88Error(f"{given[0]} needs --nodes or --depth: without a search there is no work to share")
    if len(given) > 1:
        raise Ox88Error("--workers starts processes here, --scheduler uses the workers of a cluster: give one of them")
    return workers or count_threads(None)


def _checked(words: Sequence[str], is_known: Callable[[str], bool], what: str, known: Iterable[str]) -> Iterable[str]:
    for word in _split(words):
        if not is_known(word):
            raise Ox88Error(f"no {what} {word!r}: expected one such as {', '.join(known)}")
        yield word


def _split(words: Sequence[str]) -> list[str]:
    """The names in an option, which may be given several times, and may have commas between names."""
    return [word.strip() for text in words for word in text.split(",") if word.strip()]


# --- Why nothing is left ----------------------------------------------------------------------------------------------


def why_nothing(source: Source) -> str:
    """The reason, in words. Reads the games again, if they can be read twice."""
    filters = source.filters
    if filters == Filters(seed=filters.seed):
        return "the games have no moves"
    if not source.can_be_read_twice:
        return _TOGETHER
    kept: Counter[str] = Counter()
    for some in replace(source, filters=Filters(), tags=filters.tags).map(lambda rows: _tally(filters, rows)):
        kept.update(some)
    empty = next((what for what, count in kept.items() if not count and " " in what), None)
    return _TOGETHER if empty is None else f"0 of {kept[empty.split()[0]]:,} {empty}"


def _tally(filters: Filters, rows: Rows) -> dict[str, int]:
    """The numbers of games and positions, and how many of either each filter lets through."""
    games, kept = rows.games, {"games": len(rows.games), "positions": len(rows)}
    for tag in filters.tags:
        known = ratings(games, tag) > 0 if tag in RATINGS else ~np.isin(games.headers[tag], ("", "?"))
        kept[f"games have {tag}"] = int(np.count_nonzero(known))
    for what, alone in _single(filters):
        chosen = alone.choose_games(games) if what.startswith("games") else alone.choose_plies(rows)
        kept[what] = int(np.count_nonzero(chosen))
    return kept


def _single(filters: Filters) -> Iterator[tuple[str, Filters]]:
    """What each filter lets through, and this filter alone. One that is not set lets all through."""
    for what, *names in _FILTERS:
        values = {name: getattr(filters, name) for name in names}
        if len(names) > 1:
            limits = zip(("at least", "at most"), values.values(), strict=True)
            words = " and ".join(f"{limit} {value}" for limit, value in limits if value is not None)
        else:
            words = " or ".join(*values.values())
        yield what.format(words), Filters(**values)
    if filters.evaluated:
        yield "positions have an [%eval]", Filters(evaluated=True)
