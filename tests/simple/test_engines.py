"""What is written for chess.engine.SimpleEngine: the same functions with Stockfish's process and with ours."""

import contextlib
import dataclasses
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import chess.variant
import pytest
from chess.engine import INFO_ALL, INFO_SCORE, BestMove, Cp, EngineError, Limit, Mate, Opponent, PlayResult, PovScore
from hypothesis import assume, given, settings

import ox88
from ox88.convert import from_chess_move
from ox88.engines import base
from ox88.simple import engines
from tests.positions import FENS, boards
from tests.protocols.fake import book_entry
from tests.simple.conftest import MAKERS, AnyEngine, OurEngine

NODES = Limit(nodes=2000)
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"


def test_what_it_is(engine: AnyEngine) -> None:
    assert engine.id["name"]
    assert engine.id["author"]
    assert engine.options["Move Overhead"].type == "spin"
    assert not engine.options["move overhead"].is_managed()  # Options are found in any case.
    assert engine.options["Ponder"].is_managed()
    engine.ping()


@pytest.mark.parametrize(
    "limit",
    [
        NODES,
        Limit(depth=2),
        Limit(time=0.02),
        Limit(white_clock=1.0, black_clock=1.0, white_inc=0.01, black_inc=0.01, remaining_moves=20),
        Limit(mate=1, nodes=2000),
    ],
    ids=repr,
)
def test_play_a_few_moves(engine: AnyEngine, limit: Limit) -> None:
    board = chess.Board()
    game = object()
    for _ in range(6):
        result = engine.play(board, limit, game=game)
        assert isinstance(result, PlayResult)
        assert result.info == {}
        assert result.move is not None
        board.push(result.move)  # With a past, so that the next position is sent with its moves.
    assert board.is_valid()


CLOCKS = Limit(white_clock=60, black_clock=50, white_inc=1, black_inc=2, remaining_moves=20)


@pytest.mark.parametrize(
    ("limit", "turn", "expected"),
    [
        (Limit(time=3, nodes=4, depth=5, mate=6), "w", base.Limit(time=3, nodes=4, depth=5, mate=6)),
        (CLOCKS, "w", base.Limit(clock=base.Clock(60, 1, 20))),
        (CLOCKS, "b", base.Limit(clock=base.Clock(50, 2, 20))),
        (Limit(white_clock=60, white_inc=1), "b", base.Limit(clock=base.Clock(60, 1))),
        (Limit(black_clock=50, time=7), "b", base.Limit(time=7, clock=base.Clock(50))),
        (Limit(white_clock=60, remaining_moves=0), "w", base.Limit(clock=base.Clock(60))),
    ],
)
def test_every_number_of_a_limit_is_asked_for(
    ours: OurEngine, monkeypatch: pytest.MonkeyPatch, limit: Limit, turn: str, expected: base.Limit
) -> None:
    asked: list[base.Limit] = []

    def search(limit: base.Limit) -> Iterator[base.Info]:
        asked.append(limit)
        return iter(())

    monkeypatch.setattr(ours._engine, "search", search)
    board = chess.Board(f"4k3/4p3/8/8/8/8/4P3/4K3 {turn} - - 0 1")
    ours.play(board, limit)
    ours.analyse(board, limit)
    ours.analysis(board, limit).wait()
    move = next(iter(board.legal_moves))
    ours.play(board, limit, root_moves=[move])
    assert asked == [expected] * 3 + [dataclasses.replace(expected, moves=(from_chess_move(move, board),))]


@pytest.mark.parametrize(("turn", "clock", "increment"), [("w", 60, 1), ("b", 50, 2)])
def test_a_clock_runs_on_while_the_opponent_thinks(
    ours: OurEngine, monkeypatch: pytest.MonkeyPatch, turn: str, clock: int, increment: int
) -> None:
    """The next move is pondered with what the clock will show then: one increment more, and a move less to go."""
    asked: list[base.Limit] = []

    def search(limit: base.Limit) -> Iterator[base.Info]:
        asked.append(limit)
        return iter([info])

    board = chess.Board(f"4k3/4p3/8/8/8/8/4P3/4K3 {turn} - - 0 1")
    line = [chess.Move.from_uci(move) for move in ("e2e4", "e7e5")]
    ordered = line if board.turn else line[::-1]
    info = base.Info(depth=1, score=base.Score(0), nodes=1, time=0.0, line=tuple(ints(ordered, board)))
    monkeypatch.setattr(ours._engine, "search", search)
    monkeypatch.setattr(engines, "time", SimpleNamespace(perf_counter=itertools.count(7, 0.25).__next__))
    ours.play(board, CLOCKS, ponder=True)
    ours.ping()
    assert [limit.ponder for limit in asked] == [False, True]
    pondered = asked[1].clock
    assert pondered is not None
    assert (pondered.increment, pondered.moves_to_go) == (increment, 19)
    assert pondered.remaining == clock - 0.25 + increment


@pytest.mark.parametrize(
    ("changed", "is_hit"),
    [
        ({}, True),
        ({"game": "another"}, False),
        ({"options": {"Move Overhead": 77}}, False),
        ({"root_moves": [chess.Move.from_uci("e1d1")]}, False),
        ({"limit": Limit(nodes=3000)}, False),
        ({"board": chess.Board("4k3/4p3/8/8/8/8/4P3/4K3 w - - 7 1")}, False),  # The same moves from another root.
    ],
)
def test_what_was_pondered_is_the_answer_to_the_same_question_alone(
    ours: OurEngine, monkeypatch: pytest.MonkeyPatch, changed: dict[str, Any], is_hit: bool
) -> None:
    question: dict[str, Any] = {
        "board": chess.Board("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"),
        "limit": NODES,
        "game": "one",
    }
    line = [chess.Move.from_uci(move) for move in ("e2e4", "e7e5")]
    info = base.Info(depth=1, score=base.Score(0), nodes=1, time=0.0, line=tuple(ints(line, question["board"])))
    hits: list[bool] = []
    monkeypatch.setattr(ours._engine, "search", lambda _: iter([info]))
    monkeypatch.setattr(ours._engine, "ponder_hit", lambda: hits.append(True))
    ours.play(**question, ponder=True)
    board = changed.get("board", question["board"]).copy()
    for move in line:
        board.push(move)
    ours.play(**question | changed | {"board": board})
    assert hits == [True] * is_hit


def test_a_book_answers_unless_other_moves_are_asked_for(tmp_path: Path) -> None:
    book, board, other = tmp_path / "book.bin", chess.Board(), chess.Move.from_uci("e2e4")
    book.write_bytes(book_entry(board, "a2a4", 1))
    with ox88.Engine({"OwnBook": True, "Book File": str(book)}) as engine:
        assert engine.play(board, NODES).move == chess.Move.from_uci("a2a4")
        assert engine.play(board, NODES, root_moves=[other]).move == other


def ints(moves: list[chess.Move], board: chess.Board) -> Iterator[int]:
    board = board.copy()
    for move in moves:
        yield from_chess_move(move, board)
        board.push(move)


def test_play_tells_what_it_is_asked_for(engine: AnyEngine) -> None:
    result = engine.play(chess.Board(), NODES, info=INFO_ALL)
    assert {"depth", "score", "nodes", "nps", "time", "pv"} <= result.info.keys()
    assert result.info["pv"][0] == result.move
    assert {"score"} <= engine.play(chess.Board(), NODES, info=INFO_SCORE).info.keys()
    assert "pv" not in engine.play(chess.Board(), NODES, info=INFO_SCORE).info


def test_analyse(engine: AnyEngine) -> None:
    info = engine.analyse(chess.Board(MATE_IN_ONE), Limit(depth=4))
    assert info["score"] == PovScore(Mate(1), chess.WHITE)
    assert info["pv"][0] == chess.Move.from_uci("a1a8")
    mirrored = engine.analyse(chess.Board(MATE_IN_ONE).mirror(), Limit(depth=4))
    assert mirrored["score"] == PovScore(Mate(1), chess.BLACK)
    assert mirrored["score"].white() == Mate(-1)


@pytest.mark.parametrize(("fen", "score"), [(MATED, Mate(-0)), (STALEMATE, Cp(0))])
def test_where_no_move_is_left(engine: AnyEngine, fen: str, score: Mate | Cp) -> None:
    board = chess.Board(fen)
    assert engine.play(board, NODES).move is None
    assert engine.analyse(board, NODES)["score"].relative == score
    with engine.analysis(board) as analysis:
        analysis.stop()
        assert analysis.wait().move is None


def test_several_lines(engine: AnyEngine) -> None:
    board = chess.Board()
    if "MultiPV" not in engine.options:
        with pytest.raises(EngineError, match="does not support option MultiPV"):
            engine.analyse(board, NODES, multipv=3)
        assert len(engine.analyse(board, NODES, multipv=1)) == 1
        return
    lines = engine.analyse(board, Limit(depth=5), multipv=3)
    assert [info["multipv"] for info in lines] == [1, 2, 3]
    assert len({info["pv"][0] for info in lines}) == 3
    few = chess.Board(MATE_IN_ONE)
    assert len(engine.analyse(few, Limit(depth=3), multipv=200)) == few.legal_moves.count()  # No more than there are.
    assert isinstance(engine.analyse(board, NODES), dict)


def test_an_analysis_streams_until_it_is_stopped(engine: AnyEngine) -> None:
    board = chess.Board(MATE_IN_ONE)
    depths = []
    with engine.analysis(board) as analysis:
        for info in analysis:
            depths.append(info.get("depth", 0))
            if depths[-1] >= 3:
                break
    best = analysis.wait()
    assert isinstance(best, BestMove)
    assert best.move == chess.Move.from_uci("a1a8")
    assert depths == sorted(depths)
    assert analysis.info["score"].relative == Mate(1)
    assert engine.play(board, NODES).move == best.move


def test_an_analysis_with_a_limit_ends_by_itself(engine: AnyEngine) -> None:
    analysis = engine.analysis(chess.Board(), Limit(depth=3))
    infos = list(analysis)
    assert infos[-1]["depth"] == 3
    nodes = [info["nodes"] for info in infos if "nodes" in info]
    assert nodes == sorted(nodes)
    assert analysis.wait().move == analysis.info["pv"][0] == analysis.multipv[0]["pv"][0]
    del analysis.info["pv"]  # A copy: what was found stays.
    assert analysis.info["pv"]
    assert analysis.empty()
    assert not analysis.would_block()
    assert analysis.next() is None
    with pytest.raises(chess.engine.AnalysisComplete):
        analysis.get()


def test_the_next_call_ends_an_analysis(engine: AnyEngine) -> None:
    analysis = engine.analysis(chess.Board())
    analysis.get()
    assert engine.play(chess.Board(MATE_IN_ONE), NODES).move == chess.Move.from_uci("a1a8")
    assert chess.Board().is_legal(analysis.wait().move or chess.Move.null())
    analysis = engine.analysis(chess.Board())
    engine.configure({"Move Overhead": 30})
    analysis.wait()


def test_root_moves(engine: AnyEngine) -> None:
    board = chess.Board()
    moves = [chess.Move.from_uci(move) for move in ("a2a3", "h2h3")]
    assert engine.play(board, NODES, root_moves=moves).move in moves
    assert engine.play(board, NODES, root_moves=iter(moves[:1])).move == moves[0]
    assert engine.analyse(board, NODES, root_moves=moves)["pv"][0] in moves
    illegal = chess.Move.from_uci("a2a6")
    assert engine.play(board, NODES, root_moves=[illegal, moves[1]]).move == moves[1]
    assert engine.play(board, NODES, root_moves=[illegal]).move is None
    assert engine.play(board, NODES, root_moves=[]).move is None
    assert "pv" not in engine.analyse(board, NODES, root_moves=[])
    assert engine.play(board, NODES).move is not None


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_ponder(make: Callable[[], AnyEngine]) -> None:
    """Both what was expected, and something else, is played in return; and the engine is asked something else.

    Stockfish has a process of its own here: python-chess may take the end of its pondering for the next answer.
    """
    board = chess.Board()
    game = object()
    clocks = Limit(white_clock=1.0, black_clock=1.0)
    with make() as engine:
        for as_expected in (True, False, True):
            result = engine.play(board, clocks, game=game, ponder=True)
            assert result.move is not None
            board.push(result.move)
            answers = (move for move in board.legal_moves if move != result.ponder)
            board.push(result.ponder if as_expected and result.ponder else next(answers))
        assert board.is_valid()
        engine.ping()


def test_what_was_pondered_is_not_the_answer_to_something_else() -> None:
    """Another position is played meanwhile, or refused; or the move has another limit."""
    illegal = chess.Board(None)
    with ox88.Engine() as engine:
        for between in (chess.Board(FENS[1]), illegal, None):
            board = chess.Board()
            result = engine.play(board, Limit(depth=3), ponder=True)
            assert result.move is not None
            assert result.ponder is not None
            if between is not None:
                with contextlib.suppress(EngineError):
                    engine.play(between, Limit(depth=1))
            board.push(result.move)
            board.push(result.ponder)
            answer = engine.play(board, Limit(depth=5), info=INFO_ALL)
            assert answer.info["depth"] == 5


def test_chess960(engine: AnyEngine) -> None:
    board = chess.Board("rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1", chess960=True)
    castling = board.parse_san("O-O-O")
    if engine.id["name"].startswith("micro-Max"):
        with pytest.raises(EngineError, match="micro-Max cannot castle"):
            engine.play(board, NODES)
        return
    assert engine.play(board, NODES, root_moves=[castling]).move == castling
    board.push(castling)
    assert board.is_legal(engine.play(board, NODES).move or chess.Move.null())
    ordinary = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    castling = ordinary.parse_san("O-O")
    assert engine.play(ordinary, NODES, root_moves=[castling]).move == castling == chess.Move.from_uci("e1g1")


def after(start: str, sans: str) -> chess.Board:
    board = chess.Board(start)
    for san in sans.split():
        board.push_san(san)
    return board


@pytest.mark.parametrize(
    "board",
    [
        after(chess.STARTING_FEN, "e4 a6 e5 d5 exd6 e5 Nf3 Nf6 Be2 Be7 O-O O-O"),
        after("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a8=Q"),
        after(chess.STARTING_FEN, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"),
        after(chess.STARTING_FEN, "--"),  # A null move hides the past.
    ],
    ids=["moves", "promotion", "repetition", "null move"],
)
def test_positions_with_every_kind_of_past(engine: AnyEngine, board: chess.Board) -> None:
    for game in ("first", "second", None):  # A new game is known by its object.
        assert board.is_legal(engine.play(board, NODES, game=game).move or chess.Move.null())
    if board.queens and not board.bishops:
        assert engine.analyse(board, NODES)["score"].white() > Cp(300)


def test_configure(engine: AnyEngine) -> None:
    engine.configure({"Move Overhead": 50})
    engine.configure({"move overhead": "60"})
    engine.configure({})
    assert engine.play(chess.Board(), NODES, options={"Move Overhead": 70}).move is not None
    engine.configure({"Move Overhead": engine.options["Move Overhead"].default})


def test_a_button_is_pressed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pressed: list[str] = []
    with ox88.Engine({"Hash": 1}) as engine:
        monkeypatch.setattr(engine._engine, "set_option", lambda name, _: pressed.append(name))
        engine.configure({"Clear Hash": None})
        engine.play(chess.Board(), Limit(nodes=1))
    assert pressed == ["Clear Hash"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"No Such": 1}, "does not support option No Such"),
        ({"MultiPV": 2}, "cannot set MultiPV which is automatically managed"),
        ({"Move Overhead": "long"}, "expected integer for spin option 'Move Overhead', got: 'long'"),
        ({"Move Overhead": -1}, "expected value for option 'Move Overhead' to be at least 0, got: -1"),
        ({"Move Overhead": 10**6}, "expected value for option 'Move Overhead' to be at most"),
    ],
)
def test_options_that_are_none(engine: AnyEngine, options: dict[str, str | int], message: str) -> None:
    board = chess.Board()
    for call in (
        lambda: engine.configure(options),
        lambda: engine.play(board, NODES, options=options),
        lambda: engine.analyse(board, NODES, options=options),
        lambda: engine.analysis(board, options=options),
    ):
        with pytest.raises(EngineError, match=message):
            call()
    assert engine.play(board, NODES).move is not None


def test_a_variant_that_it_does_not_play(engine: AnyEngine) -> None:
    if "UCI_Variant" in engine.options:
        pytest.skip("this Stockfish plays variants")
    with pytest.raises(EngineError, match="does not support UCI_Variant"):
        engine.play(chess.variant.CrazyhouseBoard(), NODES)
    assert engine.play(chess.Board(), NODES).move is not None


def test_what_is_told_of_opponents_and_results(engine: AnyEngine) -> None:
    board = chess.Board(MATED)
    engine.send_opponent_information(opponent=Opponent("Magnus", "GM", 2850, is_engine=False))
    engine.send_game_result(board)
    engine.send_game_result(board, chess.BLACK, "White resigned", game_complete=False)
    opponent = Opponent("Magnus", None, None, is_engine=True)
    assert engine.play(chess.Board(), NODES, opponent=opponent, draw_offered=True).move is not None


@settings(max_examples=20)
@given(board=boards())
def test_a_legal_line_anywhere(ours: OurEngine, board: chess.Board) -> None:
    """Boards with their whole past, which is sent as moves; python-chess reads the line that comes back."""
    assume(not board.chess960 or "UCI_Elo" in ours.options)  # micro-Max castles as in ordinary chess alone.
    info = ours.analyse(board, Limit(nodes=300))
    move = ours.play(board, Limit(nodes=300)).move
    if any(board.legal_moves):
        assert board.variation_san(info["pv"])
        assert board.is_legal(move or chess.Move.null())
    else:
        assert move is None
        assert "pv" not in info
