"""Each term of the evaluation against its naive twin."""

import chess
import pytest

from ox88.bitboard.position import make_position
from ox88.engines.modern.evaluation.evaluate import Term, explain
from tests.bitboard.naive import to_setup
from tests.engines.modern.evaluation import naive
from tests.engines.modern.evaluation.samples import sample_boards


def terms_of(board: chess.Board) -> dict[str, Term]:
    return {term.name: term for term in explain(make_position(to_setup(board)))[1]}


@pytest.mark.parametrize("name", naive.TERMS)
def test_a_term_is_that_of_its_twin(name: str) -> None:
    twin = naive.TERMS[name]
    values = set()
    for board in sample_boards():
        term = terms_of(board)[name]
        white, black = twin(board), twin(board.mirror())
        assert (term.white_middlegame, term.white_endgame) == white, board.fen()
        assert (term.black_middlegame, term.black_endgame) == black, board.fen()
        values |= {white, black}
    assert len(values) > 20


def test_a_lone_king_is_driven_to_the_edge_and_the_corner_of_the_bishop() -> None:
    def lone_king(fen: str) -> int:
        return terms_of(chess.Board(fen))["lone king"].white_endgame

    assert lone_king("8/8/8/4k3/8/8/8/R3K3 w - - 0 1") < lone_king("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    # h8 is dark, a8 light.
    assert lone_king("7k/8/5K2/8/8/2BN4/8/8 w - - 0 1") > lone_king("k7/8/2K5/8/8/2BN4/8/8 w - - 0 1")
    assert lone_king("7k/8/5K2/8/8/3NB3/8/8 w - - 0 1") == lone_king("7k/8/5K2/8/8/2BN4/8/8 w - - 0 1")
    for no_mate in ("8/8/8/4k3/8/8/8/N1N1K3 w - - 0 1", "8/8/8/4k3/8/8/8/2B1K3 w - - 0 1", chess.STARTING_FEN):
        assert lone_king(no_mate) == 0
