"""Wrong uses of the package, which type checkers must refuse. Nothing here runs.

mypy reports an `ignore` that ignores no error, so each line below must have one. test_pyright.py asks pyright too.
"""

from pathlib import Path

import chess
import numpy as np

import ox88


def names() -> None:
    ox88.Postions  # type: ignore[attr-defined]  # noqa: B018
    ox88.read_png("games.pgn")  # type: ignore[attr-defined]
    from ox88 import Position  # type: ignore[attr-defined]  # noqa: F401


def watched(engine: ox88.MicroMax) -> None:
    engine.watch("startpos")  # type: ignore[arg-type]
    engine.watch(chess.Board(), 5)  # type: ignore[call-arg]
    engine.watch(chess.Board(), node="first")  # type: ignore[arg-type]
    engine.watch(chess.Board()).tree  # type: ignore[attr-defined]  # noqa: B018


def moves(positions: ox88.Positions, setup: ox88.Setup) -> None:
    positions.push(1.5)  # type: ignore[arg-type]
    positions.push([1.5])  # type: ignore[arg-type]
    positions.push("e2e4")  # type: ignore[arg-type]
    positions.push(None)  # type: ignore[arg-type]
    positions.push(positions)  # type: ignore[arg-type]
    positions.push(np.zeros(2))  # type: ignore[arg-type]
    positions.push(["e2e4"], 2)  # type: ignore[call-arg, arg-type]
    positions.push(["e2e4"], null_move=True)  # type: ignore[call-arg]
    positions.legal_moves(captures="all")  # type: ignore[arg-type]
    positions.format_san("Nf3")  # type: ignore[arg-type]
    positions.parse_san("Nf3")  # type: ignore[arg-type]
    positions.parse_uci([1804])  # type: ignore[arg-type]
    ox88.parse_uci("e2e4", "startpos")  # type: ignore[call-overload]
    ox88.parse_uci("e2e4", chess.Board())  # type: ignore[call-overload]
    ox88.parse_uci("e2e4")  # type: ignore[call-overload]
    ox88.format_uci("e2e4")  # type: ignore[arg-type]
    ox88.format_uci(chess.Move.null())  # type: ignore[call-overload]
    ox88.parse_san(["Nf3"], setup)  # type: ignore[call-overload]


def legal_moves(legal: ox88.LegalMoves) -> None:
    legal.count(5)  # type: ignore[attr-defined]
    legal.index(5)  # type: ignore[attr-defined]
    legal["e2e4"]  # type: ignore[index]
    legal.moves = legal.moves  # type: ignore[misc]


def containers(positions: ox88.Positions) -> None:
    positions["a"]  # type: ignore[index]
    positions[0.5]  # type: ignore[call-overload]
    positions[0] = "startpos"  # type: ignore[assignment]
    positions + [positions[0]]  # type: ignore[operator]  # noqa: RUF005
    positions[0].fens()  # type: ignore[attr-defined]
    positions[:1].fen  # type: ignore[attr-defined]  # noqa: B018
    positions.turn = 1  # type: ignore[misc, assignment]


def constructors() -> None:
    ox88.Positions("startpos")  # type: ignore[arg-type]
    ox88.Positions(["startpos"])  # type: ignore[list-item]
    ox88.Positions.from_fens(5)  # type: ignore[arg-type]
    ox88.Positions.from_fens(["startpos"], errors="ignore")  # type: ignore[arg-type]
    ox88.Positions.from_boards(["startpos"])  # type: ignore[list-item]
    ox88.Positions.from_parquet(5)  # type: ignore[arg-type]
    ox88.Positions.from_arrow([b"bytes"])  # type: ignore[arg-type]
    ox88.Setup(5)  # type: ignore[arg-type]
    ox88.parse_fen(5)  # type: ignore[arg-type]


def options(positions: ox88.Positions, setup: ox88.Setup) -> None:
    positions.attacks("white")  # type: ignore[arg-type]
    positions.attacks(positions.is_check())  # type: ignore[arg-type]
    positions.pinned(1.5)  # type: ignore[arg-type]
    positions.fens(en_passant="never")  # type: ignore[arg-type]
    ox88.format_fen(setup, en_passant="never")  # type: ignore[arg-type]
    positions.planes(view="black")  # type: ignore[arg-type]
    positions.features("nnue")  # type: ignore[arg-type]
    positions.policy_mask("leela")  # type: ignore[arg-type]
    positions.search(nodes="many")  # type: ignore[arg-type]


def games(found: ox88.Games) -> None:
    ox88.read_pgn(5)  # type: ignore[arg-type]
    ox88.read_pgn_text(b"1. e4")  # type: ignore[arg-type]
    ox88.read_pgn_text(Path("games.pgn"))  # type: ignore[arg-type]
    found.positions(1.5)  # type: ignore[arg-type]
    found["White"]  # type: ignore[index]
    ox88.analyse_game(5)  # type: ignore[arg-type]
    ox88.show(5)  # type: ignore[arg-type]
