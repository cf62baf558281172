"""The training as a file, and back."""

import json
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from ox88.apps.store import Store
from ox88.apps.train.exchange import read_training, write_training
from ox88.apps.train.sessions import Trainer
from ox88.errors import Ox88Error
from tests.apps.train.conftest import DAY, NOON, Clock, Solve, named


@pytest.fixture
def file(trainer: Trainer, solve: Solve, clock: Clock) -> str:
    """Two mistakes, one of them answered on two days, a rush, and a puzzle of the open set that was missed."""
    trainer.records.keep([named("a"), named("b")])
    for _ in range(2):
        trainer.begin("mistakes", keys=["a"])
        solve("retried")
        clock.pass_days(1)
    trainer.begin("rush")
    solve("good")
    trainer.begin("open")
    solve("shown")
    assert [card.kind for card in trainer.records.cards()] == ["mistake", "mistake", "open"]
    return write_training(trainer.records)


def copy_of(file: str, path: Path) -> Trainer:
    trainer = Trainer(Store(path), Clock())
    read_training(file, trainer.records)
    return trainer


def test_all_comes_back(file: str, trainer: Trainer, tmp_path: Path) -> None:
    copy = copy_of(file, tmp_path / "copy")
    assert write_training(copy.records) == file
    assert copy.records.rating() == trainer.records.rating()
    for before in (NOON, NOON + 2 * DAY, NOON + 9 * DAY):
        assert copy.records.due(before) == trainer.records.due(before)
    assert copy.records.fresh() == ["b"]
    assert copy.records.best_rush() == 1
    assert read_training(file, copy.records) == (0, 0)  # It is all there already.
    assert write_training(copy.records) == file
    answers_first = copy_of(changed(file, "cards", []), tmp_path / "answers first")
    read_training(file, answers_first.records)
    assert answers_first.records.due(NOON + 9 * DAY) == trainer.records.due(NOON + 9 * DAY)


def test_two_trainings_are_merged(file: str, trainer: Trainer, tmp_path: Path) -> None:
    """Answers on two machines count as if they had been given on one."""
    copy = copy_of(file, tmp_path / "copy")
    copy.records.keep([named("c")])
    for each, days in ((trainer, 9), (copy, 4)):
        each.clock = lambda days=days: NOON + days * DAY  # type: ignore[misc]
        each.begin("mistakes", keys=["a"])
        each.show("a")
    assert read_training(write_training(copy.records), trainer.records) == (1, 1)
    assert read_training(write_training(trainer.records), copy.records) == (0, 1)
    for each in (trainer, copy):
        assert [answer.time for answer in each.records.answers("a")] == [NOON + day * DAY for day in (0, 1, 4, 9)]
        assert each.records.fresh() == ["b", "c"]
    assert trainer.records.due(NOON + 99 * DAY) == copy.records.due(NOON + 99 * DAY)
    assert trainer.records.schedule("a") == copy.records.schedule("a")


def changed(file: str, path: str, value: Any) -> str:
    """The file with another value at a place such as `answers.0.grade`."""
    data = json.loads(file)
    *way, last = path.split(".")
    place = data
    for name in way:
        place = place[int(name) if name.isdigit() else name]
    place[last] = value
    return json.dumps(data)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("format", "ox88 training 2", "a JSON object of the format 'ox88 training 1' is expected"),
        ("cards", {}, "cards is {}: a list is expected"),
        ("answers", None, "answers is missing: a list is expected"),
        ("rushes", [1], "rushes[0] is 1: an object is expected"),
        ("cards.1.fen", "x", "cards[1]: FEN 'x'"),
        ("cards.1.fen", "8/8/8/8/8/8/8/8 w - - 0 1", "cards[1]: "),
        ("cards.0.moves", ["b5a4"], "cards[0]: moves is ['b5a4']: a move of the opponent and its answer are expected"),
        ("cards.0.moves", ["b5a4", "d6f5"], "cards[0]: d6f5"),
        ("cards.0.moves", ["b5a4", "Bf4"], "cards[0]: 'Bf4' is not in UCI: d6f4 is expected"),
        ("cards.0.moves", ["b5a4", "0000"], "cards[0]: 0000"),
        ("cards.0.also", ["c7a5", "a1a1"], "cards[0]: a1a1"),
        ("cards.0.played", "a1a1", "cards[0]: a1a1"),
        ("cards.0.played", "", "cards[0]: '' is not a move"),
        ("cards.2.played", "a1a1", "cards[2]: a1a1"),
        ("cards.0.played", None, "cards[0]: played is missing: a text of at most 40 characters is expected"),
        ("cards.0.kind", "game", "cards[0]: kind is 'game': one of mistake, open is expected"),
        ("cards.0.colour", "x", "cards[0]: 'colour' is not a field of it: one of id, fen"),
        ("cards.0.id", "\ud800", "cards[0]: id is "),
        ("answers.1.grade", "easy", "answers[1]: grade is 'easy': one of good, hard, again is expected"),
        ("answers.1.time", 1e30, "answers[1]: time is 1e+30: a number from 0 to"),
        ("answers.1.rating", float("nan"), "answers[1]: rating is nan: a number from -2000 to 5000 is expected"),
        ("answers.0.deviation", 0, "answers[0]: deviation is 0: a number from 1 to 1000 is expected"),
        ("answers.0.themes", "pin", "answers[0]: themes is 'pin': a list of"),
    ],
)  # fmt: skip
def test_a_file_that_is_refused_adds_nothing(file: str, tmp_path: Path, path: str, value: Any, words: str) -> None:
    trainer = Trainer(Store(tmp_path / "other"), Clock())
    with pytest.raises(Ox88Error) as error:
        read_training(changed(file, path, value), trainer.records)
    assert words in str(error.value)
    assert (
        write_training(trainer.records)
        == '{\n "format": "ox88 training 1",\n "cards": [],\n "answers": [],\n "rushes": []\n}'
    )


@pytest.mark.parametrize(
    "text", ["", "x", "[]", "1", "null", "{}", b"\xff", "[" * 100_000, "9" * 9999, '{"format": 1}']
)
def test_what_is_no_such_file(trainer: Trainer, text: str | bytes) -> None:
    with pytest.raises(Ox88Error, match="this is no training that was exported"):
        read_training(text, trainer.records)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
places = st.sampled_from(
    ["cards", "answers"]
    + [
        f"cards.0.{name}"
        for name in ("id", "fen", "moves", "rating", "themes", "played", "reason", "kind", "added", "also")
    ]
    + [f"answers.1.{name}" for name in ("id", "key", "time", "grade", "themes", "rating", "volatility", "change")]
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(places, values), max_size=2))
def test_any_file_is_read_or_refused(file: str, trainer: Trainer, changes: list[tuple[str, Any]]) -> None:
    """What is read can be trained."""
    for path, value in changes:
        try:
            file = changed(file, path, value)
        except (KeyError, TypeError, IndexError):  # A place that an earlier change has removed.
            continue
    try:
        read_training(file, trainer.records)
    except Ox88Error:
        return
    for key in [*trainer.records.due(1e12), *trainer.records.fresh()]:
        trainer.begin("mistakes", keys=[key])
        trainer.show(key)
    assert read_training(write_training(trainer.records), trainer.records) == (0, 0)
