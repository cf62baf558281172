"""The words of the command line as what a table shall hold."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from ox88.apps.dataset.columns import DEFAULT, NAMES, SCORED, is_tag
from ox88.apps.dataset.filters import RESULTS, Filters
from ox88.apps.dataset.time_control import CLASSES, is_time_control
from ox88.batch.chunks import count_threads
from ox88.types import Ox88Error

_RANGES: Final = (("min_rating", "max_rating"), ("min_plies", "max_plies"), ("from_ply", "to_ply"))


def read_columns(words: Sequence[str], is_scored: bool) -> tuple[str, ...]:
    """The columns that are asked for, and those that a search fills. Raises Ox88Error."""
    names = tuple(dict.fromkeys(_split(words))) or DEFAULT
    for name in names:
        if name not in NAMES and not is_tag(name) and not (is_scored and name in SCORED):
            why = "it comes with --nodes or --depth" if name in SCORED else f"there are {', '.join(NAMES)}"
            raise Ox88Error(f"no column {name!r}: {why}, and tags such as White or ECO")
    return names + tuple(name for name in SCORED if is_scored and name not in names)


def read_filters(results: Sequence[str], time_controls: Sequence[str], **others: Any) -> Filters:
    """others: as Filters has them. Raises Ox88Error for words that mean nothing, and ranges that hold nothing."""
    known = (*RESULTS, "*")
    filters = Filters(
        results=tuple(sorted(set(_checked(results, known.__contains__, "result", known)))),
        time_controls=tuple(_checked(time_controls, is_time_control, "time control", (*CLASSES, "180+2"))),
        **others,
    )
    if filters.sample is not None and not 0 < filters.sample <= 1:
        raise Ox88Error(f"--sample {filters.sample} is no share of the positions: expected is one such as 0.1")
    for names in _RANGES:
        least, most = (getattr(filters, name) for name in names)
        if least is not None and most is not None and least > most:
            least_word, most_word = (f"--{name.replace('_', '-')}" for name in names)
            raise Ox88Error(f"{least_word} {least} is above {most_word} {most}: nothing would be left")
    return filters


def read_workers(workers: int | None, scheduler: str | None, is_scored: bool) -> int:
    """How many processes search, by default one a core. Raises Ox88Error for words that do not go together."""
    given = [word for word, value in (("--workers", workers), ("--scheduler", scheduler)) if value is not None]
    if given and not is_scored:
        raise Ox88Error(f"{given[0]} goes with --nodes or --depth: without a search there is nothing to spread")
    if len(given) > 1:
        raise Ox88Error("--workers are processes of this machine, and --scheduler brings workers of its own: take one")
    return workers or count_threads(None)


def _checked(words: Sequence[str], is_known: Callable[[str], bool], what: str, known: Iterable[str]) -> Iterable[str]:
    for word in _split(words):
        if not is_known(word):
            raise Ox88Error(f"no {what} {word!r}: expected are such as {', '.join(known)}")
        yield word


def _split(words: Sequence[str]) -> list[str]:
    """Words may be given one by one, or several with commas between."""
    return [word.strip() for text in words for word in text.split(",") if word.strip()]
