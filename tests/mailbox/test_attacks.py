import chess

from ox88.convert import from_chess_board
from ox88.mailbox import records
from ox88.mailbox.attacks import checkers_and_pins, is_attacked, is_check
from ox88.mailbox.position import make_position
from ox88.types import to_0x88
from tests.mailbox.naive import (
    chess960_board,
    few_or_many_games,
    few_or_many_positions,
    mailbox_squares,
    random_game,
    random_position,
    starts,
)

TABLES = records.tables()


def assert_attacks_agree(board: chess.Board) -> None:
    position = make_position(from_chess_board(board))
    for square in chess.SQUARES:
        for colour in (0, 1):
            expected = board.is_attacked_by(colour == 0, square)
            assert is_attacked(position, TABLES, to_0x88(square), colour) == expected, (board.fen(), square, colour)


def assert_checkers_and_pins_agree(board: chess.Board) -> None:
    position = make_position(from_chess_board(board))
    count, checker, pinned = checkers_and_pins(position, TABLES)
    checkers = mailbox_squares(board.checkers())
    pins = {
        square for square in chess.scan_forward(board.occupied_co[board.turn]) if board.is_pinned(board.turn, square)
    }
    assert count == len(checkers), board.fen()
    assert count != 1 or {checker} == checkers, board.fen()
    assert {position.squares[slot] for slot in range(32) if pinned >> slot & 1} == mailbox_squares(pins), board.fen()
    assert is_check(position, TABLES) == board.is_check()


def test_attacks_in_random_games() -> None:
    for seed, board in enumerate(starts(4)):
        for ply, _ in enumerate(random_game(board, seed, 120)):
            if ply % 5 == 0:
                assert_attacks_agree(board)


@few_or_many_games
def test_checkers_and_pins_in_random_games(games: int) -> None:
    checks = 0
    for seed, board in enumerate(starts(games)):
        for _ in random_game(board, seed, 150):
            assert_checkers_and_pins_agree(board)
            checks += board.is_check()
    assert checks > 2 * games


@few_or_many_positions
def test_checkers_and_pins_in_random_positions(positions: int) -> None:
    legal = [board for board in map(random_position, range(positions)) if not from_chess_board(board).broken_rules()]
    assert {len(board.checkers()) for board in legal} >= {0, 1, 2}
    for board in legal:
        assert_checkers_and_pins_agree(board)


def test_two_pawns_can_check() -> None:
    assert_checkers_and_pins_agree(chess960_board("4k3/8/8/8/8/8/3p1p2/4K3 w - - 0 1"))
