"""The choice of the open set."""

from collections import Counter
from typing import Any

from tools.open_set import choose


def row(number: int, rating: int, themes: str) -> dict[str, Any]:
    fen, moves = "8/8/8/8/8/8/8/8 w - - 0 1", "e2e4 e7e5"
    return {
        "id": f"p{number}", "fen": fen, "moves": moves, "rating": rating, "themes": themes,
        "plays": 100, "popularity": number,
    }  # fmt: skip


def test_rare_themes_come_first_and_each_hundred_has_its_turn() -> None:
    common = [row(number, 1000 + number % 2 * 100, "fork short") for number in range(100)]
    rare = [row(number, 1000, "zugzwang long") for number in range(100, 105)]
    chosen = list(choose(common + rare, 20))
    assert len({one["id"] for one in chosen}) == 20
    assert Counter(one["rating"] for one in chosen) == {1000: 10, 1100: 10}
    assert sum("zugzwang" in one["themes"] for one in chosen) == 5
    assert max(one["popularity"] for one in chosen if "fork" in one["themes"]) == 99
    assert list(choose(rare + common[::-1], 20)) == chosen  # Whatever the order.
    assert len(list(choose(common, 1000))) == 100
