"""What a search says, as python-chess has it: every field, as python-chess reads it from the `info` line."""

from collections.abc import Iterable

import chess
import chess.engine
import pytest
from chess.engine import INFO_ALL, INFO_BASIC, INFO_NONE, INFO_PV, INFO_SCORE

from ox88.convert import from_chess_move
from ox88.engines.base import Info, Option, Score
from ox88.protocols.uci_text import format_best_move, format_info
from ox88.simple.conversion import to_best_move, to_info_dict, to_option

BOARDS = [
    chess.Board("r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1"),
    chess.Board("r3k2r/p6p/8/8/8/8/P6P/R3K2R b KQkq - 0 1"),
    chess.Board("rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 b EAea - 0 1", chess960=True),
]


def line_of(board: chess.Board, sans: Iterable[str] = ("O-O", "O-O-O")) -> tuple[int, ...]:
    board, line = board.copy(), []
    for san in sans:
        move = board.parse_san(san)
        line.append(from_chess_move(move, board))
        board.push(move)
    return tuple(line)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
@pytest.mark.parametrize("selector", [INFO_NONE, INFO_BASIC, INFO_SCORE, INFO_PV, INFO_ALL])
@pytest.mark.parametrize("shows_wdl", [False, True])
def test_an_info_is_what_python_chess_reads_from_its_line(
    board: chess.Board, selector: chess.engine.Info, shows_wdl: bool
) -> None:
    line = line_of(board)
    infos = [
        Info(9, Score(), 5, 0.5, current_move=line[0], current_move_number=3),
        Info(9, Score(centipawns=-31), 1000, 0.25, line, "lower", 14, 1, 77, 2, (300, 500, 200)),
        Info(8, Score(centipawns=31), 2000, 0.5, line[:1], "upper", 15, 2, 78, 3, (500, 300, 200)),
        Info(7, Score(mate=-4), 3000, 1.0, (), multipv=3),
        Info(6, Score(mate=0), 1, 0.0, (), outcomes=(0, 0, 1000)),
    ]
    for info in infos:
        text = format_info(info, board.chess960, shows_wdl).removeprefix("info ")
        expected = chess.engine._parse_uci_info(text, board, selector)
        assert to_info_dict(info, board, selector, shows_wdl) == expected
    assert len(expected) == (0 if selector == INFO_NONE else 7 + shows_wdl + bool(selector & INFO_SCORE))


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
@pytest.mark.parametrize("length", [0, 1, 2])
def test_a_best_move_is_what_python_chess_reads_from_its_line(board: chess.Board, length: int) -> None:
    line = line_of(board)[:length]
    best = to_best_move(line, board)
    text = format_best_move(line, board.chess960).removeprefix("bestmove ")
    expected = chess.engine._parse_uci_bestmove(board, text)
    assert (best.move or chess.Move.null(), best.ponder) == (expected.move or chess.Move.null(), expected.ponder)
    assert (best.move is None) == (length == 0)


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        (Option("Hash", "spin", 16, 1, 1024), chess.engine.Option("Hash", "spin", 16, 1, 1024, [])),
        (Option("Ponder", "check", default=True), chess.engine.Option("Ponder", "check", True, None, None, [])),
        (Option("A", "combo", "b", choices=("b", "c")), chess.engine.Option("A", "combo", "b", None, None, ["b", "c"])),
        (Option("Book", "string", "a b"), chess.engine.Option("Book", "string", "a b", None, None, [])),
        (Option("Clear", "button"), chess.engine.Option("Clear", "button", None, None, None, [])),
    ],
)
def test_options(option: Option, expected: chess.engine.Option) -> None:
    assert to_option(option) == expected
