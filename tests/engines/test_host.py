"""Opening books: every move with its weight, and moves drawn by the weights."""

import collections
import random
from pathlib import Path

import chess
import chess.polyglot
import pytest

from ox88.engines.base import EngineEntry
from ox88.engines.host import EngineHost, book_moves
from ox88.types import NO_MOVE, format_uci
from tests.protocols.fake import OPTIONS, FakeEngine, book_entry

WEIGHTS = {"d2d4": 30, "e2e4": 65, "c2c4": 4, "g1f3": 1, "h2h4": 0}


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = tmp_path / "book.bin"
    path.write_bytes(b"".join(book_entry(chess.Board(), move, weight) for move, weight in WEIGHTS.items()))
    return str(path)


def test_moves_have_their_weights_the_heaviest_first(path: str) -> None:
    """A move without weight is never played, so it is left out, as by python-chess."""
    with chess.polyglot.open_reader(path) as book:
        expected = {entry.move.uci(): entry.weight for entry in book.find_all(chess.Board())}
    found = [(format_uci(move), weight) for move, weight in book_moves(path, chess.Board())]
    assert found == sorted(expected.items(), key=lambda move: -move[1])
    assert len(found) == 4


def test_moves_are_drawn_by_their_weights(path: str) -> None:
    random.seed(88)
    host = EngineHost([EngineEntry("Fake", OPTIONS, FakeEngine)], "Fake", print, lambda: None)
    host.set_option("Book File", path)
    assert host.book_move(chess.Board()) == NO_MOVE
    host.set_option("OwnBook", True)
    drawn = collections.Counter(format_uci(host.book_move(chess.Board())) for _ in range(300))
    assert 165 < drawn["e2e4"] < 225
    assert 60 < drawn["d2d4"] < 120
    assert drawn["g1f3"] < 12
    assert "h2h4" not in drawn
