"""Views of micro-Max: its board and steps, read from the record of a Machine, and what its search does.

Squares that a piece tries, the scan of the board, iterations, scores and hash entries are what a `Watch` sees: the
events of a search, the nodes that are open, and what the search leaves behind.
"""

import functools
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from ox88.apps.show.picture import (
    E4,
    Cell,
    Grid,
    Picture,
    Row,
    board_grid,
    chosen_square,
    grid_0x88,
    square_shade,
    table,
)
from ox88.engines.micromax import search as listing
from ox88.engines.micromax.events import OFF_THE_BOARD, REJECTIONS
from ox88.engines.micromax.machine import Machine
from ox88.engines.micromax.watching import OpenNode, Recording, TriedMove, Watch, new_machine
from ox88.fen import STARTPOS
from ox88.setup import Setup, parse_fen
from ox88.types import KIND_NAMES, from_listing, piece_kind, square_name, to_listing

TYPE_LETTERS = " PpNKBRQ"  # By the listing's types: 1 White's pawn, 2 Black's.
TYPE_NAMES = ("", "white pawn", "black pawn", "knight", "king", "bishop", "rook", "queen")
_RADIUS = 2  # The longest step of any piece, in files or ranks.


@functools.cache
def machine() -> Machine:
    """One machine for all pictures, because its record is large."""
    return Machine()


def show_micromax(setup: Setup) -> Picture:
    """Draw all 129 bytes of the board. Raises EngineError for castling rights that micro-Max cannot represent."""
    machine().set_position(setup)
    board = machine().record.board

    def byte(square: int) -> Cell:
        value, note = int(board[square]), f"{square:02X}"
        if square & listing.OFF_BOARD:
            return Cell(str(value), "off", note)
        shade = square_shade(from_listing(square))
        return Cell("", shade, note, f"{value:02X}", symbol(value)) if value else Cell("", shade, note)

    dummy = Grid(((Cell(f"{int(board[listing.DUMMY]):X}", "ended", "80"),),), row_labels=("80",), width=50, height=50)
    return Picture(
        "micro-Max's board",
        "The array b[129] of the listing, from a8 = 00 downwards. Under each piece stands its code in hex: the "
        "type, plus 8 for White or 10 for Black, plus 20 if it may still castle. The half that the 0x88 test leaves "
        "unused holds the distance of each square from the centre, which gives points for moving there. 80 is the "
        "dummy square: a move that does not castle moves its rook there.",
        ((grid_0x88(byte, "b[129]"),), (dummy,)),
        (("off", "b[square + 8]: distance from the centre, squared and summed"), ("ended", "the dummy square")),
    )


def symbol(code: int) -> str:
    """The letter of a piece of the listing, White's a capital."""
    letter = TYPE_LETTERS[code & listing.TYPE_MASK]
    return letter.upper() if code & listing.WHITE else letter.lower()


def show_steps(setup: Setup) -> Picture:
    """Draw the array o[]: lists of steps, their directory, the back rank; and the steps of each piece."""
    setup.check()
    names = "o[24] to o[31]: the back rank from a to h, as types"
    back_rank = tuple(Cell(str(kind), "plain", foot=TYPE_NAMES[kind]) for kind in listing.BACK_RANK)
    steps, first = (
        [int(number) for number in field] for field in (machine().record.steps, machine().record.first_step)
    )
    listed = tuple(Cell(f"{step:+d}" if step else "0", "plain" if step else "ended") for step in steps)
    directory = tuple(
        Cell(str(number), "plain" if name else "off", foot=name) for number, name in zip(first, TYPE_NAMES, strict=True)
    )
    strips = (
        _strip(listed, "o[0] to o[16]: the steps", 0),
        _strip(directory, "o[16] to o[23]: where the list of a type begins, less one", len(steps) - 1, 76),
        _strip(back_rank, names, 24, 76),
    )
    leapers, sliders = (1, 2, 3, 4), (5, 6, 7)
    return Picture(
        "micro-Max's steps",
        "Three lists in one array of the listing, o[]. A step is added to a square of the 0x88 board; a zero ends a "
        "list. Pawns take their steps with the other sign, all other pieces with both signs, so that half of the "
        "steps need not be listed. One list may begin in the middle of another: the bishop's is the end of the "
        "king's and queen's.",
        (*((strip,) for strip in strips), tuple(map(_around, leapers)), tuple(map(_around, sliders))),
        (("ended", "a zero: end of a list"),),
    )


def _strip(cells: Row, title: str, start: int, width: int = 48) -> Grid:
    """One row of the array with its indices."""
    numbers = tuple(str(start + place) for place in range(len(cells)))
    return Grid((cells,), title, column_labels=numbers, width=width, height=44)


def _around(kind: int) -> Grid:
    """A small board with the steps of a type around its piece."""
    shade = "leap" if kind < listing.BISHOP else "beside"
    cells = {step: Cell(f"{step:+d}", shade) for step in steps_of(kind)}
    cells[0] = Cell(shade="chosen", piece=TYPE_LETTERS[kind])
    span = range(-_RADIUS, _RADIUS + 1)
    rows = tuple(tuple(cells.get(16 * rank + file, Cell("", "plain")) for file in span) for rank in span)
    return Grid(rows, TYPE_NAMES[kind], width=38, height=38)


def steps_of(kind: int) -> Iterator[int]:
    """The steps of a type in the listing's order: each negated, and for all but pawns also as it is."""
    record = machine().record
    place = int(record.first_step[kind]) + 1
    while step := int(record.steps[place]):
        yield -step
        if kind > listing.BLACK_PAWN:
            yield step
        place += 1


# --- The search -------------------------------------------------------------------------------------------------------

DEPTH: Final = 3  # Plies that are searched by default, counted as the listing prints them.
_WIDE: Final = 84  # The size of cells.
_ALL_MOVES: Final = 2  # The first iteration in which the root makes its moves: it makes all of them.


class Try(NamedTuple):
    """A square that a piece tries to go to, in the listing's squares. captured: what stands there; 0 for none.

    rejection: why it cannot go there, one of events.REJECTIONS; empty for a move.
    """

    from_square: int
    to_square: int
    captured: int
    rejection: str


def tries(watch: Watch) -> Iterator[Try]:
    """The squares that all pieces of the root try, in the listing's order."""
    from_square = to_square = 0
    for event in watch.from_node(1).named():
        match event:
            case {"kind": "TARGET", "from": int(from_square), "to": int(to_square)}:
                pass
            case {"kind": "REJECT", "reason": int(reason), "piece": int(piece)}:
                yield Try(from_square, to_square, piece, REJECTIONS[reason])
            case {"kind": "MOVE", "captured": int(captured)}:
                yield Try(from_square, to_square, captured, "")
            case {"kind": "LOG"}:  # The first iteration makes no moves; the next one tries the same squares again.
                return


def scan(start: int) -> list[int]:
    """All 64 squares in the order of the listing's scan, from `start` on."""
    events = _watch(parse_fen(STARTPOS)).from_node(1).named()
    squares = [int(event["square"]) for event in events if event["kind"] == "SQUARE"][:64]
    place = squares.index(start)
    return squares[place:] + squares[:place]


def _of_root(watch: Watch, kind: str, ply: int) -> Iterator[Recording]:
    """Each event of a kind at a ply, in the first iteration of the root that makes moves."""
    found = watch.next([kind], highest_ply=ply, count=1)
    while found is not None and found.line[0].depth <= _ALL_MOVES:
        if len(found.line) == ply + 1:
            yield found
        found = watch.next([kind], found.first_event + 1, 1, ply)


def _replies(setup: Setup, square: int, depth: int) -> list[tuple[OpenNode, OpenNode]]:
    """(root, the node after it) for each move of the piece on a square, where the table has been asked."""
    lines = (found.line for found in _of_root(_watch(setup, depth), "ENTRY", 1))
    # The node that asks whether a king could be taken follows no move.
    return [(root, reply) for root, reply in lines if root.from_square == square and reply.last_to == root.to_square]


# --- Views ------------------------------------------------------------------------------------------------------------


def show_tries(setup: Setup, square: int | None = None) -> Picture:
    """Draw every square that a piece tries, numbered in order, also those off the board."""
    chosen, watch = _piece_on(setup, square), _watch(setup)
    marked: dict[int, list[tuple[int, Try]]] = {}
    for number, one in enumerate((one for one in tries(watch) if one.from_square == chosen), 1):
        marked.setdefault(one.to_square & 0xFF, []).append((number, one))
    passed = -1 if setup.en_passant is None else to_listing(setup.en_passant)

    def cell(square: int) -> Cell:
        note, code, shade = f"{square:02X}", watch.board[square & 0x7F], square_shade(from_listing(square & 0x77))
        numbers = ",".join(str(number) for number, _ in marked.get(square, ()))
        if numbers:
            _, last = marked[square][-1]
            if last.rejection == REJECTIONS[OFF_THE_BOARD]:
                return Cell(numbers, "line_one", note)
            shade = "guarded" if last.rejection else "captured" if last.captured else "attacked"
        elif square & listing.OFF_BOARD:
            return Cell("", "off", note)
        shade = "special" if square == passed else "chosen" if square == chosen else shade
        return Cell(numbers, shade, note) if not code else Cell("", shade, note, numbers, symbol(code))

    board = grid_0x88(cell)
    outside = tuple(cell(place) for place in sorted(marked) if place & 0x80)
    beyond = (Grid((outside,), "above and below the board: bit 0x80 is set", width=50, height=50),)
    name = square_name(from_listing(chosen))
    return Picture(
        f"What the {_piece_name(setup, chosen)} on {name} tries",
        "The numbers give the order. A ray ends at the edge, at a piece, or after one step if the piece is below 5 "
        "(pawn, knight, king). A square off the board has a bit of 0x88 set, so it lies in the grey half or, with bit "
        "0x80, above or below it.",
        ((board,), beyond) if outside else ((board,),),
        (
            ("attacked", "a move"),
            ("captured", "a capture"),
            ("guarded", "refused: an own piece, or a pawn's wrong step"),
            ("line_one", "refused: off the board"),
            ("special", "the en passant square, just passed"),
        ),
    )  # fmt: skip


def show_scan(setup: Setup, square: int | None = None) -> Picture:
    """Draw the order in which the board is scanned, starting at a square."""
    setup.check()
    start = to_listing(E4 if square is None else square)
    order = {place: number for number, place in enumerate(scan(start), 1)}

    def cell(square: int) -> Cell:
        note = f"{square:02X}"
        if square & listing.OFF_BOARD:
            return Cell("", "ended" if square - 9 in order and square & 8 and (square - 9) & 7 != 7 else "off", note)
        shade = "chosen" if square == start else "line_one" if square & 7 == 0 else square_shade(from_listing(square))
        return Cell(str(order[square]), shade, note)

    h_file = next(place for place in order if place & 7 == 7)
    sums = tuple(_sum(place) for place in dict.fromkeys((start, h_file, 0x77)))
    return Picture(
        f"The scan of the board from {square_name(from_listing(start))}",
        "The number of a square is its turn. x + 9 lands in the grey half, and & ~0x88 brings it back one square to "
        "the right. On the h-file the 8 carries into the next rank; from h1 it carries into 0x80, which is cleared "
        "too, so the scan goes on at a8.",
        ((grid_0x88(cell),), sums),
        (("chosen", "the first square"), ("ended", "reached by x + 9"), ("line_one", "reached with a carry")),
    )


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


def show_iterations(setup: Setup, depth: int = DEPTH) -> Picture:
    """Draw the iterations of a search: depth, nodes, score and best move of each."""
    micromax = _at(setup)
    micromax.think(depth=depth)
    found = [(str(one.depth), one.move_text, str(one.score), f"{one.nodes:,}") for one in micromax.iterations()]
    rows = [tuple(Cell(word, "chosen" if column == 1 else "plain") for column, word in enumerate(row)) for row in found]
    return Picture(
        "The iterations of a search",
        "Each iteration searches the root one ply deeper, and begins with the best move of the one before. Every node "
        "below deepens in the same way. The nodes are counted from the start.",
        ((table(("depth", "best move", "score", "nodes"), rows, _WIDE),),),
    )


def show_order(setup: Setup, depth: int = DEPTH) -> Picture:
    """Draw the moves of a position in the order in which the last iteration of a search tries them."""
    watch = _watch(setup, depth)
    captures = {one[:2] for one in tries(watch) if one.captured}
    end = watch.next(["RETURN"], count=1, highest_ply=0)
    moves = end.line[0].tried if end is not None else ()
    finished = _recorder().iterations()
    depth = max(len(finished) - 2, 0)  # Plies of the iteration before. A mate may have ended the search.
    best = finished[depth].move_text
    is_hinted = [_text(*one[:2]) for one in moves].count(best) > 1

    def cell(number: int, one: TriedMove) -> Cell:
        text = _text(*one[:2])
        shade = "captured" if one[:2] in captures else "plain"
        if text == best:
            shade = "chosen" if is_hinted and number == 1 else "ended"
        return Cell(text, shade, str(number))

    return Picture(
        f"The order of the moves after {depth} {'ply' if depth == 1 else 'plies'}",
        f"The scan begins at {best[:2]}, the square of the best piece so far. The first square that this piece would "
        f"try is replaced by that of the best move, {best}. Then everything is tried as usual, {best} once more in its "
        "place. (A best move that castles is not tried first.)",
        ((_sheet([cell(number, one) for number, one in enumerate(moves, 1)]),),),
        (
            ("chosen", "the best move of the iteration before, tried first"),
            ("ended", "the same in its usual place"),
            ("captured", "a capture"),
        ),
    )


def _sheet(cells: list[Cell], columns: int = 8) -> Grid:
    padded = cells + [Cell("", "none")] * (-len(cells) % columns)
    rows = tuple(tuple(padded[first : first + columns]) for first in range(0, len(padded), columns))
    return Grid(rows or ((Cell("", "none"),),), width=68, height=38)


def show_scores(setup: Setup, square: int | None = None, depth: int = DEPTH) -> Picture:
    """Draw the score that a search gives to each move of a piece."""
    chosen = _piece_on(setup, square)
    board = _watch(setup).board
    micromax = _at(setup)
    scores = {root.to_square: _score(micromax, root, reply, depth) for root, reply in _replies(setup, chosen, 1)}
    listing.clear_table(micromax.record)

    def cell(square: int) -> Cell:
        place = to_listing(square)
        piece = symbol(board[place]) if board[place] else ""
        if place not in scores:
            return Cell("", "chosen" if place == chosen else square_shade(square), piece=piece)
        score = str(scores[place])
        shade = "captured" if scores[place] == -listing.INFINITY else "attacked"
        return Cell("" if piece else score, shade, foot=score if piece else "", piece=piece)

    return Picture(
        f"The scores of a {_piece_name(setup, chosen)}'s moves",
        f"Each move was searched {depth} {'ply' if depth == 1 else 'plies'} deep, the move itself included; recaptures "
        "cost no depth. 99 is a pawn, and the score is for the side to move.",
        ((board_grid(cell, 56),),),
        (("attacked", "the score of the move"), ("captured", "-8000: the king is taken, so the move is illegal")),
    )


def show_table(setup: Setup, square: int | None = None, depth: int = DEPTH) -> Picture:
    """Draw the entries that a search leaves in the hash table for the positions after each move of a piece."""
    replies = _replies(setup, _piece_on(setup, square), depth)
    _watch(setup, depth).totals()  # Searches again, to the end.
    header = ("move", "index", "lock", "score", "depth", "best", "X & 88", "means")
    return Picture(
        "Entries of the hash table",
        f"What a search of {depth} plies leaves for the positions after these moves; scores are for the side that "
        "replies. X holds the origin of the best reply. The two bits of X that no square uses tell what the score is: "
        "08 a lower bound, 80 an upper bound, 88 both, so the score is exact.",
        ((table(header, (_entry_row(root, reply) for root, reply in replies), _WIDE),),),
    )


def _entry_row(root: OpenNode, reply: OpenNode) -> Row:
    record, index, move = _recorder().record, reply.cell, _text(root.from_square, root.to_square)
    entry = record.table[index]
    if entry.generation != record.generation or entry.lock != reply.lock & listing.LOCK_MASK:
        return (Cell(move, "plain"), Cell(f"{index:06X}", "plain"), *[Cell("", "off")] * 6)
    flags = int(entry.best_from) & listing.OFF_BOARD
    best = square_name(from_listing(int(entry.best_from) & 0x77)) + square_name(from_listing(int(entry.best_to) & 0x77))
    meaning = {0x08: "at least", 0x80: "at most", 0x88: "exactly"}[flags]
    numbers = (f"{index:06X}", f"{int(entry.lock):08X}", str(int(entry.score)), str(int(entry.depth)))
    words = (move, *numbers, best, f"{flags:02X}", meaning)
    return tuple(Cell(word, "chosen" if column > 5 else "plain") for column, word in enumerate(words))


def show_writes(setup: Setup, square: int | None = None) -> Picture:
    """Draw the squares that making each move of a piece writes to, the dummy square marked."""
    chosen = _piece_on(setup, square)
    rows: list[Row] = []
    for found in _of_root(_watch(setup), "DO", 0):
        done = {name: int(value) for name, value in found.named()[0].items() if name != "kind"}
        if done["from"] == chosen:
            squares = [done[name] for name in ("rook_from", "capture_square", "from", "to")]
            cells = (Cell(f"{place:02X}", "line_one" if place == listing.DUMMY else "plain") for place in squares)
            rows.append((Cell(_text(chosen, done["to"]), "chosen"), *cells))
    return Picture(
        "What making a move writes",
        "Every move writes to the same four squares, without a test: G is emptied of a castling rook, H of a captured "
        "piece, x of the piece that moves; y receives it. Where there is no castling rook, G is the dummy square 80.",
        ((table(("move", "b[G] = 0", "b[H] = 0", "b[x] = 0", "b[y] = piece"), rows, 100),),),
        (("line_one", "the dummy square"),),
    )


# --- Positions and searches -------------------------------------------------------------------------------------------


@functools.cache
def _recorder() -> Machine:
    """The machine of all watches: its record is large."""
    return new_machine()


def _watch(setup: Setup, depth: int = 1) -> Watch:
    return Watch(setup, depth=depth, machine=_recorder())


def _at(setup: Setup) -> Machine:
    machine().set_position(setup)
    return machine()


def _score(micromax: Machine, root: OpenNode, reply: OpenNode, depth: int) -> int:
    """The score of a move, whose reply is searched again, with an open window."""
    record = micromax.record
    record.board[:] = reply.board
    record.stop = record.aborted = record.nodes = 0
    keys = reply.evaluation, reply.key, reply.lock, reply.en_passant, reply.last_to
    arguments = (reply.side, -listing.INFINITY - 1, listing.INFINITY, *keys, depth)
    score = -int(listing.search(record, *map(np.int64, arguments)))
    return score - (score > root.evaluation)


def _piece_on(setup: Setup, square: int | None) -> int:
    """The listing's square of a piece of the side to move; by default of its king. Checks the position."""
    return to_listing(chosen_square(setup.check(), square, of_mover=True))


def _piece_name(setup: Setup, square: int) -> str:
    return KIND_NAMES[piece_kind(setup.board[from_listing(square)])]


def _text(from_square: int, to_square: int) -> str:
    return square_name(from_listing(from_square)) + square_name(from_listing(to_square))
