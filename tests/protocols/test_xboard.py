"""Transcripts of XBoard's protocol with a scripted engine: what goes in, what comes out."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import pytest

from ox88.engines.base import DRAWN_MOVES, Clock, EngineEntry, EngineError, Info, Limit, Option, Score
from ox88.protocols import xboard
from ox88.protocols.xboard import HINT_SECONDS
from ox88.protocols.xboard_search import THINK_SECONDS, Purpose
from ox88.protocols.xboard_text import format_features
from ox88.setup import parse_fen, parse_uci
from tests.protocols.fake import LONG, TOO_LARGE, Dialogue, FakeEngine, Script, book_entry, first_legal

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
CHESS960 = "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1"
LONG_SEARCH = f"sd {LONG}"
OPTION_NAMES = "OwnBook, Book File, Engine, Hash, Clear Hash, Style, Syzygy Path"
SCHOLARS = ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6"]


class Gui(Dialogue):
    """A dialogue in XBoard's protocol, after its greeting."""

    def __init__(self, *scripts: Script, **options: Any) -> None:
        super().__init__(*scripts, speaks=xboard.Session, **options)
        self._pings = 0

    @property
    def purpose(self) -> Purpose | None:
        assert isinstance(self.session, xboard.Session)
        return self.session.purpose

    def tell(self, *lines: str) -> list[str]:
        """What the session has written when it is through with the lines, and has moved if it was to move."""
        before = len(self.out)
        self._pings += 1
        pong = f"pong {self._pings}"
        self.send(*lines, f"ping {self._pings}")
        self.expect(pong)
        return [line for line in self.out[before:] if line != pong]


def moves(*texts: str) -> tuple[int, ...]:
    """Moves one after another from the start position."""
    board = chess.Board()
    line = []
    for text in texts:
        line.append(parse_uci(text, parse_fen(board.fen())))
        board.push_uci(text)
    return tuple(line)


def plays(*texts: str, score: Score | None = None) -> Script:
    """A script whose lines, one a search, have been written as moves from where it is then."""
    remaining = list(texts)

    def script(engine: FakeEngine, _: Limit) -> Iterator[Info]:
        board, line = engine.board.copy(), []
        for text in remaining.pop(0).split():
            line.append(parse_uci(text, parse_fen(board.fen())))
            board.push_uci(text)
        yield Info(3, score or Score(centipawns=25), 700, 0.125, tuple(line))

    return script


# --- The greeting -----------------------------------------------------------------------------------------------------


def test_the_features_come_before_the_engine_is_made_and_done_after() -> None:
    made: list[int] = []

    class Counting(Gui):
        def hear(self, line: str) -> None:
            made.append(len(self.engines))
            super().hear(line)

    gui = Counting(first_legal, first_legal, name="Ox88 1.0")
    assert gui.send("xboard", "protover 2") == [
        "feature done=0",
        "feature debug=1 ping=1 setboard=1 usermove=1 san=0 playother=1 colors=0 sigint=0 sigterm=0 reuse=1",
        (
            'feature variants="normal,fischerandom" analyze=1 draw=1 name=1 ics=0 pause=0 time=1 nps=1 memory=1 smp=1'
            ' egt="syzygy"'
        ),
        'feature myname="Ox88 1.0"',
        'feature option="OwnBook -check 0"',
        'feature option="Book_File -file "',
        'feature option="Engine -combo *Fake /// Fake1"',
        'feature option="Clear_Hash -button"',
        'feature option="Style -combo *Solid /// Risky"',
        'feature option="Syzygy_Path -path "',
        "feature done=1",
    ]
    assert made == [0] * 10 + [1]


def test_options_with_commands_for_every_engine_are_not_listed() -> None:
    """The command `egtpath` is sent only by a GUI whose user has tables, so its option is listed too."""
    options = [Option("Hash", "spin", 1, 1, 2), Option("Threads", "spin", 1, 1, 2), Option("SyzygyPath", "string", "")]
    assert list(format_features("A", options))[3:] == ['feature option="SyzygyPath -path "']


def test_what_asks_for_nothing_is_answered_with_nothing() -> None:
    lines = ["", "xboard", "accepted ping", "rejected san", "random", "computer", "name Anna", "rating 2600 1500"]
    assert Gui().tell(*lines, "ics -", "otim 500", "easy", "hard", "post", "nopost", "?", ".") == []
    assert Gui().tell("option Hash=9999") == ["# Hash 9999 is out of range 1 to 1024: it is 1024 now"]
    assert Gui().tell("rejected debug", "option Hash=9999") == []


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("edit", "Error (unknown command): edit"),
        ("white", "Error (unknown command): white"),
        ("@@@@", "Error (unknown command): @@@@"),
        ("undo", "Error (command not legal now): undo"),
        ("remove", "Error (command not legal now): remove"),
        ("exit", "Error (command not legal now): exit"),
        ("variant suicide", "Error (the variants are normal and fischerandom): variant suicide"),
        ("sd deep", "Error (a number from 0 on is expected): sd deep"),
        ("st", "Error (a number from 0 on is expected): st"),
        ("nps -3", "Error (a number from 0 on is expected): nps -3"),
        ("time soon", "Error (a number from 0 on is expected): time soon"),
        ("level 40", "Error (expected MOVES MINUTES[:SECONDS] INCREMENT, such as 40 5:00 0): level 40"),
        ("level 1 2 3 4", "Error (expected MOVES MINUTES[:SECONDS] INCREMENT, such as 40 5:00 0): level 1 2 3 4"),
        ("usermove", "Illegal move ('' is not a move; write it as e2e4, e7e8n, Nf3 or O-O): usermove"),
        ("usermove Nf6", "Illegal move (no knight of White can go to f6): Nf6"),
        (
            "usermove e2e4 please",
            "Illegal move ('e2e4 please' is not a move; write it as e2e4, e7e8n, Nf3 or O-O): e2e4 please",
        ),
        ("e2e5", "Illegal move (the pawn on e2 cannot reach e5): e2e5"),
        ("usermove e4e5", "Illegal move (there is no piece on e4): e4e5"),
        ("usermove e7e5", "Illegal move (the pawn on e7 is Black's, and White is to move): e7e5"),
        ("usermove O-O", "Illegal move (castling on the king's side is blocked by the piece on f1): O-O"),
        ("usermove e1h1", "Illegal move (castling on the king's side is blocked by the piece on f1): e1h1"),
        (f"flib{'x' * 500}", f"Error (unknown command): flib{'x' * 193}..."),
        # A GUI sends these to every engine: they interrupt nobody.
        ("memory lots", "Error (Hash is a whole number from 1 to 1024, not 'lots'): memory lots"),
        ("cores 2", f"Error (there is no option 'Threads'; there are: {OPTION_NAMES}): cores 2"),
        (
            "egtpath nalimov /tables",
            "Error (expected egtpath syzygy FOLDER: other tables are not used): egtpath nalimov /tables",
        ),
    ],
)
def test_what_is_wrong_is_said(line: str, answer: str) -> None:
    gui = Gui()
    assert gui.tell(line) == [answer]
    assert gui.tell("usermove e2e4") == ["move a7a5"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "option Contempt=3",
            "there is no option 'Contempt'; there are: OwnBook, Book File, Engine, Hash, Clear Hash,",
        ),
        ("option Hash=big", "Hash is a whole number from 1 to 1024, not 'big'"),
        ("option Style=wild", "Style is one of Solid, Risky, not 'wild'"),
        ("option OwnBook=2", "OwnBook is one of false, true, not '2'"),
        (f"option Hash={TOO_LARGE}", f"Hash: there is not enough memory for {TOO_LARGE} MB"),
        ("option Book_File=/no/such\tbook", "the book '/no/such\\tbook' cannot be read: "),
    ],
)
def test_what_the_person_should_know_is_told_to_the_person(line: str, says: str) -> None:
    gui = Gui()
    told, error = gui.tell("ping 0", line)[-2:]
    assert told.startswith(f"tellusererror {says}")
    assert error.startswith("Error (")
    assert error.endswith(f": {' '.join(line.split())}")
    assert gui.tell("usermove e2e4") == ["move a7a5"]
    assert gui.engine.board.root() == chess.Board()


def test_a_position_that_the_engine_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise EngineError("this is not for me")

    gui = Gui()
    gui.tell()
    monkeypatch.setattr(gui.engine, "set_position", refuse)
    assert gui.tell(f"setboard {CASTLING}")[0] == "tellusererror Illegal position: this is not for me"
    assert gui.tell("usermove e1g1") == ["Illegal move (the position was refused): e1g1"]


@pytest.mark.parametrize(
    ("fen", "says"),
    [
        ("8/8/8 w", "FEN '8/8/8 w': the board has 3 ranks, not 8"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
        ("", "FEN '': it is empty"),
    ],
)
def test_after_a_position_that_is_refused_moves_are_illegal_until_the_next_one(fen: str, says: str) -> None:
    gui = Gui()
    gui.tell("usermove e2e4")
    gui.send(LONG_SEARCH, "hard", "go")
    told, error = gui.tell(f"setboard {fen}".strip())
    assert told.startswith(f"tellusererror Illegal position: {says}")
    assert error.startswith(f"Error (Illegal position: {says}"[:200])
    assert gui.purpose is None
    assert gui.tell("usermove e7e5") == ["Illegal move (the position was refused): e7e5"]
    assert gui.tell("go") == []
    for line in ("undo", "remove", "hint", "bk"):
        assert gui.tell(line) == [f"Error (command not legal now): {line}"]
    assert gui.tell("setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "sd 3", "go") == ["move a1a2"]
    gui.tell(f"setboard {fen}".strip())
    assert gui.tell("new", "usermove e2e4") == ["move a7a5"]


@pytest.mark.parametrize("is_greeted", [True, False])
def test_without_a_required_value_that_was_refused_nothing_is_searched(is_greeted: bool) -> None:
    gui = Gui()
    refused = "Syzygy Path: there is no folder '/no such'"
    gui.tell(*["protover 2"] * is_greeted, "option Syzygy_Path=/no such")
    assert gui.tell("usermove e2e4") == [f"Illegal move ({refused}): e2e4"]
    for line in ("go", "hint", "analyze"):
        assert gui.tell(line) == [f"tellusererror {refused}", f"Error ({refused}): {line}"]
        assert gui.purpose is None
    assert gui.tell("force", "usermove e2e4") == []
    assert gui.engine.limits == []
    gui.tell("option Syzygy_Path=")
    assert gui.tell("go") == ["move a7a5"]


def test_where_a_required_value_was_refused_an_analysis_waits_and_pondering_ends() -> None:
    gui = analysing()
    gui.tell("option Syzygy_Path=/no such")
    assert (len(gui.engine.limits), gui.purpose) == (1, None)
    gui.tell("option Syzygy_Path=")
    assert gui.purpose is Purpose.ANALYSIS
    gui.end()
    gui = Gui(plays("e2e4 e7e5"))
    gui.send(LONG_SEARCH, "hard", "go", "option Syzygy_Path=/no such", "?")
    gui.expect("Error (Syzygy Path")
    assert gui.tell("force", "result *") == []
    assert len(gui.engine.limits) == 1


# --- Options ----------------------------------------------------------------------------------------------------------


def test_options_of_every_kind_reach_the_engine() -> None:
    gui = Gui()
    assert gui.tell("ping 0", "memory 64", "option Style=risky", "option Clear_Hash", "option clear hash") == ["pong 0"]
    assert gui.engine.calls[1:] == ["Hash = 64", "Style = 'Risky'", "Clear Hash = None", "Clear Hash = None"]
    gui.tell("option Null Move Margin=5", "option\tSyzygy_Path =  ")
    assert gui.engine.calls[-2:] == ["Null Move Margin = 5", "Syzygy Path = ''"]


def test_options_wait_while_the_engine_is_to_move() -> None:
    gui = Gui()
    gui.send(LONG_SEARCH, "usermove e2e4", "option Style=Risky", "memory 8", "ping 7")
    assert "Style = 'Risky'" not in gui.engine.calls
    gui.send("?")
    gui.expect("pong 7")
    assert gui.out == ["move a7a5", "pong 7"]
    assert gui.engine.calls[-2:] == ["Style = 'Risky'", "Hash = 8"]


# --- Playing ----------------------------------------------------------------------------------------------------------


def test_a_game_in_which_the_engine_is_black() -> None:
    gui = Gui(plays("e7e5", "b8c6", "g8f6"))
    assert gui.tell("new", "usermove e2e4") == ["move e7e5"]
    assert gui.tell("usermove f1c4") == ["move b8c6"]
    assert gui.tell("d1h5") == ["move g8f6"]
    assert gui.tell("usermove h5f7") == ["1-0 {Checkmate}"]
    assert gui.tell("go") == ["1-0 {Checkmate}"]


def test_go_plays_whatever_side_is_to_move() -> None:
    gui = Gui(plays("e2e4", "e7e5", "g1f3"))
    assert gui.tell("new", "go") == ["move e2e4"]
    assert gui.tell("go") == ["move e7e5"]
    assert gui.tell("force", "usermove a2a3", "usermove b8c6") == []
    assert gui.tell("go") == ["move g1f3"]
    assert Gui(plays("e7e5")).tell("new", "force", "playother", "usermove e2e4") == ["move e7e5"]


def test_thinking_output() -> None:
    def script(_: FakeEngine, __: Limit) -> Iterator[Info]:
        yield Info(9, Score(), 5, 0.5, current_move=moves("d2d4")[0], current_move_number=3)
        yield Info(9, Score(centipawns=-31), 1000, 0.5, moves("e2e4", "e7e5"), "lower", 14, 1, 77, 2)
        yield Info(9, Score(mate=-4), 2000, 1.0, moves("d2d4"), "upper", multipv=2)
        yield Info(10, Score(mate=2), 3000, 2.0, moves("e2e4"))

    assert Gui(script).tell("post", "go") == [
        "9 -31 50 1000 14 2000 2\te2e4 e7e5 !",
        "9 -100004 100 2000 0 2000 0\td2d4 ?",
        "10 100002 200 3000 0 1500 0\te2e4",
        "move e2e4",
    ]
    assert Gui(script).tell("go") == ["move e2e4"]
    assert Gui(script).tell("post", "nopost", "go") == ["move e2e4"]


@pytest.mark.parametrize(
    ("fen", "result", "score"),
    [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "1-0 {Checkmate}", -100000),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2 {Stalemate}", 0),
    ],
)
def test_an_ended_game_has_no_move(fen: str, result: str, score: int) -> None:
    gui = Gui()
    assert gui.tell(f"setboard {fen}", "go") == [result]
    gui.send("analyze")
    gui.expect(f"0 {score} 0 0 0 0 0\t(no move)")
    assert gui.tell("exit") == []


@pytest.mark.parametrize(
    ("fen", "line", "result"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", "1-0 {Checkmate}"),
        ("7K/5q2/6k1/8/8/8/8/8 b - - 0 1", "f7g7", "0-1 {Checkmate}"),
        ("7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", "f5f7", "1/2-1/2 {Stalemate}"),
        ("k7/8/8/8/8/8/1r6/K7 w - - 0 1", "a1b2", "1/2-1/2 {Insufficient material}"),
        ("7k/8/8/8/8/8/1r6/R5K1 w - - 99 80", "a1c1", "1/2-1/2 {Fifty-move rule}"),
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 99 80", "f7g7", "1-0 {Checkmate}"),
    ],
)
def test_the_end_of_a_game_is_told_after_the_move(fen: str, line: str, result: str) -> None:
    assert Gui(plays(line)).tell(f"setboard {fen}", "go") == [f"move {line}", result]


def test_repetition_ends_the_game_after_either_sides_move() -> None:
    back = ["g1f3", "g8f6", "f3g1", "f6g8"]
    assert Gui().tell("force", *back * 3) == []  # A game that is loaded.
    gui = Gui(plays("f6g8"))
    assert gui.tell("force", *back, *back[:3]) == []
    assert gui.tell("go") == ["move f6g8", "1/2-1/2 {Threefold repetition}"]
    gui = Gui(plays("e2e4"))
    assert gui.tell("force", *back, *back[:3], "playother", "usermove f6g8") == ["1/2-1/2 {Threefold repetition}"]
    assert gui.tell("go") == ["move e2e4"]


def test_a_move_out_of_turn_while_the_engine_thinks() -> None:
    gui = Gui()
    gui.send(LONG_SEARCH, "go")
    assert gui.send("usermove e2e4") == ["Illegal move (the engine is to move): e2e4"]
    gui.send("?")
    assert gui.expect("move ") == ["move a2a3"]


@pytest.mark.parametrize(
    "line", ["force", "new", "setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "undo", "result * {ended}", "playother"]
)
def test_what_takes_the_turn_away_ends_the_search_without_a_move(line: str) -> None:
    gui = Gui()
    gui.send("force", "usermove e2e4", LONG_SEARCH, "go", "ping 1")
    gui.send(line)
    assert gui.out == ["pong 1"]
    assert gui.tell() == []


@pytest.mark.parametrize(
    "line", ["post", "hard", "easy", "time 500", "otim 500", "level 40 5 0", "sd 3", "computer", "flib", "go", "hint"]
)
def test_what_does_not_take_the_turn_away_leaves_the_search_alone(line: str) -> None:
    gui = Gui()
    gui.send(LONG_SEARCH, "go", line)
    assert not [answer for answer in gui.out if answer.startswith("move")]
    gui.send("?")
    gui.expect("move a2a3")
    assert len(gui.engine.limits) == 1


def test_moves_are_taken_back() -> None:
    gui = Gui()
    assert gui.tell("force", *SCHOLARS, "undo", "remove", "go") == ["move a7a5"]
    assert [move.uci() for move in gui.engine.board.move_stack] == SCHOLARS[:3]
    assert gui.tell("force", *["undo"] * 4) == []
    assert [move.uci() for move in gui.engine.board.move_stack] == SCHOLARS[:3]
    gui.tell("go")
    assert gui.engine.board.move_stack == []
    assert gui.tell("remove") == ["Error (command not legal now): remove"]


def test_the_end_of_input_lets_the_engine_move() -> None:
    gui = Gui()
    assert gui.end("hard", LONG_SEARCH, "go", "ping 1") == ["move a2a3", "pong 1"]


@pytest.mark.parametrize("lines", [[LONG_SEARCH, "go", "quit"], ["analyze", "quit", "go"], ["quit", "go"]])
def test_quit_ends_without_a_move(lines: list[str]) -> None:
    assert not [line for line in Gui().end(*lines) if line.startswith("move")]


def test_a_new_game() -> None:
    gui = Gui()
    gui.tell("variant fischerandom", "sd 3", "usermove e2e4")
    assert gui.tell("new", "usermove d2d4") == ["move a7a5"]
    assert gui.engine.limits[-1] == Limit(time=THINK_SECONDS)
    assert gui.engine.calls.count("new_game") == 1


def test_an_engine_that_fails_costs_a_remark_not_the_game() -> None:
    def fails(_: FakeEngine, __: Limit) -> Iterator[Info]:
        raise ZeroDivisionError("table")

    failure, move = Gui(fails).tell("go")
    assert failure == "# the engine has failed: ZeroDivisionError: table"
    assert chess.Board().is_legal(chess.Move.from_uci(move.removeprefix("move ")))


def test_an_engine_that_cannot_be_made() -> None:
    def make() -> FakeEngine:
        raise OSError("no room")

    out: list[str] = []
    xboard.Session([EngineEntry("Bad", (), make)], out.append).run(["protover 2", "go", "hint", "analyze"])
    failure = "# the engine has failed: OSError: no room"
    assert out[-6:-2] == [failure, "feature done=1", failure, out[-3]]
    assert chess.Board().is_legal(chess.Move.from_uci(out[-3].removeprefix("move ")))
    assert out[-2:] == [failure, failure]


# --- Chess960 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "fen", "line", "written"),
    [
        ("normal", CASTLING, "e1g1", "e1g1"),
        ("fischerandom", CASTLING, "e1g1", "O-O"),
        ("fischerandom", CASTLING, "e1c1", "O-O-O"),
        ("normal", CHESS960, "c1g1", "O-O"),
        ("fischerandom", CHESS960, "c1b1", "O-O-O"),
    ],
)
def test_castling_is_written_as_the_variant_has_it(variant: str, fen: str, line: str, written: str) -> None:
    def script(engine: FakeEngine, _: Limit) -> Iterator[Info]:
        yield Info(1, Score(), 1, 0.0, (parse_uci(line, engine.setup),))

    out = Gui(script).tell("post", f"variant {variant}", f"setboard {fen}", "go")
    assert out == [f"1 0 0 1 0 0 0\t{written}", f"move {written}"]
    for text in (line, written):
        assert Gui().tell("force", f"setboard {fen}", f"usermove {text}") == []


# --- Time -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "limit"),
    [
        ([], Limit(time=THINK_SECONDS)),
        (["sd 7"], Limit(depth=7)),
        (["sd 0"], Limit(depth=1)),
        (["st 5"], Limit(time=4.9)),
        (["st 0.5", "sd 2"], Limit(time=0.45, depth=2)),
        (["level 40 5 0"], Limit(clock=Clock(300.0, 0.0, 40))),
        (["level 0 2:30 1.5"], Limit(clock=Clock(150.0, 1.5))),
        (["level 40 25+5 0"], Limit(clock=Clock(1500.0, 0.0, 40))),
        (["level 40 5 0", "time 1234", "sd 9"], Limit(clock=Clock(12.34, 0.0, 40), depth=9)),
        (["time 1234"], Limit(clock=Clock(12.34))),
        (["level 0 1 0", "time -20"], Limit(clock=Clock(0.0))),
        (["level 0 -1:59 2"], Limit(clock=Clock(0.0, 2.0))),
        (["level 0 1 0", "st 2"], Limit(time=1.9)),
        (["st 2", "level 0 1 0"], Limit(clock=Clock(60.0))),
        (["nps 1000", "st 8"], Limit(nodes=8000)),
        (["nps 1", "st 500", "sd 4"], Limit(nodes=500, depth=4)),
        (["nps 0", "st 5"], Limit(time=4.9)),
        (["nps 100"], Limit(time=THINK_SECONDS)),
        (["st 5", "new"], Limit(time=4.9)),
        (["level 40 5 0", "time 1234", "new"], Limit(clock=Clock(300.0, 0.0, 40))),
        (["time 1234", "new"], Limit(time=THINK_SECONDS)),
        (["sd 5", "nps 7", "new", "st 1"], Limit(time=0.9)),
        ([f"st {'9' * 400}"], Limit(time=THINK_SECONDS)),
    ],
)
def test_what_the_time_commands_come_to(lines: list[str], limit: Limit) -> None:
    gui = Gui()
    gui.tell(*lines, "go")
    assert gui.engine.limits == [limit]


@pytest.mark.parametrize("lines", [[], ["st 5"], ["level 40 5 2"], ["nps 100", "st 5"], ["nps 100", "level 0 1 0"]])
@pytest.mark.parametrize("depth", [[], ["sd 7"]])
def test_pondering_has_the_same_limits(lines: list[str], depth: list[str]) -> None:
    """And `sd` holds beside every other limit."""
    gui = Gui(plays("e7e5 g1f3", "b8c6"))
    gui.tell(*lines, *depth, "hard", "usermove e2e4")
    gui.tell("force")
    move, ponder = gui.engine.limits
    assert move.depth == (7 if depth else None)
    if ponder.clock is not None and move.clock is not None:
        assert (ponder.clock.increment, ponder.clock.moves_to_go) == (2, 39)
        ponder, move = replace(ponder, clock=None), replace(move, clock=None)
    if ponder.nodes is not None and "st 5" not in lines:
        ponder, move = replace(ponder, nodes=None), replace(move, nodes=None)  # A share of what is left.
    assert ponder == replace(move, ponder=True)


def test_nodes_are_a_share_of_the_clock_that_is_larger_later_in_a_game() -> None:
    nodes = []
    for played in ([], ["g1f3", "g8f6", "f3g1", "f6g8"] * 5):
        gui = Gui()
        gui.tell("level 0 1 0", "nps 1000", "force", *played, "go")
        assert gui.engine.limits[0].clock is None
        nodes.append(gui.engine.limits[0].nodes or 0)
    assert 0 < nodes[0] < nodes[1] < 60_000


def test_moves_of_a_session_are_counted() -> None:
    gui = Gui()
    gui.tell("level 3 1 0")
    to_go = []
    for text in ("h2h3", "g2g3", "f2f3", "e2e3", "d2d3"):
        gui.tell("time 6000", f"usermove {text}")
        clock = gui.engine.limits[-1].clock
        assert clock is not None
        to_go.append(clock.moves_to_go)
    assert to_go == [3, 2, 1, 3, 2]
    gui.tell("level 9 1 0", "usermove c2c3")
    assert gui.engine.limits[-1].clock == Clock(60.0, 0.0, 9)


def test_the_engine_keeps_its_clock_where_nobody_does() -> None:
    gui = Gui()
    left: list[float] = []
    for text in ("h2h3", "g2g3", "f2f3"):
        gui.tell(*(["level 2 0:10 3"] if not left else []), f"usermove {text}")
        clock = gui.engine.limits[-1].clock
        assert clock is not None
        left.append(clock.remaining)
    assert left[0] == 10.0
    assert 12.0 < left[1] <= 13.0
    assert left[1] + 12.0 < left[2] <= left[1] + 13.0


def test_a_move_of_the_book_earns_its_increment(book: Path) -> None:
    gui = Gui()
    gui.tell(f"option Book_File={book}", "option OwnBook=1", "level 0 0:10 3", "go")
    gui.tell("usermove a7a6")
    assert gui.engine.limits == [Limit(clock=Clock(13.0, 3.0))]


# --- Pondering --------------------------------------------------------------------------------------------------------


def pondering() -> Gui:
    """Black has answered e7e5, expects g1f3 and ponders on that; other moves are answered d7d6."""

    def script(engine: FakeEngine, _: Limit) -> Iterator[Info]:
        answers = {"e2e4": "e7e5 g1f3 b8c6", "g1f3": "b8c6 f1b5", "f1b5": "a7a6"}
        yield from plays(answers.get(str(engine.board.peek()), "d7d6"))(engine, Limit())

    gui = Gui(script)
    assert gui.tell("hard", "level 0 1 0", "usermove e2e4") == ["move e7e5", "Hint: g1f3"]
    return gui


def test_a_ponder_hit_goes_on() -> None:
    gui = pondering()
    assert gui.engine.limits[-1].ponder
    assert gui.engine.board.move_stack[-1] == chess.Move.from_uci("g1f3")
    assert gui.tell("time 6000", "otim 6000", "usermove g1f3") == ["move b8c6", "Hint: f1b5"]
    assert gui.engine.calls.count("ponder_hit") == 1
    assert [limit.ponder for limit in gui.engine.limits] == [False, True, True]


def test_time_of_the_opponent_is_not_counted() -> None:
    """The clock in which the engine ponders next has lost the seconds since the opponent's move alone."""
    gui = pondering()
    assert isinstance(gui.session, xboard.Session)
    gui.session._slot._started -= 1000  # So long did the opponent think.
    gui.tell("time 6000", "usermove g1f3")
    clock = gui.engine.limits[2].clock
    assert clock is not None
    assert clock.remaining > 30


def test_a_ponder_miss_starts_again() -> None:
    gui = pondering()
    assert gui.tell("usermove d2d4") == ["move d7d6"]
    assert "ponder_hit" not in gui.engine.calls
    assert not gui.engine.limits[2].ponder
    assert [move.uci() for move in gui.engine.board.move_stack[:3]] == ["e2e4", "e7e5", "d2d4"]


def test_a_clock_that_has_lost_more_than_was_expected_is_a_miss() -> None:
    gui = pondering()
    gui.tell("time 500", "usermove g1f3")
    assert "ponder_hit" not in gui.engine.calls
    assert gui.engine.limits[2].clock == Clock(5.0)


@pytest.mark.parametrize("line", ["easy", "force", "new", "undo", "remove", "option Style=Risky", "analyze"])
def test_what_ends_pondering(line: str) -> None:
    gui = pondering()
    gui.send(line)
    assert gui.purpose in (None, Purpose.ANALYSIS)
    assert not [answer for answer in gui.tell() if answer.startswith("move")]


@pytest.mark.parametrize("line", ["ping 9", "post", "time 300", "draw", "usermove e2e5", "flib", "hint", "."])
def test_what_leaves_pondering_alone(line: str) -> None:
    gui = pondering()
    gui.send(line)
    assert gui.purpose is Purpose.PONDER
    gui.end()


def test_pondering_needs_an_expected_move_and_a_game_that_goes_on() -> None:
    gui = Gui(plays("e7e5", "d7d5"))
    assert gui.tell("hard", "usermove e2e4") == ["move e7e5"]
    assert len(gui.engine.limits) == 1
    gui = Gui(plays("g7g5 d1h5", "a7a6"))
    gui.tell("force", "e2e4", "f7f6", "d2d4", "hard")
    assert gui.tell("go") == ["move g7g5", "Hint: d1h5"]
    assert gui.tell("usermove d1h5") == ["1-0 {Checkmate}"]
    assert gui.purpose is None


# --- Analysis ---------------------------------------------------------------------------------------------------------


def analysing() -> Gui:
    gui = Gui()
    gui.send("force", "usermove e2e4", "post", "analyze")
    gui.expect("1 10 0 20 0 20000 0\ta7a5")
    return gui


def test_an_analysis_follows_the_moves() -> None:
    gui = analysing()
    gui.send("usermove e7e5")
    gui.expect("1 10 0 29")
    assert gui.engine.limits == [Limit(time=float("inf"))] * 2
    gui.send("undo")
    gui.expect("1 10 0 20", count=2)
    gui.send("usermove e7e4", "new")
    gui.expect("1 10 0 20 0 20000 0\ta2a3")
    assert gui.out.count("Illegal move (the pawn on e7 cannot reach e4): e7e4") == 1
    gui.send(f"setboard {CASTLING}")
    gui.expect("1 10 0 26")
    assert not [line for line in gui.out if line.startswith("move")]
    assert gui.tell("exit") == []
    assert gui.purpose is None
    assert len(gui.engine.limits) == 5
    gui = analysing()
    gui.tell("go")
    assert gui.expect("move ") == ["move a7a5"]


@pytest.mark.parametrize("line", ["option Style=Risky", "memory 8", "egtpath syzygy /no such", "hard"])
def test_an_analysis_goes_on_after(line: str) -> None:
    gui = analysing()
    gui.send(line)
    assert gui.purpose is Purpose.ANALYSIS
    gui.end()


@pytest.mark.parametrize("line", ["exit", "usermove e2e4", "setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "new"])
def test_nothing_more_is_told_of_a_position_that_was_left(line: str) -> None:
    def script(engine: FakeEngine, _: Limit) -> Iterator[Info]:
        yield Info(1, Score(), 100, 0.1)
        engine.may_end.wait()
        yield Info(2, Score(), 200, 0.2)

    gui = Gui(script)
    gui.send("analyze")
    gui.expect("1 0 10 100")
    gui.send(line)
    gui.tell("exit" if line != "exit" else "force")
    assert not [answer for answer in gui.out if answer.startswith("2 0 20")]


def test_an_analysis_waits_where_a_position_was_refused() -> None:
    gui = analysing()
    gui.send("setboard 8/8/8/8/8/8/8/8 w - - 0 1")
    assert gui.purpose is None
    gui.send("analyze")
    assert gui.purpose is None
    gui.send(f"setboard {CASTLING}")
    gui.expect("1 10 0 26")
    gui.end()


def test_status() -> None:
    def script(engine: FakeEngine, _: Limit) -> Iterator[Info]:
        yield Info(9, Score(), 5000, 0.5, moves("e2e4"))
        if engine.board.move_stack:
            yield Info(10, Score(), 7000, 0.6, current_move=moves("e2e4", "d7d5")[1], current_move_number=3)

    gui = Gui(script)
    gui.send("analyze")
    gui.expect("9 0 50 5000")
    (line,) = gui.tell(".")
    assert line.split()[0] == "stat01:"
    assert line.split()[2:] == ["5000", "9", "0", "20"]
    gui.send("usermove e2e4")
    gui.expect("9 0 50 5000", count=2)
    while " 7000 " not in (line := gui.tell(".")[0]):
        pass
    assert line.split()[2:] == ["7000", "10", "17", "20", "d7d5"]
    assert gui.tell("exit", ".") == []


# --- Hints, books, draws ----------------------------------------------------------------------------------------------


def test_hints() -> None:
    """Without a search, of the reply that is expected, and in an analysis."""
    gui = Gui()
    assert gui.tell("hint") == ["Hint: a2a3"]
    assert gui.engine.limits[-1] == Limit(time=HINT_SECONDS)
    assert gui.tell("setboard 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "hint") == []
    gui = Gui(plays("e7e5 g1f3"))
    gui.tell("usermove e2e4")
    assert gui.tell("hint") == ["Hint: g1f3"]
    assert len(gui.engine.limits) == 1
    assert analysing().tell("hint") == ["Hint: a7a5"]


def test_a_move_that_is_searched_is_no_hint() -> None:
    def script(_: FakeEngine, __: Limit) -> Iterator[Info]:
        yield Info(9, Score(), 5, 0.5, moves("e2e4"))
        yield Info(9, Score(), 6, 0.5, current_move=moves("d2d4")[0], current_move_number=2)
        yield Info(9, Score(), 7, 0.5, moves("c2c4"), multipv=2)

    gui = Gui(script)
    gui.send("post", "analyze")
    gui.expect("9 0 50 7 ")
    assert gui.tell("hint") == ["Hint: e2e4"]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book of the start position: e2e4 three times as heavy as d2d4."""
    path = tmp_path / "book.bin"
    path.write_bytes(book_entry(chess.Board(), "d2d4", 1) + book_entry(chess.Board(), "e2e4", 3))
    return path


def test_the_book_is_shown_and_played_from(book: Path) -> None:
    gui = Gui(plays("g1f3"))
    assert gui.tell("bk") == [" The book has no move here.", ""]
    assert gui.tell(f"option Book_File={book}", "bk") == [" e2e4 75%", " d2d4 25%", ""]
    (move,) = gui.tell(f"option Book_File={book}", "option OwnBook=1", "go")
    assert move in ("move e2e4", "move d2d4")
    assert gui.engine.limits == []
    assert gui.tell("force", "usermove a7a6", "go") == ["move g1f3"]
    told, _ = gui.tell("option Book_File=/no/such/book.bin")
    assert told.startswith("tellusererror the book '/no/such/book.bin' cannot be read: ")


def test_a_book_that_is_gone_is_spoken_of_once(book: Path) -> None:
    gui = Gui(plays("a7a6", "b7b6"))
    gui.tell(f"option Book_File={book}", "option OwnBook=1")
    book.unlink()
    remark, move = gui.tell("usermove e2e4")
    assert remark.startswith(f"# the book '{book}' cannot be read: ")
    assert move == "move a7a6"
    assert gui.tell("usermove d2d4") == ["move b7b6"]


@pytest.mark.parametrize(
    ("score", "accepted"),
    [(Score(centipawns=0), True), (Score(centipawns=-80), True), (Score(mate=-3), True), (Score(centipawns=1), False)],
)
def test_a_draw_is_accepted_by_who_sees_nothing_better(score: Score, accepted: bool) -> None:
    replies = ["a7a6", "b7b6", "c7c6"]
    gui = Gui(plays(*replies, score=score))
    for text in ("a2a3", "b2b3", "c2c3"):
        assert gui.tell("draw") == []
        gui.tell(f"usermove {text}")
    assert len(replies) == DRAWN_MOVES
    assert gui.tell("draw") == (["offer draw"] if accepted else [])
    assert gui.tell("setboard 8/8/8/8/8/8/8/4K3 w - - 0 1", "draw")[2:] == []
    assert gui.tell("new", "draw") == []
