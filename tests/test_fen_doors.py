"""One rule for FENs: whatever reads one accepts the same ones, makes the same position, and refuses in the same words.

A door is a function that sends a FEN through one of the programs or functions.
"""

import io
import re
from collections.abc import Callable
from typing import Final

import chess
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ox88
from ox88.apps.analyse.parsing import parse_game
from ox88.apps.epd.suite import parse_case
from ox88.apps.match import openings
from ox88.apps.perft import Settings
from ox88.apps.screen import PlainScreen
from ox88.apps.terminal import TerminalGame
from ox88.apps.web import game, positions, thinking
from ox88.batch.pgn.explorer import read_line
from ox88.convert import from_chess_board
from ox88.engines.base import Limit
from ox88.engines.placed import PlacedEngine
from ox88.errors import IllegalPositionError
from ox88.fen import FenError
from ox88.protocols import xboard
from ox88.setup import Setup
from tests.positions import FENS, fens_with_any_rights, mutated_fens
from tests.protocols.fake import Dialogue, FakeEngine

Door = Callable[[str], Setup]  # Raises ValueError for a FEN that it refuses.
OVER: Final = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"


def uci(fen: str) -> Setup:
    dialogue = Dialogue()
    answer = dialogue.send(f"position fen {fen}")
    if answer:
        raise ValueError(" ".join(answer))
    assert Setup(dialogue.send("d")[-1].removeprefix("Fen: ")) == dialogue.engine.setup
    return dialogue.engine.setup


def xboard_protocol(fen: str) -> Setup:
    dialogue = Dialogue(speaks=xboard.Session)
    answer = dialogue.send("force", f"setboard {fen}")
    if answer:
        raise ValueError(" ".join(answer))
    return dialogue.engine.setup


def placed(fen: str) -> Setup:
    """The way of `ox88.Engine`."""
    engine = FakeEngine()
    PlacedEngine(engine).place(board_of(fen))
    return engine.setup


def board_of(fen: str) -> chess.Board:
    return chess.Board(fen, chess960=True)


def pgn(fen: str) -> Setup:
    games = ox88.read_pgn_text(f'[FEN "{fen}"]\n\n*\n')
    if games.errors:
        raise ValueError(games.errors[0].reason)
    return games.positions(final=False)[0] if len(games.moves) else games.positions()[0]


def analysed(fen: str) -> Setup:
    parsed = parse_game(f'[FEN "{fen}"]\n\n*\n')
    if parsed.errors:
        raise ValueError(parsed.errors[0]["reason"])
    return as_python_chess_has_it(parsed.game.board())


def as_python_chess_has_it(board: chess.Board) -> Setup:
    """The setup of a board that must need no cleaning."""
    assert board.castling_rights == board.clean_castling_rights()
    assert not board.status() & chess.STATUS_INVALID_EP_SQUARE
    return from_chess_board(board)


def epd(fen: str) -> Setup:
    """A solution needs four fields before it, and a legal move."""
    found = reading(fen)
    move = next(iter(board_of(found.fen).legal_moves), None) if isinstance(found, Setup) else "e4"
    if isinstance(found, Setup) and (move is None or len(fen.split()) < 4):
        return found
    return parse_case("doors", 1, f"{fen} ; bm {move};" if isinstance(found, Setup) else fen).setup


def played(read: Callable[[str, bool], openings.Opening], text: str, fen: str) -> Setup:
    """The setup of an opening, which must not be over."""
    try:
        return as_python_chess_has_it(read(text, False).board())
    except ValueError as error:
        if str(error) == "the game is over there":
            return Setup(fen)
        raise


def web_game(fen: str) -> Setup:
    opponent = game.Opponent("Ox88", None, 1)
    return as_python_chess_has_it(game.PlayedGame.begin("1", opponent, "white", fen, None).board)


def terminal(fen: str) -> Setup:
    engine = FakeEngine()
    TerminalGame(engine, PlainScreen(io.StringIO(""), io.StringIO()), Limit(nodes=1), fen, "both", None).run()
    return engine.setup


def perft(fen: str) -> Setup:
    moves = Settings().perft(fen).divide(1)
    assert len(moves) == board_of(Setup(fen).fen).legal_moves.count()
    return Setup(fen)


TEXTS: Final[dict[str, Door]] = {
    "setup": lambda fen: ox88.Setup(fen).check(),
    "bulk": lambda fen: ox88.Positions.from_fens([fen])[0],
    "text": lambda fen: ox88.Positions.from_fens(fen.encode())[0],
    "arrow": lambda fen: ox88.Positions.from_arrow(pyarrow.array([fen]))[0],
    "from_moves": lambda fen: ox88.Games.from_moves([""], [fen]).positions()[0],
    "explore": lambda fen: from_chess_board(read_line("", fen)),
    "uci": uci,
    "xboard": xboard_protocol,
    "pgn": pgn,
    "analysed": analysed,
    "epd": epd,
    "opening": lambda fen: played(openings._read_line, fen, fen),
    "opening game": lambda fen: played(openings._read_game, f'[FEN "{fen}"]\n\n*\n', fen),
    "web": lambda fen: as_python_chess_has_it(positions.read_position(fen, [])),
    "web game": web_game,
    "think": lambda fen: Setup(thinking.search_of(fen, 1, ()).fen),
    "terminal": terminal,
    "perft": perft,
}
BOARDS: Final[dict[str, Door]] = {
    "placed": placed,
    "boards": lambda fen: ox88.Positions.from_boards([board_of(fen)])[0],
}


def reading(fen: str) -> Setup | str:
    """What the reader of single FENs makes of a FEN, or why it refuses it."""
    try:
        return ox88.parse_fen(fen).check()
    except FenError as error:
        return error.reason
    except IllegalPositionError as error:
        return "; ".join(error.rules)


def check_door(door: Door, fen: str) -> None:
    expected = reading(fen)
    if isinstance(expected, Setup):
        assert door(fen) == expected
        return
    with pytest.raises(ValueError, match=re.escape(expected)):
        door(fen)


def as_one_line(fen: str) -> str:
    """A FEN that every door can be given: a line of printable letters."""
    return re.sub(r"[^ !-~]|[\"\\\\%#]", "x", fen).strip() or "x"


RARE: Final = (
    OVER,
    "4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1",
    "4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1",
    "4k3/8/8/8/8/8/8/RR2KR1R w ABFH - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w QKKQ - 12 34; ;",
    "4k3/8/8/8/8/8/8/R3K2R w Qx - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1.5",
    "4k3/8/8/8/8/8/4R3/4K3 w KQkq e6 0 1",
    "8/8/8/8/8/8/8/4K3 w K e6 0 1",
    "4k3/8/8/8/8/8/8/4K3",
    *FENS,
)


@pytest.mark.parametrize("door", TEXTS.values(), ids=TEXTS)
def test_rare_fens_at_every_door(door: Door) -> None:
    for fen in RARE:
        check_door(door, fen)


@pytest.mark.parametrize("door", TEXTS.values(), ids=TEXTS)
@settings(max_examples=25)
@given(st.one_of(fens_with_any_rights(), mutated_fens().map(as_one_line)))
def test_every_door_reads_alike(door: Door, fen: str) -> None:
    check_door(door, fen)


@pytest.mark.parametrize("door", BOARDS.values(), ids=BOARDS)
@settings(max_examples=50)
@given(fens_with_any_rights())
def test_boards_of_python_chess_are_cleaned_alike(door: Door, fen: str) -> None:
    check_door(door, fen)
