"""Kernels that read movetext: the moves of the main lines, with clocks and evaluations from comments."""

import numpy as np

from ox88.batch.packed import pack_position
from ox88.batch.pgn.comments import read_clock, read_digits, read_eval
from ox88.batch.pgn.errors import NO_ERROR, NOTHING_READ, NULL_MOVE_IN_CHECK, OPEN_COMMENT, OPEN_VARIATION, UNKNOWN_DROP
from ox88.batch.pgn.records import RESULT_TAG
from ox88.batch.pgn.replay import play
from ox88.batch.pgn.san import LENGTH_SHIFT, find_castling, find_move, read_san
from ox88.batch.pgn.tags import result_at, set_error
from ox88.batch.pgn.text import (
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
    ZERO,
    after_newline,
    begins_with,
    byte_at,
    count_lines,
    find_mark,
    is_newline,
    line_end,
)
from ox88.bitboard.attacks import checkers
from ox88.bitboard.bits import NO_SQUARES
from ox88.jit import kernel
from ox88.types import BLACK, NO_MOVE

AT_SIGN, OPENING_PARENTHESIS, CLOSING_PARENTHESIS, MINUS, SLASH = map(ord, "@()-/")
_NULL_MOVES = (b"--", b"Z0", b"0000", b"@@@@")
_TWO_DASHES, _Z0, _FOUR_ZEROS, _FOUR_AT_SIGNS = (np.frombuffer(word, np.uint8) for word in _NULL_MOVES)


@kernel
def read_movetexts(text, games, setups, reader, tables, characters, values, moves, clocks, evals, packed):
    """Read the main lines of all games, after their tags; returns the number of moves.

    setups: POSITION, the first positions. values: as read_tags sets them; a result that only the movetext has is added.
    moves: uint16, clocks, evals: float32, each half as long as the text, since a move has at least two bytes. packed:
    PACKED of the same length, set to the positions before the moves; or empty.
    """
    count = np.int64(0)
    for number in range(len(games)):
        game = games[number]
        game.first = count
        game.length = 0
        if game.error <= OPEN_COMMENT:  # After a worse error nothing of the game is read.
            reader.position = setups[game.setup]
            reader.found_result = 0
            count = read_movetext(
                text, game, reader, tables, characters, values[number], moves, clocks, evals, packed, count
            )
            game.length = count - game.first
            if game.length == 0 and game.tags == 0 and reader.found_result == 0 and game.error == NO_ERROR:
                set_error(game, NOTHING_READ, np.int64(game.start), np.int64(game.end))
        if game.error != NO_ERROR:
            game.line += count_lines(text, np.int64(game.start), np.int64(game.error_start))
    return count


@kernel
def read_movetext(text, game, reader, tables, characters, values, moves, clocks, evals, packed, count):
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
            at = read_non_move(text, at, end, begins, game, reader, characters, values, first, clocks, evals, count)
            continue
        move, length = read_move(text, at, begins, reader.position, tables, characters)
        if length == 0:
            at += note_result(text, at, game, reader, values)
            continue
        if move < 0:
            set_error(game, -move, at, at + length)
            return count
        if count < len(packed):
            pack_position(reader.position, packed[count])
        play(reader.position, tables, reader.undo, move)
        moves[count] = move
        clocks[count] = np.float32(np.nan)
        evals[count] = np.float32(np.nan)
        count += 1
        at += length
    return count


@kernel
def is_move_number(text, at, characters):
    """True if a digit belongs to a move number: no move and no result begins with it."""
    following = byte_at(text, at + 1)
    begins = characters.begins[following]
    return begins != FILE and begins != DASH and following != SLASH


@kernel
def read_non_move(text, at, end, begins, game, reader, characters, values, first, clocks, evals, count):
    """Read a comment, a variation, a NAG, a newline or a result; returns where it ends."""
    if begins == NEWLINE:
        at = after_newline(text, at, end)
        return line_end(text, at, end, characters) if byte_at(text, at) == PERCENT else at
    if begins == COMMENT:
        return read_comment(text, at + 1, end, game, reader, characters, first, clocks, evals, count)
    if begins == REST_OF_LINE:
        return line_end(text, at, end, characters)
    if begins == NAG:
        return read_digits(text, at + 1)[1]
    if begins == OPENING:
        return skip_variation(text, at, end, game, characters) if count > first else at + 1
    return at + note_result(text, at, game, reader, values)


@kernel
def read_move(text, at, begins, position, tables, characters):
    """Read a move in any notation: (the move, or minus an error code; the length of its text, 0 if it is no move)."""
    if begins <= DASH:
        token = read_san(text, at, characters)
        if token >= 0:
            return find_move(position, tables, token), token >> LENGTH_SHIFT
    if begins in (CASTLING, ZERO):
        length = castling_length(text, at)
        if length > 0:
            return find_castling(position, tables, length == 3), length
    if begins in (PIECE, DROP):
        length = drop_length(text, at, characters)
        if length > 0:
            return np.int64(-UNKNOWN_DROP), length
    length = null_length(text, at)
    if length > 0 and checkers(position, tables) != NO_SQUARES:
        return np.int64(-NULL_MOVE_IN_CHECK), length
    return np.int64(NO_MOVE), length


@kernel
def castling_length(text, at):
    """The length of O-O or O-O-O, with letters or zeros; 0 for neither."""
    letter = byte_at(text, at)
    if byte_at(text, at + 1) != MINUS or byte_at(text, at + 2) != letter:
        return np.int64(0)
    return np.int64(5 if byte_at(text, at + 3) == MINUS and byte_at(text, at + 4) == letter else 3)


@kernel
def drop_length(text, at, characters):
    """The length of a drop, such as N@e4 or @e4; 0 if there is none."""
    sign = at if byte_at(text, at) == AT_SIGN else at + 1
    begins = characters.begins
    is_drop = byte_at(text, sign) == AT_SIGN and begins[byte_at(text, sign + 1)] == FILE
    return sign + 3 - at if is_drop and begins[byte_at(text, sign + 2)] == RANK else np.int64(0)


@kernel
def null_length(text, at):
    """The length of a null move: --, Z0, 0000 or @@@@; 0 if there is none."""
    if begins_with(text, at, _TWO_DASHES) or begins_with(text, at, _Z0):
        return np.int64(2)
    if begins_with(text, at, _FOUR_ZEROS) or begins_with(text, at, _FOUR_AT_SIGNS):
        return np.int64(4)
    return np.int64(0)


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
def skip_variation(text, at, end, game, characters):
    """Skip a variation and those inside it; returns where it ends."""
    begin = at
    depth = np.int64(0)
    while at < end:
        byte = byte_at(text, at)
        if byte == OPENING_PARENTHESIS:
            depth += 1
        elif byte == CLOSING_PARENTHESIS:
            depth -= 1
            if depth == 0:
                return at + 1
        elif byte == OPENING_BRACE:
            at = skip_comment(text, at + 1, end, game)
            continue
        elif byte == SEMICOLON:
            at = line_end(text, at, end, characters)
            continue
        elif is_newline(byte) and byte_at(text, after_newline(text, at, end)) == PERCENT:
            at = line_end(text, after_newline(text, at, end), end, characters)
            continue
        at += 1
    set_error(game, OPEN_VARIATION, begin, min(begin + 1, end))
    return end


@kernel
def skip_comment(text, at, end, game):
    """Skip a comment. at: after its opening brace. Returns where it ends."""
    begin = at - 1
    while at < end:
        if byte_at(text, at) == CLOSING_BRACE:
            return at + 1
        at += 1
    set_error(game, OPEN_COMMENT, begin, begin + 1)
    return end


@kernel
def read_comment(text, at, end, game, reader, characters, first, clocks, evals, count):
    """Read a comment on the last move. at: after its opening brace. Returns where it ends."""
    begin = at - 1
    while True:
        at = find_mark(text, at, end, characters.ends_plain)
        if at == end:
            set_error(game, OPEN_COMMENT, begin, begin + 1)
            return end
        if byte_at(text, at) == CLOSING_BRACE:
            return at + 1
        if byte_at(text, at + 1) == PERCENT and count > first:
            at = read_annotation(text, at, reader, clocks, evals, count - 1)
        else:
            at += 1


@kernel
def read_annotation(text, at, reader, clocks, evals, ply):
    """Set a move's clock or evaluation, unless it has one; returns where the command ends, or the next byte."""
    clock, end = read_clock(text, at)
    if not np.isnan(clock):
        if np.isnan(clocks[ply]):
            clocks[ply] = np.float32(clock)
            reader.clock_count += 1
        return end
    pawns, end = read_eval(text, at, reader.position.turn == BLACK)
    if not np.isnan(pawns) and np.isnan(evals[ply]):
        evals[ply] = np.float32(pawns)
        reader.eval_count += 1
    return end
