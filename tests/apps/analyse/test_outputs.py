"""An invented analysis in every output: no field is lost or taken from another place.

Chances are 50 + 50 (2 / (1 + exp(-0.00368208 cp)) - 1), accuracies 103.1668 exp(-0.04354 loss) - 2.1669, as Lichess
has them.
"""

import json
from dataclasses import astuple, replace
from pathlib import Path

import chess
import pyarrow.parquet
import pytest

from ox88.apps.analyse.accuracy import CEILING, Evaluation
from ox88.apps.analyse.command import PlayerTotals, Totals, players_table
from ox88.apps.analyse.opening_names import Opening
from ox88.apps.analyse.outputs import game_json, game_text, parquet_writer
from ox88.apps.analyse.page_output import page_data
from ox88.apps.analyse.parsing import ParsedGame, parse_game
from ox88.apps.analyse.recording import record_analysis
from ox88.apps.analyse.records import AnalysedGame, PlayerRecord, pack, unpack
from ox88.apps.analyse.search import Line, PositionAnalysis
from ox88.apps.reasons.reason import Reason

TAGS = """\
[Event "E"]
[Site "S"]
[Date "2020.05.??"]
[Round "3"]
[White "W"]
[Black "B"]
[Result "1-0"]
[WhiteElo "2500"]
[BlackElo "?"]
[Annotator "Me{}"]
[FEN "4k3/8/8/8/8/8/4P3/4K2R b K - 3 20"]
[SetUp "1"]
"""
TEXT = TAGS.format("") + "\n20... Kd7 { [%clk 0:01:00] hm } 21. O-O $3 { bold } Ke6 $10 1-0\n"
WHY = "Misses mate in 2: 21. e4."
BEST = Evaluation(100), Evaluation(150), Evaluation(-400), Evaluation(-CEILING, -3)
LINES = [[(9, "Kd7 e4")], [(8, "e4 Kd6"), (7, "Rh7+")], [(6, "Kd6")], [(5, "e4")]]


@pytest.fixture
def game() -> AnalysedGame:
    parsed = parse_game(TEXT)
    record = unpack(pack(record_analysis(parsed, positions_of(parsed), "Ox88", {1: Reason(WHY)})))
    return AnalysedGame(4, "f.pgn", 7, record, Opening("A00", "Name"))


def positions_of(parsed: ParsedGame) -> list[PositionAnalysis]:
    board, positions = parsed.game.board(), []
    for number, evaluation in enumerate(BEST):
        lines = [line(board, evaluation, *shown) for shown in LINES[number]]
        lines[1:] = [line(board, Evaluation(120), *shown) for shown in LINES[number][1:]]
        positions.append(PositionAnalysis(tuple(lines), 10 + number))
        board.push(parsed.moves[number]) if number < 3 else None
    return positions


def line(board: chess.Board, evaluation: Evaluation, depth: int, sans: str) -> Line:
    ahead = board.copy(stack=False)
    return Line(evaluation, depth, [ahead.push_san(san) for san in sans.split()], sans.split())


KD7 = {
    "ply": 40, "color": "black", "uci": "e8d7", "san": "Kd7", "fen": "8/3k4/8/8/8/8/4P3/4K2R w K - 4 21",
    "eval": {"cp": 150}, "win": 63.47, "accuracy": 83.14, "judgement": None, "clock": 60.0, "comment": "hm",
    "commands": "[%clk 0:01:00]",
    "lines": [{"eval": {"cp": 100}, "depth": 9, "moves": ["e8d7", "e2e4"], "san": ["Kd7", "e4"]}],
}  # fmt: skip
CASTLING = {
    "ply": 41, "color": "white", "uci": "e1g1", "san": "O-O", "fen": "8/3k4/8/8/8/8/4P3/5RK1 b - - 5 21",
    "eval": {"cp": -400}, "win": 18.65, "accuracy": 12.49, "judgement": "blunder", "clock": None, "comment": "bold",
    "reason": WHY,
    "lines": [
        {"eval": {"cp": 150}, "depth": 8, "moves": ["e2e4", "d7d6"], "san": ["e4", "Kd6"]},
        {"eval": {"cp": 120}, "depth": 7, "moves": ["h1h7"], "san": ["Rh7+"]},
    ],
}  # fmt: skip
KE6 = {
    "ply": 42, "color": "black", "uci": "d7e6", "san": "Ke6", "fen": "8/8/4k3/8/8/8/4P3/5RK1 w - - 6 22",
    "eval": {"mate": -3}, "win": 2.46, "accuracy": 100.0, "judgement": None, "clock": None, "comment": "",
    "lines": [{"eval": {"cp": -400}, "depth": 6, "moves": ["d7d6"], "san": ["Kd6"]}],
}  # fmt: skip


def test_json(game: AnalysedGame) -> None:
    found = json.loads(game_json(game))
    headers = found.pop("headers")
    assert headers["Annotator"] == "Me, Ox88"
    assert (headers["WhiteACPL"], headers["BlackACPL"]) == ("550", "25")
    assert (headers["WhiteAccuracy"], headers["BlackAccuracy"]) == ("12.5", "93.6")
    assert found == {
        "number": 4, "file": "f.pgn", "line": 7, "opening": {"eco": "A00", "name": "Name"},
        "start": {"fen": "4k3/8/8/8/8/8/4P3/4K2R b K - 3 20", "eval": {"cp": 100}, "win": 59.1},
        "moves": [KD7, CASTLING, KE6],
        "white": {"accuracy": 12.49, "acpl": 550, "inaccuracies": 0, "mistakes": 0, "blunders": 1},
        "black": {"accuracy": 93.61, "acpl": 25, "inaccuracies": 0, "mistakes": 0, "blunders": 0},
        "errors": [], "nodes": 46,
    }  # fmt: skip


def test_pgn(game: AnalysedGame) -> None:
    added = '[WhiteAccuracy "12.5"]\n[WhiteACPL "550"]\n[BlackAccuracy "93.6"]\n[BlackACPL "25"]\n'
    assert game_text(game) == (
        TAGS.format(", Ox88") + added + '[ECO "A00"]\n[Opening "Name"]\n\n'
        "20... Kd7 { [%clk 0:01:00] hm [%eval 1.50] } 21. O-O $3\n"
        "{ bold [%eval -4.00] Blunder: e4 is better. Misses mate in 2: 21. e4. } ( 21.\n"
        "e4 { [%eval 1.50] } 21... Kd6 ) ( 21. Rh7+ { [%eval 1.20] } ) 21... Ke6 $10\n{ [%eval #-3] } 1-0"
    )


def test_a_table_of_moves(game: AnalysedGame, tmp_path: Path) -> None:
    with parquet_writer(tmp_path / "moves.parquet") as write:
        write(game)
    rows = pyarrow.parquet.read_table(tmp_path / "moves.parquet").to_pylist()
    same = {"game": 4, "file": "f.pgn", "white": "W", "black": "B", "result": "1-0", "eco": "A00", "opening": "Name"}
    fens = ["4k3/8/8/8/8/8/4P3/4K2R b K - 3 20", KD7["fen"], CASTLING["fen"]]
    best = [
        {"best_uci": "e8d7", "best_line": "e8d7 e2e4", "best_cp": 100, "best_mate": None, "depth": 9},
        {"best_uci": "e2e4", "best_line": "e2e4 d7d6", "best_cp": 150, "best_mate": None, "depth": 8},
        {"best_uci": "d7d6", "best_line": "d7d6", "best_cp": -400, "best_mate": None, "depth": 6},
    ]
    scores = [{"cp": 150, "mate": None}, {"cp": -400, "mate": None}, {"cp": None, "mate": -3}]
    names = ("ply", "color", "san", "uci", "clock", "judgement")
    for row, move, fen, choice, score in zip(rows, (KD7, CASTLING, KE6), fens, best, scores, strict=True):
        assert (row.pop("win"), row.pop("accuracy")) == pytest.approx((move["win"], move["accuracy"]))
        assert row == {**same, **{name: move[name] for name in names}, **choice, **score, "fen": fen}


def test_what_the_page_shows(game: AnalysedGame) -> None:
    data = page_data(game)
    first, second, last = data.pop("moves")
    assert data == {
        "white": {"name": "W", "rating": "2500", "accuracy": 12.5, "acpl": 550, "counts": [0, 0, 1]},
        "black": {"name": "B", "rating": "", "accuracy": 93.6, "acpl": 25, "counts": [0, 0, 0]},
        "result": "1-0", "opening": "A00 Name", "place": "E, S, 2020.05", "errors": [],
        "start": {"fen": "4k3/8/8/8/8/8/4P3/4K2R b K - 3 20", "eval": "+1.00", "win": 59.1, "commands": ""},
    }  # fmt: skip
    assert first == {
        "fen": KD7["fen"], "san": "Kd7", "uci": "e8d7", "eval": "+1.50", "win": 63.47, "nags": [], "lines": [],
        "commands": "[%clk 0:01:00]", "comment": "hm",
    }  # fmt: skip
    assert (last["eval"], last["win"], last["commands"], last["comment"]) == ("#-3", 2.46, "", "")
    pawn, check = second.pop("lines")
    assert second == {
        "fen": CASTLING["fen"], "san": "O-O", "uci": "e1g1", "eval": "-4.00", "win": 18.65, "nags": [4],
        "commands": "", "comment": "bold", "reason": WHY,
    }  # fmt: skip
    assert pawn == {
        "eval": "+1.50", "win": 63.47,
        "moves": [
            {"fen": "8/3k4/8/8/4P3/8/8/4K2R b K - 0 21", "san": "e4", "uci": "e2e4"},
            {"fen": "8/8/3k4/8/4P3/8/8/4K2R w K - 1 22", "san": "Kd6", "uci": "d7d6"},
        ],
    }  # fmt: skip
    (move,) = check["moves"]
    assert move == {"fen": "8/3k3R/8/8/8/8/4P3/4K3 b - - 5 21", "check": True, "san": "Rh7+", "uci": "h1h7"}


def test_sums(game: AnalysedGame) -> None:
    totals = Totals()
    totals.add(game)
    white: PlayerRecord = {"accuracy": 12.49, "acpl": 550, "inaccuracies": 3, "mistakes": 4, "blunders": 1}
    totals.add(replace(game, record={**game.record, "white": white, "errors": [{"line": 2, "reason": "why"}]}))
    assert (totals.games, totals.moves, totals.with_errors) == (2, 6, 1)
    for sums, *expected in (
        (totals.players["W"], 2, 24.98, 1100, 3, 4, 2),
        (totals.players["B"], 2, 187.22, 50, 0, 0, 0),
        (totals.all_players, 4, 212.2, 1150, 3, 4, 2),
    ):
        assert astuple(sums) == pytest.approx(expected)
    some = Totals(players={"A": PlayerTotals(2, 121.0, 14, 3, 4, 6)})
    cells = [str(next(iter(column.cells))) for column in players_table(some).columns]
    assert cells == ["A", "2", "60.5", "7", "3", "4", "6"]


def test_an_error_gets_a_glyph() -> None:
    parsed = parse_game(TEXT.replace("$3", ""))
    record_analysis(parsed, positions_of(parsed), "Ox88", {})
    assert list(parsed.game.mainline())[1].nags == {chess.pgn.NAG_BLUNDER}


@pytest.mark.parametrize(
    "earlier",
    [
        "Mistake: Nf3 is better.",
        "Mistake:\nNf3\nis\nbetter. O-O\nleaves the rook on h1.",
        "Blunder: Rh7+ is better. Misses mate in 2: 21. Rh7+.",
        "Mistake: Rf1 is better. O-O leaves the rook on h1 attacked twice and protected once: 21... Kd6 wins it.",
    ],
)
def test_an_earlier_remark_is_replaced(earlier: str) -> None:
    glyph = "$2" if earlier.startswith("Mistake") else "$4"
    parsed = parse_game(TEXT.replace("$3", glyph).replace("bold", f"bold. {earlier} 21. Of course!"))
    record_analysis(parsed, positions_of(parsed), "Ox88", {1: Reason(WHY)})
    castling = list(parsed.game.mainline())[1]
    assert castling.comment == f"bold. 21. Of course! [%eval -4.00] Blunder: e4 is better. {WHY}"
    assert castling.nags == {chess.pgn.NAG_BLUNDER}
