"""Variations, comments and NAGs of games, from the texts that their files have: the files are read again."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.arrays import GameArrays, decode, make_column
from ox88.batch.pgn.comments import read_digits
from ox88.batch.pgn.movetext_reader import (
    CLOSING_PARENTHESIS,
    READER,
    is_move_number,
    read_no_move,
    read_non_move,
    variation_end,
)
from ox88.batch.pgn.records import (
    ANNOTATIONS,
    EARLY_VARIATION,
    GAME,
    ILLEGAL_FEN,
    LAST_HARMLESS,
    NO_ERROR,
    OTHER_VARIANT,
    OWN_TAGS,
)
from ox88.batch.pgn.replay import play
from ox88.batch.pgn.splitting import padded
from ox88.batch.pgn.tags import read_tags, set_error
from ox88.batch.pgn.writing import unchanged_games
from ox88.batch.rows.chunks import count_threads, in_order
from ox88.batch.rows.ragged import Ragged, to_offsets
from ox88.batch.text.bytes import CLOSING_BRACE, COMMENT, NAG, NOTHING, OPENING, RANK, REST_OF_LINE, byte_at, characters
from ox88.batch.text.san_reader import read_move
from ox88.bitboard.records import POSITION, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel

_BLOCK: Final = 1 << 20  # Bytes of games at a time.
_DEEPEST: Final = 1000  # Variations within one another.

# A line is a game's main line or a variation. parent: the line that it leaves, -1 for a main line. branch: after how
# many moves of the game. plies: the number of moves, with those before. error: where its text begins and ends follows.
LINE = np.dtype(
    [(name, np.int64) for name in ("game", "parent", "branch", "plies", "error", "begin", "end")], align=True
)
# A NAG after so many moves of a line; or a comment, whose text is at begin:end.
MARK = np.dtype([(name, np.int64) for name in ("line", "ply", "nag", "begin", "end")], align=True)

_COMMENT = np.int64(-1)  # In place of a NAG.
_BANG, _QUERY = map(ord, "!?")
_NAMES: Final = [name.encode() for name in OWN_TAGS]


class Tree(NamedTuple):
    """The lines of some games, from row `first` on.

    starts: where each game begins in the text. moves, owners: all moves in the order of the text, and their lines.
    """

    first: int
    text: NDArray[np.uint8]
    starts: NDArray[np.int64]
    lines: Any
    moves: NDArray[np.uint16]
    owners: NDArray[np.int64]
    marks: Any


def find_variations(games: GameArrays, threads: int | None) -> Iterator[GameArrays]:
    """The lines of some games at a time, each as a game from its beginning."""
    for tree in _trees(games, threads):
        lines = tree.lines
        rows = tree.first + lines.game
        offsets = to_offsets(lines.plies)
        moves = np.empty(offsets[-1], np.uint16)
        own = np.bincount(tree.owners, minlength=len(lines))
        places = offsets[1:] - own
        order = np.argsort(tree.owners, kind="stable")
        moves[np.arange(len(order)) + np.repeat(places - to_offsets(own)[:-1], own)] = tree.moves[order]
        copy_beginnings(lines, offsets, moves)
        chosen = games.take(rows)
        records = chosen.games.copy()
        records["error"] = lines.error
        for row in np.flatnonzero(lines.error):
            records["line"][row] += tree.text[tree.starts[lines.game[row]] : lines.begin[row]].tobytes().count(b"\n")
        texts = make_column(tree.text, np.stack([lines.begin, lines.end], axis=1)[:, np.newaxis], 0)
        yield GameArrays(moves, {}, None, offsets, games.setups, records, texts, chosen.columns, games.files)


def find_nags(games: GameArrays, threads: int | None) -> Ragged[np.uint16]:
    """The NAGs after each move of the main lines."""
    places, nags = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for tree in _trees(games, threads):
        marks, rows = _of_main_lines(games, tree)
        is_nag = marks.nag != _COMMENT
        places.append(rows[is_nag])
        nags.append(marks.nag[is_nag])
    counts = np.bincount(np.concatenate(places), minlength=len(games.moves))
    return Ragged(np.concatenate(nags).astype(np.uint16), to_offsets(counts))


def find_comments(games: GameArrays, threads: int | None) -> NDArray[np.object_]:
    """The comment after each move of the main lines; several are joined by blanks."""
    found = np.full(len(games.moves), "", np.object_)
    for tree in _trees(games, threads):
        marks, rows = _of_main_lines(games, tree)
        for row, mark in zip(rows.tolist(), marks, strict=True):
            if mark["nag"] == _COMMENT and (text := decode(tree.text[mark["begin"] : mark["end"]].tobytes()).strip()):
                found[row] = f"{found[row]} {text}".lstrip()
    return found


def _of_main_lines(games: GameArrays, tree: Tree) -> tuple[Any, NDArray[np.int64]]:
    """(the marks after moves of main lines, the rows of these moves)."""
    lines = tree.lines[tree.marks.line]
    marks = tree.marks[(lines.parent < 0) & (tree.marks.ply > 0)]
    return marks, games.offsets[tree.first + tree.lines.game[marks.line]] + marks.ply - 1


def _trees(games: GameArrays, threads: int | None) -> Iterator[Tree]:
    def read(block: tuple[int, list[bytes]]) -> Tree:
        return _read(games, *block)

    return in_order(read, _blocks(games), count_threads(threads))


def _blocks(games: GameArrays) -> Iterator[tuple[int, list[bytes]]]:
    """The texts of some games at a time, and the row of the first."""
    first, texts, size = 0, list[bytes](), 0
    for row, text in enumerate(unchanged_games(games)):
        if size >= _BLOCK:
            yield first, texts
            first, texts, size = row, [], 0
        texts.append(text)
        size += len(text)
    if texts:
        yield first, texts


def _read(games: GameArrays, first: int, texts: list[bytes]) -> Tree:
    data = b"".join(texts)
    text, places = padded(data), to_offsets(np.array(list(map(len, texts)), np.int64))
    some = np.zeros(len(texts), GAME).view(np.recarray)
    some.start, some.end = places[:-1], places[1:]
    some.setup = games.setup_rows[first : first + len(texts)]
    values = np.empty((len(texts), len(OWN_TAGS), 2), np.int64)
    read_tags(text, some, characters(), np.frombuffer(b"".join(_NAMES), np.uint8), _offsets_of_names(), values)
    is_unread = np.isin(games.games["error"][first : first + len(texts)], (ILLEGAL_FEN, OTHER_VARIANT))
    some.movetext[is_unread] = some.end[is_unread]
    openings = data.count(b"(")
    lines = np.zeros(len(texts) + openings, LINE).view(np.recarray)
    marks = np.empty(sum(map(data.count, (b"{", b";", b"$", b"!", b"?"))), MARK).view(np.recarray)
    room = len(data) // 2 + 1
    moves, owners = np.empty(room, np.uint16), np.empty(room, np.int64)
    after, before = (np.empty(min(openings, _DEEPEST) + 1, POSITION).view(np.recarray) for _ in range(2))
    records = (games.setups.view(np.recarray), make_record(READER), board_tables(), characters(), values)
    annotations, open_lines = np.empty((len(ANNOTATIONS), 0), np.float32), np.empty(len(after), np.int64)
    counts = np.zeros(3, np.int64)
    read_lines(text, some, *records, annotations, open_lines, after, before, lines, moves, owners, marks, counts)
    line_count, move_count, mark_count = counts.tolist()
    return Tree(first, text, places, lines[:line_count], moves[:move_count], owners[:move_count], marks[:mark_count])


def _offsets_of_names() -> NDArray[np.int64]:
    return to_offsets(np.array(list(map(len, _NAMES)), np.int64))


@kernel
def read_lines(
    text,
    games,
    setups,
    reader,
    tables,
    characters,
    values,
    annotations,
    open_lines,
    after,
    before,
    lines,
    moves,
    owners,
    marks,
    counts,
):
    """Read the main lines and variations of games, each up to its first error.

    open_lines, after, before: for the main line and each variation that is open, its row in `lines`, and POSITION after
    its last move and before it. lines: LINE. moves, owners: set to all moves, and their lines. marks: MARK. counts: set
    to the numbers of lines, moves and marks.
    """
    zero = np.int64(0)
    for number in range(len(games)):
        game = games[number]
        at, end, depth = np.int64(game.movetext), np.int64(game.end), zero
        after[0] = setups[game.setup]
        open_lines[0] = begin_line(lines, counts, number, np.int64(-1), zero)
        game.error = NO_ERROR
        while at < end:
            line = lines[open_lines[depth]]
            begins = np.int64(characters.begins[byte_at(text, at)])
            # Step 1. The end of a variation, a sign such as !?, and what stands between words.
            if begins == NOTHING or (begins == RANK and is_move_number(text, at, characters)):
                nag, length = sign_at(text, at)
                if nag > 0:
                    add_mark(marks, counts, open_lines[depth], line.plies, nag, at, at)
                if depth > 0 and byte_at(text, at) == CLOSING_PARENTHESIS:
                    depth -= 1
                at += length
                continue
            # Step 2. The beginning of a variation: it replaces the last move.
            if begins == OPENING and line.plies > line.branch:
                if depth + 1 == len(after):
                    at = min(variation_end(text, at + 1, end, game, characters) + 1, end)
                else:
                    open_lines[depth + 1] = begin_line(lines, counts, number, open_lines[depth], line.plies - 1)
                    after[depth + 1] = before[depth]
                    depth += 1
                    at += 1
                continue
            # Step 3. A NAG, a comment, a move, or what is none of these.
            if begins == OPENING and depth > 0:
                set_error(game, EARLY_VARIATION, at, at)
            elif begins == NAG:
                nag, stop = read_digits(text, at + 1)
                if nag <= 0xFFFF:
                    add_mark(marks, counts, open_lines[depth], line.plies, nag, at, at)
                at = stop
            elif begins >= COMMENT:
                begin = at
                at = read_non_move(
                    text, at, end, begins, game, reader, characters, values[number], zero, annotations, zero
                )
                if begins in (COMMENT, REST_OF_LINE):
                    closes = begins == COMMENT and byte_at(text, at - 1) == CLOSING_BRACE
                    add_mark(marks, counts, open_lines[depth], line.plies, _COMMENT, begin + 1, at - np.int64(closes))
            else:
                move, length = read_move(text, at, begins, after[depth], tables, characters)
                if length == 0:
                    at = read_no_move(text, at, end, begins, game, reader, characters, values[number])
                elif move < 0:
                    set_error(game, -move, at, at + length)
                else:
                    before[depth] = after[depth]
                    play(after[depth], tables, reader.undo, move)
                    moves[counts[1]] = move
                    owners[counts[1]] = open_lines[depth]
                    counts[1] += 1
                    line.plies += 1
                    at += length
            # Step 4. An error ends the line.
            if game.error > LAST_HARMLESS:
                line.error, line.begin, line.end = game.error, game.error_start, game.error_end
                game.error = NO_ERROR
                at = end if depth == 0 else variation_end(text, np.int64(line.end), end, game, characters)


@kernel
def begin_line(lines, counts, game, parent, branch):
    """Begin a line; returns its row."""
    row = counts[0]
    line = lines[row]
    line.game = game
    line.parent = parent
    line.branch = branch
    line.plies = branch
    counts[0] += 1
    return row


@kernel
def add_mark(marks, counts, line, ply, nag, begin, end):
    mark = marks[counts[2]]
    mark.line = line
    mark.ply = ply
    mark.nag = nag
    mark.begin = begin
    mark.end = end
    counts[2] += 1


@kernel
def sign_at(text, at):
    """(the NAG of the sign !, ?, !!, ??, !? or ?! at `at`, its length); (0, 1) if there is none."""
    byte, following = byte_at(text, at), byte_at(text, at + 1)
    if byte != _BANG and byte != _QUERY:
        return np.int64(0), np.int64(1)
    if following != _BANG and following != _QUERY:
        return np.int64(1 if byte == _BANG else 2), np.int64(1)
    if byte == following:
        return np.int64(3 if byte == _BANG else 4), np.int64(2)
    return np.int64(5 if byte == _BANG else 6), np.int64(2)


@kernel
def copy_beginnings(lines, offsets, moves):
    """Copy to each line the moves before it, those of the line that it leaves, which comes before it."""
    for row in range(len(lines)):
        if lines[row].parent >= 0:
            begin, there = offsets[row], offsets[lines[row].parent]
            for ply in range(lines[row].branch):
                moves[begin + ply] = moves[there + ply]
