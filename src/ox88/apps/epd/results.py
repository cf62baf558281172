"""What answers come to: sums by suite and theme, and all of it as data for JSON."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ox88.apps.epd.suite import Case, themes
from ox88.apps.epd.trial import Answer
from ox88.engines.base import Score
from ox88.types import to_uci


@dataclass(slots=True)
class Tally:
    """Sums over some of the cases. positions, all_points: what there is; the others: what the answers came to."""

    name: str
    positions: int = 0
    all_points: int = 0
    tried: int = 0
    solved: int = 0
    points: int = 0
    most_points: int = 0  # Of those tried.
    nodes: int = 0
    seconds: float = 0.0

    def add(self, answer: Answer) -> None:
        self.tried += 1
        self.solved += answer.is_solved
        self.points += answer.points
        self.most_points += answer.case.most_points
        self.nodes += answer.nodes
        self.seconds += answer.seconds

    def as_data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "positions": self.positions,
            "tried": self.tried,
            "solved": self.solved,
            "points": self.points,
            "most_points": self.most_points,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
        }


@dataclass(slots=True)
class Results:
    """The answers so far to some cases, with their sums. Themes are told apart in suites with points alone."""

    cases: Sequence[Case]
    answers: list[Answer] = field(default_factory=list)
    total: Tally = field(init=False)
    suites: dict[str, Tally] = field(init=False)
    themes: dict[tuple[str, str], Tally] = field(init=False)

    def __post_init__(self) -> None:
        self.total = _tally("total", self.cases)
        by_suite: dict[str, list[Case]] = {}
        for case in self.cases:
            by_suite.setdefault(case.suite, []).append(case)
        self.suites = {suite: _tally(suite, cases) for suite, cases in by_suite.items()}
        self.themes = {}
        for suite, cases in by_suite.items():
            groups = themes(cases)
            if self.suites[suite].all_points and len(groups) > 1:
                self.themes |= {(suite, theme): _tally(theme or "-", group) for theme, group in groups.items()}

    def add(self, answer: Answer) -> None:
        self.answers.append(answer)
        theme = self.themes.get((answer.case.suite, answer.case.theme))
        for tally in (self.total, self.suites[answer.case.suite], theme):
            if tally is not None:
                tally.add(answer)

    def in_order(self) -> list[Answer]:
        """The answers in the order of the cases."""
        order = {(case.suite, case.line): number for number, case in enumerate(self.cases)}
        return sorted(self.answers, key=lambda answer: order[answer.case.suite, answer.case.line])

    def as_data(self) -> dict[str, Any]:
        return {
            "total": self.total.as_data(),
            "suites": [tally.as_data() for tally in self.suites.values()],
            "themes": [{"suite": suite} | tally.as_data() for (suite, _), tally in self.themes.items()],
            "positions": [answer_data(answer) for answer in self.in_order()],
        }


def _tally(name: str, cases: Iterable[Case]) -> Tally:
    cases = list(cases)
    return Tally(name, positions=len(cases), all_points=sum(case.most_points for case in cases))


def answer_data(answer: Answer) -> dict[str, Any]:
    """An answer for JSON: moves in UCI, times in seconds, the score in centipawns or moves to mate."""
    case = answer.case
    chess960 = case.setup.is_chess960()

    def texts(moves: Iterable[int]) -> list[str]:
        return sorted(to_uci(move, chess960) for move in moves)

    return {
        "suite": case.suite,
        "line": case.line,
        "id": case.name,
        "fen": case.fen,
        "best": texts(case.best),
        "avoid": texts(case.avoid),
        "move": None if answer.error else to_uci(answer.move, chess960),
        "solved": answer.is_solved,
        "points": answer.points,
        "most_points": case.most_points,
        "score": _score_data(answer.score),
        "depth": answer.depth,
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 3),
        "found_after": round(answer.found_after, 3),
        "found_at": answer.found_at,
        "error": answer.error or None,
    }


def _score_data(score: Score | None) -> dict[str, int] | None:
    if score is None:
        return None
    return {"mate": score.mate} if score.mate is not None else {"cp": score.centipawns or 0}
