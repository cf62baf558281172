"""FENs in bulk, compared with the reader and the writer of single FENs."""

import codecs
import functools
import pickle
import re
from itertools import pairwise
from pathlib import Path
from typing import get_args

import chess
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ox88
from ox88.batch.positions import fens as bulk
from ox88.errors import IllegalPositionError
from ox88.fen import EnPassant
from tests.batch.samples import boards, positions
from tests.positions import EN_PASSANT_FENS, FENS, fens_with_any_rights, mutated_fens

KINGS = "4k3/8/8/8/8/8/8/4K3"
# What stands behind the two kings, between bars.
TAILS = (
    "| b| w - -| w - - | w - - 7| w - - 7 0| w - - - 9| w - - 9999 9999| w - - 7 12 more after it| w - - 7 bm Kd2;"
    '| w - - bm Kd2; id "one";| w - - 7; id "one";| w - - ; id "one";| w - -;id "one";| w - - 7 8; ;\t| w - e6;| w -;'
    "| w -; -| w;|;| w - ; id|\xa0w\xa0-\xa0-\xa07\xa08\xa0|\tw\t-\x1c-\v7\f8\r| w - - 7 8\x80| w - - ? 8| w - - 12345"
    "| w - - 7 12345| w - -- 7| w - - -7| wb - - 7| w -- - 7| w - e66 7| w - - 10000 1| w - - +1 1| w - - ²| w - - é"
    "| w - a1 0 1| w - a9 0 1| w - e6 0 1| W - - 0 1| w K - 0 1|R w K - 0 1|1 w - - 0 1|/ w - - 0 1"
)
ODD = (
    *(KINGS + tail for tail in TAILS.split("|")),
    "startpos",
    "\x1cstartpos\x1c",
    "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w KQkq -   0 1 ",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\tw KQkq - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w H",
    "4k3/8/8/4p3/8/8/8/4K3 w - e6 0 1",
    "4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w KK - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w AHQ - 0 1",
    "4k3/8/8/8/8/8/8/RR2K2R w KB - 0 1",
    "4k3/8/8/8/8/8/8/RR2K2R w AB - 0 1",
    "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1",
    "4k3/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/44/4K3 w - - 0 1",
    "4k3/9/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8//8/8/8/8/8/4K3 w - - 0 1",
    "4k3//88/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/7/14K3 w - - 0 1",
    "/4k3/8/8/8/8/8/84K3 w - - 0 1",
    "4k3/8/8/8/8/8/84K3/ w - - 0 1",
    "4k3/8/8/8/7//1/8/4K3 w - - 0 1",
    "p" * 86 + " w - - 0 1",
    "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "QQQQk3/QQQQQQQQ/QQQQQ3/8/8/8/8/4K3 b - - 0 1",
    *("", " ", "?"),
)


def read_one(fen: str) -> ox88.Setup | str:
    """The setup that the reader of single FENs returns, or its error."""
    try:
        return ox88.parse_fen(fen).check()
    except ox88.FenError as error:
        return error.reason
    except IllegalPositionError as error:
        return str(error)


def read_many(fens: list[str], threads: int | None = None) -> list[ox88.Setup | str]:
    errors: list[ox88.RowError] = []
    read = ox88.Positions.from_fens(fens, errors=errors.append, threads=threads)
    found: list[ox88.Setup | str] = list(read)
    one_by_one = ox88.Positions(list(read)).records
    for name in one_by_one.dtype.names or ():  # Keys too, which no Setup has.
        assert read.records[name].tolist() == one_by_one[name].tolist()
    for error in errors:
        assert error.reason.startswith("FEN ")
        found.insert(error.row, error.reason.split(": ", 1)[1])
    return found


def test_as_written_by_python_chess() -> None:
    for shredder in (False, True):
        fens = [board.fen(shredder=shredder, en_passant="fen") for board in boards()]
        text = "\n".join(fens)
        for form in (
            fens,
            tuple(fens),
            text,
            text.encode(),
            bytearray(text, "ascii"),
            text.replace("\n", "\r\n") + "\n",
        ):
            assert ox88.Positions.from_fens(form) == positions()
        assert positions().fens(shredder=shredder) == fens


@pytest.mark.parametrize("en_passant", get_args(EnPassant))
def test_en_passant_as_python_chess_writes_it(en_passant: EnPassant) -> None:
    some = (*boards(), *map(chess.Board, EN_PASSANT_FENS))
    tried = ox88.Positions.from_boards(some)
    for shredder in (False, True):
        fens = [board.fen(shredder=shredder, en_passant=en_passant) for board in some]
        assert tried.fens(shredder=shredder, en_passant=en_passant) == fens
        texts = tried.fen_texts(shredder=shredder, en_passant=en_passant)
        assert [text.tobytes().decode() for text in texts] == fens
        assert [texts.data[begin:end].tobytes().decode() for begin, end in pairwise(texts.offsets)] == fens
        assert [ox88.format_fen(setup, shredder, en_passant) for setup in tried] == fens
    assert tried[:0].fen_texts().offsets.tolist() == [0]
    if en_passant == "legal":
        assert tried.fens(en_passant="legal") == [board.fen() for board in some]


@pytest.mark.parametrize("castling", ["B", "G", "GB", "b", "g", "Qg", "Bk"])
def test_rights_of_inner_rooks_are_written_by_their_files(castling: str) -> None:
    fen = f"rr2k1rr/8/8/8/8/8/8/RR2K1RR w {castling} - 0 1"
    assert ox88.Positions.from_fens([fen]).fens() == [chess.Board(fen, chess960=True).fen()] == [fen]


def test_an_en_passant_that_there_is_not() -> None:
    for write in (positions()[:1].fens, positions()[:1].fen_texts, functools.partial(ox88.format_fen, positions()[0])):
        with pytest.raises(ox88.Ox88Error, match="en_passant is 'never': 'fen', 'xfen' or 'legal' is expected"):
            write(en_passant="never")  # type: ignore[arg-type]


def test_each_alone_and_as_an_epd() -> None:
    assert read_many(list(ODD)) == [read_one(fen) for fen in ODD]
    for fen in (*ODD, *FENS):
        assert read_many([fen]) == [read_one(fen)]
    epds = [f"{fen.rsplit(' ', 2)[0]} bm e4;" for fen in FENS]
    assert read_many(epds) == [read_one(fen) for fen in epds]


@settings(max_examples=50)
@given(st.lists(st.one_of(mutated_fens(), fens_with_any_rights(), st.sampled_from(ODD)), max_size=4))
@example(["4k3/8/8/8/8/8/8/4K3 w - - 0 1\n"])
@example(["\n", ""])
@example(["4k3/8/8/8/8/8/8/RR2K1RR w ABGH - 0 1"])  # Inner rights.
def test_whatever_a_list_holds(fens: list[str]) -> None:
    assert read_many(fens) == [read_one(fen) for fen in fens]


@given(st.lists(st.sampled_from(["hmvc", "fmvn", "hmvcs", "12", "7", "12345", "-", *' ;;"\\x\t\xa0é']), max_size=12))
@example(["\t", "12"])
@example(["12", " ", "\t", "7"])
@example(["hmvc", "\t", "12"])
@example(["hmvc", "\xa0", "12"])
@example(["\x1c", "12"])
@example(["hmvc", " ", "12"])
@example(["hmvc", " ", "12", " ", "7"])
@example(["fmvn", " ", "0"])
@example(['"', ";", "fmvn", " ", "7"])
def test_operations_of_epd(words: list[str]) -> None:
    fen = "4k3/8/8/8/8/8/8/4K3 w - - " + "".join(words)
    assert read_many([fen]) == [read_one(fen)]


@settings(max_examples=50)
@given(st.lists(st.one_of(mutated_fens(), st.sampled_from(FENS)), max_size=4), st.binary(max_size=30))
def test_whatever_a_text_holds(fens: list[str], noise: bytes) -> None:
    text = "\n".join(fens).encode(errors="replace") + noise
    errors: list[ox88.RowError] = []
    found = ox88.Positions.from_fens(text, errors=errors.append)
    assert found == ox88.Positions.from_fens(text, errors="skip")
    lines = text.split(b"\n")
    assert len(found) + len(errors) == len(lines) - (lines[-1] == b"")
    assert ox88.Positions.from_fens(found.fens()) == found


@given(fens_with_any_rights())
@example("4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1")  # A pawn could capture, but none has passed.
def test_boards_with_impossible_rights(fen: str) -> None:
    try:
        read = [ox88.Setup(fen).check()]
    except IllegalPositionError as error:
        with pytest.raises(ox88.RowError, match=re.escape(f"row 0: {error}")):
            ox88.Positions.from_boards([chess.Board(fen, chess960=True)])
    else:
        found = ox88.Positions.from_boards([chess.Board(fen, chess960=True)])
        assert found == ox88.Positions(read)
        assert found.key.tolist() == ox88.Positions(read).key.tolist()


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The FENs that are read in Python, one by one."""
    read: list[str] = []

    def parse(fen: str) -> ox88.Setup:
        read.append(fen)
        return ox88.parse_fen(fen)

    monkeypatch.setattr(bulk, "parse_fen", parse)
    return read


@pytest.mark.parametrize(
    "form",
    [
        "{}",
        "{} ",
        " {}\t",
        "{} - 4",
        "{} 4",
        "{} ; id 1;",
        '{}; id "1";',
        "{} bm Kb1; id 1;",
        "{} 7 9",
        "{} 4;",
        "\t{}\t7 9",
    ],
)
def test_what_python_chess_reads_is_read_by_the_kernel(form: str, parsed: list[str]) -> None:
    some = [" ".join(fen.split()[:4]) for fen in (*FENS, *EN_PASSANT_FENS, "4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1")]
    lines = [form.format(fen) for fen in some]
    assert ox88.Positions.from_fens(lines) == ox88.Positions.from_fens("\n".join(lines))
    assert ox88.Positions.from_fens(lines).records["board"].tolist() == ox88.Positions.from_fens(some).board.tolist()
    assert parsed == []


def test_only_errors_that_are_shown_are_explained(parsed: list[str]) -> None:
    wrong, errors = [f"{number} wrong" for number in range(9)], list[ox88.RowError]()
    assert len(ox88.Positions.from_fens(wrong, errors="skip")) == 0
    assert len(ox88.Positions.from_fens(wrong, errors=errors.append)) == 0
    assert ([error.row for error in errors], parsed) == ([*range(9)], [])
    assert str(errors[7]) == "row 7: FEN '7 wrong': the board has 1 rank, not 8"
    assert str(errors[7]) == f"row 7: {errors[7].reason}"
    assert parsed == ["7 wrong"]
    assert str(pickle.loads(pickle.dumps(errors[8]))) == str(errors[8])  # noqa: S301


@pytest.mark.parametrize("fen", ["startpos", "4k3/8/8/8/8/8/8/4K3\xa0b"])
def test_what_the_kernel_does_not_know_is_read_once(fen: str, parsed: list[str]) -> None:
    bulk._position_of.cache_clear()
    assert len(ox88.Positions.from_fens([fen] * 9)) == 9
    assert parsed == [fen]


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "positions.fen"
    path.write_bytes("".join(f"{fen}\r\n" for fen in positions().fens()).encode())
    assert ox88.Positions.from_fens(path) == positions()
    with pytest.raises(ox88.Ox88Error, match=r"positions\.fen' is no FEN; for the name of a file, pathlib\.Path"):
        ox88.Positions.from_fens(str(path))
    with pytest.raises(ox88.MissingFileError, match="none cannot be opened: No such file or directory"):
        ox88.Positions.from_fens(tmp_path / "none")
    path.write_text("\n".join(FENS), encoding="utf-8-sig")  # With a byte order mark.
    for marked in (path, path.read_bytes(), path.read_text(encoding="utf-8")):
        assert ox88.Positions.from_fens(marked) == ox88.Positions.from_fens(FENS)
    for nothing in (b"", codecs.BOM_UTF8):
        path.write_bytes(nothing)
        assert ox88.Positions.from_fens(path) == ox88.Positions.from_fens(nothing) == ox88.Positions()


def test_the_first_bad_row_is_named() -> None:
    fens = [*FENS, "8/8/8/8/8/8/8/K7 w - - 0 1", "nonsense"]
    with pytest.raises(ox88.RowError, match="row 7: FEN '8/8/8/8/8/8/8/K7 w - - 0 1': illegal position: Black has no"):
        ox88.Positions.from_fens(fens)
    with pytest.raises(ox88.RowError, match="row 0: FEN 'nonsense': the board has 1 rank, not 8"):
        ox88.Positions.from_fens(b"nonsense\n")
    assert ox88.Positions.from_fens(fens, errors="skip") == ox88.Positions.from_fens(FENS)


def test_what_is_no_fens_at_all() -> None:
    for wrong in (None, 5, [FENS[0], None], [b"startpos"], [FENS]):
        with pytest.raises(TypeError, match="FENs as"):
            ox88.Positions.from_fens(wrong)  # type: ignore[arg-type]
    with pytest.raises(ox88.Ox88Error, match="errors is 'ignore'"):
        ox88.Positions.from_fens([], errors="ignore")  # type: ignore[arg-type]


def test_clocks_beyond_what_fens_read() -> None:
    setup = ox88.parse_fen(ox88.STARTPOS)
    late = ox88.Setup(setup.board, castling=setup.castling, halfmove_clock=65535, fullmove_number=12345)
    assert ox88.Positions([late]).fens() == [ox88.format_fen(late)]
