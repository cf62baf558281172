"""UCI's lines: `position` and `setoption` are read; `option`, `info`, `bestmove` and the board of `d` are written."""

import re
from typing import Final

from ox88.engines.base import Info, Option
from ox88.engines.settings import EMPTY
from ox88.errors import Ox88Error
from ox88.fen import STARTPOS
from ox88.setup import Setup, format_fen, parse_fen
from ox88.types import NO_MOVE, PIECE_SYMBOLS, format_uci, make_square

_POSITION: Final = "position: expected startpos or fen FEN, and perhaps moves MOVE..."
_SETOPTION: Final = re.compile(r"name\s+(?P<name>.+?)(?:\s+value(?:\s+(?P<value>.*))?)?", re.DOTALL)


def parse_position(text: str) -> tuple[Setup, list[str]]:
    """Read the start position and the moves that follow `position`. Raises Ox88Error; does not check the moves."""
    words = text.split()
    split = words.index("moves") if "moves" in words else len(words)
    before, moves = words[:split], words[split + 1 :]
    if before == ["startpos"]:
        return parse_fen(STARTPOS), moves
    if len(before) > 1 and before[0] == "fen":
        return parse_fen(" ".join(before[1:])), moves
    raise Ox88Error(_POSITION)


def format_option(option: Option) -> str:
    """The `option` line of an option."""
    words = [f"option name {option.name} type {option.kind}"]
    if option.kind == "check":
        words.append(f"default {str(bool(option.default)).lower()}")
    elif option.kind != "button":
        words.append(f"default {EMPTY if option.default in ('', None) else option.default}")
    if option.kind == "spin":
        words.append(f"min {option.minimum} max {option.maximum}")
    words += [f"var {choice}" for choice in option.choices]
    return " ".join(words)


def parse_setoption(text: str) -> tuple[str, str | None]:
    """The name and the value that follow `setoption`; both may contain spaces. Raises Ox88Error."""
    match = _SETOPTION.fullmatch(text.strip())
    if match is None:
        raise Ox88Error("setoption: expected setoption name NAME [value VALUE]")
    return match["name"], match["value"]


def format_info(info: Info, chess960: bool = False, show_wdl: bool = False) -> str:
    """The `info` line of an Info. chess960: castling is written as the king taking its rook."""
    if info.current_move != NO_MOVE:
        move = format_uci(info.current_move, chess960)
        return f"info depth {info.depth} currmove {move} currmovenumber {info.current_move_number}"
    mate, centipawns = info.score.mate, info.score.centipawns
    score = f"cp {centipawns or 0}" if mate is None else f"mate {mate}"
    words = [f"info depth {info.depth}"]
    if info.selective_depth:
        words.append(f"seldepth {info.selective_depth}")
    words.append(f"multipv {info.multipv} score {score}")
    if info.bound != "exact":
        words.append(f"{info.bound}bound")
    if show_wdl and info.outcomes is not None:
        words.append("wdl " + " ".join(map(str, info.outcomes)))
    words.append(f"nodes {info.nodes} nps {info.nodes_per_second} hashfull {info.hash_full}")
    words.append(f"tbhits {info.tablebase_hits} time {int(1000 * info.time)}")
    if info.line:
        words.append("pv " + " ".join(format_uci(move, chess960) for move in info.line))
    return " ".join(words)


def format_best_move(line: tuple[int, ...], chess960: bool = False) -> str:
    """The `bestmove` line: the first move of the line, and its second as the move to ponder on; (none) if it is empty.

    Stockfish writes (none) too. python-chess takes 0000 for a null move, which can be pushed.
    """
    if not line:
        return "bestmove (none)"
    return "bestmove " + " ponder ".join(format_uci(move, chess960) for move in line[:2])


def format_diagram(setup: Setup) -> list[str]:
    """The lines of a board for people, rank 8 first, and its FEN."""
    rule = " +---+---+---+---+---+---+---+---+"
    lines = [rule]
    for rank in range(7, -1, -1):
        row = (PIECE_SYMBOLS[setup.board[make_square(file, rank)]].replace(".", " ") for file in range(8))
        lines += [" | " + " | ".join(row) + f" | {rank + 1}", rule]
    return [*lines, "   " + "   ".join("abcdefgh"), "", f"Fen: {format_fen(setup, shredder=setup.is_chess960())}"]
