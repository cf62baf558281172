"""Attacks, checkers and pins against python-chess."""

import chess

from ox88.mailbox import records
from ox88.mailbox.attacks import checkers_and_pins, is_attacked, is_check
from ox88.mailbox.position import make_position
from ox88.types import to_0x88
from tests.bitboard.naive import boards_to_try, to_setup
from tests.mailbox.naive import few_or_many, random_positions

TABLES = records.tables()


def test_attacks() -> None:
    for board in boards_to_try(50):
        position = make_position(to_setup(board))
        for square in chess.SQUARES:
            for colour in (0, 1):
                expected = board.is_attacked_by(colour == 0, square)
                assert is_attacked(position, TABLES, to_0x88(square), colour) == expected, (board.fen(), square, colour)


@few_or_many
def test_checkers_and_pins(step: int) -> None:
    boards = [*boards_to_try(step), *random_positions(6000 // step)]
    assert {len(board.checkers()) for board in boards} >= {0, 1, 2}
    for board in boards:
        position = make_position(to_setup(board))
        count, checker, pinned = checkers_and_pins(position, TABLES)
        checkers = {to_0x88(square) for square in board.checkers()}
        own = chess.scan_forward(board.occupied_co[board.turn])
        pins = {to_0x88(square) for square in own if board.is_pinned(board.turn, square)}
        assert count == len(checkers), board.fen()
        assert count != 1 or {checker} == checkers, board.fen()
        assert {position.squares[slot] for slot in range(32) if pinned >> slot & 1} == pins, board.fen()
        assert is_check(position, TABLES) == board.is_check()
