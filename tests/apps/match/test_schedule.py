"""The schedule of a match."""

from collections import Counter
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from ox88.apps.match.schedule import Form, pairings, schedule

FORMS: list[Form] = ["round-robin", "gauntlet"]


def test_pairings() -> None:
    assert list(pairings(4, "round-robin")) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert list(pairings(4, "gauntlet")) == [(0, 1), (0, 2), (0, 3)]
    assert list(pairings(2, "gauntlet")) == list(pairings(2, "round-robin")) == [(0, 1)]


@given(st.integers(2, 6), st.sampled_from(FORMS), st.integers(1, 9))
def test_every_pairing_is_balanced(participants: int, form: Form, games: int) -> None:
    """At any time all pairings differ by at most one pair of games, and colours by at most one game."""
    fixtures = list(schedule(participants, form, games))
    assert len(set(fixtures)) == len(fixtures) == games * len(pairings(participants, form))
    met = Counter((f.first, f.second) for f in fixtures)
    assert met == dict.fromkeys(pairings(participants, form), games)
    for number in range(len(fixtures) + 1):
        played = Counter((f.first, f.second) for f in fixtures[:number])
        counts = [played[pairing] for pairing in met]
        assert max(counts) - min(counts) <= 2
    for pairing in met:
        whites = Counter(f.white for f in fixtures if (f.first, f.second) == pairing)
        assert whites[pairing[0]] - whites[pairing[1]] == games % 2


@given(st.integers(2, 4), st.sampled_from(FORMS), st.integers(1, 9))
def test_pairs_share_an_opening_with_colours_reversed(participants: int, form: Form, games: int) -> None:
    fixtures = schedule(participants, form, games)
    for (first, second, pair), group in groupby(fixtures, key=lambda f: (f.first, f.second, f.pair)):
        one, *other = group
        assert (one.white, one.black, one.is_reversed, one.round) == (first, second, False, f"{pair + 1}.1")
        for two in other:
            assert (two.white, two.black) == (one.black, one.white)
            assert (two.is_reversed, two.round) == (True, f"{pair + 1}.2")


@given(st.integers(2, 4), st.sampled_from(FORMS), st.integers(1, 9), st.integers(1, 9))
def test_a_longer_match_begins_like_a_shorter_one(participants: int, form: Form, games: int, more: int) -> None:
    longer = set(schedule(participants, form, games + more))
    assert longer >= set(schedule(participants, form, games))
