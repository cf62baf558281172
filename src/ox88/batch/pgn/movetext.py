"""The movetext of games: their main lines, with what comments say of clocks and evaluations."""

import numpy as np

from ox88.batch.pgn.boundaries import CLOSING_BRACE, OPENING_BRACE
from ox88.batch.pgn.comments import read_clock, read_eval
from ox88.batch.pgn.lines import BRACKET, PERCENT, SEMICOLON, after_newline, is_newline, line_end
from ox88.batch.pgn.records import (
    COMMENT,
    DASH,
    DROP,
    FILE,
    NAG,
    NEWLINE,
    NO_FAULT,
    NOTHING,
    NOTHING_READ,
    NULL,
    NULL_MOVE_IN_CHECK,
    OPEN_COMMENT,
    OPEN_VARIATION,
    OPENING,
    PIECE,
    RANK,
    REST_OF_LINE,
    RESULT_TAG,
    UNKNOWN_DROP,
)
from ox88.batch.pgn.replay import play
from ox88.batch.pgn.san import LENGTH_SHIFT, find_castling, find_move, read_san
from ox88.batch.pgn.tags import result_at, set_fault
from ox88.bitboard.attacks import checkers
from ox88.bitboard.bits import NO_SQUARES
from ox88.jit import kernel
from ox88.types import NO_MOVE

AT_SIGN = 64
OPENING_PARENTHESIS = 40
CLOSING_PARENTHESIS = 41
MINUS = 45
LETTER_O = 79
DIGIT_ZERO = 48


@kernel
def read_movetexts(text, games, setups, reader, tables, characters, values, moves, clocks, evals):
    """Read the main lines of all games whose tags have been read; returns the number of moves.

    setups: the first positions that games name by row. values: as from read_tags; a result that only the movetext
    gives is added. moves: uint16, clocks, evals: float32, all with room for a move in two bytes of text.
    """
    count = np.int64(0)
    for number in range(len(games)):
        game = games[number]
        game.first = count
        game.length = 0
        if game.fault <= OPEN_COMMENT:  # What is worse has lost the game before its first move.
            reader.position = setups[game.setup]
            reader.found_result = 0
            count = read_movetext(text, game, reader, tables, characters, values[number], moves, clocks, evals, count)
            game.length = count - game.first
            if game.length == 0 and game.tags == 0 and reader.found_result == 0 and game.fault == NO_FAULT:
                set_fault(game, NOTHING_READ, np.int64(game.start), np.int64(game.end))
        if game.fault != NO_FAULT:
            game.line += count_lines(text, np.int64(game.start), np.int64(game.fault_from))
    return count


@kernel
def count_lines(text, begin, end):
    """How many lines end between two bytes."""
    count = np.int64(0)
    while begin < end:
        if is_newline(text[begin]):
            count += 1
            begin = after_newline(text, begin, end)
        else:
            begin += 1
    return count


@kernel
def read_movetext(text, game, reader, tables, characters, values, moves, clocks, evals, count):
    """Read the main line of a game from its first position; returns the number of moves up to its end."""
    at = np.int64(game.movetext)
    end = np.int64(game.end)
    first = count
    while at < end:
        begins = np.int64(characters.begins[text[at]])
        # Step 1. What nobody reads, and what needs no board.
        if begins == NOTHING:
            at += 1
            continue
        if begins >= COMMENT:
            if begins == NEWLINE:
                at = after_newline(text, at, end)
                if text[at] == PERCENT:
                    at = line_end(text, at, end)
            elif begins == COMMENT:
                at = read_comment(text, at + 1, end, game, reader, first, clocks, evals, count)
            elif begins == REST_OF_LINE:
                at = line_end(text, at, end)
            elif begins == NAG:
                at = after_digits(text, at + 1)
            elif begins == OPENING:
                at = through_variation(text, at, end, game) if count > first else at + 1
            else:
                at += note_result(text, at, game, reader, values)
            continue

        # Step 2. A move, in whatever way it is written.
        move = np.int64(-1)
        length = np.int64(0)
        if begins <= DASH:
            token = read_san(text, at, characters)
            if token >= 0:
                length = token >> LENGTH_SHIFT
                move = find_move(reader.position, tables, token)
        if length == 0:
            move, length = read_other(text, at, reader, tables, characters)
        if length == 0:
            at += note_result(text, at, game, reader, values)
            continue
        if move < 0:
            set_fault(game, -move, at, at + length)
            return count

        # Step 3. Play it.
        play(reader.position, tables, reader.undo, move)
        moves[count] = move
        clocks[count] = np.float32(np.nan)
        evals[count] = np.float32(np.nan)
        count += 1
        at += length
    return count


@kernel
def read_other(text, at, reader, tables, characters):
    """(move, or less than 0: a fault; length of the token, 0 where there is none): castling, null moves, drops."""
    byte = text[at]
    if byte in (LETTER_O, DIGIT_ZERO):
        if byte == DIGIT_ZERO and is_four(text, at, DIGIT_ZERO):
            return null_move(reader, tables), np.int64(4)
        if text[at + 1] == MINUS and text[at + 2] == byte:
            if text[at + 3] == MINUS and text[at + 4] == byte:
                return find_castling(reader.position, tables, False), np.int64(5)
            return find_castling(reader.position, tables, True), np.int64(3)
        return np.int64(NO_MOVE), np.int64(0)
    if byte == MINUS and text[at + 1] == MINUS:
        return null_move(reader, tables), np.int64(2)
    begins = characters.begins[byte]
    if begins == NULL and text[at + 1] == DIGIT_ZERO:
        return null_move(reader, tables), np.int64(2)
    if begins in (PIECE, DROP):
        sign = at if byte == AT_SIGN else at + 1
        if text[sign] == AT_SIGN:
            if characters.begins[text[sign + 1]] == FILE and characters.begins[text[sign + 2]] == RANK:
                return np.int64(-UNKNOWN_DROP), sign + 3 - at
            if byte == AT_SIGN and is_four(text, at, AT_SIGN):
                return null_move(reader, tables), np.int64(4)
    return np.int64(NO_MOVE), np.int64(0)


@kernel
def is_four(text, at, byte):
    return text[at] == byte and text[at + 1] == byte and text[at + 2] == byte and text[at + 3] == byte


@kernel
def null_move(reader, tables):
    """Neither side can pass while it is in check: the king could be taken."""
    if checkers(reader.position, tables) != NO_SQUARES:
        return np.int64(-NULL_MOVE_IN_CHECK)
    return np.int64(NO_MOVE)


@kernel
def note_result(text, at, game, reader, values):
    """Note a result of the movetext, which counts where the tags have none; returns how many bytes to go on."""
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
def after_digits(text, at):
    while DIGIT_ZERO <= text[at] <= 57:
        at += 1
    return at


@kernel
def through_variation(text, at, end, game):
    """Skip a variation and those within it; returns where the main line goes on."""
    begin = at
    depth = np.int64(0)
    while at < end:
        byte = text[at]
        if byte == OPENING_PARENTHESIS:
            depth += 1
        elif byte == CLOSING_PARENTHESIS:
            depth -= 1
            if depth == 0:
                return at + 1
        elif byte == OPENING_BRACE:
            at = through_comment(text, at + 1, end, game)
            continue
        elif byte == SEMICOLON:
            at = line_end(text, at, end)
            continue
        elif is_newline(byte) and text[after_newline(text, at, end)] == PERCENT:
            at = line_end(text, after_newline(text, at, end), end)
            continue
        at += 1
    set_fault(game, OPEN_VARIATION, begin, min(begin + 1, end))
    return end


@kernel
def through_comment(text, at, end, game):
    """Skip a comment from behind its brace; returns where it has ended."""
    begin = at - 1
    while at < end:
        if text[at] == CLOSING_BRACE:
            return at + 1
        at += 1
    set_fault(game, OPEN_COMMENT, begin, begin + 1)
    return end


@kernel
def read_comment(text, at, end, game, reader, first, clocks, evals, count):
    """Read a comment from behind its brace, for the last move if there is one; returns where it has ended."""
    begin = at - 1
    while at < end:
        if text[at] == CLOSING_BRACE:
            return at + 1
        if text[at] == BRACKET and text[at + 1] == PERCENT and count > first:
            note_annotation(text, at, reader, clocks, evals, count - 1)
        at += 1
    set_fault(game, OPEN_COMMENT, begin, begin + 1)
    return end


@kernel
def note_annotation(text, at, reader, clocks, evals, ply):
    """Note a clock or an evaluation of a move; of several the first counts."""
    clock = read_clock(text, at)
    if clock == clock and clocks[ply] != clocks[ply]:  # NaN differs from itself.
        clocks[ply] = np.float32(clock)
        reader.clock_count += 1
    pawns = read_eval(text, at, reader.position.turn != 0)
    if pawns == pawns and evals[ply] != evals[ply]:
        evals[ply] = np.float32(pawns)
        reader.eval_count += 1
