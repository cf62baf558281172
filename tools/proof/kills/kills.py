"""Commands that are killed, or that the system fails, at random moments. What they do afterwards must be right."""

import contextlib
import math
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import ClassVar, Final, NamedTuple

from ox88.errors import Ox88Error
from tests.cluster import start_cluster
from tests.processes import but_compiling
from tools.proof.campaign import Campaign, FailureError, Tally
from tools.proof.kills import served_game
from tools.proof.kills.tasks import ANALYSE, GAMES, OX88_TASKS, TASKS, Task, analysis_on
from tools.proof.runs import Ended, Run, check_told, run_to_end
from tools.proof.serving import serving

Kind = Callable[[Random, Path, Tally], None]

HAS_SIGNALS: Final = os.name == "posix"
OTHER_EVERY: Final = 3  # One case in so many is no kill -9.
TIMES: Final = (1, 2, 3, 4, 5)  # How often a command is ended before it may finish.
# Ctrl-C comes after this share of a run: when Python has started, and when a tool of the repository has been imported.
STARTING: Final = 0.1
IMPORTING: Final = 0.4
PERFT: Final = ("-m", "ox88", "perft", "startpos", "2")  # Compiles some kernels, if the cache has none.
LEAVES: Final = "400"
TOGETHER: Final = 8  # Processes.
_SHOWN: Final = 300  # Bytes of a file.
SMALL_DISK: Final = (16, 1_000)  # Kilobytes.
TOO_LITTLE_MEMORY: Final = (100_000, 1_048_000)  # Kilobytes of addresses. `ox88` refuses less than 1,048,576.
LITTLE_MEMORY: Final = (1_050_000, 2_500_000)
SERVED: Final = 0.2  # Of the cases without a home or with little memory: at a server.


class Kills(Campaign):
    """A case runs a command, ends it or makes things hard for it, and runs it again to the end."""

    goal: ClassVar = 430  # With a thousand kills.
    block: ClassVar = 5

    def __init__(self) -> None:
        """Raises Ox88Error on Windows."""
        if not HAS_SIGNALS:
            raise Ox88Error("the campaign needs signals and process groups, which Windows does not have")

    def run(self, case: int, seed: int, tally: Tally) -> None:
        with tempfile.TemporaryDirectory(prefix="ox88-kills-") as folder:
            kind_of(case)(Random(f"{seed} {case}"), Path(folder), tally)  # noqa: S311 - No secrets.


def kind_of(case: int) -> Kind:
    others, place = divmod(case, OTHER_EVERY)
    if place == OTHER_EVERY - 1:
        return OTHERS[others % len(OTHERS)]
    return KILLS[(case - others) % len(KILLS)]


# --- Ended at a random moment -----------------------------------------------------------------------------------------


class Undisturbed(NamedTuple):
    """What a task writes if nothing happens, and the seconds that it takes."""

    results: dict[str, bytes]
    seconds: float


@cache
def undisturbed(task: Task) -> Undisturbed:
    """The first of two runs compiles what is not yet compiled. Raises FailureError if they differ."""
    with tempfile.TemporaryDirectory(prefix="ox88-kills-") as name:
        found = []
        for number in range(2):
            folder = Path(name, str(number))
            folder.mkdir()
            task.prepare(folder)
            ended = _right(run_to_end(task.words, folder))
            found.append(task.results(folder))
    _same(found[1], found[0], "of two undisturbed runs")
    return Undisturbed(found[0], ended.seconds)


def end_and_rerun(task: Task, random: Random, folder: Path, tally: Tally, how: str) -> None:
    """End a task once or more, and let it finish. how: the name of a signal. Raises FailureError."""
    expected = undisturbed(task)
    task.prepare(folder)
    for _ in range(random.choice(TIMES)):
        end_once(task.words, how, expected.seconds, random, folder, tally)
    before = task.finished(folder)
    rerun = _right(run_to_end(task.words, folder))
    task.check_finished(before, folder, rerun)
    _same(task.results(folder), expected.results, "after it was ended and run again")
    tally.counts[f"{task.name}: the same after {how}"] += 1


def end_once(
    words: tuple[str, ...],
    how: str,
    seconds: float,
    random: Random,
    folder: Path,
    tally: Tally,
    environment: dict[str, str] | None = None,
) -> None:
    """Start a command, and end it within the seconds that it takes. Raises FailureError."""
    whole_group = random.random() < 0.5
    earliest = 0.0
    if how == "SIGINT":
        earliest = seconds * (IMPORTING if any("tools" in word for word in words) else STARTING)
    with Run(words, folder, environment) as run:
        is_late = run.has_ended_after(random.uniform(earliest, seconds))
        run.end(getattr(signal, how), whole_group)
        ended = run.wait()
    tally.counts["ends that came too late" if is_late else f"ends by {how}"] += 1
    if how != "SIGKILL":
        check_told(ended, getattr(signal, how))


def end_any(random: Random, folder: Path, tally: Tally, how: str) -> None:
    """End a task, a server or a compilation. how: the name of a signal. Raises FailureError."""
    ends: list[Callable[..., None]] = [partial(end_and_rerun, task) for task in TASKS]
    ends += [served_game.judge, end_compiling]
    random.choice(ends)(random=random, folder=folder, tally=tally, how=how)


# --- Compiled kernels -------------------------------------------------------------------------------------------------


def _cache_in(folder: Path) -> dict[str, str]:
    return {"NUMBA_CACHE_DIR": str(folder / "cache")}


@cache
def _compiled() -> tuple[Path, float]:
    """A folder with the cache that PERFT needs, which is there as long as this process; the seconds to compile it."""
    folder = tempfile.TemporaryDirectory(prefix="ox88-kills-")
    _kept.enter_context(folder)
    ended = check_count(run_to_end(PERFT, Path(folder.name), _cache_in(Path(folder.name))))
    return Path(folder.name, "cache"), ended.seconds


_kept: Final = contextlib.ExitStack()


def check_count(ended: Ended) -> Ended:
    """Raise FailureError unless a run has counted right."""
    if LEAVES not in _right(ended).said:
        raise FailureError(f"not {LEAVES} leaves: {ended}")
    return ended


def end_compiling(random: Random, folder: Path, tally: Tally, how: str) -> None:
    """End it while it compiles; then the cache serves, and is completed."""
    _, seconds = _compiled()
    for _ in range(random.choice(TIMES)):
        end_once(PERFT, how, seconds, random, folder, tally, _cache_in(folder))
    check_count(run_to_end(PERFT, folder, _cache_in(folder)))
    if check_count(run_to_end(PERFT, folder, _cache_in(folder))).compiled:
        raise FailureError("it compiles again, though the run before was not disturbed")
    tally.counts[f"compiling: right after {how}"] += 1


def damage_cache(random: Random, folder: Path, tally: Tally) -> None:
    """Cut off some files of the cache, let them end in zeros as after a power cut, or turn bits round."""
    shutil.copytree(_compiled()[0], folder / "cache")
    files = sorted(path for path in (folder / "cache").rglob("*.nb?") if path.is_file())
    damage = random.choice((_cut_off, _zero, _turn_bits))
    for path in random.sample(files, random.randint(1, len(files))):
        damage(path, random)
    for _ in range(2):
        check_count(run_to_end(PERFT, folder, _cache_in(folder)))
    tally.counts[f"counts with a damaged cache, {damage.__name__.strip('_').replace('_', ' ')}"] += 1


def _cut_off(path: Path, random: Random) -> None:
    os.truncate(path, random.randrange(path.stat().st_size + 1))


def _zero(path: Path, random: Random) -> None:
    size = path.stat().st_size
    _cut_off(path, random)
    os.truncate(path, size)


def _turn_bits(path: Path, random: Random) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(random.randint(1, 8) if content else 0):
        content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    path.write_bytes(content)


def compile_together(random: Random, folder: Path, tally: Tally) -> None:
    """Some processes start on an empty cache, at nearly the same time."""
    with contextlib.ExitStack() as stack:
        runs = []
        for _ in range(TOGETHER):
            runs.append(stack.enter_context(Run(PERFT, folder, _cache_in(folder))))
            runs[-1].has_ended_after(random.uniform(0, 0.2))
        for run in runs:
            check_count(run.wait())
    tally.counts[f"times that {TOGETHER} processes shared an empty cache"] += 1


def no_home(random: Random, folder: Path, tally: Tally) -> None:
    """The home folder cannot be written to, and has no cache."""
    home, temporary = folder / "home", folder / "tmp"
    for path in (home, temporary):
        path.mkdir()
    home.chmod(0o500)
    if os.access(home, os.W_OK):  # Nothing is read-only for root; a path below a file is.
        home = home / "file"
        home.touch()
        home = home / "home"
    names = ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "NUMBA_CACHE_DIR")
    environment = {**dict.fromkeys(names, str(home)), "TMPDIR": str(temporary)}
    if random.random() < 0.5:
        del environment["NUMBA_CACHE_DIR"]
    if random.random() < 0.5:
        for _ in range(2):
            check_count(run_to_end(PERFT, folder, environment))
        tally.counts["counts without a home"] += 1
        return
    if random.random() < SERVED:
        served_game.judge(random, folder, tally, "SIGKILL", partial(serving, environment=environment))
        tally.counts["servers without a home"] += 1
        return
    task, own = random.choice(TASKS), folder / "own"
    expected = undisturbed(task)
    own.mkdir()
    task.prepare(own)
    _right(run_to_end(task.words, own, environment))
    _same(task.results(own), expected.results, "without a home")
    tally.counts["other commands without a home"] += 1


# --- A system that is short of something ------------------------------------------------------------------------------


def little_memory(random: Random, folder: Path, tally: Tally) -> None:
    """A limit of the address space: the task works, or says why not, and works when the limit is gone.

    The tools of the repository do not look at the limit before they import LLVM.
    """
    task, own = random.choice(OX88_TASKS), folder / "own"
    if random.random() < SERVED:
        limit = _limit(_between(LITTLE_MEMORY, random))
        served_game.judge(random, folder, tally, "SIGKILL", partial(serving, prefix=limit))
        tally.counts["servers with little memory"] += 1
        return
    kilobytes = _between(TOO_LITTLE_MEMORY if random.random() < 0.1 else LITTLE_MEMORY, random)
    environment = _cache_in(folder) if random.random() < 0.25 else None  # Compiling takes more than anything else.
    expected = undisturbed(task)
    own.mkdir()
    task.prepare(own)
    limited = run_to_end((*_limit(kilobytes), *task.words), own, environment)
    if limited.code:
        check_told_why(limited)
    _right(run_to_end(task.words, own, environment))
    _same(task.results(own), expected.results, f"after a run with {kilobytes} kB of memory")
    tally.counts[f"runs with little memory that {'were refused' if limited.code else 'worked'}"] += 1


def _between(bounds: tuple[int, int], random: Random) -> int:
    """A random number, whose logarithm is anywhere between those of the bounds with the same chance."""
    least, most = bounds
    return round(least * math.pow(most / least, random.random()))


def _limit(kilobytes: int) -> tuple[str, ...]:
    """What runs Python, with the arguments after it, with so many addresses."""
    return ("sh", "-c", 'ulimit -v $0; exec "$@"', str(kilobytes), sys.executable, "-P")


# Mounts a disk of the given size at `disk`, runs a command there, makes the disk larger and runs the command again.
_ON_SMALL_DISK: Final = """
set -e
mount -t tmpfs -o size=$0k tmpfs disk
cp -p games.pgn disk
cd disk
code=0
"$@" > ../said 2> ../errors || code=$?
echo $code > ../code
mount -o remount,size=64m .
"$@"
cp -r . ../result
"""


def full_disk(random: Random, folder: Path, tally: Tally) -> None:
    """A disk that is too small for the output: the task says so, and goes on when there is room.

    On a disk that is too small for the cache of the kernels, the count is right all the same.
    """
    unshare = _unshare()
    if unshare is None:
        tally.counts["full disks that could not be had"] += 1
        return
    kilobytes, disk = _between(SMALL_DISK, random), folder / "disk"
    disk.mkdir()
    mounted = (*unshare, "sh", "-c", _ON_SMALL_DISK, str(kilobytes), sys.executable, "-P")
    if random.random() < 0.25:
        (folder / GAMES).touch()
        check_count(run_to_end((*mounted, *PERFT), folder, _cache_in(disk)))
        if (folder / "code").read_text() != "0\n" or LEAVES not in (folder / "said").read_text():
            raise FailureError(f"no count with a cache on a full disk: {(folder / 'errors').read_text()}")
        tally.counts["counts with a cache on a small disk"] += 1
        return
    task = random.choice(TASKS)
    expected = undisturbed(task)
    task.prepare(folder)
    rerun = _right(run_to_end((*mounted, *task.words), folder))
    code, said, errors = ((folder / name).read_text() for name in ("code", "said", "errors"))
    if int(code):
        check_told_why(Ended(int(code), said, but_compiling(errors), False, rerun.seconds))
    _same(task.results(folder / "result"), expected.results, f"after a disk of {kilobytes} kB was full")
    tally.counts[f"disks that {'were too small' if int(code) else 'were large enough'}"] += 1


@cache
def _unshare() -> tuple[str, ...] | None:
    """What runs a command that may mount disks for itself alone; None where that is not allowed."""
    for words in (("unshare", "-rm"), ("unshare", "-m")):
        with contextlib.suppress(OSError), tempfile.TemporaryDirectory(prefix="ox88-kills-") as folder:
            test = (*words, "mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", folder)
            if run_to_end(test, Path(folder)).code == 0:
                return words
    return None


def check_told_why(ended: Ended) -> None:
    """Raise FailureError if a run has failed without a message for people."""
    if ended.code < 0 or not ended.errors.strip() or "Traceback" in ended.errors:
        raise FailureError(f"it does not say what is wrong: {ended}")


# --- The world around it ----------------------------------------------------------------------------------------------


def lose_worker(random: Random, folder: Path, tally: Tally) -> None:
    """Kill a worker of a cluster: the others do its work, and the results are the same."""
    expected = undisturbed(ANALYSE)
    (folder / "own").mkdir()
    ANALYSE.prepare(folder / "own")
    with start_cluster(folder) as cluster, Run(analysis_on(cluster.address), folder / "own") as run:
        run.has_ended_after(random.uniform(0, expected.seconds))
        random.choice(cluster.workers).kill()
        _right(run.wait())
    _same(ANALYSE.results(folder / "own"), expected.results, "after a worker was lost")
    tally.counts["workers of a cluster that were lost"] += 1


def move_clock(random: Random, folder: Path, tally: Tally) -> None:
    """Let the clock jump, as when it is set or the summer ends, and the results are the same."""
    library = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))), None)
    if library is None:
        tally.counts["clocks that could not be moved"] += 1
        return
    task, moved = random.choice(TASKS), folder / "moved"
    expected = undisturbed(task)
    (folder / "own").mkdir()
    task.prepare(folder / "own")
    moved.write_text("+0\n")
    environment = {
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(moved),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    with Run(task.words, folder / "own", environment) as run:
        while not run.has_ended_after(random.uniform(0, expected.seconds / 2)):
            moved.write_text(f"{random.choice((-86400, -3600, -1, 1, 3600, 86400)):+d}\n")
            tally.counts["jumps of the clock"] += 1
        _right(run.wait())
    _same(task.results(folder / "own"), expected.results, "after the clock had jumped")


# --- Comparisons ------------------------------------------------------------------------------------------------------


def _right(ended: Ended) -> Ended:
    if ended.code:
        raise FailureError(f"a run that nothing disturbs fails: {ended}")
    return ended


def _same(found: dict[str, bytes], expected: dict[str, bytes], when: str) -> None:
    """Raise FailureError if files are missing, have come or have changed."""
    if found.keys() != expected.keys():
        raise FailureError(f"the files {when}: {sorted(found)}, expected {sorted(expected)}")
    for name, content in expected.items():
        if found[name] != content:
            pairs = enumerate(zip(found[name], content, strict=False))
            place = next((place for place, (own, other) in pairs if own != other), min(len(found[name]), len(content)))
            shown = (text[place : place + _SHOWN] for text in (found[name], content))
            raise FailureError("{} {}, from byte {}:\n{!r}\nexpected\n{!r}".format(name, when, place, *shown))


# --- Which case does what ---------------------------------------------------------------------------------------------

KILLS: Final[tuple[Kind, ...]] = (
    *(partial(end_and_rerun, task, how="SIGKILL") for task in TASKS),
    partial(served_game.judge, how="SIGKILL"),
    partial(end_compiling, how="SIGKILL"),
)
OTHERS: Final[tuple[Kind, ...]] = (
    partial(end_any, how="SIGTERM"),
    partial(end_any, how="SIGINT"),
    damage_cache,
    compile_together,
    no_home,
    little_memory,
    full_disk,
    served_game.leave_page,
    lose_worker,
    move_clock,
)
