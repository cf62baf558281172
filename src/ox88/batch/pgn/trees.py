"""Variations, comments and NAGs of games, from the texts that their files have: the files are read again."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ox88.batch.pgn.arrays import GameArrays, decode, make_columns
from ox88.batch.pgn.comments import read_digits
from ox88.batch.pgn.movetext_reader import (
    CLOSING_PARENTHESIS,
    READER,
    is_move_number,
    is_word,
    read_no_move,
    read_non_move,
    variation_end,
)
from ox88.batch.pgn.records import (
    ANNOTATIONS,
    EARLY_VARIATION,
    GAME,
    LAST_HARMLESS,
    NO_CHESS,
    NO_ERROR,
    OWN_TAGS,
)
from ox88.batch.pgn.replay import play
from ox88.batch.pgn.splitting import padded
from ox88.batch.pgn.tags import read_tags, set_error
from ox88.batch.pgn.writing import unchanged_games
from ox88.batch.rows.chunks import count_threads, in_order
from ox88.batch.rows.ragged import Ragged, to_offsets
from ox88.batch.text.bytes import (
    CLOSING_BRACE,
    COMMENT,
    NAG,
    NOTHING,
    OPENING,
    RANK,
    REST_OF_LINE,
    byte_at,
    characters,
)
from ox88.batch.text.san_reader import read_move
from ox88.bitboard.records import POSITION, make_record
from ox88.bitboard.tables import board_tables
from ox88.jit import kernel

_BLOCK: Final = 1 << 20  # Bytes of games at a time.
_DEEPEST: Final = 1000  # Variations within one another.

# A line is a game's main line or a variation. parent: the line that it leaves, -1 for a main line. depth: in how many
# lines it is. branch: after how many moves of the game. plies: the number of moves, with those before. start: where its
# text begins. is_open: 1 for a variation without an end. error: what ends it; begin, end: the text of the error; stop:
# where the text after the line goes on.
LINE = np.dtype(
    [
        (name, np.int64)
        for name in ("game", "parent", "depth", "branch", "plies", "start", "is_open", "error", "begin", "end", "stop")
    ],
    align=True,
)
# A NAG after so many moves of a line; or a comment, whose text is at begin:end.
MARK = np.dtype([(name, np.int64) for name in ("line", "ply", "nag", "begin", "end")], align=True)
# Where reading is in the text, and in which line; how many lines, moves and marks have been read; has_words: 1 if words
# were passed over that are no moves.
STATE = np.dtype([(name, np.int64) for name in ("at", "line", "lines", "moves", "marks", "has_words")], align=True)

_COMMENT = np.int64(-1)  # In place of a NAG.
NO_LINE = np.int64(-1)
AFTER, BEFORE = np.int64(0), np.int64(1)  # The last move of a line.
_BANG, _QUERY = map(ord, "!?")
_NAMES: Final = [name.encode() for name in OWN_TAGS]


class Tree(NamedTuple):
    """The lines of some games.

    text: the games, which begin at `starts`. lines: LINE, in the order of the text. moves, owners: all moves in the
    order of the text, and their lines. marks: MARK. state: STATE, at the end.
    """

    text: NDArray[np.uint8]
    starts: NDArray[np.int64]
    lines: Any
    moves: NDArray[np.uint16]
    owners: NDArray[np.int64]
    marks: Any
    state: Any


def find_variations(games: GameArrays, threads: int | None) -> Iterator[GameArrays]:
    """The lines of some games at a time, each as a game from its beginning."""
    for first, tree in _trees(games, threads):
        lines = tree.lines
        offsets = to_offsets(lines.plies)
        moves = np.empty(offsets[-1], np.uint16)
        own = np.bincount(tree.owners, minlength=len(lines))
        places = offsets[1:] - own
        order = np.argsort(tree.owners, kind="stable")
        moves[np.arange(len(order)) + np.repeat(places - to_offsets(own)[:-1], own)] = tree.moves[order]
        copy_beginnings(lines, offsets, moves)
        chosen = games.take(first + lines.game)
        records = chosen.games.copy()
        records["error"] = lines.error
        for row in np.flatnonzero(lines.error):
            records["line"][row] += tree.text[tree.starts[lines.game[row]] : lines.begin[row]].tobytes().count(b"\n")
        (texts,) = make_columns(tree.text, np.stack([lines.begin, lines.end], axis=1)[:, np.newaxis], [0])
        yield GameArrays(moves, {}, None, offsets, games.setups, records, texts, chosen.columns, games.files)


def find_nags(games: GameArrays, threads: int | None) -> Ragged[np.uint16]:
    """The NAGs after each move of the main lines."""
    places, nags = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for first, tree in _trees(games, threads):
        marks, rows = _of_main_lines(games, first, tree)
        is_nag = marks.nag != _COMMENT
        places.append(rows[is_nag])
        nags.append(marks.nag[is_nag])
    counts = np.bincount(np.concatenate(places), minlength=len(games.moves))
    return Ragged(np.concatenate(nags).astype(np.uint16), to_offsets(counts))


def find_comments(games: GameArrays, threads: int | None) -> NDArray[np.object_]:
    """The comment after each move of the main lines; several are joined by blanks."""
    found = np.full(len(games.moves), "", np.object_)
    for first, tree in _trees(games, threads):
        marks, rows = _of_main_lines(games, first, tree)
        for row, mark in zip(rows.tolist(), marks, strict=True):
            if mark["nag"] == _COMMENT and (text := decode(tree.text[mark["begin"] : mark["end"]].tobytes()).strip()):
                found[row] = f"{found[row]} {text}".lstrip()
    return found


def _of_main_lines(games: GameArrays, first: int, tree: Tree) -> tuple[Any, NDArray[np.int64]]:
    """(the marks after moves of main lines, the rows of these moves). first: the row of the tree's first game."""
    lines = tree.lines[tree.marks.line]
    marks = tree.marks[(lines.parent < 0) & (tree.marks.ply > 0)]
    return marks, games.offsets[first + tree.lines.game[marks.line]] + marks.ply - 1


def _trees(games: GameArrays, threads: int | None) -> Iterator[tuple[int, Tree]]:
    """(the row of the first game, the tree) of some games at a time."""
    return in_order(lambda block: (block[0], _read(games, *block)), _blocks(games), count_threads(threads))


def _blocks(games: GameArrays) -> Iterator[tuple[int, str, list[bytes]]]:
    """The row of the first game, the language of the pieces' letters, and the texts, of some games at a time."""
    first, language, texts, size = 0, "", list[bytes](), 0
    for row, (text, file) in enumerate(zip(unchanged_games(games), games.games["file"], strict=True)):
        if size >= _BLOCK or (texts and games.files[file].letters != language):
            yield first, language, texts
            first, texts, size = row, [], 0
        language = games.files[file].letters
        texts.append(text)
        size += len(text)
    if texts:
        yield first, language, texts


def _read(games: GameArrays, first: int, language: str, texts: list[bytes]) -> Tree:
    text, places = padded(b"".join(texts)), to_offsets(np.array(list(map(len, texts)), np.int64))
    some = np.zeros(len(texts), GAME).view(np.recarray)
    some.start, some.end = places[:-1], places[1:]
    some.setup = games.setup_rows[first : first + len(texts)]
    values = np.empty((len(texts), len(OWN_TAGS), 2), np.int64)
    offsets = to_offsets(np.array(list(map(len, _NAMES)), np.int64))
    read_tags(text, some, characters(), np.frombuffer(b"".join(_NAMES), np.uint8), offsets, values)
    is_unread = np.isin(games.games["error"][first : first + len(texts)], NO_CHESS)
    some.movetext[is_unread] = some.end[is_unread]
    return read_tree(text, some, values, games.setups.view(np.recarray), language)


def read_tree(text: NDArray[np.uint8], games: Any, values: NDArray[np.int64], setups: Any, language: str) -> Tree:
    """Read games, up to the first error in each line. games, values, setups: as `read_heads` makes them."""
    data = text.tobytes()
    openings, room = data.count(b"("), len(data) // 2
    lines = np.zeros(len(games) + openings, LINE).view(np.recarray)
    marks = np.empty(sum(map(data.count, (b"{", b";", b"$", b"!", b"?"))), MARK).view(np.recarray)
    moves, owners = np.empty(room, np.uint16), np.empty(room, np.int64)
    boards = np.empty((min(openings, _DEEPEST) + 1, 2), POSITION).view(np.recarray)
    reader, state = make_record(READER), make_record(STATE)
    annotations = np.empty((len(ANNOTATIONS), 0), np.float32)
    records = (reader, board_tables(), characters(language), values, annotations)
    read_lines(text, games, setups, *records, boards, state, lines, moves, owners, marks)
    real_moves = slice(state.moves)
    return Tree(
        text, games.start, lines[: state.lines], moves[real_moves], owners[real_moves], marks[: state.marks], state
    )


@kernel
def read_lines(
    text, games, setups, reader, tables, characters, values, annotations, boards, state, lines, moves, owners, marks
):
    """Read the main lines and variations of games, each up to its first error.

    boards: POSITION[depth + 1, 2], of the main line and each variation around the current one after its last move and
    before it. state: STATE of zeros. lines, moves, owners, marks: set to what a Tree has.
    """
    for number in range(len(games)):
        game = games[number]
        game.error = NO_ERROR
        boards[0, AFTER] = setups[game.setup]
        state.line = NO_LINE
        state.at = game.movetext
        begin_line(state, lines, number, np.int64(0))
        read_game(
            text, game, reader, tables, characters, values[number], annotations, boards, state, lines, moves, owners,
            marks,
        )  # fmt: skip
        while lines[state.line].depth > 0:
            lines[state.line].is_open = 1
            state.line = lines[state.line].parent


@kernel
def read_game(text, game, reader, tables, characters, values, annotations, boards, state, lines, moves, owners, marks):
    end = np.int64(game.end)
    while state.at < end:
        at, line = np.int64(state.at), lines[state.line]
        begins = np.int64(characters.begins[byte_at(text, at)])
        # Step 1. The end of a variation, a sign such as !?, and what stands between words.
        if begins == NOTHING or (begins == RANK and is_move_number(text, at, characters)):
            read_sign(text, state, line, marks)
            continue
        # Step 2. The beginning of a variation; a NAG, a comment, or what else is no move; a move.
        if begins == OPENING and line.plies > line.branch:
            open_variation(text, game, characters, boards, state, lines)
        elif begins == OPENING and line.depth > 0:
            set_error(game, EARLY_VARIATION, at, at)
        elif begins >= COMMENT:
            read_note(text, game, begins, reader, characters, values, annotations, state, line, marks)
        else:
            move, length = read_move(text, at, begins, boards[line.depth, AFTER], tables, characters)
            if length == 0:
                state.has_words |= is_word(text, at, begins)
                reader.position = boards[line.depth, AFTER]
                state.at = read_no_move(text, at, end, begins, game, reader, characters, values)
            elif move < 0:
                set_error(game, -move, at, at + length)
            else:
                boards[line.depth, BEFORE] = boards[line.depth, AFTER]
                play(boards[line.depth, AFTER], tables, reader.undo, move)
                moves[state.moves] = move
                owners[state.moves] = state.line
                state.moves += 1
                line.plies += 1
                state.at += length
        # Step 3. An error ends the line.
        if game.error > LAST_HARMLESS:
            end_line(text, game, characters, state, line)


@kernel
def begin_line(state, lines, game, branch):
    """Begin a line that leaves the current one after so many moves of the game."""
    line = lines[state.lines]
    line.game = game
    line.parent = state.line
    line.depth = 0 if state.line == NO_LINE else lines[state.line].depth + 1
    line.branch = branch
    line.plies = branch
    line.start = state.at
    state.line = state.lines
    state.lines += 1


@kernel
def end_line(text, game, characters, state, line):
    """End a line with the game's error, and go to the end of its text."""
    end = np.int64(game.end)
    line.error = game.error
    line.begin = game.error_start
    line.end = game.error_end
    game.error = NO_ERROR
    state.at = end if line.depth == 0 else variation_end(text, np.int64(line.end), end, game, characters)
    line.stop = state.at


@kernel
def open_variation(text, game, characters, boards, state, lines):
    """Begin a variation, which replaces the last move; or pass over it where it is too deep in others."""
    line, end = lines[state.line], np.int64(game.end)
    depth = line.depth + 1
    if depth == len(boards):
        state.at = min(variation_end(text, state.at + 1, end, game, characters) + 1, end)
        return
    begin_line(state, lines, line.game, line.plies - 1)
    boards[depth, AFTER] = boards[depth - 1, BEFORE]
    state.at += 1


@kernel
def read_sign(text, state, line, marks):
    """Read a sign such as !?, the end of a variation, or a byte that has no meaning."""
    nag, length = sign_at(text, state.at)
    if nag > 0:
        add_mark(marks, state, line, nag, state.at, state.at)
    if line.depth > 0 and byte_at(text, state.at) == CLOSING_PARENTHESIS:
        state.line = line.parent
    state.at += length


@kernel
def read_note(text, game, begins, reader, characters, values, annotations, state, line, marks):
    """Read a NAG, a comment, or what else is no move."""
    at, zero = np.int64(state.at), np.int64(0)
    if begins == NAG:
        nag, state.at = read_digits(text, at + 1)
        if nag <= 0xFFFF:
            add_mark(marks, state, line, nag, at, at)
        return
    end = np.int64(game.end)
    state.at = read_non_move(text, at, end, begins, game, reader, characters, values, zero, annotations, zero)
    if begins in (COMMENT, REST_OF_LINE):
        closes = np.int64(begins == COMMENT and byte_at(text, state.at - 1) == CLOSING_BRACE)
        add_mark(marks, state, line, _COMMENT, at + 1, state.at - closes)


@kernel
def add_mark(marks, state, line, nag, begin, end):
    mark = marks[state.marks]
    mark.line = state.line
    mark.ply = line.plies
    mark.nag = nag
    mark.begin = begin
    mark.end = end
    state.marks += 1


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
