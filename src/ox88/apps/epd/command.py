"""`ox88 epd`: suites are read, solved and reported, with totals by suite and theme."""

import contextlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import click
from rich.table import Table
from rich.text import Text

from ox88.apps.epd.solving import Answer, Solver
from ox88.apps.epd.suite import Case, read_suite
from ox88.apps.files import STANDARD_OUTPUT, check_distinct, check_writable, write_json
from ox88.apps.live import LiveView, print_view, results_table
from ox88.apps.streams import SHOWN_REPORTS, Reports
from ox88.convert import to_chess_board, to_chess_move
from ox88.types import format_uci

_COLUMNS: Final = ("tried", "solved", "%", "points", "of", "%")


def solve_suites(paths: Sequence[Path], solver: Solver, json_path: Path | None) -> int:
    """Solve suites, print a table, and write JSON. With JSON on standard output the table goes to stderr.

    Ctrl-C ends it with the results so far. Returns the exit code: 0; 1 if a line could not be used; 130 after Ctrl-C.
    Raises Ox88Error.
    """
    if json_path is not None:
        check_distinct(paths, [json_path])
        check_writable(json_path)
    suites = [read_suite(path) for path in dict.fromkeys(paths)]  # A file that is named twice is one suite.
    bad_lines = [line for _, lines in suites for line in lines]
    _report(bad_lines)
    results, interrupted = Results([case for cases, _ in suites for case in cases]), False
    try:
        with contextlib.closing(solver.solve(results.cases)) as answers, LiveView(results.table):
            for answer in answers:
                results.add(answer)
    except KeyboardInterrupt:
        interrupted = True
    has_json_on_stdout = json_path == STANDARD_OUTPUT
    print_view(results.table(), to_stderr=has_json_on_stdout)
    if unsolved := results.unsolved():
        print_view(Text(unsolved), to_stderr=has_json_on_stdout)
    failed = [answer for answer in results.in_order() if answer.error]
    failures = [f"{answer.case.suite}:{answer.case.line}: {answer.error}" for answer in failed]
    _report(failures)
    if bad_lines or failures:
        click.echo(f"ox88: bad lines: {len(bad_lines)}, positions without a move: {len(failures)}", err=True)
    if json_path is not None:
        limit = {"seconds": solver.limit.time, "depth": solver.limit.depth, "nodes": solver.limit.nodes}
        options = dict(solver.settings)
        settings = {"engine": solver.entry.name, "options": options, "workers": solver.workers, "limit": limit}
        state = {"interrupted": interrupted, "bad_lines": bad_lines}
        write_json(json_path, settings | state | results.as_data())
    return 130 if interrupted else int(bool(bad_lines or failures))


def _report(bad_lines: Sequence[str]) -> None:
    report = Reports()
    for bad_line in bad_lines:
        report(bad_line)
    report.close()


# --- Totals -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class CaseTotals:
    """Totals of some cases. most_points: the points that the cases tried so far can give."""

    name: str
    positions: int = 0
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

    def cells(self, indent: str = "") -> list[str | Text]:
        tried = str(self.tried) if self.tried == self.positions else f"{self.tried}/{self.positions}"
        cells: list[str | Text] = [Text(indent + self.name), tried, str(self.solved), _percent(self.solved, self.tried)]
        if self.most_points:
            cells += [str(self.points), str(self.most_points), _percent(self.points, self.most_points)]
        return cells


class Results:
    """The answers so far, and their totals.

    total: of all cases. suites: by name. themes: by suite and name, in suites with points and several themes.
    """

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = cases
        self.answers: list[Answer] = []
        self.total = CaseTotals("total")
        self.suites = {case.suite: CaseTotals(case.suite) for case in cases}
        themes = {(case.suite, case.theme): CaseTotals(case.theme or "-") for case in cases}
        with_points = {case.suite for case in cases if case.points}
        counts = Counter(suite for suite, _ in themes if suite in with_points)
        self.themes = {(suite, theme): totals for (suite, theme), totals in themes.items() if counts[suite] > 1}
        for case in cases:
            for totals in self._totals_of(case):
                totals.positions += 1

    def _totals_of(self, case: Case) -> list[CaseTotals]:
        theme = self.themes.get((case.suite, case.theme))
        return [self.total, self.suites[case.suite], *([theme] if theme else [])]

    def add(self, answer: Answer) -> None:
        self.answers.append(answer)
        for totals in self._totals_of(answer.case):
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
        return "\n  ".join(["Not solved:", *lines]) + "\n" if answers else ""

    def as_data(self) -> dict[str, Any]:
        return {
            "total": self.total.as_data(),
            "suites": [totals.as_data() for totals in self.suites.values()],
            "themes": [{"suite": suite} | totals.as_data() for (suite, _), totals in self.themes.items()],
            "positions": [answer_data(answer) for answer in self.in_order()],
        }

    def table(self) -> Table:
        """A row for each suite and theme, and their total if there are several suites."""
        has_points = any(case.points for case in self.cases)
        table = results_table("suite", *(_COLUMNS if has_points else _COLUMNS[:3]))
        for suite, totals in self.suites.items():
            table.add_row(*totals.cells())
            for (owner, _), theme in self.themes.items():
                if owner == suite:
                    table.add_row(*theme.cells("  "))
        if len(self.suites) > 1:
            table.add_section()
            table.add_row(*self.total.cells())
        return table


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
    case, score = answer.case, answer.score
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
        "score": score and ({"cp": score.centipawns or 0} if score.mate is None else {"mate": score.mate}),
        "depth": answer.depth,
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 3),
        "found_after": round(answer.found_after, 3),
        "found_at": answer.found_at,
        "error": answer.error or None,
    }
