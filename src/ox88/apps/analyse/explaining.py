"""Why the errors of a game are errors."""

from collections.abc import Callable, Sequence

from ox88.apps.analyse.parsing import ParsedGame
from ox88.apps.analyse.recording import assess_game
from ox88.apps.analyse.search import PositionAnalysis
from ox88.apps.reasons.reason import Reason, explain_move
from ox88.apps.reasons.searching import Search


def explain_errors(
    search: Search,
    parsed: ParsedGame,
    positions: Sequence[PositionAnalysis],
    is_stopped: Callable[[], bool] = lambda: False,
) -> dict[int, Reason]:
    """The reasons that are sure, by the number of the move from 0. Searches at most twice for an error."""
    board, reasons = parsed.last_board(), {}
    judgements = assess_game(parsed, positions).judgements
    for number in reversed(range(len(judgements))):
        move = board.pop()
        if judgements[number] is not None and not is_stopped():
            reason = explain_move(search, board, move, positions[number], positions[number + 1])
            if reason.text:
                reasons[number] = reason
    return reasons
