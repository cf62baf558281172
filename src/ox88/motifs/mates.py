"""Mates: in how many moves, and their patterns."""

from typing import Final

import chess

from ox88.motifs.line import Finder, Line, Motif, scan

_EDGE: Final = chess.BB_RANK_1 | chess.BB_RANK_8 | chess.BB_FILE_A | chess.BB_FILE_H
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
        self.ring = chess.BB_KING_ATTACKS[self.king]
        self.blocked = self.ring & board.occupied_co[board.turn]
        self.squares = (self.king, *scan(self.checkers))
        self.own = board.occupied_co[not board.turn]  # The solver's.

    @property
    def rook_beside(self) -> bool:
        """Whether a rook beside the king checks it."""
        return self.kind == chess.ROOK and bool(self.checkers & self.ring)

    def offset(self, square: chess.Square) -> tuple[int, int]:
        """Files and ranks from the king to a square."""
        return abs(chess.square_file(square) - self.file), abs(chess.square_rank(square) - self.rank)

    def guards(self, square: chess.Square) -> int:
        """The solver's pieces that attack a square, also through the king, which cannot hide behind itself."""
        return self.board.attackers_mask(
            not self.board.turn, square, self.board.occupied & ~chess.BB_SQUARES[self.king]
        )


def _is_back_rank(mated: _Mated) -> bool:
    """A check along the first rank; the king's own pieces fill the squares before it."""
    home = chess.BB_BACKRANKS & chess.BB_RANKS[mated.rank]
    ahead = mated.ring & (chess.BB_RANK_2 if mated.board.turn else chess.BB_RANK_7)
    return bool(
        home & mated.checkers
        and mated.rank == (0 if mated.board.turn else 7)
        and ahead == ahead & mated.blocked
        and not any(map(mated.guards, scan(ahead)))
    )


def _is_smothered(mated: _Mated) -> bool:
    return mated.kind == chess.KNIGHT and mated.blocked == mated.ring


def _is_hook(mated: _Mated) -> bool:
    """A rook beside the king, guarded by a knight beside the king, which a pawn guards."""
    knights = mated.guards(mated.checker) & mated.board.knights & mated.ring
    return mated.rook_beside and any(mated.guards(knight) & mated.board.pawns for knight in scan(knights))


def _is_arabian(mated: _Mated) -> bool:
    """A king in a corner; the knight guards the rook beside it, and its other way out."""
    knights = scan(mated.guards(mated.checker) & mated.board.knights)
    corner = chess.BB_CORNERS & chess.BB_SQUARES[mated.king]
    return bool(corner) and mated.rook_beside and any(mated.offset(knight) == (2, 2) for knight in knights)


def _is_anastasia(mated: _Mated) -> bool:
    """A king on the edge, checked along it; beside it a piece of its own, and beyond that the knight."""
    inward = 1 if mated.file == 0 else -1
    knight = mated.board.knights & mated.own & chess.BB_SQUARES[(mated.king + 3 * inward) % 64]
    return bool(
        mated.file in (0, 7)
        and mated.kind in (chess.ROOK, chess.QUEEN)
        and mated.checkers & chess.BB_FILES[mated.file]
        and mated.blocked & chess.BB_SQUARES[mated.king + inward]
        and knight
    )


def _is_dovetail(mated: _Mated) -> bool:
    """A queen diagonally beside the king, which no other piece helps, but the king's own that are in its way."""
    others = mated.ring & ~mated.checkers & ~mated.blocked
    return (
        mated.kind == chess.QUEEN
        and not chess.BB_SQUARES[mated.king] & _EDGE
        and mated.offset(mated.checker) == (1, 1)
        and all(mated.guards(square) == mated.checkers for square in scan(others))
        and not any(mated.guards(square) & ~mated.checkers for square in scan(mated.blocked))
    )


def _is_by_bishops(mated: _Mated) -> bool:
    """Two bishops do it alone."""
    return (mated.board.bishops & mated.own).bit_count() > 1 and all(
        not mated.guards(square) & ~mated.board.bishops for square in scan(mated.ring | chess.BB_SQUARES[mated.king])
    )


def _is_boden(mated: _Mated) -> bool:
    """The bishops stand on both sides of the king."""
    files = [chess.square_file(bishop) for bishop in scan(mated.board.bishops & mated.own)]
    return _is_by_bishops(mated) and min(files) < mated.file < max(files)


def _is_vukovic(mated: _Mated) -> bool:
    """A guarded rook beside the king, and the knight beyond the rook, all in one row."""
    beyond = mated.board.knights & mated.own & chess.ray(mated.king, mated.checker)
    return (
        mated.rook_beside
        and bool(mated.guards(mated.checker))
        and any(chess.square_distance(mated.king, knight) == 2 for knight in scan(beyond))
    )


def _is_kill_box(mated: _Mated) -> bool:
    """A rook and a queen in opposite corners of three by three squares, and the king in this box."""
    rooks, queens = (list(scan(pieces & mated.own)) for pieces in (mated.board.rooks, mated.board.queens))
    return any(
        chess.square_distance(rook, queen) == 2 == abs(chess.square_file(rook) - chess.square_file(queen))
        and abs(chess.square_rank(rook) - chess.square_rank(queen)) == 2
        and chess.square_distance(mated.king, (rook + queen) // 2) < 2
        for rook in rooks
        for queen in queens
    )


_PATTERNS: Final = {
    "backRankMate": _is_back_rank,
    "smotheredMate": _is_smothered,
    "hookMate": _is_hook,
    "arabianMate": _is_arabian,
    "anastasiaMate": _is_anastasia,
    "dovetailMate": _is_dovetail,
    "bodenMate": _is_boden,
    "doubleBishopMate": _is_by_bishops,
    "vukovicMate": _is_vukovic,
    "killBoxMate": _is_kill_box,
}
FINDERS: Final[dict[str, Finder]] = {"mate": mate, "mateIn": mate_in, "matePattern": mate_pattern}
