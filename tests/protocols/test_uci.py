"""Transcripts of UCI with a scripted engine: what goes in, what comes out."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from ox88.engines.base import Clock, EngineEntry, Info, Limit, Score
from ox88.protocols.uci import Session
from ox88.setup import parse_fen, parse_uci
from tests.protocols.fake import TOO_LARGE, Dialogue, FakeEngine, book_entry, first_legal, transcript

MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
CHESS960 = "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w KQkq - 0 1"


def moves(*texts: str) -> tuple[int, ...]:
    return tuple(parse_uci(text, parse_fen("startpos")) for text in texts)


def test_the_greeting_lists_the_options_and_makes_no_engine() -> None:
    dialogue = Dialogue(first_legal, first_legal, name="Ox88 1.0")
    assert dialogue.send("uci") == [
        "id name Ox88 1.0",
        "id author the authors of Ox88",
        "option name Ponder type check default false",
        "option name UCI_Chess960 type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name OwnBook type check default false",
        "option name Book File type string default <empty>",
        "option name Engine type combo default Fake var Fake var Fake1",
        "option name Hash type spin default 16 min 1 max 1024",
        "option name Clear Hash type button",
        "option name Style type combo default Solid var Solid var Risky",
        "option name Syzygy Path type string default <empty>",
        "uciok",
    ]
    assert dialogue.engines == []
    assert dialogue.send("isready") == ["readyok"]
    assert len(dialogue.engines) == 1


def test_when_the_first_engine_is_ready_the_program_is_told_once() -> None:
    told: list[str] = []
    dialogue = Dialogue(first_legal, first_legal, when_ready=lambda: told.append("ready"))
    dialogue.send("uci")
    assert told == []
    for command in (
        "isready",
        "position startpos",
        "go nodes 5",
        "stop",
        "setoption name Engine value Fake1",
        "isready",
    ):
        dialogue.send(command)
    assert told == ["ready"]


def test_options_for_developers_are_listed_when_asked_for_and_set_always() -> None:
    line = "option name Null Move Margin type spin default 3 min 0 max 9"
    assert line in transcript(["uci"], expert=True)
    dialogue = Dialogue()
    assert line not in dialogue.send("uci", "isready")
    assert dialogue.send("setoption name null move margin value 5") == []
    assert dialogue.engine.calls[-1] == "Null Move Margin = 5"


def test_options_are_set_in_any_case_and_reach_an_engine_made_later() -> None:
    dialogue = Dialogue()
    dialogue.send("setoption name HASH value 64", "setoption name clear hash", "setoption name Style value risky")
    assert dialogue.engines == []
    assert dialogue.send("isready") == ["readyok"]
    assert dialogue.engine.calls[:2] == ["Hash = 64", "Style = 'Risky'"]
    dialogue.send("setoption name Clear Hash")
    assert dialogue.engine.calls[-1] == "Clear Hash = None"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("setoption name Hash value 9999", "Hash 9999 is out of range 1 to 1024: it is 1024 now"),
        ("setoption name Hash value -1", "Hash -1 is out of range 1 to 1024: it is 1 now"),
        ("setoption name Hash value big", "Hash is a whole number from 1 to 1024, not 'big'"),
        ("setoption name Hash", "Hash is a whole number from 1 to 1024, not None"),
        ("setoption name Style value wild", "Style is one of Solid, Risky, not 'wild'"),
        ("setoption name Ponder value maybe", "Ponder is one of false, true, not 'maybe'"),
        ("setoption name Syzygy Path value /no such", "Syzygy Path: there is no folder '/no such'"),
        ("setoption name Engine value Crafty", "Engine is one of Fake, not 'Crafty'"),
        ("setoption Hash 64", "setoption: expected setoption name NAME [value VALUE]"),
        ("debug maybe", "debug is on or off, not 'maybe'"),
        ("position", "position: expected startpos or fen FEN, and perhaps moves MOVE..."),
        ("position startpos e2e4", "position: expected startpos or fen FEN, and perhaps moves MOVE..."),
        ("flib", "unknown command: flib"),
        ("please bench", "unknown command: please bench"),
        ("bench", "bench: there is none here"),
    ],
)
def test_what_is_wrong_is_said(line: str, says: str) -> None:
    dialogue = Dialogue()
    dialogue.send("isready")
    assert dialogue.send(line) == [f"info string {says}"]
    assert dialogue.engine.setup == parse_fen("startpos")


def test_what_is_skipped_and_what_needs_no_answer() -> None:
    assert transcript(["joho isready", "well go depth 1"])[0] == "readyok"
    assert transcript(["joho quit", "isready"]) == []
    assert transcript(["", "   ", "stop", "ponderhit", "ucinewgame", "debug on", "register later"]) == []


WDL = (300, 500, 200)


def test_every_field_of_an_info() -> None:
    def script(_: FakeEngine, __: Limit) -> Iterator[Info]:
        yield Info(9, Score(), 5, 0.5, current_move=moves("d2d4")[0], current_move_number=3)
        yield Info(9, Score(centipawns=-31), 1000, 0.5, moves("e2e4", "e7e5", "g1f3"), "lower", 14, 1, 77, 2, WDL)
        yield Info(9, Score(mate=-4), 2000, 1.0, moves("d2d4"), "upper", multipv=2)

    assert transcript(["setoption name UCI_ShowWDL value true", "go nodes 7"], script) == [
        "info depth 9 currmove d2d4 currmovenumber 3",
        (
            "info depth 9 seldepth 14 multipv 1 score cp -31 lowerbound wdl 300 500 200 "
            "nodes 1000 nps 2000 hashfull 77 tbhits 2 time 500 pv e2e4 e7e5 g1f3"
        ),
        "info depth 9 multipv 2 score mate -4 upperbound nodes 2000 nps 2000 hashfull 0 tbhits 0 time 1000 pv d2d4",
        "bestmove e2e4 ponder e7e5",
    ]
    assert "wdl" not in transcript(["go nodes 7"], script)[1]


@pytest.mark.parametrize(("fen", "score"), [(MATED, "mate 0"), (STALEMATE, "cp 0")])
def test_an_ended_game_has_no_move(fen: str, score: str) -> None:
    out = transcript([f"position fen {fen}", "go depth 5"])
    assert out == [f"info depth 0 multipv 1 score {score} nodes 0 nps 0 hashfull 0 tbhits 0 time 0", "bestmove (none)"]


@pytest.mark.parametrize(
    ("words", "limit"),
    [
        ("depth 7", Limit(depth=7)),
        ("depth 0 nodes -4 mate 0", Limit(depth=1, nodes=1, mate=1)),
        ("movetime 1500", Limit(time=1.5)),
        ("movetime -1", Limit(time=0.0)),
        ("mate 3", Limit(mate=3)),
        ("wtime 60000 btime 50000 winc 1000 binc 2000", Limit(clock=Clock(50.0, 2.0))),
        ("wtime 60000 btime 50000 winc 1000 movestogo 7", Limit(clock=Clock(50.0, 0.0, 7))),
        ("btime 5000 movestogo 12", Limit(clock=Clock(5.0, 0.0, 12))),
        ("btime -20 binc -3 movestogo 0", Limit(clock=Clock(0.0))),
        ("wtime 5000 winc 100", Limit(clock=Clock(5.0, 0.1))),
        ("infinite", Limit(time=float("inf"))),
        ("infinite depth 3", Limit(time=float("inf"), depth=3)),
        ("", Limit(time=float("inf"))),
        ("ponder btime 3000", Limit(clock=Clock(3.0), ponder=True)),
        ("searchmoves e7e5 a7a6 depth 2", Limit(depth=2, moves=moves("e7e5", "a7a6"))),
        ("depth 2 searchmoves e7e5 e2e4 what infinite", Limit(time=float("inf"), depth=2, moves=moves("e7e5"))),
        (f"nodes {'9' * 5000}", Limit(nodes=10**18)),
        ("depth many nodes 5 nonsense", Limit(nodes=5)),
        ("depth", Limit(time=float("inf"))),
        ("depth nodes 5", Limit(nodes=5)),
    ],
)
def test_what_a_go_asks_for(words: str, limit: Limit) -> None:
    dialogue = Dialogue()
    dialogue.send("position startpos moves e2e4", f"go {words}", "stop")
    assert dialogue.engine.limits == [limit]
    assert len(dialogue.expect("bestmove ")) == 1


def test_white_has_its_own_clock() -> None:
    dialogue = Dialogue()
    dialogue.send("go wtime 60000 btime 50000 winc 1000 binc 2000 movestogo 7", "stop")
    dialogue.send("go btime 50000 binc 2000 winc 1000", "stop")
    assert dialogue.engine.limits == [Limit(clock=Clock(60.0, 1.0, 7)), Limit(clock=Clock(50.0, 2.0))]


def test_a_go_says_what_it_cannot_read() -> None:
    dialogue = Dialogue()
    dialogue.send("go depth many nodes 5 nonsense movetime searchmoves e2e5")
    dialogue.expect("bestmove a2a3")
    said = dialogue.said()
    assert said[0] == "go: depth is followed by 'many', no number"
    assert said[1].startswith("go: 'nonsense' is none of wtime, btime, winc, binc, movestogo, depth, nodes, mate, ")
    assert said[2] == "go: movetime is followed by 'searchmoves', no number"
    assert said[3] == "e2e5: the pawn on e2 cannot reach e5"


def test_debug_tells_the_limit() -> None:
    dialogue = Dialogue()
    dialogue.send("debug on", "go depth 2")
    dialogue.expect("bestmove")
    assert dialogue.said()[0].startswith("Limit(nodes=None, time=None, depth=2")


@pytest.mark.parametrize("go", ["infinite", "", "ponder wtime 1000 btime 1000", "infinite ponder"])
def test_the_move_is_held_back_until_stop(go: str) -> None:
    dialogue = Dialogue()
    dialogue.send(f"go {go}")
    dialogue.engine.stop()  # The engine is through, before anybody has asked it to be.
    dialogue.expect("info depth 1")
    assert dialogue.send("isready") == ["readyok"]
    assert dialogue.send("stop") == ["bestmove a2a3"]
    assert dialogue.send("stop", "isready") == ["readyok"]


def test_the_move_pondered_for_comes_after_the_hit() -> None:
    dialogue = Dialogue()
    dialogue.send("position startpos moves e2e4 e7e5", "go ponder wtime 1000 btime 1000")
    dialogue.expect("info depth 1")
    assert dialogue.send("isready") == ["readyok"]
    dialogue.send("ponderhit")
    dialogue.expect("bestmove a2a3")
    assert dialogue.engine.calls[-1] == "ponder_hit"
    assert dialogue.send("ponderhit", "stop", "isready") == ["readyok"]


def test_a_ponder_hit_does_not_end_an_endless_search() -> None:
    dialogue = Dialogue()
    dialogue.send("go ponder infinite", "ponderhit")
    dialogue.expect("info depth 1")
    dialogue.engine.stop()
    assert dialogue.send("isready") == ["readyok"]
    assert dialogue.send("stop") == ["bestmove a2a3"]


@pytest.mark.parametrize(
    "line", ["position startpos moves d2d4", "ucinewgame", "setoption name Hash value 32", "go depth 1", "eval", "flip"]
)
def test_what_needs_the_engine_ends_the_search_first(line: str) -> None:
    dialogue = Dialogue()
    dialogue.send("go infinite")
    dialogue.expect("info depth 1")
    assert dialogue.send(line)[0] == "bestmove a2a3"
    dialogue.end()
    assert len(dialogue.expect("bestmove")) == (2 if line.startswith("go") else 1)


@pytest.mark.parametrize("line", ["isready", "d", "debug off", "nonsense", "uci", "setoption name Nonsense value 1"])
def test_what_does_not_need_the_engine_leaves_the_search_alone(line: str) -> None:
    dialogue = Dialogue()
    dialogue.send("go infinite")
    assert not any(answer.startswith("bestmove") for answer in dialogue.send(line))
    assert dialogue.send("stop")[-1] == "bestmove a2a3"


@pytest.mark.parametrize("last", [[], ["quit"], ["quit", "go depth 1"]])
def test_the_end_of_input_ends_a_search_with_its_move(last: list[str]) -> None:
    assert transcript(["go infinite", *last])[-1] == "bestmove a2a3"


def test_an_engine_that_fails_costs_a_remark_not_the_game() -> None:
    def fails_at_once(_: FakeEngine, __: Limit) -> Iterator[Info]:
        raise ZeroDivisionError("table")

    def fails_later(_: FakeEngine, __: Limit) -> Iterator[Info]:
        yield Info(1, Score(centipawns=0), 1, 0.0, moves("g1f3"))
        raise MemoryError

    out = transcript(["go depth 2"], fails_at_once)
    assert out[0] == "info string the engine has failed: ZeroDivisionError: table"
    assert chess.Board().is_legal(chess.Move.from_uci(out[1].removeprefix("bestmove ")))
    assert transcript(["go infinite"], fails_later)[-1] == "bestmove g1f3"


def test_an_engine_that_cannot_be_made() -> None:
    def make() -> FakeEngine:
        raise OSError("no room")

    out: list[str] = []
    Session([EngineEntry("Bad", (), make)], out.append).run(["isready", "go depth 1"])
    failure = "info string the engine has failed: OSError: no room"
    assert out[:3] == [failure, "readyok", failure]
    assert chess.Board().is_legal(chess.Move.from_uci(out[3].removeprefix("bestmove ")))


# --- Positions --------------------------------------------------------------------------------------------------------


def test_only_new_moves_are_pushed() -> None:
    dialogue = Dialogue()
    dialogue.send("position startpos moves e2e4", "position startpos moves e2e4 e7e5 g1f3")
    assert dialogue.engine.calls == ["set_position", "push e2e4", "push e7e5", "push g1f3"]
    dialogue.send("position startpos moves e2e4 e7e5")
    assert dialogue.engine.calls[4:] == ["pop"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("position fen nonsense", "FEN 'nonsense'"),
        ("position fen 8/8/8/8/8/8/8/4K3 w - - 0 1", "illegal position: Black has no king"),
        ("position startpos moves e2e4 e7e5 e1e3", "e1e3: the king on e1 cannot reach e3"),
        ("position startpos moves e2e4 c7c5 g1f3 e2e4", "e2e4: there is no piece on e2"),
        ("position startpos moves e2e4 c7c5 nonsense", "'nonsense' is not a move"),
        ("position startpos moves e2e4 c7c5 0000", "0000: passing is not a move in chess"),
        ("position startpos moves e2e4 c7c5 a1a1", "a1a1: a piece must go to another square"),
        ("position fen", "position: expected"),
    ],
)
def test_what_is_no_position_leaves_none(line: str, says: str) -> None:
    dialogue = Dialogue(first_legal, first_legal)
    dialogue.send("position startpos moves e2e4 c7c5")
    (answer,) = dialogue.send(line)
    assert says in answer
    refusal = "info string there is no position, since the last one was refused: "
    for question in ("d", "eval", "flip", "go perft 2", "ucinewgame", "setoption name Engine value Fake1", "d"):
        assert [said for said in dialogue.send(question) if says not in said or not said.startswith(refusal)] == []
    dialogue.send("go depth 3 searchmoves e2e4")
    dialogue.expect("bestmove (none)")
    assert dialogue.said()[-1].startswith(refusal.removeprefix("info string "))
    assert dialogue.engine.limits == []
    dialogue.send("position startpos moves e2e4 c7c5 g1f3", "go depth 1")
    assert dialogue.expect("bestmove a7a5")
    assert [move.uci() for move in dialogue.engine.board.move_stack] == ["e2e4", "c7c5", "g1f3"]


@pytest.mark.parametrize(
    ("go", "end"), [("infinite", "stop"), ("", "stop"), ("ponder btime 9", "stop"), ("ponder btime 9", "ponderhit")]
)
def test_that_there_is_no_move_is_held_back_too(go: str, end: str) -> None:
    dialogue = Dialogue()
    (said,) = dialogue.send("position fen 8/8/8/8/8/8/8/4K3 w - - 0 1", f"go {go}")[1:]
    assert said.startswith("info string there is no position")
    assert dialogue.send("isready") == ["readyok"]
    dialogue.send(end)
    assert dialogue.expect("bestmove ") == ["bestmove (none)"]


def test_a_book_does_not_answer_for_a_position_that_was_refused(book: Path) -> None:
    options = ["setoption name OwnBook value true", f"setoption name Book File value {book}"]
    for lines in (["position fen x", *options, "go depth 1"], [*options, "position fen x", "go depth 1"]):
        assert transcript(lines)[-1] == "bestmove (none)"


@pytest.mark.parametrize(
    ("fen", "move", "square", "piece"),
    [
        (CASTLING, "e1g1", "f1", "R"),
        (CASTLING, "e1h1", "f1", "R"),
        (CHESS960, "c1g1", "f1", "R"),
        (CHESS960, "c1b1", "d1", "R"),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8N", "e8", "N"),
    ],
)
def test_castling_in_both_notations_and_capitals_are_understood(fen: str, move: str, square: str, piece: str) -> None:
    dialogue = Dialogue()
    assert dialogue.send(f"position fen {fen} moves {move}") == []
    assert dialogue.engine.board.piece_at(chess.parse_square(square)) == chess.Piece.from_symbol(piece)


@pytest.mark.parametrize(
    ("fen", "option", "written"),
    [(CASTLING, "false", "e1g1"), (CASTLING, "true", "e1h1"), (CHESS960, "false", "c1g1"), (CHESS960, "true", "c1g1")],
)
def test_castling_is_written_as_the_gui_reads_it(fen: str, option: str, written: str) -> None:
    go = f"go depth 1 searchmoves {'e1g1' if fen == CASTLING else 'c1g1'}"
    out = transcript([f"setoption name UCI_Chess960 value {option}", f"position fen {fen}", go])
    assert out[0].endswith(f"pv {written}")
    assert out[1] == f"bestmove {written}"


def test_flip_exchanges_the_colours() -> None:
    dialogue = Dialogue()
    dialogue.send("position startpos moves e2e4", "flip")
    assert dialogue.engine.setup == parse_fen("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1")
    dialogue.send("flip")
    assert dialogue.engine.setup == parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")


def test_what_is_written_for_people() -> None:
    out = transcript(["position fen 4k3/8/8/8/8/8/8/R3K3 w Q - 3 9", "d"])
    assert out[1] == " |   |   |   |   | k |   |   |   | 8"
    assert out[15] == " | R |   |   |   | K |   |   |   | 1"
    assert out[-1] == "Fen: 4k3/8/8/8/8/8/8/R3K3 w Q - 3 9"
    assert transcript(["eval"]) == ["fine", "very fine"]
    assert transcript(["bench"], bench=lambda write: write("1 node")) == ["1 node"]


# --- Engines, perft, books --------------------------------------------------------------------------------------------


def test_another_engine_goes_on_from_the_same_position() -> None:
    dialogue = Dialogue(first_legal, first_legal)
    dialogue.send("setoption name Hash value 8", "position startpos moves e2e4 e7e5", "go infinite")
    dialogue.expect("info depth")
    assert dialogue.send("setoption name engine value fake1") == ["bestmove a2a3"]
    assert len(dialogue.engines) == 2
    assert dialogue.engine.calls == ["Hash = 8", "set_position", "push e2e4", "push e7e5"]
    dialogue.send("setoption name Style value Risky", "position startpos moves e2e4 e7e5 g1f3")
    assert dialogue.engine.calls[4:] == ["push g1f3"]
    dialogue.send("setoption name Engine value Fake")
    assert "Style = 'Risky'" in dialogue.engine.calls


def test_an_engine_chosen_before_it_is_needed_is_the_only_one_made() -> None:
    dialogue = Dialogue(first_legal, first_legal)
    dialogue.send("uci", "setoption name Engine value Fake1", "isready")
    assert len(dialogue.engines) == 1
    assert (
        Dialogue(first_legal, first_legal, engine="Fake1").send("uci")[7].endswith("default Fake1 var Fake var Fake1")
    )


def test_without_a_required_value_that_was_refused_nothing_is_searched() -> None:
    dialogue = Dialogue(first_legal, first_legal)
    refused = "info string Syzygy Path: there is no folder '/no such'"
    assert dialogue.send("setoption name Syzygy Path value /no such", "isready") == [refused, "readyok"]
    assert dialogue.send("eval") == [refused]
    answers: list[str] = []
    for line in ("isready", "setoption name Engine value Fake1", "setoption name Engine value Fake",
                 "setoption name Syzygy Path value <empty>"):  # fmt: skip
        dialogue.send(line, "go depth 1")
        answers.append(dialogue.expect("bestmove ", len(answers) + 1)[-1].removeprefix("bestmove "))
    assert answers == ["(none)", "a2a3", "(none)", "a2a3"]
    assert dialogue.said().count(refused.removeprefix("info string ")) == 5


def test_after_another_value_that_was_refused_the_old_one_serves() -> None:
    said, *_, last = transcript(["isready", f"setoption name Hash value {TOO_LARGE}", "go depth 1"])[1:]
    assert said == f"info string Hash: there is not enough memory for {TOO_LARGE} MB"
    assert last == "bestmove a2a3"


def test_perft_divides() -> None:
    dialogue = Dialogue()
    dialogue.send(f"position fen {CASTLING}", "go perft 2")
    assert dialogue.expect("Nodes searched") == ["Nodes searched: 568"]
    counts = [line for line in dialogue.out if line[0] in "abcdefgh"]
    assert len(counts) == 26
    board = chess.Board(CASTLING)
    board.push_uci("e1g1")
    assert f"e1g1: {board.legal_moves.count()}" in counts
    assert not any(line.startswith("bestmove") for line in dialogue.out)
    assert dialogue.send("go perft 12", "isready")[-1] == "readyok"
    assert dialogue.send("stop") == ["info string perft of 12 plies was stopped before its end"]
    for number, depth in enumerate(("0", "-3", "101", "9" * 30), 2):
        dialogue.send(f"go perft {depth}")
        dialogue.expect("info string perft of", number)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "my opening book.bin"
    castling = book_entry(chess.Board(CASTLING), "e1h1", 1)
    start = book_entry(chess.Board(), "d2d4", 3) + book_entry(chess.Board(), "h2h4", 0)
    path.write_bytes(b"".join(sorted((castling, start))))
    return path


def test_a_book_answers_where_it_knows_the_position(book: Path) -> None:
    options = [f"setoption name Book File value {book}", "setoption name OwnBook value true"]
    assert transcript([*options, "go wtime 1000 btime 1000"]) == ["bestmove d2d4"]
    assert transcript([*options, f"position fen {CASTLING}", "go depth 1"]) == ["bestmove e1g1"]
    assert transcript([*options, "position startpos moves d2d4", "go depth 1"])[-1] == "bestmove a7a5"
    for analysis in ("infinite", "ponder wtime 9", "depth 1 searchmoves a2a3"):
        assert transcript([*options, f"go {analysis}"])[-1] == "bestmove a2a3"
    assert transcript([options[0], "go depth 1"])[-1] == "bestmove a2a3"
    assert transcript([options[1], "go depth 1"])[-1] == "bestmove a2a3"


def test_a_broken_book_is_spoken_of_and_ignored(tmp_path: Path) -> None:
    (tmp_path / "broken.bin").write_bytes(b"x" * 17)
    for name, reason in (
        ("broken.bin", "it is no Polyglot book"),
        ("missing.bin", "there is no such file"),
        ("", "there is"),
    ):
        lines = [f"setoption name Book File value {tmp_path / name}", "setoption name OwnBook value true", "go depth 1"]
        out = transcript(lines)
        assert "cannot be read" in out[0]
        assert reason in out[0]
        assert out[-1] == "bestmove a2a3"


def test_lines_are_written_one_at_a_time() -> None:
    """The writer is never entered twice, though the search writes while the session answers."""
    busy = threading.Lock()
    lines: list[str] = []
    entered: list[bool] = []

    def write(line: str) -> None:
        entered.append(busy.acquire(blocking=False))
        time.sleep(0)  # The other thread may run.
        lines.append(line)
        if entered[-1]:
            busy.release()

    def many(_: FakeEngine, __: Limit) -> Iterator[Info]:
        for depth in range(500):
            yield Info(depth, Score(centipawns=0), 1, 0.0, moves("g1f3"))

    session = Session([EngineEntry("Fake", (), lambda: FakeEngine(many))], write)
    session.run(["go infinite", *["isready"] * 500])
    assert all(entered)
    assert lines.count("readyok") == 500
    assert lines[-1] == "bestmove g1f3"
