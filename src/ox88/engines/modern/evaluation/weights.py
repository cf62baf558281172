"""Every number of the evaluation, in hundredths of a pawn: plain data, which a tuner can read and write back.

A weight is a pair: what counts in the middlegame, and what counts in the endgame. A table of weights is a tuple of
pairs, or of tuples of them. The upper-case names are the fields of the WEIGHTS record in lower case. Ranks are seen
from the side that is counted, and the index 0 is its own back rank.

The first figures follow the proportions of engines of about 3000 Elo whose evaluations are public, above all
Stockfish 11 (2020) and Ethereal 11 (2019), in round numbers on a scale of our own.
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
TEMPO: Final[Weight] = (18, 10)

# --- Piece squares: by kind, rank, and file from the edge (a and h, b and g, ...) -------------------------------------

PIECE_SQUARES: Final[tuple[tuple[Weights, ...], ...]] = (
    _NO_SQUARES,
    (  # Pawns.
        (_NONE, _NONE, _NONE, _NONE),
        ((-2, 0), (0, 0), (2, 4), (2, 3)),
        ((-8, -4), (-4, -4), (5, -2), (10, 1)),
        ((-7, 0), (-6, -3), (8, -5), (20, -5)),
        ((3, 6), (-2, 4), (0, -2), (6, -6)),
        ((2, 14), (2, 12), (6, 10), (10, 10)),
        ((0, 6), (0, 4), (2, 8), (4, 10)),
        (_NONE, _NONE, _NONE, _NONE),
    ),
    (  # Knights.
        ((-90, -45), (-50, -30), (-40, -22), (-36, -12)),
        ((-45, -30), (-24, -22), (-16, -10), (-8, 2)),
        ((-32, -20), (-10, -12), (3, -3), (8, 12)),
        ((-20, -15), (4, -2), (20, 7), (26, 14)),
        ((-18, -18), (8, -6), (24, 6), (30, 18)),
        ((-8, -22), (12, -18), (32, -6), (30, 9)),
        ((-38, -30), (-16, -22), (4, -20), (18, 4)),
        ((-100, -46), (-46, -38), (-30, -24), (-16, -10)),
    ),
    (  # Bishops.
        ((-28, -24), (-6, -14), (-8, -16), (-16, -8)),
        ((-8, -16), (6, -6), (9, -7), (2, 0)),
        ((-3, -8), (11, -1), (2, 0), (9, 5)),
        ((-3, -9), (6, -3), (12, 1), (20, 8)),
        ((-6, -8), (12, -2), (12, -3), (16, 7)),
        ((-8, -12), (4, 2), (2, 2), (6, 4)),
        ((-12, -14), (-8, -8), (2, -1), (0, 0)),
        ((-26, -20), (-6, -18), (-10, -16), (-14, -11)),
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
        ((30, -55), (52, -36), (28, -20), (-4, -24)),
        ((30, -33), (40, -13), (10, 0), (-16, 2)),
        ((-6, -18), (20, 0), (-20, 16), (-44, 18)),
        ((-22, -12), (-10, 10), (-36, 17), (-55, 17)),
        ((-28, -15), (-16, 14), (-50, 28), (-68, 28)),
        ((-42, -16), (-32, 17), (-64, 22), (-90, 25)),
        ((-60, -35), (-44, -4), (-72, -6), (-90, 0)),
        ((-75, -50), (-58, -30), (-80, -24), (-105, -22)),
    ),
)

# --- Mobility: by number of squares in the mobility area --------------------------------------------------------------

KNIGHT_MOBILITY: Final[Weights] = (
    (-38, -46), (-27, -30), (-10, -16), (-3, -7), (3, 3), (9, 8), (14, 12), (18, 14), (21, 17),
)  # fmt: skip
BISHOP_MOBILITY: Final[Weights] = (
    (-34, -36), (-18, -19), (-3, -8), (4, 0), (11, 7), (18, 15), (22, 20), (25, 23), (26, 27), (29, 30), (34, 32),
    (36, 35), (39, 36), (42, 38),
)  # fmt: skip
ROOK_MOBILITY: Final[Weights] = (
    (-34, -52), (-18, -24), (-11, -8), (-8, 4), (-5, 10), (-3, 16), (3, 26), (7, 30), (13, 36), (14, 41), (16, 46),
    (19, 50), (23, 52), (25, 54), (29, 55),
)  # fmt: skip
QUEEN_MOBILITY: Final[Weights] = (
    (-26, -30), (-16, -20), (-6, -10), (-5, -6), (0, 2), (4, 10), (7, 14), (12, 19), (14, 22), (16, 27), (19, 29),
    (21, 33), (22, 37), (24, 40), (25, 42), (26, 44), (27, 46), (28, 49), (29, 52), (31, 54), (34, 57), (37, 60),
    (38, 62), (39, 65), (41, 68), (43, 71), (46, 75), (48, 79),
)  # fmt: skip

# --- Pieces -----------------------------------------------------------------------------------------------------------

# By kind: on a square that a pawn of its own guards and that no pawn of the other side can ever attack.
OUTPOST: Final[Weights] = (_NONE, _NONE, (32, 18), (20, 12), _NONE, _NONE, _NONE)
KNIGHT_NEAR_OUTPOST: Final[Weight] = (16, 8)  # One step away from a free one.
MINOR_BEHIND_PAWN: Final[Weight] = (10, 2)
MINOR_KING_DISTANCE: Final[Weight] = (-4, -4)  # For each king's step between a minor piece and its king.
BISHOP_PAWN: Final[Weight] = (-2, -4)  # For each pawn of its own on squares of the bishop's colour.
ROOK_OPEN_FILE: Final[Weight] = (30, 14)
ROOK_HALF_OPEN_FILE: Final[Weight] = (14, 6)
ROOK_ON_SEVENTH: Final[Weight] = (6, 20)  # With pawns there, or the king behind them.
TRAPPED_ROOK: Final[Weight] = (-34, -6)  # In the corner by a king that has not castled.

# --- Pawns ------------------------------------------------------------------------------------------------------------

ISOLATED_PAWN: Final[Weight] = (-5, -9)
BACKWARD_PAWN: Final[Weight] = (-6, -11)
UNOPPOSED_WEAK_PAWN: Final[Weight] = (-9, -10)  # Isolated or backward, and no pawn stands before it on its file.
DOUBLED_PAWN: Final[Weight] = (-8, -22)  # For each with another before it on its file.
# By rank.
PHALANX: Final[Weights] = (_NONE, (4, -1), (9, 2), (11, 7), (24, 18), (50, 44), (80, 70), _NONE)
SUPPORTED_PAWN: Final[Weights] = (_NONE, _NONE, (13, 7), (11, 7), (16, 14), (34, 34), (60, 60), _NONE)

# --- Passed pawns: by rank --------------------------------------------------------------------------------------------

PASSED_PAWN: Final[Weights] = (_NONE, (2, 12), (4, 15), (6, 22), (28, 42), (70, 90), (120, 140), _NONE)
# For each king's step, up to FAR_KING, from the square before the pawn to the king of the other side, and to its own.
PASSED_THEIR_KING: Final[Weights] = (_NONE, _NONE, (0, 1), (0, 5), (0, 13), (0, 22), (0, 30), _NONE)
PASSED_OWN_KING: Final[Weights] = (_NONE, _NONE, (0, -1), (0, -3), (0, -6), (0, -10), (0, -12), _NONE)
# The way to the last rank is free and not attacked; or at least the next step is; and whether it is defended.
PASSED_SAFE_PATH: Final[Weights] = (_NONE, _NONE, _NONE, (8, 14), (24, 46), (50, 88), (75, 130), _NONE)
PASSED_SAFE_STEP: Final[Weights] = (_NONE, _NONE, _NONE, (4, 6), (10, 18), (18, 32), (24, 46), _NONE)
PASSED_DEFENDED_STEP: Final[Weights] = (_NONE, _NONE, _NONE, (3, 4), (8, 12), (15, 22), (24, 34), _NONE)
PASSED_BLOCKED: Final[Weights] = (_NONE, _NONE, (0, -2), (-2, -8), (-6, -18), (-16, -36), (-30, -56), _NONE)
FAR_KING: Final = 5

# --- King shelter: by file from the edge, and rank of the pawn, 0 for none --------------------------------------------

# The rearmost pawn of the king's own side that is not behind the king.
SHELTER: Final[tuple[Weights, ...]] = (
    ((-4, 0), (48, 0), (56, 0), (34, 0), (22, 0), (10, 0), (14, 0), _NONE),
    ((-26, 0), (38, 0), (22, 0), (-28, 0), (-16, 0), (-6, 0), (-36, 0), _NONE),
    ((-6, 0), (46, 0), (14, 0), (-2, 0), (16, 0), (2, 0), (-26, 0), _NONE),
    ((-24, 0), (-8, 0), (-18, 0), (-30, 0), (-28, 0), (-40, 0), (-80, 0), _NONE),
)
# The pawn of the other side that has come nearest.
STORM: Final[tuple[Weights, ...]] = (
    ((-50, 0), (100, 0), (60, 0), (-58, 0), (-30, 0), (-26, 0), (-30, 0), _NONE),
    ((-28, 0), (14, 0), (-74, 0), (-27, 0), (-22, 0), (6, 0), (-12, 0), _NONE),
    ((4, 0), (-30, 0), (-95, 0), (-20, 0), (2, 0), (13, 0), (8, 0), _NONE),
    ((8, 0), (6, 0), (-60, 0), (-2, 0), (-7, 0), (9, 0), (16, 0), _NONE),
)
# The same, by rank, where a pawn of the king's own side stands right before it.
BLOCKED_STORM: Final[Weights] = (_NONE, _NONE, (-44, -30), (6, -4), (4, -3), (2, -2), _NONE, _NONE)
KING_PAWN_DISTANCE: Final[Weight] = (0, -7)  # For each king's step to the nearest pawn of its own.

# --- King danger: units, whose square counts in the middlegame --------------------------------------------------------

# By kind: weight of a piece that attacks the king's zone, which is multiplied by the number of such pieces.
ATTACKER_UNITS: Final = (0, 0, 86, 58, 50, 13, 0)
SAFE_CHECK_UNITS: Final = (0, 0, 860, 690, 1150, 850, 0)  # By kind that could give check without being lost.
UNSAFE_CHECK_UNITS: Final = 160  # For each square from which a check would cost the piece.
NEAR_ATTACK_UNITS: Final = 76  # For each attack of a piece on a square beside the king.
WEAK_ZONE_UNITS: Final = 200  # For each square of the zone that is attacked and badly defended.
PINNED_UNITS: Final = 105  # For each piece pinned to the king.
FLANK_ATTACK_UNITS: Final = 3  # For the square of the number of attacks on the king's side of the board,
FLANK_ATTACK_SHIFT: Final = 3  # divided by 8.
FLANK_DEFENCE_UNITS: Final = -4
NO_QUEEN_UNITS: Final = -960
KNIGHT_DEFENDER_UNITS: Final = -110
SHELTER_UNITS: Final = -1  # For each hundredth of a pawn of shelter.
BASE_UNITS: Final = 40
HARMLESS_UNITS: Final = 110  # Less is no danger.
SQUARED_DANGER_SHIFT: Final = 13  # Units squared to hundredths of a pawn in the middlegame: divided by 8,192;
DANGER_SHIFT: Final = 5  # units in the endgame: divided by 32.

# --- Threats ----------------------------------------------------------------------------------------------------------

# By kind that is attacked.
THREAT_BY_MINOR: Final[Weights] = (_NONE, (4, 15), (36, 20), (48, 27), (56, 57), (50, 76), _NONE)
THREAT_BY_ROOK: Final[Weights] = (_NONE, (2, 21), (24, 34), (24, 30), (0, 18), (32, 18), _NONE)
THREAT_BY_KING: Final[Weight] = (14, 42)
THREAT_BY_SAFE_PAWN: Final[Weight] = (106, 46)
THREAT_BY_PAWN_PUSH: Final[Weight] = (30, 19)
HANGING: Final[Weight] = (42, 18)
RESTRICTED: Final[Weight] = (4, 3)  # For each square that both attack and that the other side does not hold firmly.

# --- Endgames ---------------------------------------------------------------------------------------------------------

LONE_KING: Final[Weight] = (0, 150)  # A side that has nothing but its king, against mating material,
LONE_KING_EDGE: Final[Weight] = (0, 12)  # for each step that it has been driven from the middle,
LONE_KING_CORNER: Final[Weight] = (0, 20)  # from the corners that do not matter, against bishop and knight,
LONE_KING_NEAR: Final[Weight] = (0, 8)  # and for each step that the other king has come near.

PHASES: Final = (0, 0, 1, 1, 2, 4, 0)  # By kind; all pieces of the start position make FULL_PHASE.
FULL_PHASE: Final = 24

# What is left of an endgame's value, in 64ths.
FULL_SCALE: Final = 64
SCALE_SHIFT: Final = 6
NO_PAWNS_SCALE: Final = 14  # At most a minor piece ahead without a pawn,
MINOR_DEFENDS_SCALE: Final = 4  # against a minor piece at most.
KNIGHTS_SCALE: Final = 2  # Two knights alone.
BISHOPS_SCALE: Final = 20  # Bishops of opposite colours and nothing else,
BISHOPS_PASSED_SCALE: Final = 6  # and more for each passed pawn of the stronger side.
FEW_PAWNS_SCALE: Final = 38  # Any other endgame,
PAWN_SCALE: Final = 7  # and more for each pawn of the stronger side;
BISHOPS_PAWN_SCALE: Final = 3  # less so if the bishops are of opposite colours.

CLOCK_SHIFT: Final = 8  # A game without progress loses 1/256 of its value with each half move.
MAX_VALUE: Final = 19_999
