"""Famous games with well-known mistakes, which every sound analysis must find."""

from typing import Final

import pytest

from ox88.apps.analyse.outputs import game_text
from ox88.apps.analyse.records import AnalysedGame, MoveRecord
from tests.apps.analyse.analysed import analysed

pytestmark = pytest.mark.slow

NODES: Final = {  # For each position; the deeper the point, the more.
    "Morphy": 5000,
    "Anderssen": 5000,
    "Fischer": 40_000,
    "Kramnik": 5000,
    "Tartakower": 200_000,
    "Scholar": 1000,
}


@pytest.fixture(scope="module")
def games(compiled: None) -> dict[str, AnalysedGame]:
    del compiled
    return {name: analysed(name, nodes=nodes)[0] for name, nodes in NODES.items()}


def move_of(game: AnalysedGame, ply: int, san: str) -> MoveRecord:
    move = game.record["moves"][ply - 1]
    assert move["san"] == san
    return move


@pytest.mark.parametrize(
    ("name", "ply", "san", "mate", "refutation"),
    [
        ("Kramnik", 68, "Qe3", 1, ["Qh7#"]),
        ("Tartakower", 16, "Nxe4", 3, ["Qd8+", "Kxd8", "Bg5+"]),
        ("Scholar", 6, "Nf6", 1, ["Qxf7#"]),
        ("Anderssen", 40, "Na6", 3, ["Nxg7+", "Kd8", "Qf6+", "Nxf6", "Be7#"]),
    ],
)
def test_allowing_a_mate_is_a_blunder(
    games: dict[str, AnalysedGame], name: str, ply: int, san: str, mate: int, refutation: list[str]
) -> None:
    game = games[name]
    blunder = move_of(game, ply, san)
    assert (blunder["judgement"], blunder["eval"]) == ("blunder", {"mate": mate})
    assert blunder["accuracy"] < 50
    better = blunder["lines"][0]
    assert better["san"][0] != san
    assert "mate" not in better["eval"]
    answer = game.record["moves"][ply]
    assert (answer["san"], answer["judgement"]) == (refutation[0], None)
    assert answer["lines"][0]["san"][: len(refutation)] == refutation
    text = " ".join(game_text(game).split())
    allows = f"Allows mate{f' in {mate}' if mate > 1 else ''}: "
    assert f"{san} $4 {{ [%eval #{mate}] Blunder: {better['san'][0]} is better. {allows}" in text


def test_a_queen_sacrifice(games: dict[str, AnalysedGame]) -> None:
    """Fischer's best move is to sacrifice his queen; taking it is Byrne's mistake."""
    game = games["Fischer"]
    offer, capture = move_of(game, 34, "Be6"), move_of(game, 35, "Bxb6")
    assert offer["judgement"] is None
    assert capture["judgement"] == "blunder"
    assert capture["eval"].get("cp", 0) < -300


@pytest.mark.parametrize("name", NODES)
def test_the_winner_played_better(games: dict[str, AnalysedGame], name: str) -> None:
    game = games[name]
    white, black = game.record["white"], game.record["black"]
    assert white is not None
    assert black is not None
    winner, loser = (white, black) if game.tags["Result"] == "1-0" else (black, white)
    assert (winner["accuracy"] or 0) > (loser["accuracy"] or 0)
    assert (winner["acpl"] or 0) < (loser["acpl"] or 0)
    assert game.record["moves"][-1]["eval"] == {"mate": 0}
    assert not game.record["errors"]
