"""Calls every kernel of the 0x88 board once, so that all are compiled and in the cache."""

from ox88.fen import STARTPOS
from ox88.mailbox.attacks import is_check
from ox88.mailbox.perft import Counter
from ox88.mailbox.position import make_position
from ox88.mailbox.records import tables
from ox88.setup import parse_fen
from ox88.types import make_move


def warm_up() -> None:
    setup = parse_fen(STARTPOS)
    counter = Counter(setup)
    counter.legal_moves()
    for mode in counter.modes:
        counter.count_after(make_move(12, 28), 3, mode)
    is_check(make_position(setup), tables())
