"""Views show what the records hold and what python-chess computes."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.apps.show import micromax_views
from ox88.apps.show.expression import ALL_SQUARES, NAMES, Boards, evaluate, parse
from ox88.apps.show.picture import SCALE, SHADES, Cell, Grid, Picture
from ox88.apps.show.views import VIEWS, draw
from ox88.engines.base import EngineError
from ox88.engines.micromax import search as listing
from ox88.engines.micromax.machine import Machine
from ox88.engines.micromax.watching import Watch, new_machine
from ox88.engines.modern.network.file import Network, write_network
from ox88.errors import Ox88Error
from ox88.setup import Setup, parse_fen
from ox88.types import from_listing, parse_square, square_name, to_0x88, to_listing
from tests.engines.modern.network.naive import random_network, value
from tests.positions import FENS, boards

PIECE_VIEWS = {"attacks", "rays", "tries", "writes", "scores", "table"}
MICROMAX_VIEWS = {"micromax", "tries", "writes", "iterations", "order", "scores", "table"}
SQUARES = [square_name(square) for square in range(64)]


@pytest.fixture(autouse=True, scope="module")
def _network() -> Iterator[None]:
    """Ox88 comes with a network."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ox88.batch.learning.engine.shipped_network", random_network)
        yield


def setup_of(board: chess.Board) -> Setup:
    return parse_fen(board.fen(en_passant="fen", shredder=True))


def cells_of(grid: Grid) -> list[Cell]:
    """All cells, from the bottom row up, so a1 first."""
    return [cell for row in reversed(grid.rows) for cell in row]


def shades_of(grid: Grid) -> list[str]:
    return [cell.shade for cell in cells_of(grid)]


def squares_of(grid: Grid) -> list[str]:
    """The piece or text of each square, without the unused half of a 0x88 board."""
    return [cell.piece or cell.text for row in reversed(grid.rows) for cell in row[:8]]


def bits_of(grid: Grid) -> int:
    return sum(1 << square for square, text in enumerate(squares_of(grid)) if text == "1")


def grids_of(picture: Picture) -> list[Grid]:
    return [grid for band in picture.bands for grid in band]


def only_grid(picture: Picture) -> Grid:
    (grid,) = grids_of(picture)
    return grid


def pieces_of(board: chess.Board) -> list[str]:
    pieces = map(board.piece_at, chess.SQUARES)
    return [piece.symbol() if piece else "" for piece in pieces]


def lone_attacks(symbol: str, square: int) -> int:
    """What a piece attacks on an empty board."""
    board = chess.Board(None)
    board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    return board.attacks_mask(square)


@settings(max_examples=40)
@given(boards(), st.sampled_from(list(VIEWS)), st.sampled_from(SQUARES))
def test_every_view_of_every_position(board: chess.Board, view: str, square: str) -> None:
    piece = board.piece_at(parse_square(square))
    wants_piece = view in PIECE_VIEWS and (piece is None or (view in MICROMAX_VIEWS and piece.color != board.turn))
    if view in MICROMAX_VIEWS and not is_micromaxs(setup_of(board)):
        with pytest.raises(EngineError, match="cannot castle"):
            draw(setup_of(board), view)
        return
    picture = draw(setup_of(board), view, square if "square" in VIEWS[view].arguments and not wants_piece else None)
    assert picture.title
    assert picture.caption
    for grid in grids_of(picture):
        assert len({len(row) for row in grid.rows}) == 1
        assert set(shades_of(grid)) <= SHADES.keys()


def is_micromaxs(setup: Setup) -> bool:
    """True if all castling is from the e-file with a rook in the corner."""
    return all(
        rook in (0, 7, 56, 63) and setup.king_square(setup.board[rook] >> 3) in (4, 60) for rook in setup.castling
    )


@settings(max_examples=30)
@given(boards())
def test_the_board_and_the_0x88_board_have_the_pieces(board: chess.Board) -> None:
    """A slot beside a piece is its place in the list."""
    setup = setup_of(board)
    assert squares_of(only_grid(draw(setup, "board"))) == pieces_of(board)
    grid, men = grids_of(draw(setup, "0x88"))
    assert squares_of(grid) == pieces_of(board)
    slots = [cell for row in men.rows for cell in row]
    listed = {cell.foot: cell.piece for cell in slots if cell.piece}
    assert listed == {f"{to_0x88(square):02X}": piece.symbol() for square, piece in board.piece_map().items()}
    for row in grid.rows:
        for cell, beside in zip(row[:8], row[8:], strict=True):
            assert slots[int(beside.text, 16)].foot == cell.note if cell.piece else beside.text == ""


@pytest.mark.parametrize("square", SQUARES)
def test_differences_are_what_lone_pieces_attack(square: str) -> None:
    start = parse_square(square)
    attacks = {symbol: lone_attacks(symbol, start) for symbol in "KQRBNPp"}  # p: a black pawn.
    for target, cell in enumerate(cells_of(only_grid(draw(parse_fen("startpos"), "difference", square)))):
        difference = to_0x88(target) - to_0x88(start)
        assert int(cell.note) == difference + 128
        if target != start:
            assert set(cell.text) == {symbol for symbol, mask in attacks.items() if mask >> target & 1}
            assert difference % int(cell.foot or difference) == 0


@settings(max_examples=30)
@given(boards(), st.data())
def test_attacks_are_python_chesss(board: chess.Board, data: st.DataObject) -> None:
    square, piece = data.draw(st.sampled_from(sorted(board.piece_map().items())))
    rays, attacked = grids_of(draw(setup_of(board), "attacks", square_name(square)))
    names = {None: "attacked", piece.color: "guarded", not piece.color: "captured"}
    expected = {place: names[board.color_at(place)] for place in board.attacks(square)}
    assert {place: shade for place, shade in enumerate(shades_of(attacked)) if shade in names.values()} == expected
    assert mask_of(rays, "ray") == lone_attacks(piece.symbol(), square)
    (grid,), *_ = draw(setup_of(board), "rays", square_name(square)).bands
    assert mask_of(Grid(tuple(row[:8] for row in grid.rows)), "ray") == lone_attacks(piece.symbol(), square)
    assert {cell.shade for row in grid.rows for cell in row[8:]} <= {"off", "line_one"}


def mask_of(grid: Grid, shade: str) -> int:
    return sum(1 << place for place, found in enumerate(shades_of(grid)) if found == shade)


@settings(max_examples=40)
@given(boards(), st.sampled_from(SQUARES), st.sampled_from(SQUARES))
def test_every_name_is_python_chesss(board: chess.Board, square: str, other: str) -> None:
    values = Boards(setup_of(board))
    one, two = parse_square(square), parse_square(other)
    for name, expected in naive_bitboards(board, one, two).items():
        squares = (one, two)[: NAMES[name][0]]
        assert values.value(name, squares) == expected, name
    rotated = {"rotated90", "rotated45", "rotated315"}
    assert naive_bitboards(board, one, two).keys() | rotated == NAMES.keys()
    for name in rotated:
        assert values.value(name).bit_count() == values.value("occupied").bit_count()


def naive_bitboards(board: chess.Board, one: int, two: int) -> dict[str, int]:
    kinds = {f"{name}s": board.pieces_mask(kind, True) | board.pieces_mask(kind, False) for kind, name in KINDS.items()}
    return {
        **kinds,
        **{f"white_{name}s": board.pieces_mask(kind, True) for kind, name in KINDS.items()},
        **{f"black_{name}s": board.pieces_mask(kind, False) for kind, name in KINDS.items()},
        **{name: lone_attacks(symbol, one) for name, symbol in LEAPERS.items()},
        "white": board.occupied_co[True],
        "black": board.occupied_co[False],
        "occupied": board.occupied,
        "bishops_queens": board.bishops | board.queens,
        "rooks_queens": board.rooks | board.queens,
        "castling": board.clean_castling_rights(),
        "checkers": board.checkers_mask(),
        "pinned": sum(1 << place for place in chess.SQUARES if is_pinned(board, place)),
        "mask": 1 << one,
        "rook_attacks": slider_attacks(board, chess.ROOK, one),
        "bishop_attacks": slider_attacks(board, chess.BISHOP, one),
        "attackers": board.attackers_mask(True, one) | board.attackers_mask(False, one),
        "between": chess.between(one, two),
        "line": chess.ray(one, two),
    }


KINDS = {kind: chess.piece_name(kind) for kind in chess.PIECE_TYPES}
LEAPERS = {
    "white_pawn_attacks": "P",
    "black_pawn_attacks": "p",
    "knight_attacks": "N",
    "king_attacks": "K",
    "rook_rays": "R",
    "bishop_rays": "B",
}


def slider_attacks(board: chess.Board, kind: int, square: int) -> int:
    copy = board.copy()
    copy.set_piece_at(square, chess.Piece(kind, chess.WHITE))
    return copy.attacks_mask(square)


def is_pinned(board: chess.Board, square: int) -> bool:
    return board.color_at(square) is board.turn and board.is_pinned(board.turn, square)


OPERANDS = ("white", "black", "pawns", "rooks_queens", "mask[e4]", "knight_attacks[f3]", "between[a1, h8]")


@settings(max_examples=25)
@given(
    boards(),
    st.sampled_from(OPERANDS),
    st.sampled_from(OPERANDS),
    st.sampled_from(OPERANDS),
    st.sampled_from("&|^"),
    st.sampled_from("&|^"),
)
def test_expressions_are_pythons(board: chess.Board, a: str, b: str, c: str, first: str, second: str) -> None:
    values = Boards(setup_of(board))
    words = {name: evaluate(values, parse(text)) for name, text in (("a", a), ("b", b), ("c", c))}
    template = f"A {first} ~B {second} C"
    text = template.replace("A", a).replace("B", b).replace("C", c)
    expected = eval(template.lower(), {}, words) & ALL_SQUARES  # noqa: S307  # Python's own operators are the judge.
    assert evaluate(values, parse(text)) == expected
    grids = draw(setup_of(board), None, None, text).bands[0]
    assert bits_of(grids[-1]) == expected
    assert grids[-1].caption == f"0x{expected:016X}"


@settings(max_examples=20)
@given(boards())
def test_the_record_is_shown_whole(board: chess.Board) -> None:
    grids = {grid.title: bits_of(grid) for grid in grids_of(draw(setup_of(board), "bitboard"))}
    expected = naive_bitboards(board, 0, 0)
    assert len(grids) == 9
    assert grids == {name: expected[name] for name in grids}


@settings(max_examples=20)
@given(boards(), st.sampled_from(SQUARES))
def test_rotated_boards_hold_the_pieces_and_lines_are_neighbours(board: chess.Board, square: str) -> None:
    grids = grids_of(draw(setup_of(board), "rotated", square))
    for grid in grids:
        cells = cells_of(grid)
        assert sorted(cell.text for cell in cells) == sorted(SQUARES)
        occupied = {cell.text for cell in cells if cell.shade in ("full", "line_one")}
        assert occupied == {square_name(place) for place in chess.SquareSet(board.occupied)}
        assert int(grid.caption, 16) == sum(1 << bit for bit, cell in enumerate(cells) if cell.text in occupied)
        line = [bit for bit, cell in enumerate(cells) if cell.shade.startswith("line")]
        assert line == list(range(line[0], line[-1] + 1))
        assert square in {cells[bit].text for bit in line}
    for grid, straight in zip(grids, ("rank", "file"), strict=False):
        index = 1 if straight == "rank" else 0
        marked = {cell.text for cell in cells_of(grid) if cell.shade.startswith("line")}
        assert marked == {name for name in SQUARES if name[index] == square[index]}


@pytest.mark.parametrize("fen", FENS[:5])
def test_micromax_shows_the_whole_array(fen: str) -> None:
    setup = parse_fen(fen)
    (board,), (dummy,) = draw(setup, "micromax").bands
    record = micromax_views.machine().record
    cells = [cell for row in board.rows for cell in row] + [dummy.rows[0][0]]
    assert [int(cell.note, 16) for cell in cells] == list(range(129))
    for square, cell in enumerate(cells):
        value = int(record.board[square])
        assert int(cell.foot or "0", 16) == value if square & 0x88 == 0 else cell.text == str(value)
    for square in range(64):
        symbol = ".PNBRQK..pnbrqk."[setup.board[square]].replace(".", "")
        assert cells[to_listing(square)].piece == symbol


def test_steps_are_those_that_the_listing_takes() -> None:
    record = micromax_views.machine().record
    next_step = getattr(listing.next_step, "py_func", listing.next_step)
    for kind in range(1, 8):
        step, place, taken = kind, int(record.first_step[kind]), []
        while True:
            step, place = (int(value) for value in next_step(record, kind, step, place))
            if step == 0:
                break
            taken.append(step)
        assert list(micromax_views.steps_of(kind)) == taken


def test_the_strips_are_the_listings_array() -> None:
    strips = [band[0] for band in draw(parse_fen("startpos"), "steps").bands[:3]]
    numbers = [int(cell.text) for strip in strips for cell in strip.rows[0]]
    shared = len(listing.STEPS)  # o[16] ends the steps and is the directory's entry of no type.
    assert tuple(numbers[:shared]) == listing.STEPS
    assert numbers[shared] == 0
    assert tuple(numbers[shared:]) == listing.FIRST_STEP + listing.BACK_RANK
    indices = [int(label) for strip in strips for label in strip.column_labels]
    assert indices == [*range(17), *range(16, 32)]


@pytest.mark.parametrize(
    ("view", "options", "reason"),
    [
        ("chess", {}, "is not a view: expected one of board, 0x88"),
        ("board", {"square": "e4"}, "the view board takes no square; expected with it: rays, difference"),
        ("0x88", {"bits": "white"}, "the view 0x88 takes no bits; expected with it: bitboard"),
        ("board", {"depth": 3}, "takes no depth; expected with it: iterations, order, scores, table"),
        ("board", {"network": "x.npz"}, "the view board takes no network; expected with it: network, weights"),
        ("network", {"neuron": 3}, "the view network takes no neuron; expected with it: weights"),
        ("network", {"square": "e4"}, "takes no square"),
        ("difference", {"square": "e9"}, "'e9' is not a square"),
        ("difference", {"square": ""}, "'' is not a square"),
        ("attacks", {"square": "e4"}, "no piece stands on e4"),
        ("rays", {"square": "e4"}, "no piece stands on e4"),
        ("tries", {"square": "e4"}, "no piece of the side to move stands on e4"),
        ("scores", {"square": "e7"}, "no piece of the side to move stands on e7"),
        ("scores", {"depth": 0}, "1 to 5"),
        ("order", {"depth": 6}, "1 to 5"),
        ("weights", {"neuron": 256}, "neuron 256: 0 to 255 are expected, for the network random 1"),
        ("weights", {"neuron": -1}, "neuron -1: 0 to 255 are expected"),
        ("weights", {"network": "none.npz"}, "none.npz: No such file"),
        *((None, {"bits": bits}, reason) for bits, reason in (
            ("whit", "white is one"),
            ("", "is not an expression"),
            ("white + black", "'+' has no place in it"),
            ("white & & black", "invalid syntax"),
            ("white and black", "it has another form"),
            ("white, black", "it has another form"),
            ("not white", "it has another form"),
            ("white[e4]", "white takes no square"),
            ("mask", "mask takes one square: mask[e4]"),
            ("mask[e9]", "'e9' is not a square"),
            ("mask[white & black]", "is not a square"),
            ("between[e4]", "between takes two squares"),
            ("1 & white", "'1' has no place in it"),
            ("white\n& black", "has no place in it"),
            ("(" * 99, "never closed"),
            ("~" * 101, "at most 100 characters"),
        )),
    ],
)  # fmt: skip
def test_bad_requests_say_what_would_be_right(view: str | None, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(Ox88Error) as error:
        draw(parse_fen("startpos"), view, **options)
    assert reason in str(error.value).replace("too many nested parentheses", "never closed")


@settings(max_examples=150)
@given(st.text(alphabet=st.sampled_from(list("whitepawns_ []()&|^~,e412:")), max_size=110))
def test_no_expression_breaks_anything(text: str) -> None:
    with contextlib.suppress(Ox88Error):
        assert 0 <= evaluate(START, parse(text)) <= ALL_SQUARES


START = Boards(parse_fen("startpos"))


# --- What micro-Max's search does -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def machine() -> Machine:
    return new_machine()


@settings(max_examples=30)
@given(board=boards())
def test_the_tries_that_are_moves_are_the_pseudo_legal_moves(machine: Machine, board: chess.Board) -> None:
    """micro-Max promotes to queens only, and finds out later whether the king could be taken."""
    if not is_micromaxs(setup_of(board)):
        return
    tries = [one for one in micromax_views.tries(Watch(setup_of(board), machine=machine)) if not one.rejection]
    for square in chess.SquareSet(board.occupied_co[board.turn]):
        found = [
            square_name(square) + square_name(from_listing(one.to_square))
            for one in tries
            if one.from_square == to_listing(square)
        ]
        moves = [move for move in board.generate_pseudo_legal_moves(chess.BB_SQUARES[square])
                 if move.promotion in (None, chess.QUEEN) and not board.is_castling(move)]  # fmt: skip
        castling = [name for name in found if board.is_castling(chess.Move.from_uci(name))]
        assert sorted(set(found) - set(castling)) == sorted(move.uci()[:4] for move in moves)
        assert len(found) == len(set(found))
        assert {move.uci() for move in board.generate_castling_moves()} <= {*castling} or not castling


def test_the_scan_visits_each_square_once() -> None:
    for start in map(to_listing, range(0, 64, 7)):
        order = micromax_views.scan(start)
        assert order[0] == start
        assert sorted(order) == sorted(map(to_listing, range(64)))
        assert order == [square for square in (*range(start, 0x78), *range(start)) if not square & 0x88]


def test_the_root_scores_a_move_as_the_view_does() -> None:
    """The best of the scores of all pieces is what the search says."""
    for fen in FENS[1:3]:
        setup, machine = parse_fen(fen), micromax_views.machine()
        machine.set_position(setup)
        depth = 3
        best = machine.think(depth=depth)
        scores: list[int] = []
        for square in (place for place in setup.occupied() if setup.board[place] >> 3 == setup.turn):
            cells = cells_of(only_grid(draw(setup, "scores", square_name(square), depth=depth)))
            scores += [int(cell.foot or cell.text) for cell in cells if cell.foot or cell.text]
        assert max(scores) == best


def test_iterations_and_order_are_the_searchs() -> None:
    setup, machine = parse_fen(FENS[1]), micromax_views.machine()
    rows = only_grid(draw(setup, "iterations", depth=4)).rows
    machine.set_position(setup)
    machine.think(depth=4)
    shown = [[cell.text for cell in row] for row in rows[1:]]
    assert shown == [[str(one.depth), one.move_text, str(one.score), f"{one.nodes:,}"] for one in machine.iterations()]
    cells = [cell for row in only_grid(draw(setup, "order", depth=4)).rows for cell in row if cell.text]
    assert cells[0].text == shown[-2][1]  # The best move of the iteration before.
    assert [int(cell.note) for cell in cells] == list(range(1, len(cells) + 1))
    legal = {move.uci() for move in chess.Board(FENS[1]).pseudo_legal_moves}
    assert {cell.text for cell in cells} == legal


def test_entries_are_those_of_the_table() -> None:
    setup = parse_fen(FENS[1])
    header, *rows = only_grid(draw(setup, "table", "e5", depth=4)).rows
    assert [cell.text for cell in header][-1] == "means"
    legal = chess.Board(FENS[1]).generate_legal_moves(chess.BB_E5)
    assert sorted(row[0].text for row in rows) == sorted(move.uci() for move in legal)
    filled = [[cell.text for cell in row] for row in rows if row[2].text]
    assert filled
    for _, _, _, score, depth, _, flags, meaning in filled:
        assert meaning == {"08": "at least", "80": "at most", "88": "exactly"}[flags]
        assert abs(int(score)) <= listing.INFINITY
        assert int(depth) >= 3


def test_writes_name_the_dummy_square_where_a_move_does_not_castle() -> None:
    _, *rows = only_grid(draw(parse_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "writes", "e1")).rows
    written = {row[0].text: [cell.text for cell in row[1:]] for row in rows}
    assert written["e1g1"] == ["77", "76", "74", "76"]
    assert written["e1d1"] == ["80", "73", "74", "73"]


# --- The network ------------------------------------------------------------------------------------------------------


def naive_output(network: Network, board: chess.Board) -> int:
    """For White."""
    return value(network, board) if board.turn else -value(network, board)


@settings(max_examples=20)
@given(boards())
def test_a_piece_is_worth_what_is_lost_without_it(board: chess.Board) -> None:
    network = random_network()
    picture = draw(setup_of(board), "network")
    cells = cells_of(only_grid(picture))
    assert [cell.piece for cell in cells] == pieces_of(board)
    assert f"says {naive_output(network, board):+d} centipawns" in picture.caption
    for square, cell in enumerate(cells):
        if cell.piece in ("", "k", "K"):
            assert cell.foot == ""
            continue
        without = board.copy(stack=False)
        without.remove_piece_at(square)
        worth = naive_output(network, board) - naive_output(network, without)
        assert cell.foot == f"{worth:+d}"
        number = SCALE.index(cell.shade) - 4
        assert abs(number) == sum(abs(worth) >= step for step in (25, 100, 250, 500))
        assert number * worth >= 0


def test_the_weights_of_a_neuron(tmp_path: Path) -> None:
    network = random_network(seed=3)
    write_network(tmp_path / "some.npz", network)
    picture = draw(parse_fen("startpos"), "weights", network=str(tmp_path / "some.npz"), neuron=127)
    grids = grids_of(picture)
    assert [grid.title for grid in grids[::6]] == ["own pawn", "their pawn"]
    assert len(grids) == 12
    for number, grid in enumerate(grids):
        for square, cell in enumerate(cells_of(grid)):
            is_outer = number % 6 == 0 and square >> 3 in (0, 7)
            if is_outer or (number == 5 and square & 7 > 3):
                assert cell.shade == "off"
            else:
                assert cell.text == str(network.input_weights[64 * number + square, 127])
    assert f"starts at {network.input_bias[127]} " in picture.caption


def test_without_a_network_the_views_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ox88.batch.learning.engine.shipped_network", lambda: None)
    for view in ("network", "weights"):
        with pytest.raises(Ox88Error, match="there is no network: this copy of Ox88 comes without one"):
            draw(parse_fen("startpos"), view)
