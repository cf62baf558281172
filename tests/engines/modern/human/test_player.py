"""How a level chooses: by the chances of its rating and temperature, and against a lone king by search."""

import itertools
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import ox88
from ox88.bitboard.position import make_position
from ox88.engines.modern.driver import PositionHistory
from ox88.engines.modern.human import player, policy, ranker
from ox88.engines.modern.human.policy import Past
from ox88.engines.modern.human.ranker import temperature_of
from ox88.engines.modern.records import MATE
from ox88.setup import parse_fen
from ox88.types import make_move, parse_square

DRAWS = 2000
ENDING = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"


@pytest.mark.parametrize(("rating", "share"), [(400, 0), (700, 0), (900, 0.25), (1100, 0.5), (1500, 1), (2200, 1)])
def test_the_higher_the_rating_the_more_often_a_lone_king_is_mated_by_search(rating: int, share: float) -> None:
    position, dice = make_position(parse_fen(ENDING)), random.Random(88)
    found = sum(player.plays_by_search(position, rating, dice) for _ in range(DRAWS)) / DRAWS
    assert found == pytest.approx(share, abs=0.04)
    pawns = make_position(parse_fen("4k3/4p3/8/8/8/8/8/R3K3 w - - 0 1"))
    assert not player.plays_by_search(pawns, 2200, dice)


def test_moves_are_drawn_by_their_chances_at_the_temperature_of_the_rating(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, bool]] = []

    def chances(*arguments: Any, in_play: bool) -> tuple[Any, Any]:
        *_, ratings, _ = arguments
        asked.append((int(ratings[0]), in_play))
        return np.array([0.6, 0.1, 0.3]), np.array([10, -20, 30], np.int16)

    monkeypatch.setattr(player, "chances_and_values", chances)
    position, moves = make_position(parse_fen(ENDING)), (1, 2, 3)
    drawn: Counter[int] = Counter()
    for seed in range(DRAWS):
        lines = player.choose(position, moves, Past.unknown(1), 1300, random.Random(seed))
        drawn[lines[0][0].moves[0]] += 1
        others = [line.moves[0] for line, _ in lines[1:]]
        assert others == [move for move in (1, 3, 2) if move != lines[0][0].moves[0]]
        assert {line.moves[0]: (line.value, chance) for line, chance in lines} == {
            1: (10, 0.6),
            2: (-20, 0.1),
            3: (30, 0.3),
        }
    assert [drawn[move] / DRAWS for move in moves] == pytest.approx([0.6, 0.1, 0.3], abs=0.04)
    assert set(asked) == {(1300, True)}
    player.likeliest(position, moves, Past.unknown(1), 1300)
    assert asked[-1] == (1300, False)


@pytest.mark.parametrize(("rating", "depth", "value"), [(1599, 4, 352), (1600, 6, 6 - int(MATE))])
def test_strong_players_see_deeper(rating: int, depth: int, value: int) -> None:
    """After ...d4 White mates in three moves. (A puzzle of Lichess.)"""
    game = PositionHistory()
    game.set_position(parse_fen("6k1/1R4p1/p1p1K3/2rp1nP1/6R1/8/2b5/8 b - - 2 63"))
    lines = player.choose(game.position, game.legal_moves(), game.past, rating, random.Random(88))
    assert {line.depth for line, _ in lines} == {depth}
    move = make_move(parse_square("d5"), parse_square("d4"))
    assert [line.value for line, _ in lines if line.moves[0] == move] == [value]


@pytest.mark.parametrize("rating", [400, 1150, 2200])
def test_levels_find_mates_in_one_by_a_temperature_of_their_own(rating: int) -> None:
    fens = ["7k/6pp/8/8/8/8/5PPP/R5K1 w - - 0 1", "7k/6pp/8/8/8/8/5PPP/R5K1 b - - 0 1", ENDING]  # The first: Ra8.
    some = ox88.Positions.from_fens(fens)
    legal, records = some.legal_moves(), some.records.view(np.recarray)
    asked = records, legal.offsets, legal.moves, np.full(len(some), rating), Past.unknown(len(some))
    (people, _), (levels, _) = (policy.chances_and_values(*asked, in_play=in_play) for in_play in (False, True))
    for (first, end), can_mate in zip(itertools.pairwise(legal.offsets), (True, False, False), strict=True):
        powers = people[first:end] ** (1 / temperature_of(rating, can_mate))
        assert levels[first:end] == pytest.approx(powers / powers.sum())


def test_where_a_move_mates_the_temperature_is_not_low() -> None:
    assert [temperature_of(rating, can_mate=True) for rating in (400, 1200, 2200)] == [0.95, 0.95, 0.95]
    assert temperature_of(400) > 0.95 > temperature_of(2200)


def test_the_past_are_the_last_move_and_ones_own_before_it() -> None:
    game = PositionHistory()
    assert tell(game.past) == (0, 0, False)
    game.push(parse_uci("e2e4"))
    assert tell(game.past) == (parse_uci("e2e4"), 0, False)
    game.push(parse_uci("d7d5"))
    game.push(parse_uci("e4d5"))
    assert tell(game.past) == (parse_uci("e4d5"), parse_uci("d7d5"), True)
    game.pop()
    assert tell(game.past) == (parse_uci("d7d5"), parse_uci("e2e4"), False)


def parse_uci(text: str) -> int:
    return make_move(parse_square(text[:2]), parse_square(text[2:]))


def tell(past: Past) -> tuple[int, int, bool]:
    return int(past.last_moves[0]), int(past.own_moves[0]), bool(past.last_captures[0])


def test_outside_training_all_games_of_an_opening_count(monkeypatch: pytest.MonkeyPatch) -> None:
    left_out: list[int] = []
    fill = ranker.fill_opening_classes

    def note(*arguments: Any) -> None:
        left_out.extend(arguments[5].tolist())
        fill(*arguments)

    monkeypatch.setattr(policy, "fill_opening_classes", note)
    history = PositionHistory()
    player.likeliest(history.position, history.legal_moves(), history.past, 1500)
    assert left_out == [-1]
