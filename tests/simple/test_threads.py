"""Several engines at a time, and one engine asked by several threads at a time."""

import concurrent.futures
import threading
import time
from typing import Final

import chess
import pytest
from chess.engine import ConfigMapping, Limit

import ox88
from ox88.engines.modern.driver import Modern
from tests.processes import PATIENCE

QUESTIONS: Final = (
    (chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"), chess.Move.from_uci("a1a8")),
    (chess.Board("r3k3/8/8/8/8/8/5PPP/6K1 b q - 0 1"), chess.Move.from_uci("a8a1")),
    (chess.Board("k7/8/1K6/8/8/8/8/7R w - - 0 1"), chess.Move.from_uci("h1h8")),
)


def play_alone(options: ConfigMapping) -> list[chess.Move | None]:
    """Some moves, which depend on nothing but the options: nodes are counted, not seconds."""
    board = chess.Board()
    with ox88.Engine(options) as engine:
        for _ in range(6):
            board.push(engine.play(board, Limit(nodes=3000), game="one").move or chess.Move.null())
    return list(board.move_stack)


def test_engines_do_not_disturb_each_other() -> None:
    every = [{"Hash": 1}, {"Hash": 8, "Threads": 1}, {"UCI_LimitStrength": True, "UCI_Elo": 2000}]
    expected = [play_alone(options) for options in every[:2]]
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        played = list(threads.map(play_alone, every))
    assert played[:2] == expected
    assert all(played[2])


def test_one_engine_asked_by_many() -> None:
    """A call is answered for its own board, or cancelled by a later one; the last is answered."""
    answers: list[bool] = []

    def ask(number: int) -> None:
        board, move = QUESTIONS[number % len(QUESTIONS)]
        for round_ in range(12):
            try:
                answer = engine.play(board, Limit(nodes=1000), game=object() if round_ % 3 else None)
            except concurrent.futures.CancelledError:
                continue
            answers.append(answer.move == move)

    with ox88.Engine({"Hash": 1}) as engine:
        threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert engine.play(QUESTIONS[0][0], Limit(nodes=1000)).move == QUESTIONS[0][1]
    assert answers
    assert all(answers)


@pytest.mark.parametrize("first", ["play", "analysis"])
def test_a_call_that_comes_before_the_search_of_another(first: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine still forgets an old game for the first call. Then a play is cancelled, and an analysis ends."""
    is_forgetting = threading.Event()
    forget = Modern.new_game

    def new_game(modern: Modern) -> None:
        is_forgetting.set()
        time.sleep(0.2)
        forget(modern)

    ends: list[chess.Move | str | None] = []

    def ask() -> None:
        try:
            if first == "play":
                engine.play(chess.Board(), Limit(time=600), game="new")
            else:
                ends.append(engine.analysis(chess.Board(), game="new").wait().move)
        except concurrent.futures.CancelledError:
            ends.append("cancelled")

    with ox88.Engine({"Hash": 1}) as engine:
        monkeypatch.setattr(Modern, "new_game", new_game)
        thread = threading.Thread(target=ask)
        thread.start()
        assert is_forgetting.wait(PATIENCE)
        for board, move in QUESTIONS:
            assert engine.play(board, Limit(nodes=1000)).move == move
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert len(ends) == 1
    assert ends[0] == "cancelled" if first == "play" else ends[0] in list(chess.Board().legal_moves)
