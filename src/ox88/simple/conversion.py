"""Converts between the types of chess.engine and of ox88.engines.base: limits, options, Infos, moves, errors."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypedDict, TypeVar

import chess
import chess.engine
from chess.engine import BestMove, ConfigValue, InfoDict

from ox88.convert import from_chess_move, legal_line
from ox88.engines import base
from ox88.errors import Ox88Error
from ox88.types import NO_MOVE

_SHORTEST: Final = 0.001  # Seconds. UCI counts milliseconds, and 0 would say that there is no limit.
_LARGEST: Final = 10**18  # Nodes or plies: more than anyone waits for.
_Number = TypeVar("_Number", int, float)


class Question(TypedDict, total=False):
    """What `play`, `analyse` and `analysis` can be told, as keywords.

    Attributes:
        game: any object; the engine forgets what it has learnt where this differs from the last call's.
        info: flags of chess.engine for what to tell of the search, such as INFO_SCORE | INFO_PV. By default INFO_ALL.
        root_moves: the only moves to consider; illegal ones are left out.
        options: values for this call.

    """

    game: object
    info: chess.engine.Info
    root_moves: Iterable[chess.Move] | None
    options: chess.engine.ConfigMapping


def to_limit(
    limit: chess.engine.Limit, turn: chess.Color, moves: Sequence[int] = (), ponder: bool = False
) -> base.Limit:
    """The limit of a search for the side to move. Raises TypeError for what is no limit, ValueError for bad numbers."""
    time = _number(limit, "time", float, _SHORTEST)
    clock = _clock(limit, turn)
    counts = {name: _number(limit, name, int, 1) for name in ("nodes", "depth", "mate")}
    if time is None and clock is None and not any(counts.values()):
        time = float("inf")
    return base.Limit(time=time, clock=clock, ponder=ponder, moves=tuple(moves), **counts)


def _clock(limit: chess.engine.Limit, turn: chess.Color) -> base.Clock | None:
    """The clock of the side to move, or the opponent's where no other is given."""
    for side in ("white", "black") if turn == chess.WHITE else ("black", "white"):
        remaining = _number(limit, f"{side}_clock", float, _SHORTEST)
        if remaining is not None:
            increment = _number(limit, f"{side}_inc", float, 0.0) or 0.0
            return base.Clock(remaining, increment, _number(limit, "remaining_moves", int, 0) or None)
    return None


def _number(limit: chess.engine.Limit, name: str, kind: Callable[[Any], _Number], least: _Number) -> _Number | None:
    try:
        value = getattr(limit, name)
        return None if value is None else min(max(kind(value), least), _LARGEST)
    except AttributeError:
        raise TypeError(f"the limit is {limit!r}: expected a chess.engine.Limit, such as Limit(time=1)") from None
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} of the limit is {getattr(limit, name)!r}: expected a number") from None


def check_question(board: chess.Board, question: Question) -> None:
    """Raises TypeError for arguments of other types, EngineError for a board of a chess variant."""
    unknown = question.keys() - Question.__annotations__.keys()
    if unknown:
        raise TypeError(f"unknown keywords {sorted(unknown)}; known are {', '.join(Question.__annotations__)}")
    if not isinstance(board, chess.Board):
        raise TypeError(f"the board is {board!r}: expected a chess.Board")
    if board.uci_variant != "chess":
        raise chess.engine.EngineError(f"engine does not support UCI_Variant {board.uci_variant}, only chess")
    selector = question.get("info", chess.engine.INFO_ALL)
    if not isinstance(selector, int):
        raise TypeError(f"info is {selector!r}: expected flags of chess.engine, such as INFO_SCORE | INFO_PV")


def to_root_moves(moves: Iterable[chess.Move] | None, board: chess.Board) -> list[int] | None:
    """The root moves that are legal; None for all moves. Raises TypeError for what is no move."""
    if moves is None:
        return None
    chosen = list(moves)
    for move in chosen:
        if not isinstance(move, chess.Move):
            raise TypeError(f"{move!r} is among the root moves: expected a chess.Move")
    return [from_chess_move(move, board) for move in chosen if board.is_legal(move)]


def to_info_dict(info: base.Info, board: chess.Board, selector: chess.engine.Info, shows_wdl: bool) -> InfoDict:
    """What python-chess would have read from the engine's `info` line.

    Args:
        info: what a search has found.
        board: the position that was searched.
        selector: flags of chess.engine for what to include.
        shows_wdl: add the expected outcomes.

    """
    if not selector:
        return {}
    if info.current_move != NO_MOVE:
        (move,) = legal_line((info.current_move,), board) or [chess.Move.null()]
        return {"depth": info.depth, "currmove": move, "currmovenumber": info.current_move_number}
    found: InfoDict = {
        "depth": info.depth,
        "multipv": info.multipv,
        "nodes": info.nodes,
        "nps": info.nodes_per_second,
        "hashfull": info.hash_full,
        "tbhits": info.tablebase_hits,
        "time": info.time,
    }
    if info.selective_depth:
        found["seldepth"] = info.selective_depth
    if shows_wdl and info.outcomes is not None:
        found["wdl"] = chess.engine.PovWdl(chess.engine.Wdl(*info.outcomes), board.turn)
    if selector & chess.engine.INFO_SCORE:
        mate, centipawns = info.score.mate, info.score.centipawns
        score = chess.engine.Cp(centipawns or 0) if mate is None else chess.engine.Mate(mate)
        found["score"] = chess.engine.PovScore(score, board.turn)
        if info.bound != "exact":
            found["lowerbound" if info.bound == "lower" else "upperbound"] = True  # type: ignore[typeddict-unknown-key]
    if selector & chess.engine.INFO_PV and info.line:
        found["pv"] = legal_line(info.line, board)
    return found


def to_best_move(line: Sequence[int], board: chess.Board) -> BestMove:
    """The move to play and the reply that the engine expects."""
    moves = legal_line(line[:2], board)
    return BestMove(moves[0] if moves else None, moves[1] if len(moves) > 1 else None)


def to_option(option: base.Option) -> chess.engine.Option:
    least, most = (option.minimum, option.maximum) if option.kind == "spin" else (None, None)
    return chess.engine.Option(option.name, option.kind, option.default, least, most, list(option.choices))


def parse_value(option: chess.engine.Option, value: ConfigValue) -> ConfigValue:
    """The value as python-chess reads it. Raises EngineError if it is out of range, TypeError if of another type."""
    try:
        return option.parse(value)
    except OverflowError:
        least, most = option.min, option.max
        raise chess.engine.EngineError(
            f"the value of option {option.name!r} is {value}: {least} to {most} is expected"
        ) from None
    except TypeError:
        raise TypeError(f"the value of option {option.name!r} is {value!r}: expected a {option.type} value") from None


class MissingFileError(chess.engine.EngineError, FileNotFoundError):
    """A file or a folder that an option names is not there."""

    def __str__(self) -> str:
        return str(self.args[0])


def engine_error(error: Exception) -> chess.engine.EngineError:
    """What python-chess raises in place of an error of the engine."""
    if isinstance(error, FileNotFoundError):
        return MissingFileError(str(error))
    if isinstance(error, Ox88Error):
        return chess.engine.EngineError(str(error))
    failure = chess.engine.EngineError(f"the engine has failed: {type(error).__name__}: {error}")
    failure.__cause__ = error
    return failure


@contextlib.contextmanager
def engine_errors() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        raise engine_error(error) from error
