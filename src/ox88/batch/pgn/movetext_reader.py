"""Kernels that read movetext: the moves of the main lines, with clocks and evaluations from comments."""

import numpy as np

from ox88.batch.pgn.comments import (
    CLOCK_COMMAND,
    EVAL_COMMAND,
    TIME_COMMAND,
    begins_search,
    command_name,
    is_digit,
    read_digits,
    read_eval,
    read_search,
    read_time,
)
from ox88.batch.pgn.records import (
    ANNOTATIONS,
    CLOCK,
    DEPTH,
    EVAL,
    HALF_MOVE,
    NO_ERROR,
    NO_MOVE_WORD,
    NO_SAN,
    NOTHING_READ,
    OPEN_COMMENT,
    OPEN_VARIATION,
    RESULT_TAG,
    TIME,
)
from ox88.batch.pgn.replay import play
from ox88.batch.pgn.tags import result_at, set_error
from ox88.batch.positions.packed import pack_position
from ox88.batch.text.bytes import (
    BRACKET,
    CASTLING,
    CLOSING_BRACE,
    COMMENT,
    DASH,
    DROP,
    FILE,
    NAG,
    NEWLINE,
    NOTHING,
    OPENING,
    OPENING_BRACE,
    PERCENT,
    PIECE,
    RANK,
    REST_OF_LINE,
    SEMICOLON,
    SYMBOL,
    WORD,
    after_newline,
    after_space,
    begins_with,
    byte_at,
    count_lines,
    dash_length,
    find_mark,
    is_newline,
    is_space,
    line_end,
)
from ox88.batch.text.san_reader import Z0, castling_length, read_move, read_symbol
from ox88.bitboard.records import POSITION, UNDO
from ox88.jit import kernel, rarely_called
from ox88.types import BLACK

OPENING_PARENTHESIS, CLOSING_PARENTHESIS, DOT, SLASH = map(ord, "()./")
SPACE = ord(" ")
LONGEST_WORD = 32  # Bytes that are looked at, so that a long text without white space is not looked at again and again.
_WORD_ENDS = tuple(b"(){}[];,!?$")

READER = np.dtype(
    [
        ("position", POSITION),
        ("undo", UNDO),
        ("found_result", np.int64),  # 1 if the movetext has a result.
        # For each kind of annotation, how many moves have values, or NaN. Those after them are not set.
        ("annotated", np.int64, len(ANNOTATIONS)),
    ],
    align=True,
)


@kernel
def read_movetexts(text, games, setups, reader, tables, characters, values, moves, annotations, packed):
    """Read the main lines of all games, after their tags; returns the number of moves.

    setups: POSITION, the first positions. values: as read_tags sets them; a result that only the movetext has is added.
    moves: uint16, half as long as the text, since a move has at least two bytes. annotations: float32[4, length of
    moves], set as `annotate` does. packed: PACKED of the same length, set to the positions before the moves; or empty.
    """
    count = np.int64(0)
    reader.annotated[:] = 0
    for number in range(len(games)):
        game = games[number]
        game.first = count
        game.length = 0
        if game.error <= OPEN_COMMENT:  # After a worse error nothing of the game is read.
            reader.position = setups[game.setup]
            reader.found_result = 0
            count = read_movetext(
                text, game, reader, tables, characters, values[number], moves, annotations, packed, count
            )
            game.length = count - game.first
            if game.length == 0 and game.tags == 0 and reader.found_result == 0 and game.error == NO_ERROR:
                set_error(game, NOTHING_READ, np.int64(game.start), np.int64(game.end))
        if game.error != NO_ERROR:
            game.line += count_lines(text, np.int64(game.start), np.int64(game.error_start))
    return count


@kernel
def read_movetext(text, game, reader, tables, characters, values, moves, annotations, packed, count):
    """Read the main line of a game; returns `count`, the number of moves of all games so far."""
    at = np.int64(game.movetext)
    end = np.int64(game.end)
    first = count
    while at < end:
        begins = np.int64(characters.begins[byte_at(text, at)])
        if begins == NOTHING or (begins == RANK and is_move_number(text, at, characters)):
            at += 1
            continue
        if begins >= COMMENT:
            at = read_non_move(text, at, end, begins, game, reader, characters, values, first, annotations, count)
            continue
        move, length = read_move(text, at, begins, reader.position, tables, characters)
        if length == 0:
            at = read_no_move(text, at, end, begins, game, reader, characters, values)
            continue
        if move < 0:
            set_error(game, -move, at, at + length)
            return count
        if count < len(packed):
            pack_position(reader.position, packed[count])
        play(reader.position, tables, reader.undo, move)
        moves[count] = move
        count += 1
        at += length
    return count


@kernel
def is_move_number(text, at, characters):
    """True if a digit belongs to a move number: no move and no result begins with it."""
    following = byte_at(text, at + 1)
    if following == DOT or is_digit(following):
        return True
    begins = characters.begins[following]
    return begins != FILE and begins != DASH and following != SLASH and dash_length(text, at + 1) == 0


@kernel
def read_non_move(text, at, end, begins, game, reader, characters, values, first, annotations, count):
    """Read a comment, a variation, a NAG, a newline or a result; returns where it ends."""
    if begins == NEWLINE:
        at = after_newline(text, at, end)
        return line_end(text, at, end, characters) if byte_at(text, at) == PERCENT else at
    if begins == COMMENT:
        return read_comment(text, at + 1, end, game, reader, characters, first, annotations, count)
    if begins == REST_OF_LINE:
        return line_end(text, at, end, characters)
    if begins == NAG:
        return read_digits(text, at + 1)[1]
    if begins == OPENING:
        if count == first:
            return at + 1
        closing = variation_end(text, at + 1, end, game, characters)
        if closing == end:
            set_error(game, OPEN_VARIATION, at, min(at + 1, end))
            return end
        return closing + 1
    return at + note_result(text, at, game, reader, values)


@kernel
def read_no_move(text, at, end, begins, game, reader, characters, values):
    """Read a word that is no move, a result or a sign; returns where it ends. reader: at the position."""
    if is_word(text, at, begins):
        return skip_word(text, at, end, game, reader.position, characters)
    return at + note_result(text, at, game, reader, values)


@kernel
def is_word(text, at, begins):
    """True if a word begins here, unless it begins with P."""
    is_letter = 97 <= byte_at(text, at) | 32 <= 122 and begins != DROP
    return is_letter or begins == WORD or (begins == SYMBOL and read_symbol(text, at)[0] != 0)


@kernel
def skip_word(text, at, end, game, position, characters):
    """Skip the letters at the beginning of a word that is no move; returns where they end.

    If the word names a square, castling or a null move, the game ends with an error. Otherwise the rest of the word
    would be read as another move: f3 in Sf3, which is German for Nf3. Half a move at the end of the game is an error,
    too. So is a word in the place of a move, since the next move would be read as the other side's.
    """
    rarely_called()
    stop = at
    limit = min(end, at + LONGEST_WORD)
    names_move, has_digit = False, False
    while stop < limit and not ends_word(text, stop):
        letter, next_byte = byte_at(text, stop) | 32, byte_at(text, stop + 1)
        is_square = 97 <= letter <= 104 and 49 <= next_byte <= 56
        if is_square or castling_length(text, stop)[0] > 0 or begins_with(text, stop, Z0):
            names_move = True
        has_digit |= 97 <= letter <= 122 and is_digit(next_byte)
        stop += 1
    if names_move:
        set_error(game, NO_SAN, at, stop)
        return end
    half = half_move_end(text, at, characters)
    if half > at and after_space(text, half, end) == end:
        set_error(game, HALF_MOVE, at, half)
        return end
    if has_digit or stands_for_move(text, game.movetext, at, stop, end, position, characters):
        set_error(game, NO_MOVE_WORD, at, stop)
        return end
    at += 1
    while at < stop and 97 <= byte_at(text, at) | 32 <= 122:
        at += 1
    return at


@kernel
def stands_for_move(text, begin, at, stop, end, position, characters):
    """True if the number of the next move stands before a word, or that of the move after it behind the word."""
    next_move = 2 * np.int64(position.fullmove_number) + np.int64(position.turn == BLACK)
    return number_before(text, begin, at) == next_move or number_after(text, stop, end, characters) == next_move + 1


@kernel
def number_before(text, begin, at):
    """Twice the move number that ends at `at`, and 1 for Black's move, as in 2... e5; -1 if there is none."""
    dots = at
    while dots > begin and (byte_at(text, dots - 1) == DOT or is_space(byte_at(text, dots - 1))):
        dots -= 1
    number = dots
    while number > begin and is_digit(byte_at(text, number - 1)):
        number -= 1
    return read_number(text, number, at)


@kernel
def number_after(text, at, end, characters):
    """As `number_before`, the number that follows white space, signs, NAGs and comments."""
    while at < end and not is_digit(byte_at(text, at)) and byte_at(text, at) != CLOSING_PARENTHESIS:
        begins = characters.begins[byte_at(text, at)]
        if begins == NAG:
            at = read_digits(text, at + 1)[1]
        elif begins == COMMENT:
            while at < end and byte_at(text, at) != CLOSING_BRACE:
                at += 1
        elif begins in (NOTHING, NEWLINE):
            at += 1
        else:
            return np.int64(-1)
    return read_number(text, at, end)


@kernel
def read_number(text, at, end):
    """Twice the move number at `at`, and 1 if several dots follow it; -1 if there is no number with a dot."""
    number, stop = read_digits(text, at)
    dots = np.int64(0)
    while stop < end and (byte_at(text, stop) == DOT or is_space(byte_at(text, stop))):
        dots += byte_at(text, stop) == DOT
        stop += 1
    return 2 * number + np.int64(dots > 1) if dots > 0 else np.int64(-1)


@kernel
def half_move_end(text, at, characters):
    """Where the beginning of a move without its last square ends, as Nb, Rax, exd and O-; `at` if there is none."""
    begins = characters.begins[byte_at(text, at)]
    if begins == CASTLING:
        return at + 1 + dash_length(text, at + 1)
    if begins not in (PIECE, FILE):
        return at
    at += 1
    if begins == PIECE and characters.begins[byte_at(text, at)] in (FILE, RANK):
        at += 1
    if characters.begins[byte_at(text, at)] == DASH:
        at += 1
    return at + 1 if characters.begins[byte_at(text, at)] == FILE else at


@kernel
def ends_word(text, at):
    """True at what ends a word: white space, also a no-break space in UTF-8, punctuation, or any kind of bracket."""
    byte = byte_at(text, at)
    if byte == 0xC2:
        return byte_at(text, at + 1) == 0xA0
    return is_space(byte) or byte in _WORD_ENDS


@kernel
def note_result(text, at, game, reader, values):
    """Set the game's result from the movetext if its tags have none; returns how many bytes to skip."""
    result, length = result_at(text, at)
    if length == 0:
        return np.int64(1)
    reader.found_result = 1
    begin, end = values[RESULT_TAG, 0], values[RESULT_TAG, 1]
    if begin < 0 or (end - begin == 1 and result_at(text, begin)[1] == 1):
        game.result = result
        values[RESULT_TAG, 0] = at
        values[RESULT_TAG, 1] = at + length
    return np.int64(length)


@kernel
def variation_end(text, at, end, game, characters):
    """Where the parenthesis is that closes the variation at `at`; `end` if it is not closed."""
    depth = np.int64(1)
    while at < end:
        byte = byte_at(text, at)
        if byte == OPENING_PARENTHESIS:
            depth += 1
        elif byte == CLOSING_PARENTHESIS:
            depth -= 1
            if depth == 0:
                return at
        elif byte == OPENING_BRACE:
            opening = at
            while at < end and byte_at(text, at) != CLOSING_BRACE:
                at += 1
            if at == end:
                set_error(game, OPEN_COMMENT, opening, opening + 1)
                return end
        elif byte == SEMICOLON:
            at = line_end(text, at, end, characters)
            continue
        elif is_newline(byte) and byte_at(text, after_newline(text, at, end)) == PERCENT:
            at = line_end(text, after_newline(text, at, end), end, characters)
            continue
        at += 1
    return end


@kernel
def read_comment(text, at, end, game, reader, characters, first, annotations, count):
    """Read a comment on the last move. at: after its opening brace. Returns where it ends."""
    begin = at - 1
    # Most comments that are read begin with a command, perhaps after one space.
    begins_command = byte_at(text, at + np.int64(byte_at(text, at) == SPACE)) == BRACKET
    if count > first and not begins_command and begins_search(text, at):
        pawns, depth, seconds = read_search(text, at)
        if not np.isnan(pawns):
            white = pawns if reader.position.turn == BLACK else -pawns
            annotate_search(annotations, reader, count - 1, white, depth)
            annotate(annotations, reader, TIME, count - 1, seconds)
    while True:
        at = find_mark(text, at, end, characters.ends_plain)
        if at == end:
            set_error(game, OPEN_COMMENT, begin, begin + 1)
            return end
        if byte_at(text, at) == CLOSING_BRACE:
            return at + 1
        if byte_at(text, at + 1) == PERCENT and count > first:
            at = read_command(text, at, reader, annotations, count - 1)
        else:
            at += 1


@kernel
def read_command(text, at, reader, annotations, ply):
    """Annotate a move by the command at `at`; returns where the command ends, or the next byte."""
    name = command_name(text, at + 2)
    if name == EVAL_COMMAND:
        pawns, depth, end = read_eval(text, at, reader.position.turn == BLACK)
        annotate_search(annotations, reader, ply, pawns, depth)
        return end
    if name not in (CLOCK_COMMAND, TIME_COMMAND):
        return at + 1
    seconds, end = read_time(text, at)
    annotate(annotations, reader, CLOCK if name == CLOCK_COMMAND else TIME, ply, seconds)
    return end


@kernel
def annotate_search(annotations, reader, ply, pawns, depth):
    """Annotate a move by an evaluation and its depth, unless it has an evaluation."""
    if reader.annotated[EVAL] <= ply and not np.isnan(pawns):
        annotate(annotations, reader, EVAL, ply, pawns)
        annotate(annotations, reader, DEPTH, ply, depth)


@kernel
def annotate(annotations, reader, kind, ply, value):
    """Annotate a move, unless it has such an annotation, or the value is NaN."""
    count = reader.annotated[kind]
    if count > ply or np.isnan(value):
        return
    for earlier in range(count, ply):
        annotations[kind, earlier] = np.float32(np.nan)
    annotations[kind, ply] = np.float32(value)
    reader.annotated[kind] = ply + 1
