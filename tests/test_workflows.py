"""What GitHub reads: workflows, issue templates, updates; and the files about the project that name its version."""

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from scripts import __main__ as scripts
from tests.conftest import missing
from tests.test_scripts import FOLDER, ROOT, pythons

GITHUB: Final = ROOT / ".github"
WORKFLOWS: Final = sorted((GITHUB / "workflows").iterdir())
TEMPLATES: Final = sorted((GITHUB / "ISSUE_TEMPLATE").iterdir())
VERSION: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

Said = dict[Any, Any]


def read(path: Path) -> Said:
    said: Said = yaml.safe_load(path.read_text(encoding="utf-8"))
    return said


def jobs(path: Path) -> Said:
    found: Said = read(path)["jobs"]
    return found


def steps(path: Path) -> list[Said]:
    return [step for job in jobs(path).values() for step in job["steps"]]


by_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)


@by_workflow
def test_actions_are_pinned_to_commits(path: Path) -> None:
    """With the version as a comment, so that updates are seen. The same action has the same commit everywhere."""
    lines = re.findall(r"uses: .*", path.read_text(encoding="utf-8"))
    assert len(lines) == sum("uses" in step for step in steps(path))
    for line in lines:
        assert re.fullmatch(r"uses: [\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", line)
    everywhere = {line for other in WORKFLOWS for line in re.findall(r"uses: .*", other.read_text(encoding="utf-8"))}
    assert len({line.partition("@")[0] for line in everywhere}) == len(everywhere)


@by_workflow
def test_jobs_may_do_no_more_than_they_need(path: Path) -> None:
    allowed = [read(path)["permissions"], *(job.get("permissions", {}) for job in jobs(path).values())]
    assert all(allowed_here in ({}, {"contents": "read"}, {"id-token": "write"}) for allowed_here in allowed)
    for step in steps(path):
        if "actions/checkout" in step.get("uses", ""):
            assert step["with"] == {"persist-credentials": False}


@by_workflow
def test_jobs_end(path: Path) -> None:
    assert all(0 < job["timeout-minutes"] <= 150 for job in jobs(path).values())


@by_workflow
def test_commands_exist(path: Path) -> None:
    commands = [line for step in steps(path) for line in step.get("run", "").splitlines()]
    assert commands
    for command in commands:
        assert "${{" not in command  # Text of others would become a part of the command.
        match command.split():
            case ["python", "-m", "scripts", name, *_]:
                assert (FOLDER / name).is_file()
            case ["python", "-m", module, *_] if module.startswith("tools."):
                assert (ROOT / f"{module.replace('.', '/')}.py").is_file()
            case ["python", "-m", module, *_]:
                assert module in ("pip", "build", "pipx", "uv")
            case [program, *_] if "/" in program:
                assert (ROOT / program).is_file()
            case [program, *_]:
                assert program in ("test", "cmp")


@by_workflow
def test_every_supported_python_is_named(path: Path) -> None:
    named = [job.get("strategy", {}).get("matrix", {}) for job in jobs(path).values()]
    matrices = [matrix for matrix in named if matrix]
    assert matrices
    for matrix in matrices:
        assert matrix["system"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
        assert matrix["python"] in (pythons(), [pythons()[0], pythons()[-1]])
    for step in steps(path):
        if "setup-python" in step.get("uses", ""):
            assert step["with"]["python-version"] in (*pythons(), "${{ matrix.python }}")


def test_the_tests_run_on_every_system_and_python_by_the_command_that_people_use() -> None:
    job = jobs(GITHUB / "workflows" / "ci.yml")["tests"]
    assert job["strategy"]["matrix"]["python"] == pythons()
    assert job["runs-on"] == "${{ matrix.system }}"
    assert job["steps"][-1]["run"] == "python -m scripts test"
    assert "\nscripts/test\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_lowest_versions_are_tried_with_the_oldest_python() -> None:
    assert pythons()[0] == scripts.OLDEST
    assert "\nscripts/lowest\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert jobs(GITHUB / "workflows" / "ci.yml")["everything"]["steps"][-1] == {"run": ".ci/run"}


def test_what_is_missing_fails_where_everything_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    setting, _, commands = (ROOT / ".ci" / "run").read_text(encoding="utf-8").partition("scripts/test")
    assert "\nexport OX88_NO_SKIP=1 " in setting
    assert "pytest" in commands
    for must_run, outcome in ((True, pytest.fail.Exception), (False, pytest.skip.Exception)):
        monkeypatch.setattr("tests.conftest.MUST_RUN", must_run)
        with pytest.raises(outcome, match="no npm"):
            missing("no npm")


def test_a_tag_publishes_what_was_tried() -> None:
    path = GITHUB / "workflows" / "release.yml"
    assert read(path)[True] == {"push": {"tags": ["v*"]}}  # YAML takes `on` for true.
    publish = jobs(path)["publish"]
    assert publish["needs"] == ["build", "installed"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["environment"] == "pypi"
    assert [step["uses"].partition("@")[0] for step in publish["steps"]] == [
        "actions/download-artifact",
        "pypa/gh-action-pypi-publish",
    ]
    assert all(step["env"] == {"OX88_BOARD": "1"} for step in steps(path) if "-m build" in step.get("run", ""))


@pytest.mark.parametrize("path", [path for path in TEMPLATES if path.stem != "config"], ids=lambda path: path.stem)
def test_issue_templates_are_forms(path: Path) -> None:
    form = read(path)
    assert form.keys() == {"name", "description", "labels", "body"}
    questions = [part for part in form["body"] if part["type"] != "markdown"]
    assert len({part["id"] for part in questions}) == len(questions) >= 3
    assert any(part.get("validations", {}).get("required") for part in questions)
    for part in form["body"]:
        assert part.keys() <= {"type", "id", "attributes", "validations"}
        assert part["type"] in ("markdown", "textarea")
        assert part["attributes"].get("value" if part["type"] == "markdown" else "label")


def test_updates_are_looked_for_where_something_is_pinned() -> None:
    said = read(GITHUB / "dependabot.yml")
    assert said["version"] == 2
    folders = {
        update["package-ecosystem"]: update.get("directories") or update["directory"] for update in said["updates"]
    }
    npm = ["/src/ox88/apps/web/npm", "/scripts/javascript"]
    assert folders == {"github-actions": "/", "pip": "/", "npm": npm}
    assert all((ROOT / folder[1:] / "package-lock.json").is_file() for folder in npm)


def test_the_files_about_the_project_name_the_version() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert citation["version"] == VERSION
    assert citation["license"] == "GPL-3.0-or-later"
    assert citation.keys() >= {"cff-version", "message", "title", "authors"}
    headings = re.findall(r"^## (.*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert all(
        re.fullmatch(r"\[[^\]]+\] - \d{4}-\d\d-\d\d", heading) for heading in headings if heading != "[Unreleased]"
    )
    versions = [heading.split("]")[0][1:] for heading in headings]
    assert VERSION in versions[:2]  # Above it stands at most what is not released.
    assert versions[0] in (VERSION, "Unreleased")
