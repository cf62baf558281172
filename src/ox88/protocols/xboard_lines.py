"""XBoard's lines of moves and thoughts: `move`, thinking output, `stat01`."""

from typing import Final

from ox88.engines.base import Info, Score
from ox88.types import is_castling, move_from, move_to, to_uci

MATE: Final = 100_000  # A mate in N moves is MATE + N, being mated in N -MATE - N.
_BOUND_MARKS: Final = {"exact": "", "lower": " !", "upper": " ?"}  # Apart, so that no reader takes one for the move's.


def format_move(move: int, chess960: bool) -> str:
    """Squares, as in `e7e8q`; castling is the king's two steps, or `O-O` and `O-O-O` in Chess960."""
    if is_castling(move) and chess960:
        return "O-O" if move_to(move) > move_from(move) else "O-O-O"
    return to_uci(move)


def to_number(score: Score) -> int:
    """A score in XBoard's single number."""
    if score.mate is None:
        return score.centipawns or 0
    return score.mate + (MATE if score.mate > 0 else -MATE)


def format_thinking(info: Info, chess960: bool) -> str:
    """Depth, score, hundredths of a second, nodes, selective depth, nodes a second, tablebase hits; a tab; moves."""
    line = " ".join(format_move(move, chess960) for move in info.line) or "(no move)"
    return (
        f"{info.depth} {to_number(info.score)} {int(100 * info.time)} {info.nodes} "
        f"{info.selective_depth} {info.nodes_per_second} {info.tablebase_hits}\t{line}{_BOUND_MARKS[info.bound]}"
    )


def format_status(newest: Info | None, seconds: float, moves: int, chess960: bool) -> str:
    """`stat01`: what is searched after so many seconds; moves: how many there are at the root."""
    if newest is None:
        return f"stat01: {int(100 * seconds)} 0 0 {moves} {moves}"
    words = f"stat01: {int(100 * seconds)} {newest.nodes} {newest.depth}"
    if not newest.current_move:
        return f"{words} 0 {moves}"
    left = max(moves - newest.current_move_number, 0)
    return f"{words} {left} {moves} {format_move(newest.current_move, chess960)}"
