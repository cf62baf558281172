"""The judges of the campaign `endings`: the solved endings, and that what is wrong is found."""

import itertools
from random import Random
from types import SimpleNamespace
from typing import Any

import chess
import chess.engine
import numpy as np
import pytest
from chess.engine import Cp, Mate, PovScore

import ox88
from ox88.apps.bench.perft import find_stockfish
from ox88.rules import GameEnd
from tools.proof.campaign import FailureError, Tally
from tools.proof.endings import drawn, mates, playing
from tools.proof.endings.three_men import PIECES, ThreeMen, three_men
from tools.proof.placing import place, place_near

MATE_IN_TWO = "7k/8/5K2/8/8/8/8/R7 w - - 0 1"
STALEMATE = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"
NO_MATE = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"


EVEN: chess.engine.Score = Cp(0)


class Says:
    """An engine that gives one answer."""

    def __init__(self, move: str, score: chess.engine.Score) -> None:
        self._move, self._score = chess.Move.from_uci(move), score

    def play(self, *_: object, **__: object) -> Any:
        return SimpleNamespace(move=self._move)

    def analyse(self, board: chess.Board, *_: object, **__: object) -> Any:
        return {"score": PovScore(self._score, board.turn), "nodes": 1, "pv": list(board.legal_moves)[:1]}


def says(move: str = "0000", score: chess.engine.Score = EVEN) -> Any:
    return Says(move, score)


# --- Solved endings ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("piece", PIECES)
def test_each_position_follows_from_those_after_its_moves(piece: str) -> None:
    solved, random = three_men(), Random(piece)
    for is_won in (True, False) * 100:
        board = solved.random_board(piece, is_won, random)
        assert board.is_valid()
        assert solved.plies(board) == plies_by_moves(solved, board)


def plies_by_moves(solved: ThreeMen, board: chess.Board) -> int | None:
    """What the values after each move say of a position."""
    if board.is_checkmate():
        return 0
    strong = bool(board.occupied_co[board.turn] & ~board.kings)
    after = []
    for move in board.legal_moves:
        board.push(move)
        after.append(solved.plies(board))
        board.pop()
    known = [plies for plies in after if plies is not None]
    if not known or (not strong and len(known) < len(after)):
        return None
    return 1 + (min(known) if strong else max(known))


@pytest.mark.slow
def test_short_mates_as_python_chess_finds_them() -> None:
    random, found = Random(1), set()
    for _ in range(300):
        board = place_near(random.choice(("KQk", "KRk", "KPk")), 2, random)
        plies = three_men().plies(board)
        found.add(plies)
        for within in range(4):
            assert is_mated_within(board, within) == (plies is not None and plies <= within)
    assert {0, 1, 2, 3, None} <= found


def is_mated_within(board: chess.Board, plies: int) -> bool:
    """True if Black, with its bare king, is mated in so many plies at most. A brute force search."""
    if board.is_checkmate():
        return True
    if plies == 0 or board.is_game_over():
        return False
    ways = []
    for move in list(board.legal_moves):
        board.push(move)
        ways.append(is_mated_within(board, plies - 1))
        board.pop()
    return any(ways) if board.turn == chess.WHITE else all(ways)


@pytest.mark.slow
def test_the_longest_wins_and_their_number() -> None:
    """The most moves to mate are facts of endgame literature: 10, 16 and 28."""
    values = three_men()._values[:-1].reshape(len(PIECES), 2, -1)
    longest = [int(white[white < 9_999].max()) for white, _ in values]
    assert longest == [2 * moves - 1 for moves in (10, 16, 28)]
    assert int(np.count_nonzero(values[list(PIECES).index("pawn"), 0] < 9_999)) == 124_960


# --- Wrong results are found ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_claim_that_solved_endings_refute() -> None:
    board, late = chess.Board(MATE_IN_TWO), chess.Board(MATE_IN_TWO.replace("- - 0", "- - 98"))
    mates.judge_solved(board, says(score=Mate(2)), Tally())
    mates.judge_solved(late, says(score=Cp(300)), Tally())
    for wrong, score in ((board, Mate(1)), (board, Mate(-2)), (board, Mate(3)), (board, Cp(900)), (late, Mate(2))):
        with pytest.raises(FailureError, match="7k/8/5K2"):
            mates.judge_solved(wrong, says(score=score), Tally())


def test_a_claim_that_stockfish_refutes(monkeypatch: pytest.MonkeyPatch) -> None:
    command = find_stockfish()
    if command is None:
        pytest.skip("Stockfish is not installed")
    monkeypatch.setattr(mates, "DOUBT_NODES", (1_000, 20_000))
    monkeypatch.setattr(mates, "REPLY_NODES", 1_000)
    stockfish = mates.Stockfish(command)
    try:
        mate, none = chess.Board(MATE_IN_TWO), chess.Board(NO_MATE)
        assert stockfish.mate(mate, 8, 10_000) == 2
        assert mates.judge(mate, says(score=Mate(2)), stockfish, Tally())
        assert not mates.judge(none, says(score=Cp(0)), stockfish, Tally())
        for board, score in ((mate, Mate(1)), (mate, Mate(-3)), (mate, Cp(900)), (none, Mate(8)), (none, Mate(-8))):
            with pytest.raises(FailureError, match=r"Ox88 (claims|says) mate in"):
                mates.judge(board, says(score=score), stockfish, Tally())
        tally = Tally()
        mates.judge(none, says(score=Mate(20)), stockfish, tally)
        assert tally.counts["mates in more than 8, claimed but not judged"] == 1
    finally:
        stockfish.close()


def test_a_mate_that_stockfish_does_not_find_is_confirmed_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    stockfish: Any = SimpleNamespace(mate=lambda *_: None)
    board, tally = chess.Board("4Q3/P5k1/8/4P3/8/6B1/7P/R3K3 w Q - 1 42"), Tally()
    with ox88.Engine({"Hash": 1}) as engine:
        mates.confirm(board, 3, engine, stockfish, tally)
        board.push_uci("a7a8q")
        mates.confirm(board, -2, engine, stockfish, tally)
        assert tally.counts == {"mates that Ox88 saw, confirmed step by step": 2}
        monkeypatch.setattr(mates, "NODES", 10_000)
        for found in (-1, 3):
            with pytest.raises(FailureError, match=f"claims mate in {found}"):
                mates.confirm(board, found, engine, stockfish, tally)


def test_all_moves_are_tried() -> None:
    for fen, moves in ((MATE_IN_TWO, 2), ("8/3P3P/8/k7/2K5/8/8/8 w - - 0 1", 3), ("k7/8/1K6/8/8/8/8/6R1 w - - 0 1", 1)):
        assert mates.forces_mate(chess.Board(fen), moves, {})
        assert not mates.forces_mate(chess.Board(fen), moves - 1, {})
    assert not mates.forces_mate(chess.Board(NO_MATE), 2, {})
    assert not mates.is_forced(chess.Board("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1"), 3, {}), "stalemate"


def test_a_long_mate_is_searched_again_with_more_nodes() -> None:
    board, tally = chess.Board(NO_MATE), Tally()
    mates.check_found(board, says(score=Mate(9)), None, 7, 1, tally)
    assert tally.counts == {"mates in 7, tried": 1, "mates in 7, found with more nodes": 1}
    mates.check_found(board, says(), -12, -7, 1, tally)
    assert tally.counts["being mated in 7, found with more nodes"] == 0
    for found, expected in ((None, 7), (-7, 7), (7, -7), (None, 3), (4, 3), (-3, 3)):
        with pytest.raises(FailureError, match=f"Stockfish in {expected}$"):
            mates.check_found(board, says(), found, expected, 1, tally)


@pytest.mark.slow
def test_a_move_that_spoils_the_result() -> None:
    queen, tally = chess.Board("8/8/8/8/4k3/8/1Q6/K7 w - - 0 1"), Tally()
    player = playing.Player(says("b2b1"), 1, 2)
    assert player.play(queen.copy(), lambda board: three_men().plies(board) is not None, tally)
    player = playing.Player(says("b2d4"), 1, 2)
    assert not player.play(queen.copy(), lambda board: three_men().plies(board) is not None, tally)
    assert tally.counts == {"moves that 1 nodes are too few for": 1}


@pytest.mark.slow
@pytest.mark.parametrize(("part", "text"), [(playing.win, "lets the win slip"), (playing.hold, "loses a drawn game")])
def test_a_lost_result_is_found(part: Any, text: str) -> None:
    """A player that moves at random does not get far."""

    class AtRandom(playing.Player):
        def _move(self, board: chess.Board, nodes: int) -> chess.Move:
            return Random(nodes).choice(list(board.legal_moves))

    def play() -> None:
        for case in itertools.count():
            part(AtRandom(says(), case), Random(case), Tally())

    with pytest.raises(FailureError, match=text):
        play()


@pytest.mark.slow
def test_a_queen_mates_in_time_with_few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries of the hash table from earlier in the game once told Ox88 that going to and fro costs nothing."""
    board = chess.Board("8/k7/6P1/8/8/7K/8/8 b - - 0 1")
    monkeypatch.setattr(ThreeMen, "random_board", lambda *_, **__: board.copy())
    with ox88.Engine({"Hash": 16}) as engine:
        for number in range(3):
            playing.win(playing.alone(engine), Random(number), Tally())


@pytest.mark.slow
def test_tables_win_with_hardly_a_search() -> None:
    with playing.engine_with_tables() as engine:
        for case in range(5):
            playing.win(playing.by_tables(engine), Random(case), Tally())
        info = engine.analyse(chess.Board("8/8/8/8/4k3/8/1Q6/K7 w - - 0 1"), chess.engine.Limit(nodes=10))
    assert info["tbhits"]


def test_a_wrong_score_of_a_draw() -> None:
    game = chess.Board(STALEMATE)
    game.push_uci("f1f7")
    judge_with(game, says(score=Cp(0)))
    with pytest.raises(FailureError, match=r"moves : f1f7, which ends the game by stalemate, scored at depth 2: \+5"):
        judge_with(game, says(score=Cp(5)))


def test_a_second_occurrence_that_is_taken_for_a_draw() -> None:
    game = chess.Board("6k1/8/8/8/8/8/8/KQ6 b - - 0 1")
    for move in ("g8f8", "b1b2", "f8g8", "b2b1"):
        game.push_uci(move)
    assert drawn.occurrences(list(drawn.positions(game))) == [1, 1, 1, 1, 2]
    judge_with(game, says(score=Cp(900)))
    with pytest.raises(FailureError, match="b2b1 to a position that has occurred twice, scored: 0"):
        judge_with(game, says(score=Cp(0)))


def test_a_wrong_end_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    game = chess.Board()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        game.push_uci(move)
    judge_with(game, says())
    monkeypatch.setattr(drawn, "game_end", lambda board: GameEnd("1/2-1/2", "fifty-move rule") if board.ply() else None)
    with pytest.raises(FailureError, match=r"moves g1f3: game_end: fifty-move rule, 1/2-1/2, expected None"):
        judge_with(game, says())


def judge_with(game: chess.Board, engine: Any) -> None:
    drawn.judge(game, engine, Random(2), Tally())


# --- What is made by chance -------------------------------------------------------------------------------------------


def test_games_end_in_every_kind_of_draw() -> None:
    for make, expected in zip(drawn.GAMES, drawn.DRAWS, strict=True):
        ends = []
        for case in range(20):
            boards = list(drawn.positions(make(Random(case))))
            counts = drawn.occurrences(boards)
            ends.append(drawn.end_of(boards[-1], counts[-1]))
            assert all(board.is_valid() for board in boards)
            assert not any(map(drawn.end_of, boards[:-1], counts[:-1]))
        assert ends.count(expected) > 10


def test_insufficient_material_as_python_chess_has_it() -> None:
    random = Random(1)
    boards = [drawn._bishops(random) for _ in range(50)] + [place(men, random) for men in drawn.MINOR_MEN * 5]
    found = [drawn.cannot_mate(board) for board in boards]
    assert found == [board.is_insufficient_material() for board in boards]
    assert 20 < sum(found) < len(found) - 20
