"""Every option of the strong engine and every number of its search, with a name, a default and a range.

The search reads them from a record (`s.parameters`), so changing one compiles nothing. The same code is the strong
engine, the handicap levels and, with every switch off, the plain alpha-beta that equals a naive minimax.

Units: values are centipawns, depths plies, histories run from -16384 to 16384. `use_...` switches a heuristic.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from ox88.engines.base import Option, OptionValue


def _parameter(name: str, default: int, minimum: int, maximum: int) -> Option:
    return Option(name, "spin", default, minimum, maximum, expert=True)


SWITCHES: Final = tuple(
    _parameter(f"use_{name}", 1, 0, 1)
    for name in (
        "table", "aspiration", "quiescence", "quiescence_pruning", "check_extension", "null_move",
        "reverse_futility", "razoring", "futility", "late_move_reduction", "late_move_pruning", "see_pruning",
        "history_pruning", "internal_reduction", "singular_extension", "probcut", "mate_distance", "killers",
        "history", "threat_history", "correction", "upcoming_repetition", "endgame_extension",
        "passed_pawn_extension",
    )
)  # fmt: skip

# Switches of terms of the handcrafted evaluation, and the weights (fields of WEIGHTS) that each turns off. Material,
# endgames and tempo always count. HARMLESS_UNITS may stay: without any units there is no danger.
SWITCHED: Final[Mapping[str, tuple[str, ...]]] = {
    "use_piece_squares": ("piece_squares",),
    "use_mobility": ("mobility",),
    "use_pieces": (
        "outpost", "knight_near_outpost", "minor_behind_pawn", "minor_king_distance", "bishop_pawn",
        "rook_open_file", "rook_half_open_file", "rook_on_seventh", "trapped_rook",
    ),
    "use_pawn_structure": (
        "isolated_pawn", "backward_pawn", "unopposed_weak_pawn", "doubled_pawn", "phalanx", "supported_pawn",
        "king_pawn_distance",
    ),
    "use_passed_pawns": (
        "passed_pawn", "passed_their_king", "passed_own_king", "passed_safe_path", "passed_safe_step",
        "passed_defended_step", "passed_blocked",
    ),
    "use_king_safety": (
        "shelter", "storm", "blocked_storm", "attacker_units", "safe_check_units",
        "unsafe_check_units", "near_attack_units", "weak_zone_units", "pinned_units", "flank_attack_units",
        "flank_defence_units", "no_queen_units", "knight_defender_units", "shelter_units", "base_units",
    ),
    "use_threats": (
        "threat_by_minor", "threat_by_rook", "threat_by_king", "threat_by_safe_pawn", "threat_by_pawn_push",
        "hanging", "restricted",
    ),
}  # fmt: skip
TERM_SWITCHES: Final = tuple(_parameter(name, 1, 0, 1) for name in SWITCHED)

NUMBERS: Final = (
    _parameter("decided_value", 1000, 0, 32_000),
    _parameter("aspiration_depth", 5, 1, 20),
    _parameter("aspiration_window", 21, 1, 200),
    _parameter("razoring_depth", 4, 0, 10),
    _parameter("razoring_base", 146, 0, 1000),
    _parameter("razoring_margin", 250, 0, 1000),
    _parameter("reverse_futility_depth", 7, 0, 20),
    _parameter("reverse_futility_margin", 64, 1, 500),
    _parameter("null_move_depth", 3, 1, 20),
    _parameter("null_move_base", 4, 1, 10),
    _parameter("null_move_depth_divisor", 4, 1, 20),
    _parameter("null_move_value_divisor", 220, 20, 1000),
    _parameter("null_move_value_limit", 3, 0, 10),
    _parameter("null_move_verification_depth", 12, 1, 100),
    _parameter("probcut_depth", 5, 2, 20),
    _parameter("probcut_margin", 140, 0, 1000),
    _parameter("probcut_reduction", 4, 1, 10),
    _parameter("probcut_table_margin", 300, 0, 1000),
    _parameter("internal_reduction_depth", 4, 1, 20),
    _parameter("late_move_pruning_depth", 11, 0, 20),
    _parameter("late_move_pruning_base", 8, 0, 50),
    _parameter("futility_depth", 8, 0, 20),
    _parameter("futility_base", 71, 0, 1000),
    _parameter("futility_margin", 86, 0, 1000),
    _parameter("capture_futility_depth", 7, 0, 20),
    _parameter("capture_futility_base", 203, 0, 1000),
    _parameter("capture_futility_margin", 208, 0, 1000),
    _parameter("capture_futility_history_divisor", 133, 1, 1000),
    _parameter("history_pruning_depth", 4, 0, 20),
    _parameter("history_pruning_margin", 4900, 0, 20000),
    _parameter("see_pruning_depth", 9, 0, 20),
    _parameter("see_quiet_margin", 23, 0, 500),
    _parameter("see_capture_margin", 80, 0, 500),
    _parameter("singular_depth", 6, 2, 30),
    _parameter("singular_margin", 2, 0, 10),
    _parameter("double_extension_margin", 20, 0, 500),
    _parameter("triple_extension_margin", 80, 0, 500),
    _parameter("double_extension_limit", 8, 0, 50),
    # Reductions of late moves are in 1,024ths of a ply.
    _parameter("reduction_base", 700, 0, 4096),
    _parameter("reduction_factor", 540, 100, 2048),
    _parameter("reduction_depth", 3, 1, 20),
    _parameter("reduction_cut_node", 1024, 0, 4096),
    _parameter("reduction_not_improving", 580, 0, 4096),
    _parameter("reduction_pv_node", 1200, 0, 4096),
    _parameter("reduction_was_pv", 800, 0, 4096),
    _parameter("reduction_killer", 1042, 0, 4096),
    _parameter("reduction_check", 789, 0, 4096),
    _parameter("reduction_history_divisor", 11, 1, 100),
    _parameter("shallower_margin", 8, 0, 1000),
    _parameter("history_bonus_factor", 320, 1, 1000),
    _parameter("history_bonus_limit", 3800, 1, 16384),
    _parameter("history_malus_factor", 540, 1, 1000),
    _parameter("history_malus_limit", 2400, 1, 16384),
    # For the opponent's last quiet move.
    _parameter("last_move_bonus_factor", 180, 0, 1000),
    _parameter("eval_bonus_factor", 18, 0, 1000),
    _parameter("eval_bonus_limit", 1500, 0, 16384),
    # For quiet moves that save a minor piece from a pawn; a rook counts twice, a queen three times.
    _parameter("safety_bonus", 4000, 0, 10000),
    _parameter("correction_weight_limit", 30, 1, 128),
    # Of each average error, in 1/128.
    _parameter("pawn_correction_weight", 99, 0, 512),
    _parameter("non_pawn_correction_weight", 68, 0, 512),
    _parameter("continuation_correction_weight", 68, 0, 512),
    _parameter("delta_margin", 147, 0, 1000),
)  # fmt: skip

PARAMETERS: Final = (*SWITCHES, *NUMBERS)

MAX_HASH: Final = 1 << 18  # Megabytes: 2**32 buckets, as many as 32 bits of a key can number.
MAX_THREADS: Final = 256
LEAST_ELO: Final = 400
MOST_ELO: Final = 3000
FULL_SKILL: Final = 20
MOST_SEED: Final = (1 << 31) - 1
SHIPPED_NETWORK: Final = Path(__file__).parent / "network" / "ox88-10.npz"

OPTIONS: Final = (
    Option("Hash", "spin", 16, 1, MAX_HASH),
    Option("Clear Hash", "button"),
    Option("Threads", "spin", 1, 1, MAX_THREADS),
    Option("MultiPV", "spin", 1, 1, 256),
    Option("Move Overhead", "spin", 20, 0, 10_000),
    Option("UCI_LimitStrength", "check", False),
    Option("UCI_Elo", "spin", 1500, LEAST_ELO, MOST_ELO),
    Option("Skill Level", "spin", FULL_SKILL, 0, FULL_SKILL),
    Option("Seed", "spin", 0, 0, MOST_SEED),  # Of a level's choices; 0 for other choices each time.
    Option("SyzygyPath", "string", ""),
    Option("Use NNUE", "check", True),
    Option("EvalFile", "string", SHIPPED_NETWORK.name if SHIPPED_NETWORK.exists() else "", required=True),
    *SWITCHES,
    *NUMBERS,
    *TERM_SWITCHES,
)


# --- Limited strength -------------------------------------------------------------------------------------------------

MOST_HUMAN_ELO: Final = 2200  # Up to this level moves are chosen as people of the rating do (human/).
STRONG_NODES: Final = 600  # Nodes for a move just above it, ...
DOUBLING_ELO: Final = 230  # ... which double each time the level rises by this much.
LONE_KING_NODES: Final = 2_000  # Nodes for a move against a lone king, where people mate by rule.


class Strength(NamedTuple):
    """A level: a rating of people, or nodes for a move.

    rating: on the scale of Lichess; None above MOST_HUMAN_ELO. nodes: of a search, where the level searches.
    """

    rating: int | None
    nodes: int


def strength_of(elo: int) -> Strength:
    """Up to MOST_HUMAN_ELO a choice as people make it; above, a number of nodes. docs/levels.md measures both."""
    if elo <= MOST_HUMAN_ELO:
        return Strength(elo, LONE_KING_NODES)
    return Strength(None, int(STRONG_NODES * 2 ** ((elo - MOST_HUMAN_ELO) / DOUBLING_ELO)))


def requested_strength(options: Mapping[str, OptionValue]) -> Strength | None:
    """The strength set by UCI_LimitStrength and UCI_Elo, else by Skill Level; None for full strength."""
    if options["UCI_LimitStrength"]:
        return strength_of(int(options["UCI_Elo"] or 0))
    level = int(options["Skill Level"] or 0)
    if level == FULL_SKILL:
        return None
    return strength_of(LEAST_ELO + (MOST_ELO - LEAST_ELO) * level // FULL_SKILL)
