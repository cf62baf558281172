"""Games between scripted engines: how they end, adjudication, clocks, options and what the PGN says."""

import asyncio
import io
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn
import pytest

from ox88.apps.match import engine_process
from ox88.apps.match.engine_process import EngineFailure, EngineProcess
from ox88.apps.match.game import NO_ADJUDICATION, Adjudication, Rules, adjudicate
from ox88.apps.match.openings import Opening
from ox88.apps.match.participant import Limits, Participant, engine_options
from ox88.apps.time_control import TimeControl
from ox88.errors import Ox88Error
from ox88.rules import GameEnd
from tests.apps.match.scripted import NODES, SOON_DRAWN, play, scripted
from tests.processes import PATIENCE, is_running, wait_until

ITALIAN = Opening(moves=("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5"))
GOOD = scripted(name="Good")


# It says something at its start, and then has no move.
OX88_THAT_SAYS = """
def SAYS(text):
    for line in iter(input, "quit"):
        if line == "uci":
            print("option name EvalFile type string default x\\nuciok", flush=True)
        elif line == "isready":
            print(f"info string {text}\\nreadyok", flush=True)
        elif line.startswith("go"):
            print("bestmove (none)", flush=True)
        elif line == "protover 2":
            print("feature ping=1 setboard=1 variants=normal nps=1 option=\\"Use_It -check 1\\" done=1", flush=True)
        elif line.startswith("ping"):
            print(f"{text}\\n{line.replace('ping', 'pong')}", flush=True)

"""


def ox88_that(does: str, folder: Path, protocol: str = "uci") -> Participant:
    """A checkout of Ox88 that does something else."""
    package = folder / "src" / "ox88"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(OX88_THAT_SAYS + does)
    option = ("EvalFile", "x.npz") if protocol == "uci" else ("Use_It", "false")
    return Participant("Ox88", NODES, builtin="Ox88", source=str(folder), protocol=protocol, options=(option,))


def headers(pgn: str) -> chess.pgn.Headers:
    found = chess.pgn.read_headers(io.StringIO(pgn))
    assert found is not None
    return found


MISCHIEF: list[Any] = [
    ("uci", "crash=2 words=ouch", "crash", "crash: it ended (exit code 3): ouch"),
    ("uci", "play=2:a1a1", "illegal move", "illegal move: a1a1 in rnbqkbnr/1ppppppp/8/p7/8/P7/1PPPPPPP/RNBQKBNR w "),
    ("uci", "play=2:(none)", "illegal move", "illegal move: (none) in "),
    *(
        pytest.param("uci", f"play=2:{move}", "illegal move", f"illegal move: {move} in ", marks=pytest.mark.slow)
        for move in ("Zugzwang", "0000")
    ),
    ("uci", "hang=2", "hang", "hang: no answer"),
    ("uci", "flood=2", "hang", "hang: no answer"),
    ("uci", "stream=2", "hang", "hang: no answer"),
    *(
        ("xboard", f"nps=1 setboard=1 play=2:{move}", "illegal move", f"illegal move: {move} in ")
        for move in ("a1a1", "@@@@")
    ),
]


@pytest.mark.parametrize(("protocol", "habits", "kind", "reason"), MISCHIEF, ids=lambda value: str(value).split()[0])
def test_an_engine_that_misbehaves_loses_the_game_and_plays_the_next(
    tmp_path: Path, protocol: str, habits: str, kind: str, reason: str
) -> None:
    bad = scripted(*habits.split(), f"shy={tmp_path}/shy", name="Bad", protocol=protocol)
    players, result = ((bad, GOOD), "0-1") if protocol == "uci" else ((GOOD, bad), "1-0")
    patience = 1.0 if kind == "hang" else PATIENCE
    lost, drawn = play(*players, rules=replace(SOON_DRAWN, patience=patience), games=2)
    assert (lost.end.result, lost.failed, lost.failure) == (result, protocol == "uci", kind)
    assert headers(lost.pgn)["Termination"].startswith(f"Bad loses by {reason}")
    assert headers(lost.pgn)["Failure"] == f"{'White' if protocol == 'uci' else 'Black'}: {kind}"
    assert headers(lost.pgn)["Result"] == result
    assert lost.pgn.rstrip().endswith(result)
    assert (drawn.end.result, drawn.failure) == ("1/2-1/2", "")


REMARKS = [
    ("uci", "raise RuntimeError('broken')", "crash: it ended while starting .exit code 1.: RuntimeError: broken"),
    ("uci", "SAYS('the engine has failed: OSError: no room')", "protocol error: the engine has failed: OSError: no"),
    ("uci", "SAYS('x.npz: no; the handcrafted evaluation is used')", "protocol error: x.npz: no; the handcrafted"),
    ("uci", "SAYS('EvalFile: x.npz: No such file')", "protocol error: EvalFile: x.npz: No such file"),
    ("xboard", "SAYS('# the engine has failed: OSError')", "protocol error: the engine has failed: OSError"),
    ("xboard", "SAYS('tellusererror Use It: no')", "protocol error: Use It: no"),
]


@pytest.mark.parametrize(("protocol", "code", "reason"), REMARKS)
def test_what_is_wrong_with_ox88_itself_ends_the_match_and_loses_no_game(
    protocol: str, code: str, reason: str, tmp_path: Path
) -> None:
    with pytest.raises(Ox88Error, match=f"Ox88 cannot play: {reason}"):
        play(ox88_that(code, tmp_path, protocol), GOOD)


def test_what_ox88_says_of_its_compiler_and_what_others_say_ends_no_match(tmp_path: Path) -> None:
    own = ox88_that("SAYS('compiling, once after an installation')", tmp_path / "own")
    other = ox88_that("SAYS('EvalFile: x.npz: no such file')", tmp_path / "other")
    other = replace(other, builtin="", command=(sys.executable, f"{other.source}/src/ox88/__main__.py"))
    for player in (own, other):
        (game,) = play(player, GOOD)
        assert game.failure == "illegal move"


def xboard(*habits: str, name: str = "Fairy") -> Participant:
    """An engine without setboard."""
    return scripted("nps=1", *habits, name=name, protocol="xboard")


DRAWN = ("1/2-1/2", "adjudication: a draw by the scores", "")
ENDS = {
    "noise is left out": (scripted("start=noise"), xboard("start=noise"), Opening(), [DRAWN]),
    "a resignation": (GOOD, xboard("resign=3"), Opening(), [("1-0", "Fairy resigns", "")]),
    "a2a1, the first legal move": (GOOD, GOOD, Opening("4k3/8/8/8/8/8/r4PPP/5K2 w - - 0 1", ("f1g1",)), [
        ("0-1", "checkmate", ""),
    ]),
    "who fails against a bare king": (scripted("crash=1"), GOOD, Opening("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), [
        ("1/2-1/2", "Test loses by crash: it ended (exit code 3); the other side cannot mate", "crash"),
    ]),
    "a crash between games costs nobody anything": (xboard("result=1"), GOOD, Opening(), [DRAWN] * 3),
    "a crash as a game begins costs that game": (scripted("result=1"), GOOD, Opening(), [
        DRAWN, ("0-1", "Test loses by crash: it ended (exit code 3)", "crash"), DRAWN,
    ]),
}  # fmt: skip


@pytest.mark.parametrize("name", ENDS)
def test_how_games_end(name: str) -> None:
    white, black, opening, ends = ENDS[name]
    games = play(white, black, opening, games=len(ends))
    assert [(game.end.result, game.end.reason, game.failure) for game in games] == ends


@pytest.mark.parametrize(
    ("white", "black", "result"),
    [("700", "-700", "1-0"), ("-700", "700", "0-1"), ("10", "-10", "1/2-1/2"), ("700", "700", "1/2-1/2")],
)
def test_scores_end_games_where_both_agree(white: str, black: str, result: str) -> None:
    """If they disagree, these two engines repeat their moves."""
    (game,) = play(scripted(f"score={white}"), scripted(f"score={black}"))
    assert game.end.result == result
    agreed = white != black
    assert game.end.reason.startswith("adjudication") == agreed
    plies = len(list(chess.pgn.read_game(io.StringIO(game.pgn)).mainline()))  # type: ignore[union-attr]
    assert (plies == 6) == agreed


def test_what_is_written_down() -> None:
    white = scripted("score=25", name='The "best"', limits=Limits(TimeControl(60, 1, 40)))
    black = scripted("score=-31", limits=Limits(depth=3))
    (game,) = play(white, black, ITALIAN, rules=Rules(SOON_DRAWN.adjudication, 0.5))
    text = game.pgn.partition("\n\n")[2]
    tags = headers(game.pgn)
    assert tags["White"] == "The 'best'"
    assert (tags["WhiteTimeControl"], tags["BlackTimeControl"]) == ("40/60+1", "depth 3")
    read = chess.pgn.read_game(io.StringIO(game.pgn))
    assert read is not None
    assert not read.errors
    nodes = list(read.mainline())
    assert tuple(node.move.uci() for node in nodes[:6]) == ITALIAN.moves
    assert all(node.clock() is None and node.eval() is None for node in nodes[:6])
    first, second = nodes[6:8]
    assert first.clock() == pytest.approx(60 - (first.emt() or 0) + 1, abs=0.01)
    assert second.clock() is None
    assert first.eval() == chess.engine.PovScore(chess.engine.Cp(25), chess.WHITE)
    assert second.eval() == chess.engine.PovScore(chess.engine.Cp(31), chess.WHITE)
    assert first.eval_depth() == 1
    assert first.emt() is not None
    assert "{" not in text.split("Bc5")[0]
    moves = (len(nodes) - 6) // 2
    assert [work.moves for work in game.work] == [moves, moves]
    assert [work.nodes for work in game.work] == [20 * moves] * 2
    assert all(work.seconds > 0 for work in game.work)


@pytest.mark.parametrize("limits", [Limits(TimeControl(0.3)), Limits(seconds=0.1)])
def test_too_slow(limits: Limits) -> None:
    """A machine that is busy may be late at the first move already; the engine loses as well."""
    slow = scripted("slow=2", name="Slow", limits=limits)
    (game,) = play(slow, GOOD, rules=Rules(NO_ADJUDICATION, 0.05))
    assert (game.end.result, game.failure) == ("0-1", "time")
    assert re.fullmatch(r"Slow loses by time: \d+\.\d{3} s over", headers(game.pgn)["Termination"])
    (game,) = play(slow, GOOD, rules=Rules(SOON_DRAWN.adjudication, 9))
    assert game.end.result == "1/2-1/2"


def test_an_engine_without_setboard_gets_its_opening_as_moves(tmp_path: Path) -> None:
    """Two games, from different openings."""
    log = tmp_path / "log"
    games = play(xboard(f"log={log}"), GOOD, ITALIAN, Opening(moves=("d2d4", "d7d5")))
    assert [game.end.result for game in games] == ["1/2-1/2"] * 2
    lines = log.read_text().split("\n")
    assert not any(line.startswith("setboard") for line in lines)
    first, second = (number for number, line in enumerate(lines) if line == "new")
    assert lines[first + 1 : first + 8] == ["force", *(f"usermove {move}" for move in ITALIAN.moves)]
    assert lines[second + 1 : second + 4] == ["force", "usermove d2d4", "usermove d7d5"]
    assert "result 1/2-1/2 {adjudication: a draw by the scores}" in lines[first:second]


def limited(protocol: str, **limits: float) -> Participant:
    return scripted(protocol=protocol, limits=Limits(**limits))  # type: ignore[arg-type]


PAWNS = Opening("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1")
SHUFFLED = Opening("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1", ("g2g3", "g7g6"), chess960=True)


@pytest.mark.parametrize(
    ("player", "opening", "expected", "starts"),
    [
        (xboard("setboard=1"), PAWNS, [f"setboard {PAWNS.fen}"], 1),
        (GOOD, SHUFFLED, ["setoption name UCI_Chess960 value true"], 1),
        (xboard("reuse=0"), Opening(), ["new"], 2),  # It plays one game only, so it is started for each.
        (limited("uci", nodes=10, depth=3, seconds=0.5), Opening(), ["go depth 3 nodes 10 movetime 500"], 1),
        (limited("uci", depth=3), Opening(), ["go depth 3"], 1),
        (limited("xboard", depth=3, seconds=2), Opening(), ["sd 3", "st 2"], 1),
    ],
)
def test_what_an_engine_and_the_tags_are_told(
    player: Participant, opening: Opening, expected: list[str], starts: int, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    games = play(replace(player, command=(*player.command, f"log={log}")), GOOD, opening, games=2)
    assert [game.end.result for game in games] == ["1/2-1/2"] * 2
    tags = headers(games[0].pgn)
    assert tags.get("Variant") == ("Chess960" if opening.chess960 else None)
    assert tags.board() == chess.Board(opening.fen or chess.STARTING_FEN, chess960=opening.chess960)
    lines = log.read_text().splitlines()
    assert set(expected) <= set(lines)
    assert lines.count("protover 2") + lines.count("uci") == starts


@pytest.mark.parametrize(
    ("habits", "limits", "opening", "expected"),
    [
        ("nps=1", Limits(nodes=1), PAWNS, "it cannot set up a position"),
        ("nps=1 setboard=0", Limits(depth=1), PAWNS, "it cannot set up"),
        ("setboard=1", Limits(nodes=1), Opening(), "it does not count nodes (feature nps=1)"),
        ("nps=0 setboard=1", Limits(nodes=1), Opening(), "it does not count nodes"),
        ("nps=1 setboard=1", Limits(nodes=1, seconds=1.0), Opening(), "XBoard's protocol cannot limit both nodes and"),
        ("setboard=1", Limits(depth=1), Opening(chess960=True), "it does not play Chess960: it has no variant"),
    ],
)
def test_games_that_an_engine_of_xboards_protocol_cannot_play(
    habits: str, limits: Limits, opening: Opening, expected: str
) -> None:
    (game,) = play(scripted(*habits.split(), name="Old", protocol="xboard", limits=limits), GOOD, opening)
    assert (game.end.result, game.failure) == ("0-1", "protocol error")
    assert game.end.reason.startswith(f"Old loses by protocol error: {expected}")


def test_clocks_are_told(tmp_path: Path) -> None:
    log, other = tmp_path / "uci", tmp_path / "xboard"
    white = scripted(f"log={log}", limits=Limits(TimeControl(60, 0.5, 40)))
    black = scripted(f"log={other}", protocol="xboard", limits=Limits(TimeControl(90, 2)))
    (game,) = play(white, black)
    assert game.end.result == "1/2-1/2"
    first, second, _ = [line for line in log.read_text().splitlines() if line.startswith("go")]
    assert first == "go wtime 60000 btime 90000 winc 500 binc 2000 movestogo 40"
    assert second.endswith("winc 500 binc 2000 movestogo 39")
    assert not second.startswith("go wtime 60000")
    lines = other.read_text().splitlines()
    assert [line for line in lines if line.startswith("level")] == ["level 0 1:30 2"]  # It starts the clock anew.
    assert "time 9000" in lines


def start(*habits: str, options: tuple[tuple[str, str], ...] = (), common: tuple[tuple[str, str], ...] = ()) -> None:
    async def run() -> None:
        one = EngineProcess(replace(scripted(*habits), options=options, common_options=common))
        try:
            await one.start()
        finally:
            await one.stop()

    asyncio.run(run())


def test_an_engine_plays_whose_default_is_out_of_its_range() -> None:
    start("option=type spin default 3300 min 1100 max 3200", options=(("Odd", "2000"),))


def test_options_are_set(tmp_path: Path) -> None:
    log = tmp_path / "log"
    common = (("Style", "bold = x"), ("Unknown", "1"), ("Ponder", "true"), ("Clear", ""))
    start(f"log={log}", options=(("hash", "32"), ("Limit", "TRUE")), common=common)
    lines = [line for line in log.read_text().splitlines() if line.startswith("setoption")]
    assert sorted(lines) == [f"setoption name {line}" for line in EXPECTED]


EXPECTED = ["Clear", "Hash value 32", "Limit value true", "Style value bold = x"]
OPTIONS = [
    chess.engine.Option("Hash", "spin", 16, 1, 1024, None),
    chess.engine.Option("Ponder", "check", False, None, None, None),
    chess.engine.Option("Limit", "check", False, None, None, None),
]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("Hsh", "1", "it has no option 'Hsh'; some of its options are Hash"),
        ("Book", "1", "it has no option 'Book'; some of its options are Hash, Limit, Ponder"),
        ("Ponder", "true", "its option Ponder is set by the match itself"),
        ("Limit", "no", "its option Limit is true or false, not 'no'"),
    ],
)
def test_options_that_cannot_be_set(name: str, value: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        engine_options(replace(GOOD, options=((name, value),)), {option.name: option for option in OPTIONS})
    for text, is_on in (("true", True), ("False", False), ("1", True), ("0", False)):
        assert engine_options(replace(GOOD, options=(("Limit", text),)), {"Limit": OPTIONS[2]}) == {"Limit": is_on}


@pytest.mark.parametrize(
    ("habits", "hash_size", "message"),
    [
        ("start=die words=alas", "1", "crash: it ended while starting (exit code 1): alas"),
        ("start=silent", "1", "hang: it does not answer in the uci protocol"),
        ("start=flood", "1", "hang: it does not answer in the uci protocol"),
        ("", "5000", "protocol error: expected value for option 'Hash' to be at most 1024, got: 5000"),
    ],
)
def test_engines_that_do_not_start(monkeypatch: pytest.MonkeyPatch, habits: str, hash_size: str, message: str) -> None:
    monkeypatch.setattr(engine_process, "START_TIMEOUT", 1.0 if message.startswith("hang") else 20.0)
    with pytest.raises(EngineFailure) as failure:
        start(*habits.split(), options=(("Hash", hash_size),))
    assert (failure.value.kind, str(failure.value)) == (message.partition(":")[0], message)


def test_commands_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program")
    for command, reason in ((tmp_path / "missing", "No such file or directory"), (tmp_path, "Permission denied")):
        (lost,) = play(Participant("None", Limits(nodes=1), (str(command),)), GOOD)
        assert lost.end.reason == f"None loses by crash: {command} does not start: {reason}"


def test_an_endless_game_is_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ox88.apps.match.game.MAX_MOVES", 2)
    (endless,) = play(GOOD, GOOD, rules=Rules(NO_ADJUDICATION))
    assert endless.end == GameEnd("1/2-1/2", "2 moves")


def test_engines_end_whatever_they_do(tmp_path: Path) -> None:
    """An engine that ignores quit is killed, with its child processes."""
    own, child = tmp_path / "own", tmp_path / "child"

    async def run() -> None:
        one = EngineProcess(scripted("quit=ignore", f"number={own}", f"child={child}"))
        await one.start()
        assert is_running(int(own.read_text()))
        await one.stop()

    asyncio.run(run())
    assert not is_running(int(own.read_text()))
    wait_until(lambda: not is_running(int(child.read_text())))


RULES = Adjudication(draw_move=40, draw_plies=4, draw_score=8, win_plies=3, win_score=900)
EARLY = chess.Board()
LATE = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 41")
DRAW = GameEnd("1/2-1/2", "adjudication: a draw by the scores")
WHITE_WINS = GameEnd("1-0", "adjudication: a win by the scores")
BLACK_WINS = GameEnd("0-1", "adjudication: a win by the scores")


@pytest.mark.parametrize(
    ("board", "scores", "expected"),
    [
        (LATE, [99, 8, -8, 0, 3], DRAW),
        (EARLY, [99, 8, -8, 0, 3], None),
        (chess.Board("4k3/8/8/8/8/8/4P3/4K3 b - - 0 40"), [0] * 4, None),
        (LATE, [8, -8, 0], None),
        (LATE, [9, -8, 0, 3], None),
        (LATE, [-9, -8, 0, 3], None),
        (LATE, [0, 0, None, 0, 0], None),
        (LATE, [None, 0, 0, 0, 0], DRAW),
        (EARLY, [0, 900, 901, 100_000], WHITE_WINS),
        (EARLY, [899, 900, 900], None),
        (EARLY, [900, 900, None], None),
        (EARLY, [-900, -950, -900], BLACK_WINS),
        (EARLY, [-900, -950, 900], None),
        (EARLY, [900, 900], None),
        (EARLY, [], None),
    ],
)
def test_adjudication(board: chess.Board, scores: list[int | None], expected: GameEnd | None) -> None:
    assert adjudicate(board, scores, RULES) == expected
    assert adjudicate(board, scores, NO_ADJUDICATION) is None
