"""Moves of special kinds, from promotions to quiet moves; the phase of the game, and endings by material."""

from collections.abc import Callable, Iterator
from typing import Final

import chess

from ox88.motifs.line import Finder, Line, Motif, MoveFinder, Squares, Step

_CHOICE: Final = 3  # Legal moves, at least, for a move that is found and not forced.
_ENDGAME: Final = 6  # Pieces on the board without kings and pawns, at most. So counts Lichess's division of games.
_MIDDLEGAME: Final = 10
_DEVELOPED: Final = 4  # Fewer pieces than this on a side's first rank end the opening.


def _advances(step: Step, ranks: int) -> bool:
    """Whether a pawn comes to one of the last ranks."""
    last = range(8 - ranks, 8) if step.before.turn else range(ranks)
    return step.piece == chess.PAWN and chess.square_rank(step.move.to_square) in last


def _is_calm(step: Step) -> bool:
    """Whether a move captures, checks and attacks nothing, and advances no pawn far."""
    if step.captured or _advances(step, 3) or step.after.is_check():
        return False
    return not step.after.attacks_mask(step.move.to_square) & step.after.occupied_co[step.after.turn]


def _is_quiet(line: Line, step: Step) -> bool:
    """Whether a piece, or a pawn not far advanced, threatens nothing at once, and the line goes on."""
    goes_on = line.next_own(step) is not None
    return goes_on and _is_calm(step) and step.piece != chess.KING and not step.before.is_check()


def _is_defensive(line: Line, step: Step) -> bool:
    """Whether the line ends calmly, or a check is parried calmly, and there were other moves."""
    is_last = step.number == len(line.steps) - 1
    return _is_calm(step) and (is_last or step.before.is_check()) and step.before.legal_moves.count() >= _CHOICE


def _is_under_promotion(_: Line, step: Step) -> bool:
    """True if a pawn becomes less than a queen, but not if a new rook or bishop mates: a queen would mate too."""
    made = step.move.promotion
    return made == chess.KNIGHT or (made not in (None, chess.QUEEN) and not step.after.is_checkmate())


def _kind(is_such: Callable[[Line, Step], bool]) -> MoveFinder:
    def find(line: Line, step: Step) -> Squares | None:
        return (step.move.to_square,) if is_such(line, step) else None

    return find


def phases(line: Line) -> Iterator[Motif]:
    """Opening, middlegame or endgame, as far as one position tells; and which ending it is.

    The ending is named for the only pieces beside kings and pawns, before and after the first move.
    """
    board = line.boards[0]
    pieces = (board.occupied & ~board.kings & ~board.pawns).bit_count()
    ranks = ((chess.WHITE, chess.BB_RANK_1), (chess.BLACK, chess.BB_RANK_8))
    if pieces <= _ENDGAME:
        yield Motif("endgame", 0)
    elif pieces <= _MIDDLEGAME or any(
        (board.occupied_co[side] & rank).bit_count() < _DEVELOPED for side, rank in ranks
    ):
        yield Motif("middlegame", 0)
    else:
        yield Motif("opening", 0)
    name = _ending(board)
    if name and name == _ending(line.boards[1]):
        yield Motif(name, 0)


def _ending(board: chess.Board) -> str:
    kinds = {"queen": board.queens, "rook": board.rooks, "bishop": board.bishops, "knight": board.knights}
    present = [name for name, squares in kinds.items() if squares]
    if present == ["queen", "rook"]:
        return "queenRookEndgame" if board.queens.bit_count() == 1 else ""
    return f"{(present or ['pawn'])[0]}Endgame" if len(present) < 2 else ""


_KINDS: Final[dict[str, Callable[[Line, Step], bool]]] = {
    "promotion": lambda _, step: step.move.promotion is not None,
    "underPromotion": _is_under_promotion,
    "advancedPawn": lambda _, step: _advances(step, 2),
    "enPassant": lambda _, step: step.before.is_en_passant(step.move),
    "castling": lambda _, step: step.before.is_castling(step.move),
    "quietMove": _is_quiet,
    "defensiveMove": _is_defensive,
}
MOVES: Final = {theme: _kind(is_such) for theme, is_such in _KINDS.items()}
LINES: Final[tuple[Finder, ...]] = (phases,)
