"""Sessions: which puzzle comes when, what answers are worth, and that none is lost."""

import datetime
import itertools
import json
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from ox88.apps.puzzles.puzzle import Puzzle
from ox88.apps.store import Store
from ox88.apps.train.grading import Grade, Rating
from ox88.apps.train.records import Records
from ox88.apps.train.sessions import Drill, Trainer
from ox88.errors import Ox88Error
from ox88.rules import MoveError
from tests.apps.train.conftest import DAY, FORK, NOON, SOLUTION, Clock, Solve, named


def keys_of(trainer: Trainer, solve: Solve, how: str = "good") -> list[str]:
    """The puzzles of the session in their order, each answered."""
    keys = []
    while trainer.drill is not None:
        keys.append(solve(how))
    return keys


# --- A puzzle ---------------------------------------------------------------------------------------------------------


def test_the_solution_is_played_against_its_replies() -> None:
    drill = Drill(FORK, "mistake", False)
    with pytest.raises(MoveError, match="Ke2"):  # An illegal move is no try.
        drill.play("Ke2")
    assert not drill.is_missed
    assert [drill.play("Qa5"), drill.play(SOLUTION[0]), drill.play(SOLUTION[1])] == ["wrong", "right", "solved"]
    assert [move.uci() for move in drill.board.move_stack] == list(FORK.moves)
    assert (drill.is_over, drill.grade) == (True, "hard")
    drill = Drill(FORK, "mistake", False, ["c7a5"])
    assert [drill.play(SOLUTION[0]), drill.play("Qa5")] == ["right", "wrong"]  # It is as good as the first move only.


@pytest.mark.parametrize(("move", "verdict"), [("Ra8", "solved"), ("Rb8", "solved"), ("Rb1", "wrong")])
def test_any_mate_is_right(move: str, verdict: str) -> None:
    mates = Puzzle("mates", "6k1/1R3ppp/R7/3p4/8/8/8/6K1 b - - 0 1", ("d5d4", "a6a8"), 600, ("mateIn1",))
    assert Drill(mates, "open", False).play(move) == verdict


# --- Due cards --------------------------------------------------------------------------------------------------------


def test_what_is_missed_is_due_tomorrow(trainer: Trainer, solve: Solve, clock: Clock) -> None:
    trainer.records.keep([named("a"), named("b")])
    trainer.begin("mistakes")
    assert (solve("retried"), solve("good")) == ("a", "b")
    assert trainer.going_on().is_over
    with pytest.raises(Ox88Error, match="no mistake is due, and there are no new ones"):
        trainer.begin("mistakes")
    clock.pass_days(1)
    trainer.begin("mistakes")
    assert trainer.drill is not None
    assert trainer.drill.comes_back
    assert keys_of(trainer, solve) == ["a"]
    clock.pass_days(1)
    trainer.begin("mistakes")
    assert keys_of(trainer, solve) == ["b"]


def test_what_is_due_tonight_can_be_trained_this_morning(trainer: Trainer, solve: Solve, clock: Clock) -> None:
    midnight = datetime.datetime.combine(datetime.date.fromtimestamp(NOON), datetime.time()).timestamp()
    trainer.records.keep([named("a")])
    clock.now = midnight + 0.9 * DAY
    trainer.begin("mistakes")
    solve("shown")
    assert trainer.due_count() == 0
    clock.now = midnight + 1.1 * DAY
    assert trainer.due_count() == 1


def test_due_cards_come_first_the_longest_waiting_one_before_all(trainer: Trainer, solve: Solve, clock: Clock) -> None:
    trainer.records.keep(map(named, "abc"))
    trainer.begin("mistakes")
    for how in ("good", "shown", "hinted"):
        solve(how)
    trainer.records.keep([named("old", NOON + 1), named("new", NOON + 2), named("newer", NOON + 2)])
    clock.pass_days(5)
    trainer.begin("mistakes")
    assert keys_of(trainer, solve) == ["b", "c", "a", "new", "newer", "old"]


def test_a_session_has_ten_puzzles_at_most(trainer: Trainer, solve: Solve) -> None:
    trainer.records.keep(named(str(number)) for number in range(12))
    trainer.begin("mistakes")
    assert len(keys_of(trainer, solve)) == trainer.going_on().length == 10
    trainer.begin("mistakes")
    assert trainer.going_on().length == 2


def test_puzzles_are_trained_by_their_keys_whatever_is_due(trainer: Trainer, solve: Solve) -> None:
    trainer.records.keep(map(named, "abcd"))
    trainer.begin("mistakes", keys=["c", "gone", "a"])
    assert trainer.going_on().length == 2
    assert keys_of(trainer, solve) == ["c", "a"]
    trainer.begin("mistakes", keys=["a"])
    assert keys_of(trainer, solve) == ["a"]


# --- What answers are worth -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "grade", "right", "days"),
    [("good", "good", 1, 2), ("hinted", "hard", 0, 1), ("retried", "hard", 0, 1), ("shown", "again", 0, 1),
     ("missed", "again", 0, 1)],
)  # fmt: skip
def test_grades(trainer: Trainer, solve: Solve, how: str, grade: str, right: int, days: int) -> None:
    trainer.records.keep([named("a")])
    trainer.begin("mistakes")
    solve(how)
    (answer,) = trainer.records.answers()
    session = trainer.going_on()
    assert (answer.key, answer.grade, session.right, session.wrong) == ("a", grade, right, 1 - right)
    assert trainer.records.schedule("a") == NOON + days * DAY
    assert answer.change == 0  # One's own mistakes are no opponents.


@pytest.mark.parametrize(("how", "sign"), [("good", 1), ("hinted", 0), ("retried", -1), ("shown", -1)])
def test_a_new_puzzle_of_the_open_set_is_an_opponent(trainer: Trainer, solve: Solve, how: str, sign: int) -> None:
    trainer.begin("open")
    key = solve(how)
    (answer,) = trainer.records.answers()
    assert (answer.change > 0) - (answer.change < 0) == sign
    assert trainer.records.rating().value == 1500 + answer.change
    assert (trainer.records.card(key) is not None) == (how != "good")  # What is solved at once need not come back.


def test_what_comes_back_or_is_rushed_is_no_opponent(trainer: Trainer, solve: Solve, clock: Clock) -> None:
    trainer.begin("open")
    solve("shown")
    before = trainer.records.rating()
    clock.pass_days(1)
    trainer.begin("mistakes")
    solve("good")
    trainer.begin("rush")
    solve("good")
    assert trainer.records.rating() == before


def test_a_puzzle_that_is_over_takes_no_more_moves(trainer: Trainer) -> None:
    trainer.records.keep([named("a"), named("b")])
    with pytest.raises(Ox88Error, match="there is no session"):
        trainer.play("a", "Bf4")
    trainer.begin("mistakes")
    trainer.show("a")
    for act in (trainer.show, trainer.hint, lambda key: trainer.play(key, "Bf4")):
        with pytest.raises(Ox88Error, match="this puzzle is over"):
            act("a")
        with pytest.raises(Ox88Error, match="this puzzle is over"):
            act("b")
    trainer.advance("b")  # Of another page, which is late.
    assert trainer.drill is not None
    assert trainer.drill.puzzle.id == "a"


def test_an_answer_that_cannot_be_saved_is_none(trainer: Trainer, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer.records.keep([named("a")])
    trainer.begin("mistakes")

    def fail(*_: object) -> None:
        raise Ox88Error("the disk is full")

    monkeypatch.setattr(trainer.records, "put", fail)
    for act in (trainer.show, lambda key: trainer.play(key, "a5")):
        with pytest.raises(Ox88Error, match="the disk is full"):
            act("a")
    assert trainer.drill is not None
    assert not trainer.drill.is_over
    assert not trainer.drill.is_missed
    assert (trainer.going_on().wrong, list(trainer.records.answers()), trainer.due_count()) == (0, [], 0)
    monkeypatch.undo()
    trainer.show("a")
    assert trainer.going_on().wrong == 1


# --- The open set -----------------------------------------------------------------------------------------------------


def test_nothing_is_shown_again_soon(trainer: Trainer, solve: Solve, clock: Clock) -> None:
    trainer.begin("open", length=100)
    shown = keys_of(trainer, solve)
    assert len(shown) == len(set(shown)) > 2
    trainer.begin("open", length=100)
    assert not set(shown) & set(keys_of(trainer, solve))
    clock.pass_days(91)
    trainer.begin("open")
    assert trainer.drill is not None


def test_what_is_left_without_a_move_is_not_shown_again_either(trainer: Trainer, solve: Solve) -> None:
    trainer.begin("open", length=100)
    left = keys_of(trainer, solve, "left")
    assert len(left) == len(set(left)) == 100
    assert list(trainer.records.answers()) == []


@pytest.mark.parametrize("rating", [900, 2100])
def test_puzzles_are_near_the_rating(trainer: Trainer, monkeypatch: pytest.MonkeyPatch, rating: int) -> None:
    monkeypatch.setattr(trainer.records, "rating", lambda: Rating(rating))
    trainer.begin("open", length=5)
    for puzzle in puzzles_of(trainer):
        assert abs(puzzle.rating - rating) < 100


def test_a_rush_gets_harder(trainer: Trainer) -> None:
    trainer.begin("rush")
    ratings = [puzzle.rating for puzzle in itertools.islice(puzzles_of(trainer), 40)]
    for number, rating in enumerate(ratings):
        assert abs(rating - (600 + 40 * number)) < 100


def puzzles_of(trainer: Trainer) -> Iterator[Puzzle]:
    """The puzzles of the session, each of them solved."""
    while (drill := trainer.drill) is not None:
        yield drill.puzzle
        while not drill.is_over:
            _, drill = trainer.play(drill.puzzle.id, drill.expected.uci())
        trainer.advance(drill.puzzle.id)


def test_a_theme(trainer: Trainer) -> None:
    trainer.begin("theme", "pin")
    assert trainer.drill is not None
    assert "pin" in trainer.drill.puzzle.themes
    with pytest.raises(Ox88Error, match="no puzzles of the theme 'spoon'"):
        trainer.begin("theme", "spoon")


def test_a_rush_ends_with_the_third_error(trainer: Trainer, solve: Solve) -> None:
    trainer.begin("rush")
    for how in ("missed", "good", "missed", "missed"):
        solve(how)
    session = trainer.going_on()
    assert (session.right, session.wrong, session.is_over, trainer.drill) == (1, 3, True, None)


def test_a_rush_ends_after_three_minutes(trainer: Trainer, clock: Clock) -> None:
    trainer.begin("rush")
    drill = trainer.drill
    assert drill is not None
    clock.now += 179.9
    trainer.advance()
    assert trainer.drill is drill
    clock.now += 0.2
    with pytest.raises(Ox88Error, match="the time of the rush is over"):
        trainer.play(drill.puzzle.id, drill.expected.uci())
    trainer.advance()
    assert trainer.going_on().is_over
    assert list(trainer.records.answers()) == []


# --- Statistics -------------------------------------------------------------------------------------------------------


def test_statistics(trainer: Trainer, solve: Solve, clock: Clock) -> None:
    trainer.records.keep(map(named, "abcd"))
    for how in ("good", "shown", "hinted"):
        trainer.begin("mistakes", length=1)
        solve(how)
    found = trainer.records.statistics(clock())
    assert found == {
        "days": [0, 2, 1] + 11 * [0],
        "fresh": 1,
        "today": 3,
        "streak": 1,
        "best": 0,
        "ratings": [{"day": datetime.date.fromtimestamp(NOON).isoformat(), "rating": 1500}],
        "themes": [{"theme": theme, "seen": 3, "right": 1} for theme in ("pin", "short")],
    }


@pytest.mark.parametrize(("days", "streak"), [([0], 1), ([-1], 1), ([-2], 0), ([-3, -2, -1], 3), ([-3, -1, 0], 2)])
def test_a_streak_is_kept_until_the_day_is_over(
    trainer: Trainer, solve: Solve, clock: Clock, days: list[int], streak: int
) -> None:
    trainer.records.keep([named("a")])
    for day in days:
        clock.now = NOON + day * DAY
        trainer.begin("mistakes", keys=["a"])
        solve()
    assert trainer.records.statistics(NOON)["streak"] == streak


# --- Nothing is lost --------------------------------------------------------------------------------------------------


def test_two_programs_with_one_store_lose_no_answer(trainer: Trainer, tmp_path: Path) -> None:
    """The two programs even ask for one puzzle at a time together."""
    trainer.records.keep([named("a"), named("b")])
    with Store(tmp_path / "games.sqlite3") as other_store:
        other = Trainer(other_store, Clock(), random.Random(2))
        for each in (trainer, other):
            each.begin("mistakes")
        trainer.show("a")
        other.play("a", "a5")
        trainer.advance("a")
        for move in SOLUTION:
            other.play("a", move)
        other.advance("a")
        trainer.show("b")
        assert [(answer.key, answer.grade) for answer in trainer.records.answers()] == [
            ("a", "again"), ("a", "hard"), ("b", "again"),
        ]  # fmt: skip
        assert other.records.due(NOON + 3 * DAY) == ["a", "b"]


def stand(trainer: Trainer) -> tuple[str, list[Grade], list[float | None]]:
    """Where a session stands."""
    session, drill = trainer.going_on(), trainer.drill
    assert drill is not None
    outcomes = session.outcomes.values()
    return json.dumps([session.save(), drill.save()]), session.grades, [outcome.due for outcome in outcomes]


@pytest.mark.parametrize(
    ("how", "grade"),
    [("nothing", "good"), ("wrong", "hard"), ("hint", "hard"), ("right", "good"), ("solution", "again")],
)
def test_a_session_goes_on_in_another_program(
    trainer: Trainer, solve: Solve, clock: Clock, how: str, grade: str
) -> None:
    """It stands where it stood, and an answer counts once."""
    trainer.records.keep(map(named, "ab"))
    trainer.begin("mistakes")
    solve("shown")
    match how:
        case "wrong":
            trainer.play("b", "a5")
        case "hint":
            trainer.hint("b")
        case "right":
            trainer.play("b", SOLUTION[0])
        case "solution":
            trainer.show("b")
    other = Trainer(trainer.records.store, clock)
    assert other.goes_on()
    assert stand(other) == stand(trainer)
    while other.drill is not None and not other.drill.is_over:
        other.play("b", str(other.drill.expected))
    assert [answer.grade for answer in other.records.answers("b")] == [grade]
    other.advance("b")
    assert not Trainer(trainer.records.store, clock).goes_on()


def test_what_does_not_go_on(trainer: Trainer, clock: Clock) -> None:
    def goes_on(seconds: float = 0) -> bool:
        later = Clock()
        later.now = clock.now + seconds
        return Trainer(trainer.records.store, later).goes_on()

    trainer.records.keep([named("a")])
    trainer.begin("rush")
    assert (goes_on(179), goes_on(180)) == (True, False)
    clock.now += 180
    assert not trainer.goes_on()  # Nor where it was begun, if nobody has looked since.
    clock.now -= 180
    trainer.begin("mistakes")
    assert (goes_on(), goes_on(DAY)) == (True, False)  # Tomorrow other puzzles may be due.
    trainer.records.store.execute("UPDATE sessions SET data = json_set(data, '$.session.colour', 1)")
    assert not goes_on()  # It is of a later version.


def test_of_two_sessions_the_last_one_goes_on(trainer: Trainer, clock: Clock) -> None:
    """The end of one does not end the other. A new one takes the place of all."""
    trainer.records.keep([named("a"), named("b")])
    store = trainer.records.store
    trainer.begin("mistakes", length=1)
    other = Trainer(store, clock)
    other.begin("open")
    clock.now += 1
    trainer.show("a")
    assert Trainer(store, clock).going_on().what == "mistakes"
    trainer.advance("a")
    assert Trainer(store, clock).going_on().what == "open"
    trainer.begin("mistakes")
    trainer.show("b")
    trainer.advance("b")
    assert not Trainer(store, clock).goes_on()


def test_what_a_later_version_has_kept_is_said_to_be_so(trainer: Trainer, store: Store) -> None:
    store.execute("INSERT INTO cards VALUES ('x', 1, NULL, '{\"colour\": 1}')")
    with pytest.raises(Ox88Error, match="perhaps since it is of a later version"):
        trainer.begin("mistakes")


def test_an_old_store_gets_what_is_new(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite3"
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE games (id TEXT PRIMARY KEY, changed REAL NOT NULL, data TEXT NOT NULL)")
    file.close()
    with Store(path) as store:
        assert list(Records(store).cards()) == []
