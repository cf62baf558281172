"""Every number of the evaluation, in hundredths of a pawn: plain data.

A weight is a pair (middlegame, endgame). A table of weights is a tuple of pairs, or of tuples of pairs. Each upper-case
name is a field of the WEIGHTS record, in lower case there. Ranks are counted from 0, the side's own back rank.

The proportions follow public evaluations of engines of about 3000 Elo, above all Stockfish 11 (2020) and Ethereal 11
(2019), in round numbers on our own scale. Each group of weights is then scaled as a whole to agree best with the scores
of Stockfish 15.1 at depth 7, in 17,000 quiet positions of games that it played against itself with some random moves.
"""

from typing import Final

Weight = tuple[int, int]
Weights = tuple[Weight, ...]

_NONE: Final[Weight] = (0, 0)
_NO_SQUARES: Final[tuple[Weights, ...]] = ((_NONE,) * 4,) * 8

# --- Material ---------------------------------------------------------------------------------------------------------

# By kind.
PIECE_VALUES: Final[Weights] = (_NONE, (82, 108), (345, 330), (360, 348), (482, 570), (1020, 1060), _NONE)
BISHOP_PAIR: Final[Weight] = (24, 46)
TEMPO: Final[Weight] = (24, 15)

# --- Piece squares: by kind, rank, and file from the edge (a and h, b and g, ...) -------------------------------------

PIECE_SQUARES: Final[tuple[tuple[Weights, ...], ...]] = (
    _NO_SQUARES,
    (  # Pawns.
        (_NONE, _NONE, _NONE, _NONE),
        ((-1, 0), (0, 0), (1, 3), (1, 2)),
        ((-5, -3), (-3, -3), (3, -1), (6, 1)),
        ((-5, 0), (-4, -2), (5, -3), (13, -3)),
        ((2, 4), (-1, 3), (0, -1), (4, -4)),
        ((1, 9), (1, 8), (4, 6), (6, 6)),
        ((0, 4), (0, 3), (1, 5), (3, 6)),
        (_NONE, _NONE, _NONE, _NONE),
    ),
    (  # Knights.
        ((-63, -18), (-35, -12), (-28, -9), (-25, -5)),
        ((-31, -12), (-17, -9), (-11, -4), (-6, 1)),
        ((-22, -8), (-7, -5), (2, -1), (6, 5)),
        ((-14, -6), (3, -1), (14, 3), (18, 6)),
        ((-13, -7), (6, -2), (17, 2), (21, 7)),
        ((-6, -9), (8, -7), (22, -2), (21, 4)),
        ((-27, -12), (-11, -9), (3, -8), (13, 2)),
        ((-70, -18), (-32, -15), (-21, -10), (-11, -4)),
    ),
    (  # Bishops.
        ((-25, -10), (-5, -6), (-7, -6), (-14, -3)),
        ((-7, -6), (5, -2), (8, -3), (2, 0)),
        ((-3, -3), (10, 0), (2, 0), (8, 2)),
        ((-3, -4), (5, -1), (11, 0), (18, 3)),
        ((-5, -3), (11, -1), (11, -1), (14, 3)),
        ((-7, -5), (4, 1), (2, 1), (5, 2)),
        ((-11, -6), (-7, -3), (2, 0), (0, 0)),
        ((-23, -8), (-5, -7), (-9, -6), (-13, -4)),
    ),
    (  # Rooks.
        ((-18, -5), (-12, -6), (-6, -5), (0, -4)),
        ((-14, -5), (-8, -4), (-4, -2), (2, -1)),
        ((-14, 0), (-6, -2), (-1, -2), (1, -2)),
        ((-9, 0), (-4, 0), (-2, -1), (-2, 1)),
        ((-10, 0), (-5, 2), (-1, 2), (2, 0)),
        ((-8, 2), (0, 1), (4, 0), (6, 2)),
        ((0, 4), (7, 5), (9, 7), (11, 3)),
        ((-6, 6), (-6, 3), (0, 7), (4, 6)),
    ),
    (  # Queens.
        ((0, -30), (-3, -26), (-3, -22), (3, -12)),
        ((-2, -25), (3, -14), (5, -10), (6, -2)),
        ((-2, -18), (3, -8), (6, -4), (4, 2)),
        ((2, -10), (3, -1), (5, 6), (4, 11)),
        ((0, -13), (6, -2), (6, 5), (3, 10)),
        ((-2, -17), (5, -8), (4, -5), (4, 1)),
        ((-4, -22), (2, -12), (4, -10), (4, -3)),
        ((-2, -32), (-2, -24), (0, -20), (-2, -16)),
    ),
    (  # Kings.
        ((18, -28), (31, -18), (17, -10), (-2, -12)),
        ((18, -16), (24, -6), (6, 0), (-10, 1)),
        ((-4, -9), (12, 0), (-12, 8), (-26, 9)),
        ((-13, -6), (-6, 5), (-22, 8), (-33, 8)),
        ((-17, -8), (-10, 7), (-30, 14), (-41, 14)),
        ((-25, -8), (-19, 8), (-38, 11), (-54, 12)),
        ((-36, -18), (-26, -2), (-43, -3), (-54, 0)),
        ((-45, -25), (-35, -15), (-48, -12), (-63, -11)),
    ),
)

# --- Mobility: by number of squares in the mobility area --------------------------------------------------------------

KNIGHT_MOBILITY: Final[Weights] = (
    (-44, -51), (-31, -33), (-12, -18), (-3, -8), (3, 3), (10, 9), (16, 13), (21, 15), (24, 19),
)  # fmt: skip
BISHOP_MOBILITY: Final[Weights] = (
    (-39, -40), (-21, -21), (-3, -9), (5, 0), (13, 8), (21, 16), (25, 22), (29, 25), (30, 30), (33, 33), (39, 35),
    (41, 38), (45, 40), (48, 42),
)  # fmt: skip
ROOK_MOBILITY: Final[Weights] = (
    (-39, -57), (-21, -26), (-13, -9), (-9, 4), (-6, 11), (-3, 18), (3, 29), (8, 33), (15, 40), (16, 45), (18, 51),
    (22, 55), (26, 57), (29, 59), (33, 61),
)  # fmt: skip
QUEEN_MOBILITY: Final[Weights] = (
    (-30, -33), (-18, -22), (-7, -11), (-6, -7), (0, 2), (5, 11), (8, 15), (14, 21), (16, 24), (18, 30), (22, 32),
    (24, 36), (25, 41), (28, 44), (29, 46), (30, 48), (31, 51), (32, 54), (33, 57), (36, 59), (39, 63), (43, 66),
    (44, 68), (45, 72), (47, 75), (49, 78), (53, 82), (55, 87),
)  # fmt: skip

# --- Pieces -----------------------------------------------------------------------------------------------------------

# By kind: on a square that an own pawn guards and that no enemy pawn can ever attack.
OUTPOST: Final[Weights] = (_NONE, _NONE, (19, 11), (12, 7), _NONE, _NONE, _NONE)
KNIGHT_NEAR_OUTPOST: Final[Weight] = (10, 5)  # One move away from an outpost that is free.
MINOR_BEHIND_PAWN: Final[Weight] = (6, 1)
MINOR_KING_DISTANCE: Final[Weight] = (-2, -2)  # For each king move between a minor piece and its king.
BISHOP_PAWN: Final[Weight] = (-1, -2)  # For each own pawn on a square of the bishop's colour.
ROOK_OPEN_FILE: Final[Weight] = (18, 8)
ROOK_HALF_OPEN_FILE: Final[Weight] = (8, 4)
ROOK_ON_SEVENTH: Final[Weight] = (4, 12)  # If enemy pawns stand on the seventh rank, or the enemy king on the eighth.
TRAPPED_ROOK: Final[Weight] = (-20, -4)  # In the corner, by its own uncastled king.

# --- Pawns ------------------------------------------------------------------------------------------------------------

ISOLATED_PAWN: Final[Weight] = (-3, -5)
BACKWARD_PAWN: Final[Weight] = (-4, -6)
UNOPPOSED_WEAK_PAWN: Final[Weight] = (-5, -6)  # Isolated or backward, with no enemy pawn ahead on its file.
DOUBLED_PAWN: Final[Weight] = (-5, -12)  # For each pawn with another one ahead on its file.
# By rank.
PHALANX: Final[Weights] = (_NONE, (2, -1), (5, 1), (7, 4), (14, 10), (30, 24), (48, 38), _NONE)
SUPPORTED_PAWN: Final[Weights] = (_NONE, _NONE, (8, 4), (7, 4), (10, 8), (20, 19), (36, 33), _NONE)

# --- Passed pawns: by rank --------------------------------------------------------------------------------------------

PASSED_PAWN: Final[Weights] = (_NONE, (2, 13), (3, 16), (4, 23), (21, 44), (52, 94), (90, 147), _NONE)
# For each king move, up to FAR_KING, from the square ahead of the pawn to the enemy king, and to its own king.
PASSED_THEIR_KING: Final[Weights] = (_NONE, _NONE, (0, 1), (0, 5), (0, 13), (0, 22), (0, 30), _NONE)
PASSED_OWN_KING: Final[Weights] = (_NONE, _NONE, (0, -1), (0, -3), (0, -6), (0, -10), (0, -12), _NONE)
# If the whole way to the last rank is free and not attacked; else if the next square is; if that square is defended.
PASSED_SAFE_PATH: Final[Weights] = (_NONE, _NONE, _NONE, (2, 19), (5, 62), (10, 119), (15, 176), _NONE)
PASSED_SAFE_STEP: Final[Weights] = (_NONE, _NONE, _NONE, (1, 8), (2, 24), (4, 43), (5, 62), _NONE)
PASSED_DEFENDED_STEP: Final[Weights] = (_NONE, _NONE, _NONE, (1, 5), (2, 16), (3, 30), (5, 46), _NONE)
PASSED_BLOCKED: Final[Weights] = (_NONE, _NONE, (0, -3), (0, -11), (-1, -24), (-3, -49), (-6, -76), _NONE)
FAR_KING: Final = 5

# --- King shelter: by file from the edge, and rank of the pawn, 0 for none --------------------------------------------

# By the own pawn that is nearest to the back rank and not behind the king.
SHELTER: Final[tuple[Weights, ...]] = (
    ((-2, 0), (24, 0), (28, 0), (17, 0), (11, 0), (5, 0), (7, 0), _NONE),
    ((-13, 0), (19, 0), (11, 0), (-14, 0), (-8, 0), (-3, 0), (-18, 0), _NONE),
    ((-3, 0), (23, 0), (7, 0), (-1, 0), (8, 0), (1, 0), (-13, 0), _NONE),
    ((-12, 0), (-4, 0), (-9, 0), (-15, 0), (-14, 0), (-20, 0), (-40, 0), _NONE),
)
# By the enemy pawn that has come nearest.
STORM: Final[tuple[Weights, ...]] = (
    ((-25, 0), (50, 0), (30, 0), (-29, 0), (-15, 0), (-13, 0), (-15, 0), _NONE),
    ((-14, 0), (7, 0), (-37, 0), (-14, 0), (-11, 0), (3, 0), (-6, 0), _NONE),
    ((2, 0), (-15, 0), (-48, 0), (-10, 0), (1, 0), (6, 0), (4, 0), _NONE),
    ((4, 0), (3, 0), (-30, 0), (-1, 0), (-4, 0), (4, 0), (8, 0), _NONE),
)
# Instead of STORM where an own pawn blocks the enemy pawn; by rank.
BLOCKED_STORM: Final[Weights] = (_NONE, _NONE, (-22, -24), (3, -3), (2, -2), (1, -2), _NONE, _NONE)
KING_PAWN_DISTANCE: Final[Weight] = (0, -6)  # For each king move to the nearest own pawn.

# --- King danger: units, whose square counts in the middlegame --------------------------------------------------------

# By kind of piece that attacks the king zone. The sum is multiplied by the number of such pieces.
ATTACKER_UNITS: Final = (0, 0, 86, 58, 50, 13, 0)
SAFE_CHECK_UNITS: Final = (0, 0, 860, 690, 1150, 850, 0)  # By kind of piece that could give check safely.
UNSAFE_CHECK_UNITS: Final = 160  # For each square where the checking piece would be lost.
NEAR_ATTACK_UNITS: Final = 76  # For each attack on a square next to the king.
WEAK_ZONE_UNITS: Final = 200  # For each badly defended square of the king zone that is attacked.
PINNED_UNITS: Final = 105  # For each piece pinned to the king.
FLANK_ATTACK_UNITS: Final = 3  # Times the square of the number of attacks on the files around the king,
FLANK_ATTACK_SHIFT: Final = 3  # divided by 8.
FLANK_DEFENCE_UNITS: Final = -4
NO_QUEEN_UNITS: Final = -960
KNIGHT_DEFENDER_UNITS: Final = -110
SHELTER_UNITS: Final = -1  # For each hundredth of a pawn of shelter.
BASE_UNITS: Final = 40
HARMLESS_UNITS: Final = 110  # Up to here danger does not count.
SQUARED_DANGER_SHIFT: Final = 14  # Units squared to hundredths of a pawn in the middlegame: divided by 16,384;
DANGER_SHIFT: Final = 7  # units in the endgame: divided by 128.

# --- Threats ----------------------------------------------------------------------------------------------------------

# By the kind of the attacked piece.
THREAT_BY_MINOR: Final[Weights] = (_NONE, (3, 15), (23, 20), (31, 27), (36, 57), (32, 76), _NONE)
THREAT_BY_ROOK: Final[Weights] = (_NONE, (1, 21), (16, 34), (16, 30), (0, 18), (21, 18), _NONE)
THREAT_BY_KING: Final[Weight] = (9, 42)
THREAT_BY_SAFE_PAWN: Final[Weight] = (69, 46)
THREAT_BY_PAWN_PUSH: Final[Weight] = (20, 19)
HANGING: Final[Weight] = (27, 18)
RESTRICTED: Final[Weight] = (3, 3)  # For each square that both sides attack and the enemy does not defend strongly.

# --- Endgames ---------------------------------------------------------------------------------------------------------

KNOWN_WIN: Final[Weight] = (0, 300)  # Against a bare king, with mating material.
DRIVING_EDGE: Final[Weight] = (0, 50)  # For each step of the weaker king away from the centre; ...
DRIVING_CORNER: Final[Weight] = (0, 200)  # ... with bishop and knight, away from the wrong corners.
DRIVING_NEAR: Final[Weight] = (0, 60)  # For each step of the stronger king towards it.

PHASES: Final = (0, 0, 1, 1, 2, 4, 0)  # By kind; all pieces of the start position make FULL_PHASE.
FULL_PHASE: Final = 24

# Scale factors of the endgame's value, in 64ths.
FULL_SCALE: Final = 64
SCALE_SHIFT: Final = 6
NO_PAWNS_SCALE: Final = 14  # No pawns, and at most a minor piece ahead.
MINOR_DEFENDS_SCALE: Final = 4  # No pawns, at most a minor piece ahead, and the enemy has at most a minor piece.
KNIGHTS_SCALE: Final = 2  # Two knights alone.
BISHOPS_SCALE: Final = 20  # Bishops of opposite colours and nothing else,
BISHOPS_PASSED_SCALE: Final = 6  # plus this for each passed pawn of the stronger side.
FEW_PAWNS_SCALE: Final = 38  # Any other endgame,
PAWN_SCALE: Final = 7  # plus this for each pawn of the stronger side,
BISHOPS_PAWN_SCALE: Final = 3  # or this with bishops of opposite colours and other pieces.

CLOCK_SHIFT: Final = 8  # Each ply of the fifty-move clock takes 1/256 of the value.
MAX_VALUE: Final = 9_999  # As for a Score.
