"""What micro-Max's search does: squares that a piece tries, the scan of the board, iterations, scores, hash entries.

All of it is read from the record of a Machine and from the listing's own kernels.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from ox88.apps.show.mailbox_views import HEX_DIGITS
from ox88.apps.show.micromax_views import machine, symbol
from ox88.apps.show.picture import E4, Cell, Grid, Picture, Row, board_grid, square_shade
from ox88.engines.micromax import search as listing
from ox88.engines.micromax.machine import Machine
from ox88.errors import Ox88Error
from ox88.setup import Setup
from ox88.types import from_listing, square_name, to_listing

DEPTH: Final = 3  # Plies that are searched by default, counted as the listing prints them.
_SMALL: Final = 50  # The sizes of cells.
_WIDE: Final = 84


@dataclass(frozen=True, slots=True)
class Try:
    """A square that a piece tries to go to, in the listing's squares.

    passed, rook_from: the squares F and G of the listing. captured: the piece on the capture square, 0 for none.
    verdict: "off" the board, "obstructed", "king" if it takes the king or a castling that was illegal, else "move".
    """

    from_square: int
    to_square: int
    step: int
    capture_square: int
    captured: int
    passed: int
    rook_from: int
    verdict: str

    @property
    def castles(self) -> bool:
        return self.rook_from != listing.DUMMY

    @property
    def text(self) -> str:
        return square_name(from_listing(self.from_square)) + square_name(from_listing(self.to_square))


def tries(machine: Machine, from_square: int) -> Iterator[Try]:
    """The squares that the piece on a square tries, in the listing's order."""
    record = machine.record
    kind = int(record.board[from_square]) & listing.TYPE_MASK
    step, place = kind, int(record.first_step[kind])
    while True:
        step, place = map(int, listing.next_step(record, kind, step, place))
        if step == 0:
            return
        yield from _ray(machine, from_square, step, place)


def _ray(machine: Machine, from_square: int, step: int, place: int) -> Iterator[Try]:
    """The squares along one step, until one ends the ray."""
    record, side = machine.record, machine.side
    piece, en_passant = int(record.board[from_square]), int(record.en_passant)
    kind = piece & listing.TYPE_MASK
    to_square, passed, rook_from, captured = from_square, listing.DUMMY, listing.DUMMY, 0
    while captured == 0:
        to_square += step
        if to_square & listing.OFF_BOARD:
            yield Try(from_square, to_square, step, to_square, 0, passed, rook_from, "off")
            return
        is_en_passant = kind <= listing.BLACK_PAWN and to_square == en_passant
        capture_square = to_square ^ 16 if is_en_passant else to_square
        captured = int(record.board[capture_square])
        if listing.is_obstructed(record, piece, side, step, to_square, captured, capture_square):
            verdict = "obstructed"
        else:
            verdict = "king" if listing.takes_king(record, captured, to_square, en_passant) else "move"
        yield Try(from_square, to_square, step, capture_square, captured, passed, rook_from, verdict)
        if verdict == "obstructed":
            return
        captured += kind < listing.BISHOP
        if listing.may_step_again(record, side, piece, from_square, to_square, step, place, rook_from):
            captured -= 1
            passed = to_square
            if kind == listing.KING:
                rook_from = int(listing.castling_corner(from_square, step))


def scan(start: int) -> Iterator[int]:
    """All 64 squares in the order of the listing's scan, from `start` on."""
    square = start
    while True:
        yield square
        square = square + 9 & ~listing.OFF_BOARD
        if square == start:
            return


# --- Views ------------------------------------------------------------------------------------------------------------


def show_tries(setup: Setup, square: int | None) -> Picture:
    """Draw every square that a piece tries, numbered in order, also those off the board."""
    micromax, chosen = _with_piece(setup, square)
    found = list(tries(micromax, chosen))
    marked: dict[int, list[tuple[int, Try]]] = {}
    for number, one in enumerate(found, 1):
        marked.setdefault(one.to_square & 0xFF, []).append((number, one))
    cells = {place: _tried(micromax, place, numbered) for place, numbered in marked.items()}
    outside = tuple(cells[place] for place in sorted(cells) if place & 0x80)
    board = tuple(tuple(cells.get(16 * rank + file) or _empty(micromax, 16 * rank + file, chosen) for file in range(16))
                  for rank in range(8))  # fmt: skip
    labels = tuple(f"{16 * rank:02X}" for rank in range(8))
    bands: list[tuple[Grid, ...]] = [(Grid(board, "", "", labels, HEX_DIGITS, _SMALL, _SMALL),)]
    if outside:
        bands.append((Grid((outside,), "above and below the board: bit 0x80 is set", "", (), (), _SMALL, _SMALL),))
    name = square_name(from_listing(chosen))
    return Picture(
        f"What the {_piece_name(micromax, chosen)} on {name} tries",
        "The numbers give the order. A ray ends at the edge, at a piece, or after one step if the piece is below 5 "
        "(pawn, knight, king). A square off the board has a bit of 0x88 set, so it lies in the grey half or, with bit "
        "0x80, above or below it.",
        tuple(bands),
        (
            ("attacked", "a move"),
            ("captured", "a capture"),
            ("guarded", "refused: an own piece, or a pawn's wrong step"),
            ("line_one", "refused: off the board"),
            ("special", "the square E that was just passed"),
        ),
    )  # fmt: skip


def _tried(micromax: Machine, square: int, numbered: list[tuple[int, Try]]) -> Cell:
    numbers = ",".join(str(number) for number, _ in numbered)
    _, last = numbered[-1]
    note = f"{square:02X}"
    if last.verdict == "off":
        return Cell(numbers, "line_one", note)
    shade = "guarded" if last.verdict == "obstructed" else "captured" if last.captured else "attacked"
    if square == int(micromax.record.en_passant):
        shade = "special"
    code = int(micromax.record.board[square])
    return Cell("" if code else numbers, shade, note, numbers if code else "", symbol(code) if code else "")


def _empty(micromax: Machine, square: int, chosen: int) -> Cell:
    """A square that is not tried."""
    note, code = f"{square:02X}", int(micromax.record.board[square])
    if square & listing.OFF_BOARD:
        return Cell("", "off", note)
    shade = "chosen" if square == chosen else square_shade(from_listing(square))
    if square == int(micromax.record.en_passant):
        shade = "special"
    return Cell("", shade, note, piece=symbol(code) if code else "")


def show_scan(setup: Setup, square: int | None) -> Picture:
    """Draw the order in which the board is scanned, starting at a square."""
    setup.check()
    start = to_listing(E4 if square is None else square)
    order = {place: number for number, place in enumerate(scan(start), 1)}
    rows = tuple(tuple(_scanned(16 * rank + file, order, start) for file in range(16)) for rank in range(8))
    labels = tuple(f"{16 * rank:02X}" for rank in range(8))
    h_file = next(place for place in order if place & 7 == 7)
    sums = tuple(_sum(place) for place in dict.fromkeys((start, h_file, 0x77)))
    return Picture(
        f"The scan of the board from {square_name(from_listing(start))}",
        "The number of a square is its turn. x + 9 lands in the grey half, and & ~0x88 brings it back one square to "
        "the right. On the h-file the 8 carries into the next rank; from h1 it carries into 0x80, which is cleared "
        "too, so the scan goes on at a8.",
        ((Grid(rows, "", "", labels, HEX_DIGITS, _SMALL, _SMALL),), sums),
        (("chosen", "the first square"), ("ended", "reached by x + 9"), ("line_one", "reached with a carry")),
    )


def _scanned(square: int, order: dict[int, int], start: int) -> Cell:
    note = f"{square:02X}"
    if square & listing.OFF_BOARD:
        return Cell("", "ended" if square - 9 in order and square & 8 and (square - 9) & 7 != 7 else "off", note)
    shade = "chosen" if square == start else "line_one" if square & 7 == 0 else square_shade(from_listing(square))
    return Cell(str(order[square]), shade, note)


def _sum(square: int) -> Grid:
    """x, x + 9 and the next square in binary digits, one below the other."""
    mask = ~listing.OFF_BOARD & 0xFF
    numbers = (square, 9, square + 9, mask, square + 9 & mask)
    rows = tuple(
        tuple(Cell(digit, "one" if digit == "1" else "zero") for digit in f"{number:08b}") for number in numbers
    )
    names = ("x", "+ 9", "x + 9", "~0x88", "next x")
    title = f"{square_name(from_listing(square))} -> {square_name(from_listing(square + 9 & mask))}"
    return Grid(rows, title, "", names, tuple("84218421"), 22, 26)


def show_iterations(setup: Setup, depth: int) -> Picture:
    """Draw the iterations of a search: depth, nodes, score and best move of each."""
    micromax = _at(setup)
    micromax.think(depth=depth)
    header = tuple(Cell(name, "none") for name in ("depth", "best move", "score", "nodes"))
    rows = [header]
    for line in micromax.iterations():
        words = (str(line.depth), line.move_text, str(line.score), f"{line.nodes:,}")
        rows.append(tuple(Cell(word, "chosen" if column == 1 else "plain") for column, word in enumerate(words)))
    return Picture(
        "The iterations of a search",
        "Each iteration searches the root one ply deeper, and begins with the best move of the one before. Every node "
        "below deepens in the same way. The nodes are counted from the start.",
        ((Grid(tuple(rows), "", "", (), (), _WIDE, 30),),),
    )


def show_order(setup: Setup, depth: int) -> Picture:
    """Draw the moves of a position in the order in which the next iteration tries them."""
    micromax = _at(setup)
    micromax.think(depth=depth)
    start, best_to = int(micromax.record.root_from), int(micromax.record.root_to)
    best = square_name(from_listing(start)) + square_name(from_listing(best_to))
    own = [place for place in scan(start) if micromax.record.board[place] & micromax.side]
    moves = [one for place in own for one in tries(micromax, place) if one.verdict == "move"]
    hint = [one for one in moves if one.text == best and not one.castles]
    cells = [Cell(one.text, "chosen", str(number)) for number, one in enumerate(hint, 1)]
    cells += [
        Cell(one.text, "ended" if one.text == best else "captured" if one.captured else "plain", str(number))
        for number, one in enumerate(moves, 1 + len(hint))
    ]
    return Picture(
        f"The order of the moves after {depth} plies",
        f"The scan begins at {best[:2]}, the square of the best piece so far. The first square that this piece would "
        f"try is replaced by that of the best move, {best}. Then everything is tried as usual, {best} once more in its "
        "place. (A best move that castles is not tried first.)",
        ((_sheet(cells),),),
        (
            ("chosen", "the best move of the last iteration, sneaked in"),
            ("ended", "the same in its usual place"),
            ("captured", "a capture"),
        ),
    )


def _sheet(cells: list[Cell], columns: int = 8) -> Grid:
    padded = cells + [Cell("", "none")] * (-len(cells) % columns)
    rows = tuple(tuple(padded[first : first + columns]) for first in range(0, len(padded), columns))
    return Grid(rows or ((Cell("", "none"),),), "", "", (), (), 68, 38)


def show_scores(setup: Setup, square: int | None, depth: int) -> Picture:
    """Draw the score that a search gives to each move of a piece."""
    micromax, chosen = _with_piece(setup, square)
    moves = [one for one in tries(micromax, chosen) if one.verdict == "move"]
    scores = {one.to_square: _score_of(micromax, one, depth) for one in moves}
    listing.clear_table(micromax.record)

    def cell(square: int) -> Cell:
        place = to_listing(square)
        code = int(micromax.record.board[place])
        piece = symbol(code) if code else ""
        if place not in scores:
            return Cell("", "chosen" if place == chosen else square_shade(square), piece=piece)
        score = str(scores[place])
        shade = "captured" if scores[place] == -listing.INFINITY else "attacked"
        return Cell("" if piece else score, shade, foot=score if piece else "", piece=piece)

    return Picture(
        f"The scores of a {_piece_name(micromax, chosen)}'s moves",
        f"Each move was searched {depth} {'ply' if depth == 1 else 'plies'} deep, the move itself included; recaptures "
        "cost no depth. 99 is a pawn, and the score is for the side to move.",
        ((board_grid(cell, 56),),),
        (("attacked", "the score of the move"), ("captured", "-8000: the king is taken, so the move is illegal")),
    )


def show_table(setup: Setup, square: int | None, depth: int) -> Picture:
    """Draw the entries that a search leaves in the hash table for the positions after each move of a piece."""
    micromax, chosen = _with_piece(setup, square)
    micromax.think(depth=depth)
    header = tuple(
        Cell(name, "none") for name in ("move", "index", "lock", "score", "depth", "best", "X & 88", "means")
    )
    moves = [one for one in tries(micromax, chosen) if one.verdict == "move"]
    return Picture(
        "Entries of the hash table",
        f"What a search of {depth} plies leaves for the positions after these moves; scores are for the side that "
        "replies. X holds the origin of the best reply. The two bits of X that no square uses tell what the score is: "
        "08 a lower bound, 80 an upper bound, 88 both, so the score is exact.",
        ((Grid((header, *(_entry_row(micromax, one) for one in moves)), "", "", (), (), _WIDE, 30),),),
    )


def _entry_row(micromax: Machine, one: Try) -> Row:
    made, other = _made(micromax, one), listing.BOTH_COLOURS - micromax.side
    index = int(listing.probe(micromax.record, other * one.passed ^ made.key, made.lock & listing.LOCK_MASK))
    entry = micromax.record.table[index]
    if not listing.is_filled(micromax.record, entry):
        return (Cell(one.text, "plain"), Cell(f"{index:06X}", "plain"), *[Cell("", "off")] * 6)
    flags = int(entry.best_from) & listing.OFF_BOARD
    best = square_name(from_listing(int(entry.best_from) & 0x77)) + square_name(from_listing(int(entry.best_to) & 0x77))
    meaning = {0x08: "at least", 0x80: "at most", 0x88: "exactly"}[flags]
    numbers = (f"{index:06X}", f"{int(entry.lock):08X}", str(int(entry.score)), str(int(entry.depth)))
    words = (one.text, *numbers, best, f"{flags:02X}", meaning)
    return tuple(Cell(word, "chosen" if column > 5 else "plain") for column, word in enumerate(words))


def show_writes(setup: Setup, square: int | None) -> Picture:
    """Draw the squares that making each move of a piece writes to, the dummy square marked."""
    micromax, chosen = _with_piece(setup, square)
    header = tuple(Cell(name, "none") for name in ("move", "b[G] = 0", "b[H] = 0", "b[x] = 0", "b[y] = piece"))
    rows = [header]
    for one in tries(micromax, chosen):
        if one.verdict == "move":
            squares = (one.rook_from, one.capture_square, one.from_square, one.to_square)
            cells = (Cell(f"{place:02X}", "line_one" if place == listing.DUMMY else "plain") for place in squares)
            rows.append((Cell(one.text, "chosen"), *cells))
    return Picture(
        "What making a move writes",
        "Every move writes to the same four squares, without a test: G is emptied of a castling rook, H of a captured "
        "piece, x of the piece that moves; y receives it. Where there is no castling rook, G is the dummy square 80.",
        ((Grid(tuple(rows), "", "", (), (), 100, 30),),),
        (("line_one", "the dummy square"),),
    )


# --- Positions and searches -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Made:
    """What a move changes: the piece on its new square, the gain in evaluation, and the keys after it."""

    placed: int
    gain: int
    key: int
    lock: int


def _made(micromax: Machine, one: Try) -> Made:
    """What step 9 of the listing computes for a move from the root, whose keys are 1 and 1."""
    record, piece = micromax.record, int(micromax.record.board[one.from_square])
    placed = piece & ~listing.VIRGIN
    gain = listing.PAWN_VALUE * int(record.piece_values[one.captured & listing.TYPE_MASK])
    gain += int(listing.positional_gain(record, piece, one.from_square, one.to_square, one.castles))
    if listing.promotes(piece, one.to_square, one.step):
        placed |= listing.QUEEN
        gain += listing.PROMOTION_GAIN
    changed = (one.from_square, piece, one.to_square, placed, one.capture_square, one.captured)
    key = 1 + int(listing.key_change(record, listing.INDEX_KEY, *changed))
    lock = 1 + int(listing.key_change(record, listing.LOCK_KEY, *changed)) + one.rook_from - listing.DUMMY
    return Made(placed, gain, key, lock)


def _score_of(micromax: Machine, one: Try, depth: int) -> int:
    """The score of a move: it is made, and its replies are searched with an open window, as in steps 9 and 10."""
    record, side, made = micromax.record, micromax.side, _made(micromax, one)
    piece, evaluation = int(record.board[one.from_square]), int(record.evaluation)
    record.stop = record.aborted = record.nodes = 0
    squares, rest = (one.from_square, one.to_square), (one.rook_from, one.passed)
    listing.do_move(record, side, *squares, made.placed, one.capture_square, *rest)
    other, window = listing.BOTH_COLOURS - side, (-listing.INFINITY - 1, listing.INFINITY)
    arguments = (other, *window, -evaluation - made.gain, made.key, made.lock, one.passed, one.to_square, depth)
    score = -int(listing.search(record, *map(np.int64, arguments)))
    listing.undo_move(record, side, *squares, piece, one.capture_square, one.captured, *rest)
    return score - (score > evaluation)


def _at(setup: Setup) -> Machine:
    machine().set_position(setup)
    return machine()


def _with_piece(setup: Setup, square: int | None) -> tuple[Machine, int]:
    """The machine at a position, and the listing's square of a piece of the side to move; by default of its king."""
    micromax = _at(setup)
    king = setup.king_square(setup.turn)
    chosen = king if square is None and king is not None else square or 0
    if not int(micromax.record.board[to_listing(chosen)]) & micromax.side:
        raise Ox88Error(f"no piece of the side to move stands on {square_name(chosen)}: choose a square with one")
    return micromax, to_listing(chosen)


def _piece_name(micromax: Machine, square: int) -> str:
    names = ("", "pawn", "pawn", "knight", "king", "bishop", "rook", "queen")
    return names[int(micromax.record.board[square]) & listing.TYPE_MASK]
