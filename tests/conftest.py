"""Fixtures for all tests: the data in tests/data, and Ox88 as a process."""

import gc
import importlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn, cast

import hypothesis
import pytest

from ox88.cli import main
from tests.processes import PATIENCE, SLOW_TEST_LIMIT, TEST_LIMIT, but_compiling, end_children

DATA = Path(__file__).parent / "data"
SLOW_FOLDERS: Final = ("browser", "campaigns", "tools")
MUST_RUN: Final = bool(os.environ.get("OX88_NO_SKIP"))  # .ci/run sets it, since it installs all that tests need.

# No time limits, which a busy machine would not keep: neither for a case, nor for making the first ones.
patient = hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow], print_blob=True)
hypothesis.settings.register_profile("ox88", patient, derandomize=True)
hypothesis.settings.register_profile("rounds", patient)
hypothesis.settings.load_profile("ox88")

gc.disable()  # Until all tests are collected, which makes much and hardly any garbage.

# A shell starts background jobs with SIGINT ignored, and children inherit that: tests that send it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    what = "Run each test whose inputs are made by chance so often, each time with others: docs/reliability.md."
    parser.addoption("--rounds", type=int, default=1, metavar="N", help=what)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Each test has a time limit, for tests that hang. A machine with much other work does not reach it."""
    if config.getoption("rounds") > 1:
        hypothesis.settings.load_profile("rounds")
    if config.pluginmanager.has_plugin("timeout"):
        config.option.timeout = config.option.timeout or TEST_LIMIT
    elif MUST_RUN:
        raise pytest.UsageError("pytest-timeout is not installed, by which tests have time limits")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    rounds = metafunc.config.getoption("rounds")
    by_chance = "chance" in metafunc.fixturenames or hypothesis.is_hypothesis_test(metafunc.function)
    if rounds > 1 and by_chance:
        metafunc.fixturenames.append("round")
        metafunc.parametrize("round", range(rounds))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A run without slow tests imports no folder that has only slow tests."""
    is_left_out = config.option.markexpr == "not slow" and collection_path.name in SLOW_FOLDERS
    return True if is_left_out else None


def _round_of(item: pytest.Item) -> int:
    case = getattr(item, "callspec", None)  # None for a test without parameters.
    return case.params.get("round", 0) if case else 0


def pytest_runtest_setup(item: pytest.Item) -> None:
    mark = item.get_closest_marker("posix")
    if mark is not None and os.name != "posix":
        pytest.skip(f"needs POSIX's {mark.args[0]}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests have their first round before any has its second. With a browser, or of tools/, they are slow."""
    items.sort(key=_round_of)
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()) or item.nodeid.startswith("tests/tools/"):
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("slow") and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(SLOW_TEST_LIMIT))


def pytest_collection_finish() -> None:
    """What is there now stays to the end: looking through it again and again would take a tenth of the tests' time."""
    _any_property()
    gc.freeze()
    gc.enable()


@hypothesis.given(hypothesis.strategies.none())
def _any_property(_: None) -> None:
    """With its first property Hypothesis 6.145 and older ask who refers to their generator; `freeze` hides it."""


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_timeout_set_timer(settings: Any) -> Generator[None, Any, Any]:
    """At the limit end all children too, since on its way out the test may wait for them."""
    result = yield
    if settings.method == "signal":
        fail = signal.getsignal(signal.SIGALRM)

        def end_and_fail(number: int, frame: Any) -> None:
            end_children()
            cast(Callable[..., None], fail)(number, frame)

        signal.signal(signal.SIGALRM, end_and_fail)
    return result


def missing(what: str) -> NoReturn:
    """Skip a test for what is missing; where nothing may be missing, the test fails."""
    if MUST_RUN:
        pytest.fail(what)
    pytest.skip(what)


def imported(name: str) -> Any:
    """A library that the dependency group `test` has."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        missing(f"{name} is not installed: pip install --group test")


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


Process = subprocess.CompletedProcess[str]
RunPython = Callable[..., Process]


@pytest.fixture(scope="session")
def run_python() -> RunPython:
    """Run Python in a process of its own: `run_python("-c", code, env={...}, input="...")`."""

    def run(
        *arguments: str, env: Mapping[str, str] | None = None, timeout: float = PATIENCE, **options: Any
    ) -> Process:
        return subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            **options,
        )

    return run


@pytest.fixture(scope="session")
def run_ox88(run_python: RunPython) -> RunPython:
    """Run the command line: `run_ox88("trace", input=fen)`. What the compiler says is left out."""

    def run(*arguments: str, **options: Any) -> Process:
        process = run_python("-m", "ox88", *arguments, **options)
        process.stderr = but_compiling(process.stderr)
        return process

    return run


@pytest.fixture
def call_ox88(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> RunPython:
    """Run the command line in the tests' own process, which is quicker: `call_ox88("perft", "startpos", "3")`."""

    def call(*arguments: object, input: str | bytes = "") -> Process:  # noqa: A002 - As `run_ox88` has it.
        typed = input if isinstance(input, bytes) else input.encode()
        monkeypatch.setattr(sys, "argv", ["ox88", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
        with pytest.raises(SystemExit) as end:
            main()
        captured = capsys.readouterr()
        return Process(sys.argv, int(end.value.code or 0), captured.out, but_compiling(captured.err))

    return call
