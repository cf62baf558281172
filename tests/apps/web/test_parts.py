"""The parts of the server: clocks, games, messages, slots, the outbox."""

import asyncio
import dataclasses
import json
import re
from pathlib import Path
from typing import Any, cast
from unittest import mock

import chess
import hypothesis.strategies as st
import pytest
from hypothesis import given

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.game import ChessClock
from ox88.apps.web import app
from ox88.apps.web.app import STATIC, Outbox
from ox88.apps.web.engine_pool import EnginePool, Lease, PooledEngine, Slots
from ox88.apps.web.game import Opponent, PlayedGame, summarise
from ox88.apps.web.messages import LONGEST_MESSAGE, Handler, MessageError, about_of, read_message, read_object
from ox88.apps.web.positions import MOST_GAMES, MOST_NODES
from ox88.apps.web.saved import LONGEST_ANALYSIS, MOST_CHAPTERS, is_of, matches
from ox88.apps.web.thinking import think
from ox88.engines.base import EngineEntry, Info, Limit, Option, OptionValue, Score
from ox88.fen import STARTPOS
from ox88.rules import MoveError
from ox88.setup import parse_fen, parse_uci
from tests.apps.web.conftest import OpenPage, Said
from tests.apps.web.declared import is_declared
from tests.protocols.fake import FakeEngine

ROUNDS = ["a3a7a6", "b3b7b6", "c3c7c6", "d3d7d6"]  # A move of each side.
ROOT = Path(__file__).parents[3]


def begin(moves: str = "", start: str = STARTPOS, side: str = "white", clock: ChessClock | None = None) -> PlayedGame:
    """A game after some moves of both sides."""
    game = PlayedGame.begin("x", Opponent("Ox88", 1500, 3.0), side, start, clock)
    for move in moves.split():
        game.play(move, 0)
    return game


def reload(game: PlayedGame, now: float = 0) -> PlayedGame:
    return PlayedGame.load("x", json.loads(json.dumps(game.save(now))))


# --- Clocks -----------------------------------------------------------------------------------------------------------


def test_each_side_may_have_its_own_time() -> None:
    clock = ChessClock(300, 3, control_of_black=(60.0, 0.0))
    clock.start(chess.BLACK, 100)
    assert clock.press(chess.BLACK, 110) == 50
    clock.start(chess.WHITE, 120)
    assert clock.view(125) == {"white": 295, "black": 50, "running": "white"}
    assert clock.press(chess.WHITE, 130) == 293
    assert ChessClock(60, 1, control_of_black=(60, 1)) == ChessClock(60, 1).anew(swap=True) == ChessClock(60, 1)


@given(st.lists(st.tuples(st.sampled_from(["start", "stop", "press"]), st.booleans(), st.floats(0, 100)), max_size=30))
def test_no_time_is_lost(steps: list[tuple[str, bool, float]]) -> None:
    """The time left and the time used are the time at the start and the increments."""
    clock, now, given_time, run = ChessClock(1000, 5), 0.0, 2000.0, 0.0
    for step, side, pause in steps:
        run += pause if clock.running is not None else 0.0
        now += pause
        if step == "stop":
            clock.stop(now)
        elif step == "start":
            clock.start(side, now)
        elif clock.running in (None, side):
            clock.press(side, now)
            given_time += 5
    left = sum(clock.remaining(side, now) for side in chess.COLORS)
    assert left == pytest.approx(given_time - run)


# --- Games ------------------------------------------------------------------------------------------------------------


@given(
    st.lists(st.integers(0, 200), max_size=60),
    st.sampled_from(["white", "black"]),
    st.sampled_from([None, (60, 1), (30, 2)]),
)
def test_a_saved_game_is_the_same(choices: list[int], side: str, black: tuple[float, float] | None) -> None:
    game = begin(side=side, clock=black and ChessClock(60, 1, control_of_black=black))
    for number, choice in enumerate(choices):
        moves = list(game.board.legal_moves)
        if game.end is not None:
            break
        if game.clock:
            game.clock.start(game.board.turn, number)
        game.push(moves[choice % len(moves)], number + 0.5)
        if not game.is_persons_turn:
            game.scores = [None] * (len(game.board.move_stack) - 1) + [choice]
    again = reload(game, len(choices))
    for name in ("opponent", "side", "start", "date", "clocks", "scores", "board", "end"):
        assert getattr(again, name) == getattr(game, name)
    if game.clock:
        assert again.clock == dataclasses.replace(game.clock, _since=0.0, running=None)
    assert again.pgn() == game.pgn()
    assert again.save(0) == game.save(len(choices))


def test_taking_back_undoes_the_answer_too() -> None:
    game = begin("e4 e5 Nf3")
    game.take_back()
    assert [move.uci() for move in game.board.move_stack] == ["e2e4", "e7e5"]
    game.take_back()
    assert not game.board.move_stack
    for other in (game, begin("e4", side="black")):
        with pytest.raises(MoveError, match="no move of yours"):
            other.take_back()


@pytest.mark.parametrize("end", ["resigns", "draw agreed", "time is out", "checkmate"])
def test_a_game_that_is_over_stays_over(end: str) -> None:
    """Else a lost game could be reopened."""
    game = begin("f3 e5 g4 Qh4" if end == "checkmate" else "e4 e5")
    if end == "resigns":
        game.resign(game.side)
    elif end == "draw agreed":
        game.agree_draw()
    elif end == "time is out":
        game.lose_on_time(game.side)
    for act in (game.take_back, game.put_back):
        with pytest.raises(MoveError, match=f"the game is over.*{end}"):
            act()


@given(st.lists(st.sampled_from(["play", "take", "put"]), max_size=12))
def test_what_was_taken_back_is_put_back_until_the_next_move(steps: list[str]) -> None:
    game = begin(clock=ChessClock(60, 1, control_of_black=(30, 2)))  # Each time has its side.
    taken: list[Any] = []
    for now, step in enumerate(steps):
        if step == "play":
            game.play(list(game.board.legal_moves)[-1].uci(), now)  # A pawn's: nothing repeats.
            game.push(list(game.board.legal_moves)[-1], now, Score(now))
            taken = []
        elif step == "take" and game.board.move_stack:
            taken.append(state(game))
            game.take_back()
        elif step == "put" and taken:
            game = reload(game)
            game.put_back()
            assert state(game) == taken.pop()
        assert len(game.undone) == len(taken)
    if not taken:
        with pytest.raises(MoveError, match="no move to put back"):
            game.put_back()


def state(game: PlayedGame) -> Any:
    return json.loads(json.dumps(game.save(0) | {"undone": []}))


def test_a_game_of_an_older_version_is_read() -> None:
    old = {
        "engine": "Ox88", "elo": 1500, "seconds": 3.0, "side": "white", "start": "startpos", "date": "2026-01-31",
        "moves": ["e2e4", "e7e5"], "clocks": [299.0, 298.5], "verdict": None,
        "clock": {"initial": 300, "increment": 3, "white": 299.0, "black": 298.5},
    }  # fmt: skip
    game = PlayedGame.load("x", old)
    assert game.save(0) == old | {"scores": [None, None], "undone": [], "hints": []}


@pytest.mark.parametrize(
    ("scores", "accepts"),
    [
        ([Score(0), Score(0)], False),
        ([Score(90), Score(0), Score(-5), Score(-90)], True),
        ([Score(0), Score(0), Score(mate=5)], False),
        ([Score(mate=-5), Score(0), Score(0)], True),
    ],
)
def test_the_engine_takes_a_draw_if_it_has_seen_nothing_better(scores: list[Score], accepts: bool) -> None:
    game = begin()
    for score, moves in zip(scores, ROUNDS, strict=False):
        game.play(moves[:2], 0)
        game.push(chess.Move.from_uci(moves[2:]), 0, score)
    game = reload(game)
    if accepts:
        game.offer_draw()
        assert str(game.end) == str(reload(game).end) == "draw agreed, 1/2-1/2"
        assert '[Termination "draw agreed"]' in game.pgn()
    with pytest.raises(MoveError, match="the game is over" if accepts else "Ox88 declines: for 3 moves"):
        game.offer_draw()


def test_after_a_takeback_the_engine_has_not_seen_what_was_undone() -> None:
    game = begin()
    for moves in ROUNDS[:3]:
        game.play(moves[:2], 0)
        game.push(chess.Move.from_uci(moves[2:]), 0, Score(0))
    game.take_back()
    assert game.scores == [None, 0, None, 0]
    game.play("h3", 0)
    game.take_back()
    assert game.scores == [None, 0, None, 0]


# --- Summaries --------------------------------------------------------------------------------------------------------


def summary_of(game: PlayedGame) -> dict[str, Any]:
    return summarise(json.dumps(game.save(0)), OpeningNames.load())


def test_a_summary_tells_how_the_game_went() -> None:
    game = begin("e4 e5 Nf3 Nc6 Bb5 a6")
    game.resign(chess.WHITE)
    assert summary_of(game) == {
        "date": game.date.isoformat(), "engine": "Ox88 (1500)", "side": "white", "outcome": "lost", "result": "0-1",
        "reason": "White resigns", "opening": "C70 Ruy Lopez: Morphy Defense", "plies": 6,
        "fen": game.board.fen(), "uci": "a7a6",
    }  # fmt: skip
    assert summary_of(begin())["outcome"] == "unfinished"
    assert summary_of(begin("f3 e5 g4 Qh4", side="black"))["outcome"] == "won"
    assert summary_of(begin(start="4k3/8/8/8/8/8/8/4K3 w - - 0 1"))["outcome"] == "drawn"


def test_a_game_that_cannot_be_read_is_listed_as_such() -> None:
    for data in ("{}", "[]", "x", '{"engine": 1}', "null"):
        assert "unreadable" in summarise(data, OpeningNames({}))


RUY = {"engine": "Ox88 (1500)", "opening": "C70 Ruy Lopez", "outcome": "won", "fen": "8/8 w"}


def test_games_are_found_by_words_in_any_order_an_outcome_and_an_engine() -> None:
    assert [matches(RUY, search) for search in ("", "lopez  WON", "lopez lost", "8/8")] == [True, True, False, False]
    wishes = [("", ""), ("won", "Ox88"), ("lost", ""), ("", "micro-Max"), ("won", "")]
    assert [is_of(RUY, *wish) for wish in wishes] == [True, True, False, False, True]


def test_a_game_that_nobody_has_begun_is_not_listed() -> None:
    resigned = begin()
    resigned.resign(chess.WHITE)
    games = begin(), begin("e4"), resigned, begin(start="4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert [is_of(summary_of(game), "", "") for game in games] == [False, True, True, True]


# --- Messages ---------------------------------------------------------------------------------------------------------


def read(text: str | bytes) -> tuple[Handler, dict[str, Any]]:
    return read_message(read_object(text))


def test_what_is_no_message() -> None:
    no_messages: list[str | bytes] = ["", "x", "[]", "1", "null", '"move"', "{}", "1" * 9999, b"\xff", "[" * 100_000]
    for text in (*no_messages, '{"type": 1}', '{"type": "\\ud800"}'):
        with pytest.raises(MessageError, match="is expected"):
            read(text)
    with pytest.raises(MessageError, match="at most 2 MB"):
        read("x" * (LONGEST_MESSAGE + 1))


def test_the_limits_are_documented() -> None:
    page = " ".join((ROOT / "docs" / "web.md").read_text().split())
    assert f"a message {LONGEST_MESSAGE >> 20} MB, a PGN {LONGEST_MESSAGE >> 21} MB, {MOST_GAMES:,} games" in page
    assert f"and {MOST_NODES:,} moves of a game with its variations" in page
    assert f"an analysis {MOST_CHAPTERS:,} chapters and {LONGEST_ANALYSIS >> 20} MB" in page


def test_what_is_no_number() -> None:
    values: list[object] = [None, True, "3", [], {}, 0, 6, 2.5, float("nan"), float("inf"), 10**400]
    for value in values:
        with pytest.raises(MessageError, match=r"^lines is "):
            read(json.dumps({"type": "analyse", "start": "startpos", "moves": [], "lines": value}))


@pytest.mark.parametrize(
    ("change", "is_right"),
    [
        ({}, True),
        ({"about": "position", "id": 7, "moves": [{"uci": "e2e4", "san": "e4", "fen": "", "check": True}]}, True),
        ({"moves": [{"uci": "e2e4", "san": "e4"}]}, False),
        ({"moves": None}, False),
        ({"start": 1}, False),
        ({"extra": 1}, False),
        ({"type": "fly"}, False),
        ({"chess960": 1}, False),
    ],
)
def test_what_the_server_may_say(change: Said, is_right: bool) -> None:
    position = {"fen": "", "turn": "white", "check": False, "dests": {"e2": ["e3"]}, "ending": None}
    said = {"type": "position", "start": "", "chess960": False, "moves": [], "position": position}
    assert is_declared(said | change) is is_right


def test_a_message_with_all_fields() -> None:
    said = {"type": "think", "id": 3, "fen": STARTPOS, "nodes": 9, "without": ["hash"], "node": 1, "from": 16, "to": 2}
    handler, fields = read(json.dumps(said))
    assert handler.call is think
    given = {"fen": STARTPOS, "nodes": 9, "without": ["hash"], "node": 1, "from_": 16, "to": 2}
    assert fields == given | {"step": 0, "event": None, "aim": None, "ply": None}
    assert about_of(said) == {"about": "think", "id": 3}


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"type": "fly"}, "type is 'fly': one of position, explore, "),
        ({"type": "join", "game": "x", "ply": 1}, "'ply' is not a field of join: one of id, game is expected"),
        ({"type": "join"}, "game is missing: a text of at most 40 characters is expected"),
        ({"type": "join", "game": "\ud800"}, "game is "),
        ({"type": "library", "games": ["x", 1]}, "games is ['x', 1]: a list of at most 2,000, each a text"),
        ({"type": "join", "game": "x", "id": -1}, "id is -1: a whole number from 0 to 9007199254740992 is expected"),
    ],
)
def test_a_message_that_is_not_declared(said: dict[str, Any], words: str) -> None:
    with pytest.raises(MessageError, match=re.escape(words)):
        read(json.dumps(said))


# --- Slots ------------------------------------------------------------------------------------------------------------


def take_slots(script: str) -> str:
    """Take some of two slots, and list who waited and who got one, in order.

    script: `game A` or `analysis A` asks for a slot, `leave A` gives it back, `cancel A` stops asking. Steps joined by
    + follow each other at once.
    """
    log: list[str] = []
    tasks: dict[str, asyncio.Task[None]] = {}
    leaves: dict[str, asyncio.Event] = {}

    async def hold(slots: Slots, is_analysis: bool, name: str) -> None:
        async with slots.taken(is_analysis, lambda _: log.append(f"{name} waits")):
            log.append(name)
            await leaves[name].wait()

    def do(slots: Slots, what: str, name: str) -> None:
        if what == "leave":
            leaves[name].set()
        elif what == "cancel":
            tasks[name].cancel()
        else:
            leaves[name] = asyncio.Event()
            tasks[name] = asyncio.create_task(hold(slots, what == "analysis", name))

    async def run() -> None:
        slots = Slots(2)
        for steps in script.split(", "):
            for step in steps.split("+"):
                do(slots, *step.split())
                await asyncio.sleep(0)
            for _ in range(5):
                await asyncio.sleep(0)
        for task in tasks.values():
            task.cancel()

    asyncio.run(run())
    return ", ".join(log)


@pytest.mark.parametrize(
    ("script", "log"),
    [
        ("analysis A, analysis B, game C", "A, B waits, C"),
        ("game A, game B, analysis C, game D, leave A, leave B", "A, B, C waits, D waits, D, C"),
        ("game A, game B, game C, game D, cancel C, leave A", "A, B, C waits, D waits, D"),
        ("game A, game B, game C, game D, leave A+cancel C", "A, B, C waits, D waits, D"),
        ("game A, game B, game C, analysis D, leave A+leave B", "A, B, C waits, D waits, C, D"),
    ],
)
def test_games_have_priority_and_analyses_leave_a_slot(script: str, log: str) -> None:
    assert take_slots(script) == log


# --- Engines ----------------------------------------------------------------------------------------------------------


class AnyOptions(FakeEngine):
    def set_option(self, name: str, value: OptionValue = None) -> None:
        self.calls.append(f"{name} = {value}")


FAKE = EngineEntry("Fake", tuple(Option(name, "string", "") for name in ("UCI_LimitStrength", "MultiPV", "UCI_Elo")),
                   AnyOptions)  # fmt: skip


def test_an_engine_is_at_full_strength_unless_its_user_asks_for_less() -> None:
    """And it forgets what it has learnt from another user's positions."""
    pooled = PooledEngine(FAKE)
    pooled.last_user = ""
    calls = cast(FakeEngine, pooled.engine).calls
    told = []
    for user, settings in (("a", {"UCI_LimitStrength": True, "UCI_Elo": 700}), ("a", {"MultiPV": 3}), ("b", {})):
        calls.clear()
        pooled.prepare(Lease(FAKE, user, settings))
        told.append(list(calls))
    assert told == [
        ["new_game", "UCI_LimitStrength = True", "MultiPV = 1", "UCI_Elo = 700"],
        ["UCI_LimitStrength = False", "MultiPV = 3"],
        ["new_game", "UCI_LimitStrength = False", "MultiPV = 1"],
    ]


def test_who_comes_back_gets_the_same_engine() -> None:
    pool, engines = EnginePool(3), [PooledEngine(FAKE) for _ in range(3)]
    for engine, user in zip(engines, "abc", strict=True):
        engine.last_user = user
    pool._idle += engines
    assert [pool._pick(Lease(FAKE, "c")) for _ in range(4)] == [engines[2], engines[0], engines[1], None]
    pool.close()


def test_an_engine_s_view_comes_with_its_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are the last."""
    pooled = PooledEngine(FAKE)
    moves = [parse_uci(move, parse_fen(STARTPOS)) for move in ("e2e4", "d2d4")]
    infos = [Info(number, Score(10 * number), 1, 0.0, (move,)) for number, move in enumerate(moves)]
    monkeypatch.setattr(pooled.engine, "search", lambda _: iter(infos))
    assert pooled.find_move(chess.Board(), Limit(depth=1)) == (chess.Move.from_uci("d2d4"), Score(10))


# --- The outbox -------------------------------------------------------------------------------------------------------


def test_an_outbox_ends_when_nobody_takes_what_is_in_it() -> None:
    async def fill(count: int, most_characters: int = 1000) -> list[str]:
        outbox = Outbox(3, most_characters)
        for number in range(count):
            outbox.put({"number": number})
        taken: list[str] = []

        async def take() -> None:
            async for text in outbox:
                taken.extend([text])
            taken.append("over")

        taking = asyncio.create_task(take())
        for _ in range(20):  # More turns than all of it takes.
            await asyncio.sleep(0)
        taking.cancel()
        return taken

    three = ['{"number":0}', '{"number":1}', '{"number":2}']
    assert asyncio.run(fill(3)) == three
    assert asyncio.run(fill(4)) == ["over"]
    assert asyncio.run(fill(3, 36)) == three
    assert asyncio.run(fill(3, 35)) == ["over"]
    assert asyncio.run(fill(1, 1)) == three[:1]  # One message of any size may wait.


@pytest.mark.parametrize("waiting", [0, 1])
def test_an_outbox_that_is_read_never_fills(waiting: int) -> None:
    """waiting: how many messages are unread whenever one is put in. What was read is not counted."""

    async def read() -> list[str]:
        outbox = Outbox(2, 50)
        for number in range(waiting):
            outbox.put({"number": number})
        texts = []
        for number in range(waiting, 100):
            outbox.put({"number": number})
            texts.append(await anext(outbox))
        return texts

    assert asyncio.run(read()) == [f'{{"number":{number}}}' for number in range(100 - waiting)]


def test_a_page_that_reads_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server waits for it only so long, and keeps none of its messages."""
    outbox, socket = Outbox(), mock.AsyncMock()
    socket.send_text = lambda _: asyncio.sleep(60)
    for number in range(5):
        outbox.put({"number": number})
    monkeypatch.setattr(app, "_UNREAD_SECONDS", 0.01)
    asyncio.run(app._write(socket, outbox))
    socket.close.assert_awaited_once_with(1008, "the page does not read its messages")
    assert outbox._texts.qsize() == 1  # The mark of its end.


def test_a_page_hears_that_the_connection_is_there(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "ALIVE_EVERY", 0.01)
    page = open_page()
    for _ in range(3):
        page.hear("alive")


def test_the_style_of_think_leaves_other_pages_alone() -> None:
    """Each selector of think.css has a name of Think's own, but for those of the bar, which has one link more."""
    others = "".join((STATIC / name).read_text() for name in ("style.css", "board.css", "analyse.css"))
    shared = set(re.findall(r"\.([a-z][\w-]*)", others)) - {"think"}
    rules = re.sub(r"/\*.*?\*/|@[^{]*\{", "", (STATIC / "think.css").read_text(), flags=re.S)
    selectors = [part.strip() for text in re.findall(r"([^{}]+)\{", rules) for part in text.split(",")]
    assert len(selectors) > 150
    for selector in selectors:
        if re.fullmatch(r"from|\d+%", selector):  # Of an animation.
            continue
        names = re.findall(r"\.([a-z][\w-]*)", selector)
        is_bar = selector.startswith((".bar", '[data-mode="think"]', "[data-mode] .bar"))
        assert is_bar or not shared.issuperset(names), selector


# Features that are newer than Safari 16.4, and properties that Safari knows only with a prefix.
LATER = {
    "js": r"""
        \bPromise\.(try|withResolvers)\b | \bgroupBy\b | \bfromAsync\b | \bIterator\b | \bwith\s*\{\s*type:
        | \.(union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(
        | \.(keys|values)\(\)\.(map|filter|find|some|every|flatMap|forEach|take|drop|toArray|reduce)\(
        | \b(show|hide|toggle)Popover\b | \bpopover\b | \bcheckVisibility\b | \bstartViewTransition\b
        | \brequestIdleCallback\b | \bURL\.(canParse|parse)\b | \bRegExp\.escape\b | \bnavigator\.vibrate\b
    """,
    "css": r"""
        \blight-dark\( | @(starting-style|scope|position-try)\b | :popover-open\b | ::details-content\b
        | \b(text-wrap|field-sizing|interpolate-size|content-visibility|anchor-name|transition-behavior)\s*:
        | (?<!-webkit-user-select:\ none;\ )(?<!-webkit-user-select:\ none;\n\ \ )(?<![-\w])user-select\s*:
        | \btext-decoration\s*:\s*[\w-]+\s+[\w-]
    """,
    "html": r"""\b(popover|popovertarget|command|commandfor|closedby)\b(?==|\s|>)(?=[^<>]*>)""",
}
SOURCES = [
    path
    for folder in ("web/static", "viewer/static", "analyse/page")
    for path in sorted((ROOT / "src/ox88/apps" / folder).iterdir())
    if path.suffix[1:] in LATER
]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_the_pages_need_no_safari_after_16_4(path: Path) -> None:
    kind = path.suffix[1:]
    text = re.sub(r"/\*.*?\*/|^\s*//.*?$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert not (found := re.search(LATER[kind], text, re.VERBOSE)), found[0]
    if kind == "css":
        assert not (nested := nested_rules(text)), nested


def nested_rules(css: str) -> list[str]:
    """The selectors of rules inside other rules, which Safari has had since 16.5."""
    open_rules: list[str] = []
    found = []
    for head, brace in re.findall(r"([^{};]*)([{};])", css):
        if brace == "{":
            if open_rules and not open_rules[-1].startswith("@"):
                found.append(head.strip())
            open_rules.append(head.strip())
        elif brace == "}":
            open_rules.pop()
    assert not open_rules
    return found
