"""A trainer whose clock the test moves, and puzzles for it."""

import functools
import random
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Final

import pytest

from ox88.apps.puzzles import open_set
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.store import Store
from ox88.apps.train.records import Card
from ox88.apps.train.sessions import Trainer

DAY: Final = 86_400.0
NOON: Final = 1_780_000_000.0  # About noon in the middle of Europe; each test is right in other zones too.
FORK: Final = Puzzle(
    "fork", "rn3rk1/p1q2pp1/3b3p/1B1p4/3P4/5N2/PPPQ2PP/2KR3R w - - 1 16", ("b5a4", "d6f4", "d2f4", "c7f4"), 1000,
    ("pin", "short"), "a game", "c7a5", "Bf4 pins the queen.",
)  # fmt: skip
SOLUTION: Final = ("Bf4", "Qxf4")  # The solver's moves.


class Clock:
    """The time, which tests move."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now

    def pass_days(self, days: float) -> None:
        self.now += days * DAY


def named(name: str, added: float = NOON) -> Card:
    """A mistake with a name of its own."""
    return Card(**asdict(replace(FORK, id=name)), kind="mistake", added=added)


_load = functools.cache(open_set.load)


@pytest.fixture(autouse=True)
def loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The open set is read once for all tests."""
    monkeypatch.setattr(open_set, "load", _load)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def trainer(store: Store, clock: Clock) -> Trainer:
    return Trainer(store, clock, random.Random(1))


Solve = Callable[..., str]


@pytest.fixture
def solve(trainer: Trainer) -> Solve:
    """Answers the current puzzle: `good`, `hinted`, `retried`, `shown`; or `missed` or `left`. Returns its key."""

    def answer(how: str = "good") -> str:
        drill = trainer.drill
        assert drill is not None
        key = drill.puzzle.id
        if how == "hinted":
            trainer.hint(key)
        if how in ("retried", "missed"):
            wrong = next(move for move in drill.board.legal_moves if move != drill.expected)
            assert trainer.play(key, wrong.uci())[0] == "wrong"
        if how == "shown":
            trainer.show(key)
        while how in ("good", "hinted", "retried") and not drill.is_over:
            trainer.play(key, drill.expected.uci())
            assert trainer.drill is not None
            drill = trainer.drill
        trainer.advance(key)
        return key

    return answer
