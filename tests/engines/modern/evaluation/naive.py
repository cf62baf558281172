"""The slow, obvious twin of the evaluation, with python-chess: each term for White; for Black on the mirrored board.

Squares are numbers in Python sets, and each rule is asked of each piece.
"""

import functools
from collections.abc import Iterable

import chess

from ox88.engines.modern.evaluation import weights
from tests.positions import FENS, random_board

Pair = tuple[int, int]
Squares = set[int]

W, B = chess.WHITE, chess.BLACK
PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
MOBILITY = {
    chess.KNIGHT: weights.KNIGHT_MOBILITY,
    chess.BISHOP: weights.BISHOP_MOBILITY,
    chess.ROOK: weights.ROOK_MOBILITY,
    chess.QUEEN: weights.QUEEN_MOBILITY,
}


def add(*pairs: Pair) -> Pair:
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


def times(count: int, pair: Pair) -> Pair:
    return count * pair[0], count * pair[1]


def total(pairs: Iterable[Pair]) -> Pair:
    return add(*pairs)


def file_of(square: int) -> int:
    return square % 8


def rank_of(square: int) -> int:
    return square // 8


def edge(square: int) -> int:
    return min(file_of(square), 7 - file_of(square))


def king_of(board: chess.Board, colour: chess.Color) -> int:
    king = board.king(colour)
    assert king is not None
    return king


def squares_of(board: chess.Board, colour: chess.Color, *kinds: int) -> Squares:
    return {square for kind in kinds for square in board.pieces(kind, colour)}


def all_of(board: chess.Board, colour: chess.Color) -> Squares:
    return set(chess.SquareSet(board.occupied_co[colour]))


# --- What attacks what ------------------------------------------------------------------------------------------------


def attacks_from(board: chess.Board, square: int) -> Squares:
    """Sliders attack through queens, rooks through own rooks; a pinned piece attacks only along the pin."""
    piece = board.piece_at(square)
    assert piece is not None
    seen = board.copy(stack=False)
    for other, found in board.piece_map().items():
        through_queen = found.piece_type == chess.QUEEN
        through_rook = found.piece_type == chess.ROOK and found.color == piece.color
        straight = piece.piece_type in (chess.ROOK, chess.QUEEN)
        diagonal = piece.piece_type in (chess.BISHOP, chess.QUEEN)
        if other != square and (through_queen or (through_rook and straight and not diagonal)):
            seen.remove_piece_at(other)
    targets = set(seen.attacks(square))
    if piece.piece_type == chess.QUEEN:
        targets = queen_attacks(board, square, piece.color)
    if board.is_pinned(piece.color, square) and piece.piece_type in PIECES:
        targets &= set(chess.SquareSet(chess.ray(king_of(board, piece.color), square)))
    return targets


def queen_attacks(board: chess.Board, square: int, colour: chess.Color) -> Squares:
    """As a bishop and as a rook."""
    targets: Squares = set()
    for kind in (chess.BISHOP, chess.ROOK):
        seen = board.copy(stack=False)
        seen.set_piece_at(square, chess.Piece(kind, colour))
        for other, found in board.piece_map().items():
            through_rook = kind == chess.ROOK and found == chess.Piece(chess.ROOK, colour)
            if other != square and (found.piece_type == chess.QUEEN or through_rook):
                seen.remove_piece_at(other)
        targets |= set(seen.attacks(square))
    return targets


class Attacks:
    """The squares that a colour attacks."""

    def __init__(self, board: chess.Board, colour: chess.Color) -> None:
        self.count = dict.fromkeys(range(64), 0)
        self.by_kind: dict[int, Squares] = {kind: set() for kind in range(1, 7)}
        for square in all_of(board, colour):
            kind = board.piece_type_at(square)
            assert kind is not None
            for target in attacks_from(board, square):
                self.count[target] += 1
                self.by_kind[kind].add(target)
        self.once = {square for square, count in self.count.items() if count}
        self.twice = {square for square, count in self.count.items() if count > 1}


def pawn_spans(board: chess.Board, colour: chess.Color) -> Squares:
    """Squares that a colour's pawns attack, or could attack after some pushes on an empty board."""
    forward = 1 if colour == W else -1
    return {
        target
        for pawn in board.pieces(chess.PAWN, colour)
        for target in range(64)
        if abs(file_of(target) - file_of(pawn)) == 1 and (rank_of(target) - rank_of(pawn)) * forward > 0
    }


# --- Material, squares, mobility, posts -------------------------------------------------------------------------------


def material(board: chess.Board) -> Pair:
    values = [weights.PIECE_VALUES[piece.piece_type] for piece in board.piece_map().values() if piece.color == W]
    pair = weights.BISHOP_PAIR if len(board.pieces(chess.BISHOP, W)) > 1 else (0, 0)
    return add(pair, *values)


def piece_squares(board: chess.Board) -> Pair:
    return total(
        weights.PIECE_SQUARES[piece.piece_type][rank_of(square)][edge(square)]
        for square, piece in board.piece_map().items()
        if piece.color == W
    )


def mobility_area(board: chess.Board) -> Squares:
    pawns = squares_of(board, W, chess.PAWN)
    idle = {pawn for pawn in pawns if rank_of(pawn) in (1, 2) or board.piece_at(pawn + 8)}
    attacked = {target for pawn in board.pieces(chess.PAWN, B) for target in board.attacks(pawn)}
    return set(range(64)) - idle - squares_of(board, W, chess.KING, chess.QUEEN) - attacked


def mobility(board: chess.Board) -> Pair:
    area = mobility_area(board)
    return total(
        MOBILITY[kind][len(attacks_from(board, square) & area)] for kind in PIECES for square in board.pieces(kind, W)
    )


def pieces(board: chess.Board) -> Pair:
    minors = [minor_post(board, square) for square in squares_of(board, W, chess.KNIGHT, chess.BISHOP)]
    return add(*minors, *(rook_post(board, square) for square in board.pieces(chess.ROOK, W)), (0, 0))


def minor_post(board: chess.Board, square: int) -> Pair:
    kind = board.piece_type_at(square)
    assert kind is not None
    guarded = {target for pawn in board.pieces(chess.PAWN, W) for target in board.attacks(pawn)}
    outposts = {target for target in guarded - pawn_spans(board, B) if rank_of(target) in (3, 4, 5)}
    score = times(chess.square_distance(square, king_of(board, W)), weights.MINOR_KING_DISTANCE)
    if square in outposts:
        score = add(score, weights.OUTPOST[kind])
    elif kind == chess.KNIGHT and attacks_from(board, square) & outposts - all_of(board, W):
        score = add(score, weights.KNIGHT_NEAR_OUTPOST)
    if square < 56 and board.piece_type_at(square + 8) == chess.PAWN:
        score = add(score, weights.MINOR_BEHIND_PAWN)
    if kind == chess.BISHOP:
        parity = (file_of(square) + rank_of(square)) % 2
        alike = [pawn for pawn in board.pieces(chess.PAWN, W) if (file_of(pawn) + rank_of(pawn)) % 2 == parity]
        score = add(score, times(len(alike), weights.BISHOP_PAWN))
    return score


def rook_post(board: chess.Board, square: int) -> Pair:
    own, theirs = (squares_of(board, colour, chess.PAWN) for colour in (W, B))
    own_files, their_files = {file_of(pawn) for pawn in own}, {file_of(pawn) for pawn in theirs}
    file, king = file_of(square), king_of(board, W)
    score = (0, 0)
    if file not in own_files:
        score = weights.ROOK_HALF_OPEN_FILE if file in their_files else weights.ROOK_OPEN_FILE
    elif len(attacks_from(board, square) & mobility_area(board)) <= 3:
        on_the_left, shut_on_the_left = file_of(king) < 4, file < file_of(king)
        if on_the_left == shut_on_the_left:
            score = weights.TRAPPED_ROOK
    if rank_of(square) == 6 and (any(rank_of(p) == 6 for p in theirs) or rank_of(king_of(board, B)) == 7):
        score = add(score, weights.ROOK_ON_SEVENTH)
    return score


# --- Pawns ------------------------------------------------------------------------------------------------------------


def passed_pawns(board: chess.Board) -> Squares:
    own, theirs = (squares_of(board, colour, chess.PAWN) for colour in (W, B))
    return {
        pawn
        for pawn in own
        if not any(abs(file_of(p) - file_of(pawn)) <= 1 and rank_of(p) > rank_of(pawn) for p in theirs)
        and not any(file_of(p) == file_of(pawn) and rank_of(p) > rank_of(pawn) for p in own)
    }


def pawns(board: chess.Board) -> Pair:
    own, theirs = (squares_of(board, colour, chess.PAWN) for colour in (W, B))
    if not own:
        return 0, 0
    nearest = min(chess.square_distance(king_of(board, W), pawn) for pawn in own)
    return add(times(nearest, weights.KING_PAWN_DISTANCE), *(pawn_score(pawn, own, theirs) for pawn in own))


def pawn_score(pawn: int, own: Squares, theirs: Squares) -> Pair:
    file, rank = file_of(pawn), rank_of(pawn)
    neighbours = [p for p in own if abs(file_of(p) - file) == 1]
    score = (0, 0)
    stopped = any(
        (file_of(p) == file and rank_of(p) == rank + 1) or (abs(file_of(p) - file) == 1 and rank_of(p) == rank + 2)
        for p in theirs
    )
    isolated = not neighbours
    backward = not isolated and all(rank_of(p) > rank for p in neighbours) and stopped
    if isolated:
        score = add(score, weights.ISOLATED_PAWN)
    if backward:
        score = add(score, weights.BACKWARD_PAWN)
    if (isolated or backward) and not any(file_of(p) == file and rank_of(p) > rank for p in theirs):
        score = add(score, weights.UNOPPOSED_WEAK_PAWN)
    if any(file_of(p) == file and rank_of(p) > rank for p in own):
        score = add(score, weights.DOUBLED_PAWN)
    if any(rank_of(p) == rank for p in neighbours):
        score = add(score, weights.PHALANX[rank])
    if any(rank_of(p) == rank - 1 for p in neighbours):
        score = add(score, weights.SUPPORTED_PAWN[rank])
    return score


def passed(board: chess.Board) -> Pair:
    return total(passed_score(board, pawn) for pawn in passed_pawns(board))


def passed_score(board: chess.Board, pawn: int) -> Pair:
    rank = rank_of(pawn)
    far = [min(chess.square_distance(pawn + 8, king_of(board, colour)), weights.FAR_KING) for colour in (W, B)]
    score = add(
        weights.PASSED_PAWN[rank],
        times(far[0], weights.PASSED_OWN_KING[rank]),
        times(far[1], weights.PASSED_THEIR_KING[rank]),
    )
    if board.color_at(pawn + 8) == B:
        return add(score, weights.PASSED_BLOCKED[rank])
    if board.color_at(pawn + 8) == W:
        return score
    taboo = Attacks(board, B).once | all_of(board, B)
    path = set(range(pawn + 8, 64, 8))
    if not path & taboo:
        score = add(score, weights.PASSED_SAFE_PATH[rank])
    elif pawn + 8 not in taboo:
        score = add(score, weights.PASSED_SAFE_STEP[rank])
    if pawn + 8 in Attacks(board, W).once:
        score = add(score, weights.PASSED_DEFENDED_STEP[rank])
    return score


# --- Kings ------------------------------------------------------------------------------------------------------------


def shelter(board: chess.Board) -> Pair:
    king = king_of(board, W)
    castled = [
        chess.G1 if rook > king else chess.C1 for rook in chess.SquareSet(board.castling_rights & chess.BB_RANK_1)
    ]
    return max(shelter_at(board, place) for place in (king, *castled))


def shelter_at(board: chess.Board, king: int) -> Pair:
    score = (0, 0)
    centre = min(max(file_of(king), 1), 6)
    for file in (centre - 1, centre, centre + 1):
        guard, stormer = (
            min((rank_of(p) for p in board.pieces(chess.PAWN, colour) if file_of(p) == file and p // 8 >= king // 8),
                default=0)
            for colour in (W, B)
        )  # fmt: skip
        score = add(score, weights.SHELTER[min(file, 7 - file)][guard])
        if guard and stormer == guard + 1:
            score = add(score, weights.BLOCKED_STORM[stormer])
        else:
            score = add(score, weights.STORM[min(file, 7 - file)][stormer])
    return score


def king_zone(board: chess.Board, colour: chess.Color) -> Squares:
    king = king_of(board, colour)
    middle = chess.square(min(max(file_of(king), 1), 6), min(max(rank_of(king), 1), 6))
    guards = [target for pawn in board.pieces(chess.PAWN, colour) for target in board.attacks(pawn)]
    return {s for s in range(64) if chess.square_distance(s, middle) <= 1 and guards.count(s) < 2}


def king_safety(board: chess.Board) -> Pair:
    score = shelter(board)
    units = danger(board)
    if units > weights.HARMLESS_UNITS:
        score = add(score, (-(units * units >> weights.SQUARED_DANGER_SHIFT), -(units >> weights.DANGER_SHIFT)))
    return score


def danger(board: chess.Board) -> int:
    ours, theirs = Attacks(board, W), Attacks(board, B)
    zone, king = king_zone(board, W), king_of(board, W)
    attackers = [s for s in squares_of(board, B, *PIECES) if attacks_from(board, s) & zone]
    near = sum(len(attacks_from(board, s) & set(board.attacks(king))) for s in attackers)
    weights_of_attackers = sum(weights.ATTACKER_UNITS[board.piece_type_at(s) or 0] for s in attackers)
    pins = [s for s in all_of(board, W) if board.is_pinned(W, s)]
    units = len(attackers) * weights_of_attackers + near * weights.NEAR_ATTACK_UNITS
    units += len(pins) * weights.PINNED_UNITS + shelter(board)[0] * weights.SHELTER_UNITS + weights.BASE_UNITS
    if not board.pieces(chess.QUEEN, B):
        units += weights.NO_QUEEN_UNITS
    if ours.by_kind[chess.KNIGHT] & ours.by_kind[chess.KING]:
        units += weights.KNIGHT_DEFENDER_UNITS
    weak = {s for s in theirs.once - ours.twice if is_weak(s, ours)}
    units += len(weak & zone) * weights.WEAK_ZONE_UNITS
    safe = set(range(64)) - all_of(board, B) - (ours.once - (weak & theirs.twice))
    return units + check_units(board, ours, theirs, safe) + flank_units(board, ours, theirs)


def is_weak(square: int, ours: Attacks) -> bool:
    kinds = {kind for kind in range(1, 7) if square in ours.by_kind[kind]}
    return not kinds or bool(kinds & {chess.KING, chess.QUEEN})


def check_units(board: chess.Board, ours: Attacks, theirs: Attacks, safe: Squares) -> int:
    king = king_of(board, W)
    without_queens = board.copy(stack=False)
    for queen in board.pieces(chess.QUEEN, W):
        without_queens.remove_piece_at(queen)
    lines: dict[int, Squares] = {}
    for kind in PIECES:
        without_queens.set_piece_at(king, chess.Piece(kind, W))
        lines[kind] = set(without_queens.attacks(king)) & theirs.by_kind[kind]
    queens = lines[chess.QUEEN] & safe - ours.by_kind[chess.QUEEN] - lines[chess.ROOK]
    found = {
        chess.ROOK: lines[chess.ROOK] & safe,
        chess.BISHOP: lines[chess.BISHOP] & safe - queens,
        chess.KNIGHT: lines[chess.KNIGHT] & safe,
    }
    units = sum(weights.SAFE_CHECK_UNITS[kind] for kind, checks in found.items() if checks)
    units += weights.SAFE_CHECK_UNITS[chess.QUEEN] if queens else 0
    unsafe = {square for kind, checks in found.items() if not checks for square in lines[kind]}
    return units + len(unsafe) * weights.UNSAFE_CHECK_UNITS


def flank_units(board: chess.Board, ours: Attacks, theirs: Attacks) -> int:
    file = file_of(king_of(board, W))
    files = range(4) if file < 3 else range(2, 6) if file < 5 else range(4, 8)
    flank = {s for s in range(40) if file_of(s) in files}
    attacks = len(flank & theirs.once) + len(flank & theirs.twice - ours.by_kind[chess.PAWN])
    units = attacks * attacks * weights.FLANK_ATTACK_UNITS >> weights.FLANK_ATTACK_SHIFT
    return units + len(flank & ours.once) * weights.FLANK_DEFENCE_UNITS


# --- Threats ----------------------------------------------------------------------------------------------------------


def threats(board: chess.Board) -> Pair:
    ours, theirs = Attacks(board, W), Attacks(board, B)
    enemies = all_of(board, B)
    men = enemies - squares_of(board, B, chess.PAWN)
    held = theirs.by_kind[chess.PAWN] | theirs.twice - ours.twice
    weak = enemies & ours.once - held
    by_minor = (weak | men) & (ours.by_kind[chess.KNIGHT] | ours.by_kind[chess.BISHOP])
    by_rook = weak & ours.by_kind[chess.ROOK]
    hanging = {s for s in weak if s not in theirs.once or (s in men and s in ours.twice)}
    score = add(
        *(weights.THREAT_BY_MINOR[board.piece_type_at(s) or 0] for s in by_minor),
        *(weights.THREAT_BY_ROOK[board.piece_type_at(s) or 0] for s in by_rook),
        weights.THREAT_BY_KING if weak & ours.by_kind[chess.KING] else (0, 0),
        times(len(hanging), weights.HANGING),
        times(len(theirs.once & ours.once - held), weights.RESTRICTED),
    )
    safe = {s for s in range(64) if s not in theirs.once or s in ours.once}
    attacked = {t for pawn in board.pieces(chess.PAWN, W) if pawn in safe for t in board.attacks(pawn)}
    score = add(score, times(len(attacked & men), weights.THREAT_BY_SAFE_PAWN))
    steps = pawn_steps(board) & safe - theirs.by_kind[chess.PAWN]
    reached = {t for step in steps for t in chess.SquareSet(chess.BB_PAWN_ATTACKS[W][step])}
    return add(score, times(len(reached & men), weights.THREAT_BY_PAWN_PUSH))


def pawn_steps(board: chess.Board) -> Squares:
    steps = {pawn + 8 for pawn in board.pieces(chess.PAWN, W) if not board.piece_at(pawn + 8)}
    return steps | {step + 8 for step in steps if rank_of(step) == 2 and not board.piece_at(step + 8)}


TERMS = {
    "material": material,
    "piece squares": piece_squares,
    "pawns": pawns,
    "passed pawns": passed,
    "mobility": mobility,
    "pieces": pieces,
    "king safety": king_safety,
    "threats": threats,
}


def phase(board: chess.Board) -> int:
    return sum(weights.PHASES[piece.piece_type] for piece in board.piece_map().values())


# --- Driving a king ---------------------------------------------------------------------------------------------------


def wins_by_driving(board: chess.Board) -> bool:
    """True if White drives Black's king to the edge: it is alone, or it has a piece and White a queen."""
    ours, theirs = (
        "".join(
            sorted(p.symbol().upper() for p in board.piece_map().values() if p.color == colour and p.piece_type < 6)
        )
        for colour in (W, B)
    )
    colours = {(file_of(bishop) + rank_of(bishop)) % 2 for bishop in board.pieces(chess.BISHOP, W)}
    if theirs:
        return ours == "Q" and theirs in ("B", "N", "R")
    return "Q" in ours or "R" in ours or len(colours) == 2 or ("B" in ours and "N" in ours)


def driving(board: chess.Board) -> int:
    """What the places of the kings count for White, where it wins by driving Black's king."""
    if not wins_by_driving(board):
        return 0
    own, king, bishops = king_of(board, W), king_of(board, B), board.pieces(chess.BISHOP, W)
    score = (7 - chess.square_distance(own, king)) * weights.DRIVING_NEAR[1]
    if board.occupied_co[B] == board.kings & board.occupied_co[B]:
        score += weights.KNOWN_WIN[1]
    colours = {(file_of(bishop) + rank_of(bishop)) % 2 for bishop in bishops}
    if board.pieces(chess.QUEEN, W) or board.pieces(chess.ROOK, W) or len(colours) == 2:
        centre = (chess.D4, chess.E4, chess.D5, chess.E5)
        return score + min(steps(king, square) for square in centre) * weights.DRIVING_EDGE[1]
    corners = (chess.A1, chess.H8) if colours == {0} else (chess.A8, chess.H1)
    return score + (7 - min(steps(king, corner) for corner in corners)) * weights.DRIVING_CORNER[1]


def steps(square: int, other: int) -> int:
    """The steps of a rook that goes one square at a time."""
    return chess.square_manhattan_distance(square, other)


# --- Positions --------------------------------------------------------------------------------------------------------

# Random games rarely reach these.
RARE = (
    "6k1/5ppp/8/3N4/4P3/8/5PPP/6K1 w - - 0 1",  # An outpost.
    "8/P6k/8/2pP4/8/1p5K/6p1/8 w - - 0 1",  # Passed pawns.
    "4r1k1/4P3/8/8/1p1P4/1P2B3/6PP/4R1K1 b - - 3 40",
    "r1bq1rk1/pp3ppp/2n1pn2/2bp4/4P3/2NB1N2/PPP2PPP/R1BQ1RK1 w - - 0 8",
    "3q1rk1/5p1p/5QpB/8/8/7R/5PPP/6K1 w - - 0 1",  # Checks.
    "3r2k1/8/8/3q4/8/8/5PPP/6K1 b - - 0 1",  # Rook and queen could check on the same square.
    "r4rk1/1R3ppp/8/8/8/8/5PPP/R4K1R w - - 0 1",  # A trapped rook, and one on the seventh.
    "2r3k1/pp1q1ppp/4b3/3nP3/8/P1NQ1N2/1P3PPP/3R2K1 b - - 0 20",
    "6k1/pp3p2/2p3p1/3b3p/3P3P/2P3P1/PP3PB1/6K1 w - - 12 30",
)


@functools.cache
def sample_boards() -> tuple[chess.Board, ...]:
    fixed = [chess.Board(fen, chess960=True) for fen in (*FENS, *RARE)]
    played = [random_board(seed, seed * 3 % 110, seed if seed % 3 == 0 else None) for seed in range(90)]
    return (*fixed, *played)
