"""The results of solving: totals by suite and theme, as a table and as data for JSON."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from rich import box
from rich.table import Table
from rich.text import Text

from ox88.apps.epd.solving import Answer
from ox88.apps.epd.suite import Case
from ox88.apps.streams import SHOWN_REPORTS
from ox88.convert import to_chess_board, to_chess_move
from ox88.engines.base import Score
from ox88.types import format_uci

_COLUMNS: Final = ("tried", "solved", "%", "points", "of", "%")


@dataclass(slots=True)
class CaseTotals:
    """Totals of some cases. most_points: the points that the cases tried so far can give."""

    name: str
    positions: int
    tried: int = 0
    solved: int = 0
    points: int = 0
    most_points: int = 0
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
        return asdict(self) | {"seconds": round(self.seconds, 3)}


class Results:
    """The answers so far, and their totals. Themes have totals of their own in suites with points."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = cases
        self.answers: list[Answer] = []
        self.total = CaseTotals("total", len(cases))
        self.suites: dict[str, CaseTotals] = {}
        self.themes: dict[tuple[str, str], CaseTotals] = {}
        self.has_points = any(case.points for case in cases)
        for suite in dict.fromkeys(case.suite for case in cases):
            own = [case for case in cases if case.suite == suite]
            self.suites[suite] = CaseTotals(suite, len(own))
            counts = Counter(case.theme for case in own)
            if any(case.points for case in own) and len(counts) > 1:
                for theme, count in counts.items():
                    self.themes[suite, theme] = CaseTotals(theme or "-", count)

    def add(self, answer: Answer) -> None:
        self.answers.append(answer)
        suite, theme = answer.case.suite, self.themes.get((answer.case.suite, answer.case.theme))
        for totals in (self.total, self.suites[suite], theme):
            if totals is not None:
                totals.add(answer)

    def in_order(self) -> list[Answer]:
        """The answers in the order of the cases."""
        order = {(case.suite, case.line): number for number, case in enumerate(self.cases)}
        return sorted(self.answers, key=lambda answer: order[answer.case.suite, answer.case.line])

    def unsolved(self) -> str:
        """The positions that were not solved, a line each with the move and the solution; empty if there are none."""
        answers = [answer for answer in self.in_order() if not (answer.is_solved or answer.error)]
        lines = [_unsolved_line(answer, len(self.suites) > 1) for answer in answers[:SHOWN_REPORTS]]
        if len(answers) > SHOWN_REPORTS:
            lines.append(f"... and {len(answers) - SHOWN_REPORTS:,} more; --json has all of them")
        return "\n".join(["Not solved:", *(f"  {line}" for line in lines)]) + "\n" if answers else ""

    def as_data(self) -> dict[str, Any]:
        return {
            "total": self.total.as_data(),
            "suites": [totals.as_data() for totals in self.suites.values()],
            "themes": [{"suite": suite} | totals.as_data() for (suite, _), totals in self.themes.items()],
            "positions": [answer_data(answer) for answer in self.in_order()],
        }

    def table(self) -> Table:
        """A row for each suite and theme, and their total if there are several suites."""
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("suite", overflow="fold")
        for name in _COLUMNS if self.has_points else _COLUMNS[:3]:
            table.add_column(name, justify="right", no_wrap=True)
        for suite, totals in self.suites.items():
            table.add_row(*_cells(totals))
            for (owner, _), theme in self.themes.items():
                if owner == suite:
                    table.add_row(*_cells(theme, indent="  "))
        if len(self.suites) > 1:
            table.add_section()
            table.add_row(*_cells(self.total))
        return table


def _cells(totals: CaseTotals, indent: str = "") -> list[str | Text]:
    tried = str(totals.tried) if totals.tried == totals.positions else f"{totals.tried}/{totals.positions}"
    cells: list[str | Text] = [
        Text(indent + totals.name),
        tried,
        str(totals.solved),
        _percent(totals.solved, totals.tried),
    ]
    if totals.most_points:
        cells += [str(totals.points), str(totals.most_points), _percent(totals.points, totals.most_points)]
    return cells


def _unsolved_line(answer: Answer, with_suite: bool) -> str:
    """Such as WAC.002: Kf2 (best: Rxb2)."""
    case = answer.case
    board = to_chess_board(case.setup)

    def san(moves: Iterable[int]) -> str:
        return ", ".join(sorted(board.san(to_chess_move(move, board)) for move in moves))

    best = case.best or [move for move, points in case.points.items() if points == case.most_points]
    solution = f"best: {san(best)}" if best else f"to avoid: {san(case.avoid)}"
    name = f"{case.suite}: {case.name}" if with_suite else case.name
    return f"{name}: {san([answer.move])} ({solution})"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else ""


def answer_data(answer: Answer) -> dict[str, Any]:
    """An answer for JSON: moves in UCI's notation, times in seconds, the score in centipawns or moves to mate."""
    case = answer.case
    chess960 = case.setup.is_chess960()

    def texts(moves: Iterable[int]) -> list[str]:
        return sorted(format_uci(move, chess960) for move in moves)

    return {
        "suite": case.suite,
        "line": case.line,
        "id": case.name,
        "fen": case.fen,
        "best": texts(case.best),
        "avoid": texts(case.avoid),
        "move": None if answer.error else format_uci(answer.move, chess960),
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
