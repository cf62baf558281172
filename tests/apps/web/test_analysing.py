"""Analysis through the WebSocket."""

import re
from collections.abc import Callable
from typing import Any

import chess
import chess.pgn
import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.page_output import page_data
from ox88.apps.analyse.parsing import ParsedGame
from ox88.apps.analyse.records import AnalysedGame
from ox88.apps.analyse.search import DEFAULT_NODES
from ox88.apps.web.analysing import LONGEST
from ox88.apps.web.engine_pool import PooledEngine
from ox88.apps.web.positions import Node, describe_moves, describe_tree, open_game
from ox88.convert import from_chess_move
from ox88.engines.base import Info, Limit, Score
from ox88.errors import Ox88Error
from ox88.fen import STARTPOS
from tests.apps.analyse.analysed import analysed as analysed_games
from tests.apps.web.conftest import OpenPage, Page
from tests.conftest import DATA
from tests.engines.modern.network.naive import random_network

SCHOLAR = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0"


@given(st.lists(st.integers(0, 99), max_size=30), st.integers(0, 35))
def test_the_last_moves_are_described_like_all(choices: list[int], after: int) -> None:
    names, board = OpeningNames({}), chess.Board()
    for choice in choices:
        moves = list(board.legal_moves)
        if moves:
            board.push(moves[choice % len(moves)])
    described = describe_moves(board, names)
    assert [move["uci"] for move in described] == [move.uci() for move in board.move_stack]
    assert describe_moves(board, names, after) == described[after:]


def test_a_position_after_moves(page: Page) -> None:
    """Only new moves are described."""
    moves = ["e4", "e7e5", "Nf3"]
    for after, rest in ((0, ["e4", "e5", "Nf3"]), (2, ["Nf3"]), (3, []), (9, [])):
        said = page.ask("position", "position", start=STARTPOS, moves=moves, after=after, id=7)
        assert said["id"] == 7
        board = chess.Board(said["position"]["fen"])
        told = {start + end for start, ends in said["position"]["dests"].items() for end in ends}
        assert told == {move.uci()[:4] for move in board.legal_moves}
        assert [move["san"] for move in said["moves"]] == rest
        assert not said["chess960"]
    said = page.ask(
        "position", "position", start="bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", moves=[]
    )
    assert said["chess960"]


def test_lines_get_deeper_and_are_legal(page: Page) -> None:
    page.say("analyse", start=STARTPOS, moves=["e4"], lines=3, id=5)
    said = page.hear("info", lambda info: len(info.get("lines", [])) == 3 and info["depth"] >= 6)
    assert said["id"] == 5
    for line in said["lines"]:
        board = chess.Board()
        board.push_san("e4")
        for uci, san in zip(line["moves"], line["san"], strict=True):
            assert board.san(chess.Move.from_uci(uci)) == san
            board.push_uci(uci)
        assert 0 < line["win"] < 100
    assert said["speed"] > 0
    page.say("stop")


def test_every_field_of_a_search_is_told(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines are exact ones, the best first; time and nodes are the newest. Evaluations are White's."""
    asked: list[tuple[str, Limit]] = []

    def search(engine: PooledEngine, board: chess.Board, limit: Limit, listen: Callable[[Info], None]) -> None:
        asked.append((engine.entry.name, limit))
        line = tuple(from_chess_move(chess.Move.from_uci(move), board) for move in ("e7e5", "g1f3"))
        listen(Info(7, Score(centipawns=-40), 500, 0.1, line[:1], multipv=2))
        listen(Info(9, Score(centipawns=-31), 1000, 0.256, line))
        listen(Info(10, Score(centipawns=99), 3000, 0.512, line[:1], "lower"))
        listen(Info(10, Score(), 4000, 0.5, current_move=line[0], current_move_number=1))

    monkeypatch.setattr(PooledEngine, "search", search)
    page.say("analyse", start=STARTPOS, moves=["e4"], lines=2, engine="micro-Max", id=6)
    said = page.hear("info", lambda info: bool(info.get("over")))
    win = said["lines"][0].pop("win")
    assert 50 < win < said["lines"][1].pop("win") < 60
    assert said == {
        "type": "info", "about": "analyse", "id": 6, "over": True,
        "depth": 9, "nodes": 4000, "speed": 8000, "time": 0.5,
        "lines": [
            {"eval": "+0.31", "depth": 9, "moves": ["e7e5", "g1f3"], "san": ["e5", "Nf3"]},
            {"eval": "+0.40", "depth": 7, "moves": ["e7e5"], "san": ["e5"]},
        ],
    }  # fmt: skip
    assert asked == [("micro-Max", Limit(time=LONGEST))]


def test_another_position_ends_the_search_of_the_first(page: Page) -> None:
    page.say("analyse", start=STARTPOS, moves=[], lines=1, id=1)
    page.hear("info", lambda info: "lines" in info)
    page.say("analyse", start="6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", moves=[], lines=1, id=2)
    said = page.hear("info", lambda info: info["id"] == 2 and bool(info.get("lines")))
    assert said["lines"][0]["eval"] == "#1"
    assert said["lines"][0]["san"] == ["Ra8#"]


def test_micromax_analyses(page: Page) -> None:
    page.say("analyse", engine="micro-Max", start="6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", moves=[], lines=3)
    said = page.hear("info", lambda info: bool(info.get("lines")) and info["lines"][0]["eval"].startswith("#"))
    assert [line["san"][0] for line in said["lines"]] == ["Ra8#"]


def test_a_game_ends_an_analysis_by_micromax(page: Page, open_page: OpenPage) -> None:
    page.say("analyse", engine="micro-Max", start=STARTPOS, moves=[], lines=1)
    page.hear("info", lambda info: bool(info.get("lines")))
    other = open_page()
    other.say("new", engine="micro-Max", side="black", seconds=0.1)
    assert other.hear("game", lambda game: bool(game["moves"]))
    assert page.hear("info", lambda info: info.get("over", False))["lines"]


@pytest.mark.parametrize("leaves", [Page.close, lambda page: page.say("stop")])
def test_others_wait_and_are_told(page: Page, open_page: OpenPage, leaves: Callable[[Page], None]) -> None:
    """Of two slots analyses leave one for games. A search ends with its page."""
    page.say("analyse", start=STARTPOS, moves=[], lines=1)
    page.hear("info", lambda info: "lines" in info)
    other = open_page()
    other.say("analyse", start=STARTPOS, moves=[], lines=1)
    assert other.hear("info")["notice"] == "All engines are thinking: waiting for one"
    player = other.new()
    assert len(other.move("e4")["moves"]) == 2, player
    leaves(page)
    assert other.hear("info", lambda info: "lines" in info)


def test_games_are_listed_and_opened(page: Page) -> None:
    text = (DATA / "games" / "famous.pgn").read_text()
    games = page.ask("games", "games", text=text)["games"]
    assert [game["tags"]["White"] for game in games] == ["Morphy, Paul", "Anderssen, Adolf", "Kasparov, Garry"]
    opened = page.ask("open", "opened", text=games[0]["text"])
    assert [node.get("parent") for node in opened["nodes"]] == [None, *range(33)]
    assert opened["nodes"][-1]["san"] == "Rd8#"
    assert opened["nodes"][-1]["check"]
    assert opened["tags"]["Site"].startswith("Paris")


ANNOTATED = """[White "C \\"A\\" B"]
[Opening "Old"]

{ Before. } 1. e4 $1 { Best by [%clk
0:01:00] test. } ( { Or this: } 1. d4 d5 ( 1... Nf6 $10 ) ) ( 1. Z0 e5 )
1... e5 { [%eval -0.25] } 2. Nf3 { [%eval #-3] } *
"""
MATE_IN_MANY = f"1. e4 {{ [%eval #{'9' * 5000}] }} *"


def test_variations_and_comments_are_kept(page: Page) -> None:
    opened = page.ask("open", "opened", text=ANNOTATED)
    assert opened["tags"]["White"] == 'C "A" B'
    assert opened["tags"]["Opening"] == "Old"
    start, e4, e5, nf3, d4, d5, nf6, null, after = opened["nodes"]
    assert start["comment"] == "Before."
    assert (e4["nags"], e4["comment"], e4["commands"]) == ([1], "Best by test.", "[%clk 0:01:00]")
    assert (e5["eval"], nf3["eval"]) == ("-0.25", "#-3")
    assert e5["win"] > nf3["win"]
    assert (d4["before"], nf6["nags"]) == ("Or this:", [10])
    assert [node["parent"] for node in (e4, e5, nf3, d4, d5, nf6, null, after)] == [0, 1, 2, 0, 4, 4, 0, 7]
    assert (null["uci"], null["san"], null["fen"].split()[1], after["san"]) == ("0000", "--", "b", "e5")
    assert opened["errors"] == []
    assert page.ask("open", "opened", text=MATE_IN_MANY)["nodes"][1]["eval"] == "#99999"  # Digits that Python refuses.


def test_errors_are_no_comments(page: Page) -> None:
    """What is wrong is said beside the game, which may pass: only an analysis ends there."""
    opened = page.ask("open", "opened", text="1. e4 { Best. } e5 2. -- Nc6 3. Ke4 *")
    assert [node["san"] for node in opened["nodes"][1:]] == ["e4", "e5", "--", "Nc6"]
    assert [node["comment"] for node in opened["nodes"] if "comment" in node] == ["Best."]
    assert opened["errors"] == ["move 3: 'Ke4' is not a legal move"]


@pytest.fixture(scope="module")
def analysed() -> AnalysedGame:
    (game,) = analysed_games("Tartakower", nodes=300)
    return game


def test_a_game_that_was_analysed_has_its_accuracies_when_it_is_opened(analysed: AnalysedGame) -> None:
    record, data = analysed.record, page_data(analysed)
    assert record["start"] is not None
    start = f"{{ [%eval {record['start']['eval']['cp'] / 100:.2f}] }}"
    opened = open_game(f'[White "{data["white"]["name"]}"]\n\n{start} {record["pgn"]}', OpeningNames({}))
    assert opened["white"] == data["white"] | {"rating": ""}
    assert opened["black"] == data["black"] | {"name": "?", "rating": ""}
    without = open_game(record["pgn"], OpeningNames({}))  # As others write it, and `ox88 analyse`.
    assert without["black"]["acpl"] == data["black"]["acpl"]
    assert without["white"]["counts"] == data["white"]["counts"]
    praised = open_game(re.sub(r"\$[246](?=\s+\{)", "$1", record["pgn"]), OpeningNames({}))  # By a person.
    assert praised["white"]["counts"] == data["white"]["counts"] != [0, 0, 0]


@pytest.mark.parametrize("text", ["*", "1. e4 e5 *", "1. e4 { [%eval 0.2] } e5 2. Nf3 { [%eval 0.3] } *"])
def test_without_evaluations_there_are_no_accuracies(text: str) -> None:
    assert "white" not in open_game(text, OpeningNames({}))


STARTS = [chess.Board(), chess.Board("4k2r/8/8/8/8/8/8/R3K3 b Qk - 3 40"), chess.Board.from_chess960_pos(0)]
COMMANDS = [
    "[%clk 1:02:03.5]",
    "[%emt 0:00:05]",
    "[%eval -0.25,18]",
    "[%eval #3]",
    "[%csl Ra1,Gb2]",
    "[%cal Ge2e4,Yd1h5]",
]
COMMANDS += ["[%other a b]"]


@st.composite
def annotated_games(draw: st.DrawFn) -> chess.pgn.Game:
    """A tree of random moves and passes with comments, their commands, glyphs and comments before variations."""
    game = chess.pgn.Game()
    game.setup(draw(st.sampled_from(STARTS)))
    nodes: list[chess.pgn.GameNode] = [game]
    # A command begins with [%. It is told beside the comment, wherever it stands in the text.
    texts = st.text('abc {(;%$1"\\[]é\n', max_size=8).map(lambda text: " ".join(text.replace("[%", "[").split()))
    commands = st.lists(st.sampled_from(COMMANDS), unique_by=lambda command: command[:5])
    comments = st.tuples(commands, texts).map(lambda parts: " ".join(filter(None, [*parts[0], parts[1]])))
    for choice, move in draw(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=15)):
        parent = nodes[choice % len(nodes)]
        board = parent.board()
        passes = [] if board.is_check() else [chess.Move.null()]
        moves = [move for move in (*board.legal_moves, *passes) if not parent.has_variation(move)]
        if moves:
            node = parent.add_variation(
                moves[move % len(moves)], comment=draw(comments), nags=draw(st.sets(st.integers(1, 20)))
            )
            node.starting_comment = draw(texts) if node.starts_variation() else ""
            nodes.append(node)
    game.comment = draw(comments)
    return game


@settings(max_examples=50)
@given(annotated_games())
def test_a_tree_is_described_as_it_is_written(game: chess.pgn.Game) -> None:
    rebuilt = rebuild(describe_tree(game, OpeningNames({})), game.board())
    assert rebuilt.accept(chess.pgn.StringExporter()) == game.accept(chess.pgn.StringExporter())


def rebuild(nodes: list[Node], start: chess.Board) -> chess.pgn.Game:
    """The game that a list of positions describes."""
    game = chess.pgn.Game()
    game.setup(start)
    made: list[chess.pgn.GameNode] = [game]
    for number, node in enumerate(nodes):
        if number:
            made.append(made[node["parent"]].add_variation(chess.Move.from_uci(node["uci"]), nags=node.get("nags", [])))
            made[-1].starting_comment = node.get("before", "")
            assert made[-1].board().fen() == node["fen"]
        made[-1].comment = " ".join(filter(None, [node.get("commands"), node.get("comment")]))
    return game


def test_a_tree_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ox88.apps.web.positions.MOST_NODES", 5)
    assert len(open_game("1. e4 e5 (1... c5) 2. Nf3 (2. Nc3) *", OpeningNames({}))["nodes"]) == 6
    with pytest.raises(Ox88Error, match="more than 5 moves with its variations"):
        open_game("1. e4 e5 (1... c5) 2. Nf3 (2. Nc3) 2... Nc6 *", OpeningNames({}))


@pytest.mark.parametrize("text", ["", "hello", '[Variant "Atomic"]\n\n1. e4 *'])
def test_what_is_no_game(page: Page, text: str) -> None:
    games = page.ask("games", "error" if not text else "games", text=text)
    if text:
        assert page.ask("open", "error", text=games["games"][0]["text"])["message"]


def test_a_whole_game_is_analysed(page: Page) -> None:
    page.say("annotate", text=SCHOLAR, nodes=2000, id=3)
    done = [page.hear("progress", lambda said: "done" in said) for _ in range(8)]
    assert [said["done"] for said in done] == list(range(1, 9))
    assert done[0]["win"] > 95
    said = page.hear("annotation")
    assert said["id"] == 3
    line = main_line(said["nodes"])
    assert [node["san"] for node in line[1:]] == ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]
    assert line[6]["nags"] == [chess.pgn.NAG_BLUNDER]
    assert re.fullmatch(r"Blunder: \S+ is better. Allows mate: 4. Qxf7#.", line[6]["comment"])
    assert (line[6]["eval"], line[6]["commands"]) == ("#1", "[%eval #1]")
    assert (line[7]["eval"], line[7]["win"]) == ("#", line[6]["win"])
    assert 40 < line[0]["win"] < 60
    assert len(said["nodes"]) > len(line)  # The better moves are variations.
    assert said["white"]["accuracy"] > said["black"]["accuracy"]
    assert said["tags"]["Annotator"] == "Ox88"


@pytest.mark.parametrize(("fields", "nodes"), [({}, DEFAULT_NODES), ({"nodes": 77}, 77)])
def test_a_game_is_analysed_with_the_nodes_that_are_asked_for(
    page: Page, monkeypatch: pytest.MonkeyPatch, fields: dict[str, int], nodes: int
) -> None:
    asked: list[Limit] = []

    def search(_: PooledEngine, __: ParsedGame, limit: Limit, ___: object) -> None:
        asked.append(limit)
        raise Ox88Error("that is enough")

    monkeypatch.setattr("ox88.apps.web.analysing._search_game", search)
    assert page.ask("annotate", "error", text=SCHOLAR, **fields)["message"] == "that is enough"
    assert asked == [Limit(nodes=nodes)]


def test_a_game_that_is_too_long_is_not_analysed(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ox88.apps.web.analysing.MOST_PLIES", 2)
    said = page.ask("annotate", "error", text="1. e4 e5 2. d4 *")
    assert said["message"] == "the game has 3 plies: at most 2 are analysed here"
    assert page.ask("annotate", "annotation", text="1. e4 e5 *", nodes=50)["nodes"][2]["san"] == "e5"


def main_line(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The first child of each position."""
    line, numbers = [], [0]
    while numbers:
        line.append(nodes[numbers[0]])
        numbers = [child for child, node in enumerate(nodes) if node.get("parent") == numbers[0]]
    return line


def test_an_analysis_is_cancelled(page: Page) -> None:
    page.say("annotate", text=SCHOLAR, nodes=2_000_000)
    page.hear("progress", lambda said: "done" in said)
    page.say("cancel")
    page.say("annotate", text="1. e4 *", nodes=100, id=9)
    assert page.hear("annotation")["id"] == 9


def test_pictures(page: Page) -> None:
    said = page.ask("show", "picture", fen=STARTPOS, view="bitboard", bits="white & pawns")
    assert said["svg"].startswith("<svg")
    assert said["title"] == "white & pawns"
    shallow, deep = (page.ask("show", "picture", fen=STARTPOS, view="iterations", depth=depth) for depth in (2, 4))
    assert shallow["svg"] != deep["svg"]


def test_the_pictures_of_the_network(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ox88.batch.learning.engine.shipped_network", random_network)
    said = page.ask("show", "picture", fen=STARTPOS, view="network")
    assert said["title"] == "What each piece is worth"
    assert "The network random 1 says " in said["caption"]
    monkeypatch.setattr("ox88.batch.learning.engine.shipped_network", lambda: None)
    assert "there is no network" in page.ask("show", "error", fen=STARTPOS, view="network")["message"]


def test_what_is_refused(page: Page) -> None:
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("position", {"start": "hello", "moves": []}, "FEN 'hello'"),
        ("position", {"start": "8/8/8/8/8/8/8/8 w - - 0 1", "moves": []}, "White has no king"),
        ("position", {"start": STARTPOS, "moves": ["e5"]}, "e5: "),
        ("position", {"start": STARTPOS, "moves": ["--"]}, "passing is not a move"),
        ("position", {"start": STARTPOS, "moves": [""]}, "is not a move"),
        ("position", {"start": STARTPOS, "moves": [], "after": -1}, "after is -1"),
        ("analyse", {"start": STARTPOS, "moves": [], "lines": 1, "engine": "Fritz"}, "engine is 'Fritz'"),
        ("annotate", {"text": "*"}, "no move"),
        ("annotate", {"text": "1. e5 *"}, "e5"),
        ("show", {"fen": STARTPOS, "view": "x-ray"}, "'x-ray' is not a view"),
        ("show", {"fen": STARTPOS, "view": "board", "square": "e4"}, "the view board takes no square"),
        ("show", {"fen": STARTPOS, "view": "board", "bits": "white"}, "the view board takes no bits"),
        ("show", {"fen": STARTPOS, "view": "board", "depth": 2}, "the view board takes no depth"),
        ("show", {"fen": STARTPOS, "view": "iterations", "depth": 6}, "depth is 6: a whole number from 1 to 5"),
        ("show", {"fen": "x", "view": "board"}, "FEN 'x'"),
    ]
    for kind, fields, reason in cases:
        assert reason in page.ask(kind, "error", **fields)["message"], fields
