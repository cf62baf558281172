"""Endings by material, and the phase of the game."""

from typing import Final

import chess

from ox88.motifs.line import Finder, Line, Motif

_ENDGAME: Final = 6  # Pieces on the board without kings and pawns, at most. So counts Lichess's division of games.
_MIDDLEGAME: Final = 10
_DEVELOPED: Final = 4  # Fewer pieces than this on a side's first rank end the opening.


def phase(line: Line) -> Motif:
    """Opening, middlegame or endgame, as far as one position tells."""
    board = line.boards[0]
    pieces = (board.occupied & ~board.kings & ~board.pawns).bit_count()
    if pieces <= _ENDGAME:
        return Motif("endgame", 0)
    first_ranks = ((board.occupied_co[chess.WHITE], chess.BB_RANK_1), (board.occupied_co[chess.BLACK], chess.BB_RANK_8))
    developed = any((own & rank).bit_count() < _DEVELOPED for own, rank in first_ranks)
    return Motif("middlegame" if developed or pieces <= _MIDDLEGAME else "opening", 0)


def ending(line: Line) -> Motif | None:
    """The ending is named for the only pieces beside kings and pawns, before and after the first move."""
    names = {_ending(board) for board in line.boards[:2]}
    name = names.pop()
    return Motif(name, 0) if name and not names else None


def _ending(board: chess.Board) -> str:
    kinds = {"queen": board.queens, "rook": board.rooks, "bishop": board.bishops, "knight": board.knights}
    present = [name for name, squares in kinds.items() if squares]
    if present == ["queen", "rook"]:
        return "queenRookEndgame" if board.queens.bit_count() == 1 else ""
    return f"{(present or ['pawn'])[0]}Endgame" if len(present) < 2 else ""


FINDERS: Final[dict[str, Finder]] = {"phase": phase, "ending": ending}
