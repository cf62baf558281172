"""Games as PGN, for the campaign fuzz. What is read is what python-chess reads."""

import bz2
import gzip
import io
import re
import zipfile
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, Final

import chess

import ox88
from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.parsing import parse_game
from ox88.apps.web.positions import list_games, open_game
from ox88.errors import Ox88Error
from tests.batch.pgn import layout, naive, samples
from tests.batch.pgn.test_as_python_chess import read
from tools.proof.campaign import FailureError, Tally
from tools.proof.fuzz.inputs import BYTES, ROOT, Kind, changed, same

_NAMES: Final = OpeningNames({})
# Spaces and digits that one of both takes for those of PGN; glyphs with more digits than python-chess can read.
_FOREIGN: Final = re.compile(r"(?![\x00-\x7f])[\s\d]|\$[0-9]{4000}")
_PGN_PIECES: Final = (
    *samples.BREAKERS, *samples.BREAKERS, *BYTES,
    b"( 1. d4 " * 300, b"{" * 3000, b"{ x }" * 500, b"$1 " * 500, b"1. " * 500, b'[A "b"]\n' * 300, b"\n" * 300,
    b"1. Nf3 Nf6 2. Ng1 Ng8 " * 60, b"; x\n" * 300, b"%\n" * 300, b"[%clk 99999999:99:99]", b"[%eval #99999999999]",
    b'[FEN "' + b"8/" * 3000 + b'"]\n', b'[SetUp "1"]\n', b'[Result "1-0"]\n', b'[Event "' + b"\\" * 999 + b'"]\n',
)  # fmt: skip


@cache
def _seeds() -> tuple[bytes, ...]:
    """Games and files, odd ones among them."""
    odd = [path.read_bytes()[:4000] for path in sorted((ROOT / "tests/data/pgn/odd").glob("*[!t]"))]
    real = gzip.decompress((ROOT / "examples/games.pgn.gz").read_bytes())
    famous = (ROOT / "tests/data/games/famous.pgn").read_bytes()
    written = [samples.random_games(range(seed, seed + 1)) for seed in range(30)]
    return (*odd, *samples.GAMES * 6, *_split(real)[:60], *_split(famous), *written)


def _split(text: bytes) -> list[bytes]:
    first, *others = text.split(b"\n[Event ")
    return [first, *(b"[Event " + other for other in others)]


def pgn(dice: Random) -> bytes:
    """The text of a file. It begins with a line feed, so that it is not taken for a packed one."""
    return b"\n" + changed(dice, _seeds(), _PGN_PIECES)


def pgn_file(dice: Random) -> bytes:
    """A file that may be packed or in another encoding, and damaged."""
    text = b"".join(dice.choices(_seeds(), k=dice.randint(1, 3)))
    packed = dice.choice(_PACKINGS)(text) if dice.randrange(_BOMBS) else _PACKINGS[0](text) + _bomb()
    return changed(dice, (packed,), BYTES, 1 << 20)


def _zipped(text: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(zipfile.ZipInfo("a.pgn"), text, zipfile.ZIP_DEFLATED)
        archive.writestr(zipfile.ZipInfo("b.txt"), b"")
    return file.getvalue()


@cache
def _bomb() -> bytes:
    """Twenty megabytes without an end of a game, in little."""
    return gzip.compress(b"1. e4 e5 " * 2_222_222, mtime=0)


_BOMBS: Final = 100  # One file in so many is a bomb.
_PACKINGS: Final[tuple[Callable[[bytes], bytes], ...]] = (
    *(lambda text: gzip.compress(text, mtime=0), bz2.compress, samples.zstd.compress, _zipped) * 6,
    *(lambda text, name=name: text.decode("latin-1").encode(name) for name in ("utf-16", "utf-8-sig", "utf-32")),
)


def check_pgn(text: bytes, tally: Tally) -> None:
    """The games, moves, tags, results, clocks, evaluations and errors are those of python-chess."""
    games = read(text)
    if not any(_FOREIGN.search(text.decode(encoding, errors="replace")) for encoding in ("utf-8", "latin-1")):
        try:
            naive.check_same(games, naive.read_pgn(layout.as_python_chess_reads_it(text)))
        except AssertionError as error:
            raise FailureError(f"not as python-chess reads it: {error}") from error
    again = ox88.read_pgn_text(games.to_pgn() or "", threads=1)
    same("written and read again", naive.moves_of(again), naive.moves_of(games))
    tally.counts["games"] += len(games)
    tally.counts["moves of games"] += len(games.moves)


def check_game_tree(text: bytes, tally: Tally) -> None:
    """Each move of the trees that the server and `ox88 analyse` make of a text can be played."""
    decoded = text.decode(errors="replace")
    try:
        list_games(decoded)
    except Ox88Error:
        tally.counts["texts without a list of games"] += 1
    try:
        nodes = open_game(decoded, _NAMES)["nodes"]
    except Ox88Error:
        tally.counts["games that cannot be opened"] += 1
    else:
        replay(nodes)
        tally.counts["positions of trees"] += len(nodes)
    board = parse_game(decoded).last_board()
    while board.move_stack:
        played = board.pop()
        same(f"{played} is legal in {board.fen()}", board.is_legal(played), True)


def replay(nodes: list[dict[str, Any]]) -> None:
    """Each move of a tree is legal after those that lead to it, and has the notation and the FEN of python-chess.

    The page draws boards by these alone, so they are played here from the first FEN only.
    """
    start = chess.Board(nodes[0]["fen"], chess960=True)
    start.chess960 = start.has_chess960_castling_rights()
    boards = [start]
    for node in nodes[1:]:
        board = boards[node["parent"]].copy(stack=False)
        played = chess.Move.from_uci(node["uci"])
        same(f"{played} is legal in {board.fen()}", bool(played) and board.is_legal(played), True)
        same("SAN", node["san"], board.san_and_push(played))
        same("FEN", node["fen"], board.fen())
        same("check", node.get("check", False), board.is_check())
        boards.append(board)


def check_pgn_file(data: bytes, tally: Tally) -> None:
    """A file that may be damaged is read up to there, or refused; in parts it has the same games."""
    try:
        games = ox88.read_pgn(data, threads=1)
    except Ox88Error:
        tally.counts["PGN files that were refused"] += 1
        return
    parts = list(ox88.iter_pgn(data, chunk=2, threads=1))
    same("read in parts", sum(map(len, parts)), len(games))
    same("moves in parts", sum(len(part.moves) for part in parts), len(games.moves))
    tally.counts["games of files"] += len(games)


KINDS: Final = (
    Kind("PGN", pgn, check_pgn, 100),
    Kind("PGN as a tree", pgn, check_game_tree, 35),
    Kind("PGN file", pgn_file, check_pgn_file, 30),
)
