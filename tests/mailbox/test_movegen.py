"""Legal moves against python-chess."""

import numpy as np

from ox88.mailbox import records
from ox88.mailbox.movegen import legal_moves
from ox88.mailbox.position import make_position
from tests.bitboard.naive import boards_to_try, to_setup
from tests.bitboard.naive import legal_moves as naive_moves
from tests.mailbox.naive import few_or_many, random_positions


@few_or_many
def test_legal_moves(step: int) -> None:
    moves = np.zeros(records.MAX_MOVES, np.uint16)
    boards = [*boards_to_try(step), *random_positions(6000 // step)]
    for board in boards:
        count = legal_moves(make_position(to_setup(board)), records.tables(), moves)
        assert sorted(moves[:count].tolist()) == naive_moves(board), board.fen()
    assert len(boards) > 600
