"""What micro-Max plays from a position, iteration by iteration: for checking it against other builds of the C."""

from typing import Any

from ox88.engines.micromax.machine import NODE_LIMIT, Machine
from ox88.fen import parse_fen
from ox88.types import square_name


def trace(
    fen: str, nodes: int = NODE_LIMIT, plies: int = 1, evaluation: int = 0, machine: Machine | None = None
) -> dict[str, Any]:
    """Let micro-Max play both sides for some plies and note everything it prints.

    The position is set afresh, so that a machine, which is slow to make, can serve many calls. Raises FenError,
    IllegalPositionError and EngineError.
    """
    machine = machine or Machine()
    machine.set_position(parse_fen(fen), evaluation)
    played = []
    for _ in range(plies):
        played.append(_trace_ply(machine, nodes))
        if "result" in played[-1]:
            break
    return {"fen": fen, "node_limit": nodes, "eval": evaluation, "plies": played}


def _trace_ply(machine: Machine, nodes: int) -> dict[str, Any]:
    score = machine.think(nodes)
    from_square, to_square = machine.root_move()
    ply: dict[str, Any] = {
        "iterations": [[line.depth, line.nodes, line.score, line.move_text] for line in machine.iterations()],
        "move": square_name(from_square) + square_name(to_square),
        "score": score,
        "nodes": int(machine.record.nodes),
    }
    machine.clear_table()
    if not machine.make_move(from_square, to_square):
        return ply | {"result": "illegal or none"}
    passed = machine.en_passant_square()
    return ply | {
        "eval_after": int(machine.record.evaluation),
        "en_passant_square": None if passed is None else square_name(passed),
    }
