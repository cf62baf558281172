"""UCI's `info` and `bestmove`: what a search has found, as lines."""

from ox88.engines.base import Info, Score
from ox88.types import NO_MOVE, to_uci


def format_info(info: Info, chess960: bool = False, show_wdl: bool = False) -> str:
    """The `info` line of an Info. chess960: castling is written as the king taking its rook."""
    if info.current_move != NO_MOVE:
        move = to_uci(info.current_move, chess960)
        return f"info depth {info.depth} currmove {move} currmovenumber {info.current_move_number}"
    words = [f"info depth {info.depth}"]
    if info.selective_depth:
        words.append(f"seldepth {info.selective_depth}")
    words.append(f"multipv {info.multipv} score {format_score(info.score)}")
    if info.bound != "exact":
        words.append(f"{info.bound}bound")
    if show_wdl and info.outcomes is not None:
        words.append("wdl " + " ".join(map(str, info.outcomes)))
    words.append(f"nodes {info.nodes} nps {info.nodes_per_second} hashfull {info.hash_full}")
    words.append(f"tbhits {info.tablebase_hits} time {int(1000 * info.time)}")
    if info.line:
        words.append("pv " + " ".join(to_uci(move, chess960) for move in info.line))
    return " ".join(words)


def format_score(score: Score) -> str:
    return f"cp {score.centipawns or 0}" if score.mate is None else f"mate {score.mate}"


def format_best_move(line: tuple[int, ...], chess960: bool = False) -> str:
    """The `bestmove` line: the first move of the line, and the second as the one to ponder on; 0000 without any."""
    best = to_uci(line[0] if line else NO_MOVE, chess960)
    return f"bestmove {best} ponder {to_uci(line[1], chess960)}" if len(line) > 1 else f"bestmove {best}"
