"""Mates: in how many moves, and their patterns."""

from typing import Final

import chess

from ox88.motifs.line import Finder, Line, Motif, scan

_LONGEST: Final = 5  # Moves. Lichess has no theme for longer mates than this, and calls all of them a mate in five.


def mate(line: Line) -> Motif | None:
    return Motif("mate", line.steps[-1].number) if line.mates else None


def mate_in(line: Line) -> Motif | None:
    """The theme is named for the number of the solver's moves, such as `mateIn2`."""
    found = mate(line)
    return found and Motif(f"mateIn{min(len(line.own_steps), _LONGEST)}", found.step)


def mate_pattern(line: Line) -> Motif | None:
    """The pattern of the mate. A mate has one at most; the first that fits is named."""
    if not line.mates:
        return None
    last = line.steps[-1]
    facts = _Mated(last.after)
    return next((Motif(name, last.number, facts.squares) for name, fits in _PATTERNS.items() if fits(facts)), None)


class _Mated:
    """A mated king, what stands around it, and the pieces that check it."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self.king = board.king(board.turn) or 0
        self.file, self.rank = chess.square_file(self.king), chess.square_rank(self.king)
        self.checkers = board.checkers_mask()
        self.checker = chess.msb(self.checkers)
        self.kind = board.piece_type_at(self.checker)
        self.blocked = chess.BB_KING_ATTACKS[self.king] & board.occupied_co[board.turn]
        self.squares = (self.king, *scan(self.checkers))
        self.own = board.occupied_co[not board.turn]  # The solver's.

    def guards(self, square: chess.Square) -> int:
        """The solver's pieces that attack a square."""
        return self.board.attackers_mask(not self.board.turn, square)


def _is_back_rank(mated: _Mated) -> bool:
    """A check along the first rank; the king's own pieces fill the squares before it."""
    home = chess.BB_BACKRANKS & chess.BB_RANKS[mated.rank]
    ahead = chess.BB_KING_ATTACKS[mated.king] & (chess.BB_RANK_2 if mated.board.turn else chess.BB_RANK_7)
    return bool(
        home & mated.checkers
        and mated.rank == (0 if mated.board.turn else 7)
        and ahead == ahead & mated.blocked
        and not any(map(mated.guards, scan(ahead)))
    )


def _is_smothered(mated: _Mated) -> bool:
    return mated.kind == chess.KNIGHT and mated.blocked == chess.BB_KING_ATTACKS[mated.king]


_PATTERNS: Final = {
    "backRankMate": _is_back_rank,
    "smotheredMate": _is_smothered,
}
FINDERS: Final[dict[str, Finder]] = {"mate": mate, "mateIn": mate_in, "matePattern": mate_pattern}
