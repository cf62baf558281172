"""Games as a container: selection, positions, tags as columns, wrong arguments."""

import functools
import io
import operator
import pickle
from itertools import chain
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ox88
from ox88.batch.pgn.reading import read_parts
from tests.batch.pgn import naive, samples
from tests.batch.pgn.test_files import same

TAGS = ["White", "Result", "FEN", "ECO"]


@functools.cache
def text() -> bytes:
    return samples.random_games(range(12)) + b"".join(samples.GAMES) + b"1. e4 Ke4\n\n[White]\n\n1. d4 (\n"


@functools.cache
def games() -> ox88.Games:
    return ox88.read_pgn(io.BytesIO(text()), headers=TAGS)


COUNT = 19
SELECTIONS: list[Any] = [
    *(slice(None), slice(3, 9), slice(None, None, -1), slice(5, 5), [4], [], [3, 3, -1, 0]),
    *(np.array([7, 2], np.uint8), np.arange(COUNT) % 3 == 1, np.zeros(COUNT, np.bool_)),
]


def test_shapes_and_dtypes() -> None:
    types = {"moves": "uint16", "offsets": "int64", "numbers": "int64", "clocks": "float32", "results": "float32"}
    assert {name: getattr(games(), name).dtype.name for name in types} == types
    assert (len(games()), games().offsets.shape) == (COUNT, (COUNT + 1,))
    assert len(games().moves) == len(games().clocks) == len(games().evals) == games().offsets[-1]
    assert np.array_equal(games().lengths, np.diff(games().offsets))
    assert repr(games()) == f"<Games: 19, {len(games().moves)} moves>"


@pytest.mark.parametrize("rows", SELECTIONS, ids=str)
def test_selections(rows: Any) -> None:
    chosen, numbers = games()[rows], np.arange(COUNT)[rows]
    assert naive.moves_of(chosen) == [naive.moves_of(games())[number] for number in numbers]
    assert np.array_equal(chosen.numbers, numbers)
    assert np.array_equal(chosen.results, games().results[numbers], equal_nan=True)
    assert [error.number for error in chosen.errors] == [number for number in numbers if number in (17, 18)]
    for name in TAGS:
        assert np.array_equal(chosen.headers[name], games().headers[name][numbers])
    clocks = [games().clocks[games().offsets[number] : games().offsets[number + 1]] for number in numbers]
    assert np.array_equal(chosen.clocks, np.concatenate([np.zeros(0), *clocks]), equal_nan=True)


def test_single_games_and_sums() -> None:
    assert [len(game) for game in games()] == [1] * COUNT
    assert naive.moves_of(games()[-2]) == [[1804]]
    assert naive.moves_of(games()[np.int64(17)]) == [[1804]]
    assert same(games()[:7] + games()[7:], games())
    assert same(games()[:0] + games(), games())
    assert same(sum([games()[:7], games()[7:9], games()[9:]]), games())  # type: ignore[arg-type]  # It may be 0.
    assert same(ox88.Games.concatenate(iter([games()[:7], games()[7:]])), games())
    assert same(games().take([3, -1]), games()[[3, -1]])
    with pytest.raises(ox88.Ox88Error, match=r"no parts to join: one ox88\.Games or more are expected"):
        ox88.Games.concatenate([])
    with pytest.raises(TypeError, match=r"part 1 is of type Positions: ox88\.Games are expected"):
        ox88.Games.concatenate([games(), games().positions()])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        operator.add(games(), 1)


def test_what_is_refused() -> None:
    refused: list[Any] = [COUNT, -COUNT - 1, [0, COUNT], np.ones(COUNT + 1, np.bool_)]
    for rows in refused:
        with pytest.raises(IndexError):
            games()[rows]
    refused = [1.0, "White", [0.5], None]
    for rows in refused:
        with pytest.raises(TypeError, match="whole numbers"):
            games()[rows]
    for array in (games().moves, games().offsets, games().numbers):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize("threads", [1, 2])
def test_positions(threads: int) -> None:
    fens = [[board.fen(shredder=True, en_passant="fen") for board in twin.positions] for twin in naive.read_pgn(text())]

    def found(*rows: Any, **options: Any) -> list[str]:
        return _fens(games().positions(*rows, threads=threads, **options))

    assert found() == list(chain(*fens))
    assert found(final=False) == list(chain(*(some[:-1] for some in fens)))
    assert found(3) == fens[3]
    assert found([5, 3]) == fens[5] + fens[3]
    assert found(ply=-1) == [some[-1] for some in fens]
    assert found(ply=0) == [some[0] for some in fens]
    assert found(12, 3) == [fens[12][3]]
    assert found(12, [0, -1]) == [fens[12][0], fens[12][-1]]
    # Rows that continue from the row before them, and rows that do not.
    random = np.random.default_rng(1)
    game = np.concatenate([random.integers(0, COUNT, 200), np.repeat(np.arange(COUNT), 3)])
    ply = random.integers(0, games().lengths[game] + 1)
    ply[200:] = np.sort(ply[200:].reshape(-1, 3), axis=1).ravel()
    assert found(game, ply) == [fens[number][count] for number, count in zip(game, ply, strict=True)]
    assert len(games()[:0].positions()) == 0


@pytest.mark.parametrize("final", [False, True])
def test_moves_before_positions(final: bool) -> None:
    last_two = [
        [*reversed([0, 0, *moves.tolist()][ply : ply + 2])]
        for moves in (each.moves for each in games())
        for ply in range(len(moves) + final)
    ]
    found = games().moves_before(final=final)
    assert (str(found.dtype), found.tolist()) == ("uint16", last_two)
    assert len(found) == len(games().positions(final=final))
    assert games()[:0].moves_before().shape == (0, 2)


@pytest.mark.parametrize("final", [True, False])
@pytest.mark.parametrize("chosen", [None, *SELECTIONS], ids=str)
def test_positions_know_their_game_and_ply(chosen: Any, final: bool) -> None:
    all_of_them = games().positions(chosen, final=final)
    rows = range(COUNT) if chosen is None else np.arange(COUNT)[chosen].tolist()
    pairs = [(row, ply) for row in rows for ply in range(games().lengths[row] + final)]
    assert [*zip(all_of_them.game.tolist(), all_of_them.ply.tolist(), strict=True)] == pairs
    for row, pair in [*enumerate(pairs)][::17]:
        assert games().positions(*pair)[0] == all_of_them[row]
    some = all_of_them[::3][1:].copy().take(np.arange(len(pairs[::3][1:]))[::-1])
    assert [*zip(some.game.tolist(), some.ply.tolist(), strict=True)] == pairs[::3][1:][::-1]


def test_origins_of_positions_that_are_chosen_replaced_and_joined() -> None:
    ends = games().positions([4, 2, 2], [-1, 0, 3])
    assert (ends.game.tolist(), ends.ply.tolist()) == ([4, 2, 2], [games().lengths[4], 0, 3])
    one = games().positions(5, 1)
    assert (one.game.tolist(), one.ply.tolist()) == ([5], [1])
    ends[1:][0] = one[0]
    assert (ends.game.tolist(), ends.ply.tolist()) == ([4, -1, 2], [games().lengths[4], -1, 3])
    ends[::2][0] = one[0]  # A copy.
    assert ends.game.tolist() == [4, -1, 2]
    with pytest.raises(ValueError, match="read-only"):
        ends.game[0] = 1
    legal = one.legal_moves()
    for other in (ends + one, one.push(legal.moves[:1]), ox88.Positions(one), pickle.loads(pickle.dumps(one))):  # noqa: S301
        for name in ("game", "ply"):
            with pytest.raises(ox88.Ox88Error, match=r"have no game and no ply: only those of Games\.positions have"):
                getattr(other, name)


def _fens(positions: ox88.Positions) -> list[str]:
    return positions.fens(shredder=True)


def test_parts_from_a_game_on() -> None:
    """Games before the first one are only counted."""
    for first in (0, 1, 7, COUNT - 1, COUNT):
        parts = list(read_parts(io.BytesIO(text()), lambda part: part, first=first, headers=TAGS))
        assert [number for part in parts for number in part.numbers] == list(range(first, COUNT))
        assert all(map(len, parts))
        assert all(same(part, games()[part.numbers]) for part in parts)


@pytest.mark.parametrize("threads", [1, 2])
def test_positions_that_the_reader_packs(threads: int) -> None:
    parts = list(read_parts(io.BytesIO(text() * 40), lambda part: part, headers=TAGS, packed=True, threads=threads))
    for games in [*parts, *(part[::-2] for part in parts), parts[0] + parts[-1]]:
        assert games.packed is not None
        assert not games.packed.flags.writeable
        assert np.array_equal(games.packed, games.positions(final=False).pack())
    unpacked = ox88.read_pgn(io.BytesIO(b"1. e4"), headers=TAGS)
    assert unpacked.packed is None
    assert (parts[0] + unpacked).packed is None


@pytest.mark.parametrize(
    ("game", "ply", "error"),
    [
        *((game, ply, IndexError) for game, ply in ((0, 1000), (0, -1000), (COUNT, 0), ([0, 1], [0, 0, 0]))),
        *((0, ply, TypeError) for ply in (1.0, "1", [True], [[1]])),
    ],
)
def test_positions_that_are_refused(game: Any, ply: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="whole number" if error is TypeError else None):
        games().positions(game, ply)


def test_headers() -> None:
    headers = games().headers
    assert list(headers) == TAGS
    assert len(headers) == 4
    assert headers["White"].dtype == np.object_
    assert headers["ECO"].tolist() == [""] * COUNT
    is_there = [True] * 12 + [False, True, True] + [False] * 4
    assert headers.has("White").tolist() == is_there
    headers.has("White")[:] = False  # The mask is the caller's own.
    assert headers.has("White").tolist() == is_there
    assert "Black" not in headers
    with pytest.raises(KeyError, match=r"'Black' was not read with the games, only White, Result, FEN, ECO"):
        headers["Black"]
    with pytest.raises(KeyError):
        headers.has("Black")
    assert list(ox88.read_pgn(io.BytesIO(text()), headers=[]).headers) == []
    assert list(ox88.read_pgn(io.BytesIO(b"")).headers)[:2] == ["Event", "Site"]
    assert ox88.read_pgn(io.BytesIO(b'[A ""]\n*'), headers=["A"]).headers.has("A").tolist() == [True]
    assert ox88.read_pgn(io.BytesIO(b'[A "x"]\n[A "y"]\n*'), headers=["A"]).headers["A"].tolist() == ["y"]
    refused: list[Any] = ["White", b"White", [1], 3]
    for names in refused:
        with pytest.raises(TypeError):
            ox88.read_pgn(io.BytesIO(text()), headers=names)


NUMBERS = ["2400", " 1500? ", "1500??", "0012", "999999999", "1000000000", "1500?!", "\uff12\uff14", "\u0661\u0665"]


@given(
    st.just(NUMBERS)
    | st.lists(st.text(st.sampled_from("0123456789? \t-+x²\u0661"), max_size=12), min_size=1, max_size=8)
)
def test_headers_as_numbers_as_python_has_them(texts: list[str]) -> None:
    def number(text: str) -> int:
        digits = text.strip().rstrip("?")
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 9 else 0

    pgn = "".join(f'[WhiteElo "{text}"]\n\n1. e4 *\n\n' for text in texts)
    headers = ox88.read_pgn(io.BytesIO(pgn.encode()), headers=["WhiteElo"]).headers
    assert headers.numbers("WhiteElo").tolist() == [number(text) for text in texts]
    assert headers.numbers("WhiteElo").dtype == np.int64
    with pytest.raises(KeyError, match="'Elo' was not read"):
        headers.numbers("Elo")


def test_headers_to_arrow() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = games().headers.to_arrow()
    assert isinstance(table, pyarrow.Table)
    for name in TAGS:
        present = games().headers.has(name)
        expected = [text if there else None for text, there in zip(games().headers[name], present, strict=True)]
        assert table[name].to_pylist() == expected
    latin = ox88.read_pgn(io.BytesIO(b'[White "M\xfcller"]\n\n*\n\n[Black "b"]\n\n*\n')).headers.to_arrow()
    assert latin["White"].to_pylist() == ["Müller", None]
    assert ox88.read_pgn(io.BytesIO(b"")).headers.to_arrow().num_rows == 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        *(({"chunk": number}, "at least 1 is expected") for number in (0, -1)),
        *(({"threads": number}, "are expected") for number in (0, -1)),
        *(({"chunk": number}, "whole number") for number in (1.5, "1", True)),
    ],
)
def test_numbers_that_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises((TypeError, ox88.Ox88Error), match=reason):
        ox88.iter_pgn(b"", **options)


def test_games_of_other_variants_lose_only_themselves() -> None:
    names = ["Standard", "chess960", "FROM POSITION", "Fischerandom", "wild/8a", ""]
    text = "".join(f'[Variant "{name}"]\n\n1. e4 *\n\n' for name in [*names, "Atomic", "King of the Hill"])
    found = ox88.read_pgn(io.StringIO(text))
    assert found.lengths.tolist() == [1] * len(names) + [0, 0]
    assert [error.line for error in found.errors] == [25, 29]
