"""UCI's lines: reads `position`, `setoption` and `go`; writes `option`, `info`, `bestmove` and the board of `d`."""

import math
import re
from dataclasses import dataclass, field
from typing import Final

from ox88.engines.base import EMPTY, Clock, Info, Limit, Option
from ox88.errors import Ox88Error
from ox88.fen import STARTPOS
from ox88.setup import Setup, format_fen, parse_fen
from ox88.types import NO_MOVE, PIECE_SYMBOLS, WHITE, format_uci, make_square

_POSITION: Final = "position: expected startpos or fen FEN, and perhaps moves MOVE..."
_SETOPTION: Final = re.compile(r"name\s+(?P<name>.+?)(?:\s+value(?:\s+(?P<value>.*))?)?", re.DOTALL)
_NUMBERS: Final = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft")
_FLAGS: Final = ("infinite", "ponder")
_WORDS: Final = (*_NUMBERS, *_FLAGS, "searchmoves")
_LIMITS: Final = ("wtime", "btime", "depth", "nodes", "mate", "movetime")
_INTEGER: Final = re.compile(r"[-+]?[0-9]+")
_LARGEST: Final = 10**18  # Milliseconds, nodes or plies: more than anyone waits for.


# --- Reading ----------------------------------------------------------------------------------------------------------


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


def parse_setoption(text: str) -> tuple[str, str | None]:
    """The name and the value that follow `setoption`; both may contain spaces. Raises Ox88Error."""
    match = _SETOPTION.fullmatch(text.strip())
    if match is None:
        raise Ox88Error("setoption: expected setoption name NAME [value VALUE]")
    return match["name"], match["value"]


@dataclass(slots=True)
class Go:
    """The words of a `go`, read. moves: the words after searchmoves. remarks: what could not be read."""

    numbers: dict[str, int] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    moves: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def ponders(self) -> bool:
        return "ponder" in self.flags

    @property
    def is_endless(self) -> bool:
        """True if only `stop` ends the search: with `infinite`, or without any limit."""
        return "infinite" in self.flags or not any(name in self.numbers for name in _LIMITS)

    def limit(self, turn: int, moves: tuple[int, ...] = ()) -> Limit:
        """The limit for the side to move. moves: the legal ones of searchmoves."""
        time = self._at_least("movetime", 0)
        return Limit(
            nodes=self._at_least("nodes", 1),
            time=math.inf if self.is_endless else None if time is None else time / 1000,
            depth=self._at_least("depth", 1),
            mate=self._at_least("mate", 1),
            clock=None if self.is_endless else self._clock(turn),
            ponder=self.ponders,
            moves=moves,
        )

    def _at_least(self, name: str, minimum: int) -> int | None:
        number = self.numbers.get(name)
        return None if number is None else max(number, minimum)

    def _clock(self, turn: int) -> Clock | None:
        """The mover's clock, or the opponent's if only this one is given. Negative times count as 0."""
        own, other = ("w", "b") if turn == WHITE else ("b", "w")
        for colour in (own, other):
            remaining = self._at_least(colour + "time", 0)
            if remaining is not None:
                increment = self._at_least(colour + "inc", 0) or 0
                moves_to_go = self._at_least("movestogo", 0) or None
                return Clock(remaining / 1000, increment / 1000, moves_to_go)
        return None


def parse_go(text: str) -> Go:
    """Read the words after `go`, in any order. Words that make no sense are left out, with a remark."""
    go = Go()
    words = text.split()
    while words:
        word = words.pop(0)
        if word in _FLAGS:
            go.flags.add(word)
        elif word == "searchmoves":
            while words and words[0] not in _WORDS:
                go.moves.append(words.pop(0))
        elif word not in _NUMBERS:
            go.remarks.append(f"go: {word[:40]!r} is none of {', '.join(_WORDS)}")
        elif words and _INTEGER.fullmatch(words[0]):
            go.numbers[word] = _to_number(words.pop(0))
        else:
            found = f"{words[0][:40]!r}, no number" if words else "no number"
            go.remarks.append(f"go: {word} is followed by {found}")
            if words and words[0] not in _WORDS:
                words.pop(0)
    return go


def _to_number(text: str) -> int:
    """The integer that a text means, however long, clamped to what all code can calculate with."""
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-")
    return sign * (_LARGEST if len(digits) > len(str(_LARGEST)) else min(int(digits), _LARGEST))


# --- Writing ----------------------------------------------------------------------------------------------------------


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
