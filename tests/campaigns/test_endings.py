"""Mates that Stockfish proves."""

from collections.abc import Iterator
from random import Random

import chess
import pytest
from chess.engine import Limit
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import ox88
from tests.bitboard import naive
from tests.campaigns.stockfish import Stockfish
from tests.positions import either_colour, place

pytestmark = pytest.mark.slow

LONGEST = 8  # Moves of a mate that Stockfish looks for.
MUST_BE_FOUND = 3  # Mates in so many moves.
NODES = 1_000_000  # Of Ox88, to find a mate.
QUIET_NODES = 100_000  # Of both, where it is not known whether there is one.
DOUBT_NODES = 30_000_000  # Of Stockfish, to confirm a mate that only Ox88 claims.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # To make a seed smaller would take an hour, and tell nothing.
MEN = ("KBBk", "KBNk", "KQkr", "KQkb", "KRRk", "KQPkq", "KRPkr", "KQBkq", "KRNkn", "KPPk", "KQRkqr", "KPPkpp")


@pytest.fixture(scope="module")
def engine() -> Iterator[ox88.Engine]:
    with ox88.Engine({"Hash": 16}) as engine:
        yield engine


def near_mate(seed: int) -> chess.Board:
    """Few men with Black's king on the edge and White's beside it, or a random game; the colours may be changed."""
    chance = Random(seed)
    if chance.random() < 0.3:
        return chance.choice([board for board, _ in naive.random_game(seed)])
    while True:
        board = place(chance.choice(MEN), chance)
        white, black = board.king(chess.WHITE), board.king(chess.BLACK)
        assert white is not None
        assert black is not None
        is_edge = not 0 < chess.square_file(black) < 7 or not 0 < chess.square_rank(black) < 7
        if is_edge and chess.square_distance(white, black) <= 3 and any(board.legal_moves):
            return either_colour(board, chance)


@settings(max_examples=20, phases=PHASES)
@given(board=st.integers(0, 1 << 60).map(near_mate))
def test_mates(board: chess.Board, stockfish: Stockfish, engine: ox88.Engine) -> None:
    """Ox88 finds the short mates that Stockfish proves, and claims none that Stockfish does not confirm."""
    expected = stockfish.mate(board, LONGEST, QUIET_NODES)
    limit = Limit(nodes=NODES, mate=expected) if expected and expected > 0 else Limit(nodes=QUIET_NODES)
    found = claim(engine, board, limit)
    if expected and abs(expected) <= MUST_BE_FOUND:
        if expected < 0 and not is_as_good(found, expected):  # Nothing ends a search early that will be mated.
            found = claim(engine, board, Limit(nodes=NODES))
        assert is_as_good(found, expected), f"{board.shredder_fen()}: mate in {found}, Stockfish finds {expected}"
    if found and abs(found) <= LONGEST and not (expected and is_as_good(expected, found)):
        confirmed = stockfish.mate(board, abs(found), DOUBT_NODES)
        assert is_as_good(confirmed, found), f"{board.shredder_fen()}: mate in {found}, Stockfish finds {confirmed}"


def claim(engine: ox88.Engine, board: chess.Board, limit: Limit) -> int | None:
    """Moves to the mate that Ox88 claims, as Stockfish tells them."""
    return engine.analyse(board, limit, game=object())["score"].relative.mate()


def is_as_good(found: int | None, expected: int) -> bool:
    """True for a mate by the same side in as many moves or fewer."""
    return found is not None and found * expected > 0 and abs(found) <= abs(expected)
