"""Openings: good and bad files, and random ones."""

import gzip
import io
import itertools
import zipfile
from collections import deque
from collections.abc import Callable
from pathlib import Path

import chess
import pytest

from ox88.apps.match.openings import Opening, OpeningFile, RandomOpenings
from ox88.errors import Ox88Error
from tests.batch.pgn.test_files import PACKINGS

ITALIAN = '[Event "a"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) 2... Nc6 3. Bc4 *\n\n'
RUY = '[Event "b"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 {[Event "c"] a comment} *\n\n'
ENDGAME = '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 Ke7 *\n\n'
ITALIAN_MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def book(tmp_path: Path, content: str | bytes, name: str = "book.pgn", chess960: bool = False) -> OpeningFile:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return OpeningFile(path, 0, chess960)


def zipped(**files: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return buffer.getvalue()


def test_games(tmp_path: Path) -> None:
    """Main lines in an order that the seed fixes, each once before any is repeated."""
    openings = book(tmp_path, ITALIAN + RUY + ENDGAME)
    found = [openings.opening(number) for number in range(6)]
    assert found[:3] == found[3:]
    assert {(o.fen, o.moves) for o in found} == {
        ("", ITALIAN_MOVES),
        ("", (*ITALIAN_MOVES[:4], "f1b5")),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ("e2e4", "e8e7")),
    }
    board = next(o for o in found if o.fen).board()
    assert (board.fen(), len(board.move_stack)) == ("8/4k3/8/8/4P3/8/8/4K3 w - - 1 2", 2)


def test_positions(tmp_path: Path) -> None:
    """FEN and EPD; comments and empty lines are skipped."""
    lines = [f'{chess.STARTING_FEN[:-4]} bm e4; id "x";', "# 4k3/8", "", KIWIPETE, "4k3/8/8/8/8/8/4P3/4K3 b - - 7 30"]
    openings = book(tmp_path, "\r\n".join(lines), "some.epd")
    assert {openings.opening(number).board().fen() for number in range(3)} == {
        chess.STARTING_FEN,
        KIWIPETE,
        "4k3/8/8/8/8/8/4P3/4K3 b - - 7 30",
    }


@pytest.mark.parametrize("pack", [*PACKINGS.values(), lambda data: data.decode().encode("utf-16")])
@pytest.mark.parametrize("text", [ITALIAN + RUY, f"{KIWIPETE}\n{chess.STARTING_FEN}\n"])
def test_a_packed_file_is_read_by_its_content_and_has_the_same_identity(
    tmp_path: Path, pack: Callable[[bytes], bytes], text: str
) -> None:
    packed, plain = book(tmp_path, pack(text.encode()), "book.bin"), book(tmp_path, text)
    assert [packed.opening(number) for number in range(2)] == [plain.opening(number) for number in range(2)]
    assert packed.identity == plain.identity


def test_zip(tmp_path: Path) -> None:
    content = zipped(README_md="# Openings", games_pgn=ITALIAN, more_pgn=RUY, read_txt="x", a_epd=KIWIPETE)
    openings = book(tmp_path, content, "book.zip")
    assert {openings.opening(number).moves[4] for number in range(4)} == {"f1c4", "f1b5"}
    for names in ({"README_txt": "x", "a_epd": KIWIPETE}, {"README_txt": "x", "a_fen": KIWIPETE}):
        assert book(tmp_path, zipped(**names), "book.zip").opening(0).fen == KIWIPETE


def test_foreign_files(tmp_path: Path) -> None:
    for mark, end in itertools.product((b"\xef\xbb\xbf", b""), ("\r\n", "\r", "\n")):
        content = mark + ITALIAN.replace("\n", end).encode().replace(b'"a"', b'"\xe9\xff"')
        assert book(tmp_path, content).opening(0).moves == ITALIAN_MOVES


def test_the_seed_fixes_the_order(tmp_path: Path) -> None:
    path = tmp_path / "book.epd"
    path.write_text("\n".join(f"4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}" for number in range(1, 40)))

    def order(seed: int) -> list[Opening]:
        openings = OpeningFile(path, seed)
        return [openings.opening(number) for number in range(39)]

    assert order(1) == order(1) != order(2)
    assert set(order(1)) == set(order(2))


def test_identity_tells_openings_apart(tmp_path: Path) -> None:
    path = tmp_path / "book.pgn"
    path.write_text(ITALIAN)
    other = tmp_path / "other.pgn"
    other.write_text(ITALIAN)
    identities = {
        OpeningFile(path, 0).identity,
        OpeningFile(path, 1).identity,
        OpeningFile(path, 0, chess960=True).identity,
    }
    assert len(identities) == 3
    assert OpeningFile(other, 0).identity in identities
    other.write_text(RUY)
    assert OpeningFile(other, 0).identity not in identities


def test_chess960_from_games_and_positions(tmp_path: Path) -> None:
    fen = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"
    game = f'[FEN "{fen}"]\n[Variant "Chess960"]\n\n1. g3 g6 2. O-O *\n'
    played = book(tmp_path, game).opening(0)
    assert played.chess960
    assert played.moves == ("g2g3", "g7g6", "f1g1")
    assert book(tmp_path, fen, "x.epd").opening(0).board().fen(shredder=True) == fen
    usual = book(tmp_path, ITALIAN[:-3] + "Nf6 4. O-O *", chess960=True).opening(0)
    assert usual.moves[-1] == "e1h1"
    assert usual.board().piece_at(chess.G1) == chess.Piece.from_symbol("K")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no opening: expected games (PGN) or positions (EPD, FEN)"),
        ("\n\n# nothing\n", "holds no opening"),
        ("hello\n", "line 1 is not an opening"),
        ("4k3/8/8/8/8/8/8/4K2Q b - - 0 1\n4k3/8/8/8/8/8/8/4K3 q - - 0 1", "is not an opening: "),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "is not an opening: "),
        ("4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", "is not an opening: "),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "the game is over there"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "the game is over there"),
        ('[Event "x"]\n\n1. e4 e4 *', "game 1 is not an opening: illegal san: 'e4'"),
        ('[Event "x"]\n\n1. e4 -- 2. e5 *', "an opening cannot have a null move"),
        ('[Event "x"]\n\n1. f3 e5 2. g4 Qh4# 0-1', "the game is over there"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*', "is not an opening: "),
        ('[FEN "nonsense"]\n\n*', "is not an opening: "),
        ('[Variant "Atomic"]\n\n1. e4 *', "it is a game of atomic, not of chess"),
        (zipped(a_md="x", b_md="y"), "holds 2 files, none of them a .pgn or .epd or .fen or .txt"),
        (zipped(a_pgn=ITALIAN)[:-30] + b"x" * 8, "cannot be unpacked: File is not a zip file"),
        (zipped(a_pgn=ITALIAN * 50).replace(b"\x00\x00a.pgn", b"\x00\x00b.pgn", 1), "cannot be unpacked: "),
        (gzip.compress(ITALIAN.encode() * 50, mtime=0)[:-9], "are incomplete or damaged: "),
    ],
)
def test_bad_files(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(Ox88Error, match="cannot be opened: "):
        OpeningFile(tmp_path, 0)
    with pytest.raises(Ox88Error) as error:
        book(tmp_path, content)
    assert message in str(error.value)
    assert str(tmp_path / "book.pgn") in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_a_large_book_is_not_read_through(tmp_path: Path) -> None:
    """A wrong opening in a large book is reported when its turn comes."""
    good = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"] * 1000
    path = tmp_path / "large.epd"
    path.write_text("\n".join([*good, "wrong"]))
    openings = OpeningFile(path, 3)
    with pytest.raises(Ox88Error, match="line 1001 is not an opening"):
        deque(map(openings.opening, range(1001)), maxlen=0)


@pytest.mark.parametrize("chess960", [False, True])
def test_random_openings(chess960: bool) -> None:
    openings = RandomOpenings(7, chess960=chess960)
    found = [openings.opening(number) for number in range(60)]
    assert found == [RandomOpenings(7, chess960=chess960).opening(number) for number in range(60)]
    assert len(set(found)) == 60
    assert openings.opening(0) != RandomOpenings(8, chess960=chess960).opening(0)
    for opening in found:
        board = opening.board()
        assert board.is_valid()
        assert len(board.move_stack) == 8
        assert not board.is_game_over()
        assert (board.root().fen() != chess.STARTING_FEN) == chess960
    assert RandomOpenings(3, plies=0).opening(3) == Opening()
