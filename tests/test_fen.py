import chess
import pytest
from hypothesis import given

from ox88.fen import STARTPOS, FenError
from ox88.setup import Setup, format_fen, parse_epd, parse_fen
from ox88.types import BLACK, WHITE, parse_square
from tests.positions import boards, fens_with_any_rights

# What python-chess checks and a Setup does not: positions that no game reaches, but that every board can play on.
UNREACHABLE = chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK


def test_startpos_is_a_fen() -> None:
    assert parse_fen("startpos") == parse_fen(STARTPOS) == parse_fen(" startpos \n")
    assert format_fen(parse_fen("startpos")) == STARTPOS


@given(boards())
def test_read_and_written_as_python_chess_does(board: chess.Board) -> None:
    fen = board.fen(shredder=True, en_passant="fen")
    setup = parse_fen(fen)
    assert format_fen(setup, shredder=True) == fen
    assert format_fen(setup) == board.fen(en_passant="fen")
    assert parse_fen(format_fen(setup)) == setup
    assert setup.broken_rules() == ()


@given(boards())
def test_an_epd_with_clocks_as_python_chess_writes_it(board: chess.Board) -> None:
    epd = board.epd(
        shredder=True, en_passant="fen", id="a; hmvc 1", hmvc=board.halfmove_clock, fmvn=board.fullmove_number
    )
    assert format_fen(parse_fen(epd), shredder=True) == board.fen(shredder=True, en_passant="fen")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("8/8/8/8/8/8/8/K1k5", "8/8/8/8/8/8/8/K1k5 w - - 0 1"),
        ("8/8/8/8/8/8/8/K1k5 b", "8/8/8/8/8/8/8/K1k5 b - - 0 1"),
        ("  8/8/8/8/8/8/8/K1k5   b   -  -  ", "8/8/8/8/8/8/8/K1k5 b - - 0 1"),
        ("8/8/8/8/8/8/8/K1k5 b - - 12", "8/8/8/8/8/8/8/K1k5 b - - 12 1"),
        ("8/8/8/8/8/8/8/K1k5 b - - 12 0", "8/8/8/8/8/8/8/K1k5 b - - 12 1"),
        ("8/8/8/8/8/8/8/K1k5 b - - - -", "8/8/8/8/8/8/8/K1k5 b - - 0 1"),
        ('8/8/8/8/8/8/8/K1k5 b - - bm Kb1; id "x";', "8/8/8/8/8/8/8/K1k5 b - - 0 1"),
        ('8/8/8/8/8/8/8/K1k5 b - -;id "x"', "8/8/8/8/8/8/8/K1k5 b - - 0 1"),
        ('8/8/8/8/8/8/8/K1k5 b - - 12; id "x"', "8/8/8/8/8/8/8/K1k5 b - - 12 1"),
        ("8/8/8/8/8/8/8/K1k5 b - - 12 bm Kb1;", "8/8/8/8/8/8/8/K1k5 b - - 12 1"),
        ("8/8/8/8/8/8/8/K1k5 b - - 12 34; ; \t\xa0;\n", "8/8/8/8/8/8/8/K1k5 b - - 12 34"),
        ("8/8/8/8/8/8/8/K1k5 b - - fmvn 34; hmvc 12;", "8/8/8/8/8/8/8/K1k5 b - - 12 34"),
        ('8/8/8/8/8/8/8/K1k5 b - - id "; fmvn 9;"; hmvc\t12 ;', "8/8/8/8/8/8/8/K1k5 b - - 12 1"),
        ('8/8/8/8/8/8/8/K1k5 b - - id "a\\"; hmvc 5;"; hmvc 7;', "8/8/8/8/8/8/8/K1k5 b - - 5 1"),  # No escapes.
        ("8/8/8/8/8/8/8/K1k5 b - -;hmvc ; fmvn 0; c0 hmvc 3", "8/8/8/8/8/8/8/K1k5 b - - 0 1"),
        ("8/8/8/8/8/8/8/K1k5 b - - 1 2 ;hmvc 12", "8/8/8/8/8/8/8/K1k5 b - - 12 2"),
        ("8/8/8/8/8/8/8/K1k5 b;", "8/8/8/8/8/8/8/K1k5 b - - 0 1"),
        ("1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1", "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1"),
        ("4k3/8/8/8/8/8/8/1RR1K3 w C - 0 1", "4k3/8/8/8/8/8/8/1RR1K3 w C - 0 1"),
        ("8/8/8/8/8/8/8/11111111 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1"),
    ],
)
def test_what_people_write(written: str, meant: str) -> None:
    assert parse_fen(written) == parse_fen(meant)


def test_castling_rights_are_rook_squares_and_x_fen_names_an_inner_rook_by_its_file() -> None:
    assert parse_fen(STARTPOS).castling == {parse_square(name) for name in ("a1", "h1", "a8", "h8")}
    assert parse_fen("1r2k1r1/8/8/8/8/8/8/R3KR1R w Fb - 0 1").castling == {parse_square("f1"), parse_square("b8")}
    assert format_fen(parse_fen("4k3/8/8/8/8/8/8/4KR1R w F - 0 1")).split()[2] == "F"
    assert format_fen(parse_fen("4k3/8/8/8/8/8/8/4KR1R w H - 0 1")).split()[2] == "K"


def test_epd_operations() -> None:
    setup, operations = parse_epd("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 ;D1 26 ;D2 568")
    assert operations == ";D1 26 ;D2 568"
    assert setup == parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert parse_epd('8/8/8/8/8/8/8/K1k5 b - - bm Kb1; id "x";')[1] == 'bm Kb1; id "x"'
    assert parse_epd("8/8/8/8/8/8/8/K1k5 b - - 12 bm Kb1; ; ")[1] == "bm Kb1"


IMPOSSIBLE = (
    ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "- -"),
    ("r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", "kq -"),
    ("4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1", "Q -"),
    ("4k3/8/8/8/8/8/8/RR2K1RR w ABGH - 0 1", "KQ -"),
    ("4k3/8/8/8/8/8/8/1R2K1R1 w BGKQ - 0 1", "KQ -"),
    ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "K -"),
    ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "K -"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1", "KQkq -"),  # No pawn.
    ("4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1", "- -"),  # The other side's move.
    ("4k3/8/8/4P3/8/8/8/4K3 w - e6 0 1", "- -"),  # The wrong colour.
    ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "- -"),
    ("4k3/4n3/8/4p3/8/8/8/4K3 w - e6 0 1", "- -"),
    ("4k3/8/8/4p3/8/8/8/4K3 w - a1 0 1", "- -"),
    ("4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1", "- e6"),  # Possible, though no pawn can capture.
)


@pytest.mark.parametrize(("fen", "kept"), IMPOSSIBLE)
def test_impossible_rights_are_dropped(fen: str, kept: str) -> None:
    assert Setup(fen).check().fen.split()[2:4] == kept.split()


def without_impossible_rights(fen: str) -> chess.Board:
    """A FEN as python-chess reads it, and then cleans it."""
    board = chess.Board(fen, chess960=True)
    board.castling_rights = board.clean_castling_rights()
    if board.status() & chess.STATUS_INVALID_EP_SQUARE:
        board.ep_square = None
    return board


@given(fens_with_any_rights())
def test_rights_are_dropped_as_python_chess_cleans_them(fen: str) -> None:
    board, setup = without_impossible_rights(fen), parse_fen(fen)
    assert format_fen(setup, shredder=True) == board.fen(shredder=True, en_passant="fen")
    assert (setup.broken_rules() == ()) == (board.status() & ~UNREACHABLE == chess.STATUS_VALID)


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("", "it is empty"),
        ("hello", "the board has 1 rank, not 8"),
        ("8/8/8/8/8/8/8/8/8 w - - 0 1", "the board has 9 ranks, not 8"),
        ("8/8/8/8/8/8/8/7 w - - 0 1", "rank 1 ('7') has 7 squares, not 8"),
        ("8/8/8/8/8/8/8/ppppppppp w - - 0 1", "rank 1 ('ppppppppp') has 9 squares, not 8"),
        ("8/8/8/8/4x3/8/8/8 w - - 0 1", "'x' on rank 4 is neither a piece"),
        ("8/8/8/8/9/8/8/8 w - - 0 1", "'9' on rank 4 is neither a piece"),
        ("8/8/8/8/8/8/8/8 x - - 0 1", "the side to move is 'x', not w or b"),
        ("8/8/8/8/8/8/8/8 W - - 0 1", "the side to move is 'W', not w or b"),
        ("4k2r/8/8/8/8/8/8/4K2R w KX - 0 1", "'X' in the castling field 'KX' is not one of KQkq"),
        ("4k2r/8/8/8/8/8/8/4K2R w K- - 0 1", "'-' in the castling field"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "the en passant field is 'e9', neither a square nor -"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "the halfmove clock is '-1', not a number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1.5", "the fullmove number is '1.5', not a number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 99999 1", "the halfmove clock is '99999', not a number from 0 to 9999"),
        ("4k3/8/8/8/8/8/8/4K3 w - - " + "9" * 5000, "not a number from 0 to 9999"),
        ("4k3/8/8/8/8/8/8/4K3 w - - bm Kd1; hmvc 1.5", "the halfmove clock is '1.5', not a number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - fmvn 12 34;", "the fullmove number is '12 34', not a number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - ٣ 1", "the halfmove clock is '٣', not a number"),
    ],
)  # fmt: skip
def test_errors_name_the_field(fen: str, reason: str) -> None:
    with pytest.raises(FenError) as raised:
        parse_fen(fen)
    assert reason in raised.value.reason
    assert reason in str(raised.value)
    assert raised.value.fen == fen


@pytest.mark.parametrize("turn", [WHITE, BLACK])
def test_no_king_still_writes_castling(turn: int) -> None:
    setup = Setup((0,) * 64, turn, frozenset({7}))
    assert format_fen(setup) == f"8/8/8/8/8/8/8/8 {'wb'[turn]} H - 0 1"
