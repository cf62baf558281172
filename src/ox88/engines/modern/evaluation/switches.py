"""Groups of weights that can be switched off, to see what they are worth."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from ox88.engines.modern.evaluation.records import fill_weights

# Switch to fields of WEIGHTS. Material, endgames and the tempo always count, and so does the least danger that is one:
# without units nothing is.
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


def switch_off(evaluation: Any, switches: Collection[str]) -> None:
    """Fill in all weights but those of some switches, which become 0. evaluation: an EVALUATION record."""
    fill_weights(evaluation)
    for switch in switches:
        for field in SWITCHED[switch]:
            evaluation.weights[field] = 0
