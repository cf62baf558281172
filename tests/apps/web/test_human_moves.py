"""What people of a rating play, and how long a level takes for a move."""

import math
from typing import Any

import chess
import pytest

from ox88.apps.web import human_moves, session
from ox88.apps.web.human_moves import likely_moves, thinking_time
from ox88.engines.base import Clock
from ox88.fen import STARTPOS
from tests.apps.web.conftest import Page

EXCHANGED = "r1bqkbnr/ppp2ppp/2p5/4p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 5"
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


@pytest.mark.parametrize("rating", [400, 1500, 2200])
def test_shares_of_people(page: Page, rating: int) -> None:
    said = page.ask("people", "people", start=STARTPOS, moves=["e4", "d5", "exd5"], rating=rating)
    board = chess.Board("rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2")
    moves = said["moves"]
    assert [move["san"] for move in moves] == [board.san(chess.Move.from_uci(move["uci"])) for move in moves]
    shares = [move["share"] for move in moves]
    assert shares == sorted(shares, reverse=True)
    assert 0.9 < sum(shares) <= 1.001
    assert min(shares) >= human_moves.SELDOM
    (recapture,) = [move for move in moves if move["san"] == "Qxd5"]
    assert recapture["share"] > 0.1


def test_the_moves_before_matter() -> None:
    """After a capture people take back."""
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4")
    board.push_san("Bxc6")
    known, unknown = (
        sum(move["share"] for move in likely_moves(position, 1500) if move["san"] in ("bxc6", "dxc6"))
        for position in (board, board.copy(stack=False))
    )
    assert known > unknown


@pytest.mark.parametrize(
    ("fen", "played", "best"),
    [
        ("rnbqkb1r/pppppppp/8/3n4/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 1", "Nxd5 a3 Ne4 e3", "Nxd5"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "Nf3 Qxf7# Qxe5+", "Qxf7#"),
    ],
)
@pytest.mark.parametrize("is_mirrored", [False, True])
def test_errors_are_named(page: Page, fen: str, played: str, best: str, is_mirrored: bool) -> None:
    """Not to take a knight, or not to mate, is a blunder, whoever is to move."""
    board = chess.Board(fen)
    moves = {san: board.parse_san(san) for san in played.split()}
    if is_mirrored:
        board = board.mirror()
        moves = {
            san: chess.Move(chess.square_mirror(move.from_square), chess.square_mirror(move.to_square))
            for san, move in moves.items()
        }
    said = page.ask("judge", "judged", start=board.fen(), moves=[], of=[move.uci() for move in moves.values()])
    assert said["errors"] == {move.uci(): "blunder" for san, move in moves.items() if san != best}


def test_good_moves_are_no_errors(page: Page) -> None:
    """Whatever the engine plays; and where each move loses, none is a mistake."""
    for start, of in ((STARTPOS, ["e4", "d4", "Nf3", "c4"]), ("7k/8/8/8/8/8/6qr/K7 w - - 0 1", ["Kb1"])):
        assert page.ask("judge", "judged", start=start, moves=[], of=of)["errors"] == {}
    assert "a1a2" in page.ask("judge", "error", start=STARTPOS, moves=[], of=["a1a2"])["message"]


def test_an_analysis_does_not_keep_errors_from_being_found(page: Page) -> None:
    page.ask("analyse", "info", start=STARTPOS, moves=[], lines=3)
    said = page.ask("judge", "judged", start=STARTPOS, moves=["e4", "e5"], of=["Qh5", "Ba6"])
    assert said["errors"] == {"f1a6": "blunder"}
    page.say("stop")


def test_games_that_others_do_not_have() -> None:
    """Castling of Chess960, and a side that has passed."""
    board = chess.Board("1k6/8/8/8/8/8/PPP5/1K1R4 w D - 0 1", chess960=True)
    assert {move["uci"] for move in likely_moves(board, 1500)} >= {"d1d8"}
    board.push(chess.Move.null())
    board.push_san("Kc7")
    assert likely_moves(board, 1500)


def test_who_has_no_move_or_one(page: Page) -> None:
    assert page.ask("people", "people", start=MATED, moves=[], rating=1500)["moves"] == []
    (only,) = page.ask("people", "people", start="7k/8/8/8/8/8/q7/K7 w - - 0 1", moves=[], rating=1500)["moves"]
    assert (only["san"], only["share"]) == ("Kxa2", 1.0)


def test_ratings_that_are_not_known(page: Page) -> None:
    ratings: list[object] = [399, 2201, 1500.5, "1500", None]
    for rating in ratings:
        said = page.ask("people", "error", start=STARTPOS, moves=[], rating=rating)
        assert "a whole number from 400 to 2200" in said["message"], rating


# --- How long a level takes -------------------------------------------------------------------------------------------


@pytest.fixture
def _middle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chance gives the middle of the range."""
    monkeypatch.setattr("random.uniform", lambda low, high: (low + high) / 2)


def seconds_of(shares: list[float], clock: Clock | None, monkeypatch: pytest.MonkeyPatch, *, takes_back: bool) -> float:
    monkeypatch.setattr(human_moves, "likely_moves", lambda *_: [{"share": share} for share in shares])
    board = chess.Board(EXCHANGED)
    board.push_san("Nxe5")
    board.push_san("Qd4")
    board.push_san("Nxc6" if takes_back else "Nf3")
    return thinking_time(board, board.parse_san("bxc6" if takes_back else "Qxe4"), 1500, clock)


@pytest.mark.usefixtures("_middle")
def test_more_time_for_a_harder_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    def seconds(*shares: float, clock: Clock | None = None, takes_back: bool = False) -> float:
        return seconds_of(list(shares), clock, monkeypatch, takes_back=takes_back)

    assert seconds(1.0) == pytest.approx(0.5)
    assert seconds(0.5, 0.5) == pytest.approx(0.5 + 1.2 * math.log(2))
    assert seconds(0.9, 0.1) < seconds(0.5, 0.5) < seconds(*[0.1] * 10) < 4
    assert seconds(0.5, 0.5, takes_back=True) == pytest.approx(0.4 * seconds(0.5, 0.5))
    assert seconds(*[0.001] * 1000) == 8.0


@pytest.mark.usefixtures("_middle")
@pytest.mark.parametrize(
    ("clock", "most"),
    [(Clock(60, 0), 1.5), (Clock(40, 2), 2.0), (Clock(10, 0), 0.25), (Clock(9.9, 60), 0.0), (Clock(3600, 0), 8.0)],
)
def test_the_clock_limits_it(monkeypatch: pytest.MonkeyPatch, clock: Clock, most: float) -> None:
    assert seconds_of([0.001] * 1000, clock, monkeypatch, takes_back=False) == pytest.approx(most)


def test_chance_varies_it() -> None:
    board = chess.Board()
    found = {thinking_time(board, chess.Move.from_uci("e2e4"), 1500, None) for _ in range(20)}
    assert len(found) > 10
    assert 0.5 <= min(found) < max(found) <= 8


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The questions how long a level takes, which takes no time."""
    found: list[Any] = []

    def note(board: chess.Board, move: chess.Move, rating: int, clock: Clock | None) -> float:
        found.append((board.fen(), move in board.legal_moves, rating, clock and clock.increment))
        return 0.0

    monkeypatch.setattr(session, "thinking_time", note)
    return found


@pytest.mark.parametrize(("elo", "takes"), [(400, True), (2200, True), (2300, False), (None, False)])
def test_levels_of_people_take_their_time(page: Page, asked: list[Any], elo: int | None, takes: bool) -> None:
    page.say("pace", mode="human")
    page.new(elo=elo, initial=10, increment=1)  # A short time, which full strength uses.
    page.move("e4")
    after = chess.Board()
    after.push_san("e4")
    assert asked == [(after.fen(), True, elo, 1)] * takes


def test_a_page_chooses_whether_they_do(page: Page, asked: list[Any]) -> None:
    """At first they move at once. What is chosen holds for the game and those to come."""
    page.new()
    page.move("e4")
    assert asked == []
    page.say("pace", mode="human")
    page.move("a3")
    assert len(asked) == 1
    page.new(side="black")
    page.hear("game", lambda game: not game["thinking"])
    assert len(asked) == 2
    page.say("pace", mode="quick")
    page.move("a6")
    assert len(asked) == 2


def test_the_time_is_waited_for(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """A takeback ends it: it would last an hour."""
    monkeypatch.setattr(session, "thinking_time", lambda *_: 3600.0)
    page.say("pace", mode="human")
    page.new()
    assert page.ask("move", "game", move="e4")["thinking"]
    page.say("takeback")
    game = page.hear("game", lambda game: not game["moves"])
    assert not game["thinking"]
