"""Positions and moves as texts, for the campaign fuzz. What is read is what python-chess reads."""

import codecs
import re
from functools import cache
from random import Random
from typing import Final

import chess

import ox88
from ox88.apps.epd.suite import Case, parse_suite
from ox88.convert import from_chess_move, to_chess_board
from ox88.errors import Ox88Error
from ox88.rules import MoveError, parse_move
from ox88.setup import from_uci
from ox88.types import is_castling
from tests.batch.test_fens import read_one
from tests.batch.test_notation import ERRORS, parse_san
from tests.bitboard.naive import legal_moves, to_setup
from tests.test_fen import is_legal_for_python_chess
from tools.proof.campaign import FailureError, Tally
from tools.proof.fuzz.inputs import BYTES, TEXTS, Kind, boards, changed, epd, epds, same

_MOVE_PIECES: Final = (*"NBRQKPOabcdefgh12345678x-=+#nbrqk0@Z", "O-O", "0-0-0", "--", "e.p.", "=Q", "!?", *TEXTS)
_STRICTER: Final = re.compile("names one right twice|not a number from 0 to 9999")  # What python-chess lets pass.


# --- Positions --------------------------------------------------------------------------------------------------------


def check_epd(text: str, tally: Tally) -> None:
    """A FEN is refused, or read alike alone and in bulk, as python-chess reads it if it can, and written again."""
    found = read_one(text)
    same("in bulk", _in_bulk(text, found), found)
    board = _board_of(text)
    if board is not None and board.is_valid() and not (isinstance(found, str) and _STRICTER.search(found)):
        same("for python-chess, which reads it", found, to_setup(board))
    try:
        setup = ox88.parse_fen(text)
    except ox88.FenError:
        tally.counts["FENs that were refused"] += 1
        return
    same("legal for python-chess", is_legal_for_python_chess(setup), isinstance(found, ox88.Setup))
    for shredder in (False, True):
        same("written and read again", ox88.parse_fen(ox88.format_fen(setup, shredder)), setup)
    if isinstance(found, ox88.Setup):
        tally.counts["FENs that were read"] += 1
        check_position(ox88.Positions([found]))


def _in_bulk(text: str, alone: ox88.Setup | str) -> ox88.Setup | str:
    """What is read where there may be many. Errors there begin with the FEN; the reason is that of the text alone."""
    errors: list[ox88.RowError] = []
    found: list[ox88.Setup | str] = list(ox88.Positions.from_fens([text], errors=errors.append))
    found += [str(alone) if error.reason.endswith(f": {alone}") else error.reason for error in errors]
    same("the number of rows", len(found), 1)
    return found[0]


def _board_of(text: str) -> chess.Board | None:
    """What python-chess reads; None if it cannot. Python's own ways to write a number, such as +1, are left out."""
    if not text.isascii() or not all(clock.isdigit() for clock in text.split()[4:6]):
        return None
    try:
        return chess.Board(text, chess960=True)
    except (ValueError, IndexError):
        return None


def check_position(positions: ox88.Positions) -> None:
    """A position has the legal moves and the FEN that python-chess knows."""
    board = to_chess_board(positions[0])
    board.chess960, board.fullmove_number = True, positions[0].fullmove_number  # Which may be 0, but not in a FEN.
    same("legal moves", sorted(positions.legal_moves()[0].tolist()), legal_moves(board))
    fen = board.fen(shredder=True, en_passant="legal")
    same("FEN", positions.fens(shredder=True, en_passant="legal"), [fen])


def epd_lines(dice: Random) -> bytes:
    """Some EPDs as a file."""
    end = dice.choice(("\n", "\n", "\r\n", "\r", "\n\n"))
    text = end.join(epd(dice) for _ in range(dice.randint(0, 6))).encode(errors="surrogatepass")
    return changed(dice, (text,), BYTES) if dice.random() < 0.3 else text


def check_epd_lines(text: bytes, tally: Tally) -> None:
    """Of the lines of a file, those are left out that are no positions; the others are read as alone."""
    errors: list[ox88.RowError] = []
    found = ox88.Positions.from_fens(text, errors=errors.append)
    lines = text.removeprefix(codecs.BOM_UTF8).split(b"\n")
    same("rows", len(found) + len(errors), len(lines) - (lines[-1] == b""))
    same("without the errors", ox88.Positions.from_fens(text, errors="skip"), found)
    same("written and read again", ox88.Positions.from_fens(found.fens()), found)
    tally.counts["rows of FENs"] += len(lines)


@cache
def _solved() -> tuple[str, ...]:
    """Positions with a move that solves them."""
    samples = [(board, next(iter(board.legal_moves), None)) for board in boards()[::3]]
    return tuple(board.epd(bm=[move], id=f"x.{number}") for number, (board, move) in enumerate(samples) if move)


def suite(dice: Random) -> bytes:
    lines = (
        dice.choice(_solved()) if dice.random() < 0.5 else changed(dice, (*_solved(), *epds()[-10:]), TEXTS)
        for _ in range(dice.randint(1, 5))
    )
    return "\n".join(lines).encode(errors="surrogatepass")


def check_suite(text: bytes, tally: Tally) -> None:
    """The cases of a suite are legal positions with moves that are legal there, those that python-chess reads."""
    lines = text.decode("utf-8-sig", errors="replace").splitlines()
    cases, _ = parse_suite("suite", lines)
    for case in cases:
        legal = ox88.Positions([case.setup]).legal_moves()[0].tolist()
        wrong = {*case.best, *case.avoid, *case.points} - {*legal}
        same(f"illegal solutions of {case.fen}", wrong, set())
        check_solutions(case, lines[case.line - 1], tally)
    tally.counts["positions of test suites"] += len(cases)


def check_solutions(case: Case, line: str, tally: Tally) -> None:
    """The best moves and the moves to avoid are the ones that python-chess reads, if it can read the line."""
    board = chess.Board()
    try:
        operations = board.set_epd(line)
    except (ValueError, IndexError):
        return
    if not all(map(str.isidentifier, operations)):  # python-chess takes "bm," for another opcode than bm.
        return
    for opcode, found in (("bm", case.best), ("am", case.avoid)):
        moves = operations.get(opcode, [])
        if isinstance(moves, list):  # Else it is a text in quotes, which python-chess leaves as it is.
            same(f"{opcode} of {line}", {*found}, {from_chess_move(move, board) for move in moves})
            tally.counts["solutions as python-chess reads them"] += len(moves)


# --- Moves ------------------------------------------------------------------------------------------------------------


def move(dice: Random) -> tuple[chess.Board, str]:
    """A position, and a move of it in some notation, perhaps changed."""
    board = dice.choice(boards())
    moves = list(board.legal_moves)
    if not moves:
        return board, changed(dice, ("e2e4", "Nf3"), _MOVE_PIECES, 100)
    chosen = dice.choice(moves)
    texts = (board.san(chosen), board.uci(chosen), board.lan(chosen), board.xboard(chosen))
    return board, changed(dice, texts, _MOVE_PIECES)


def check_move(sample: tuple[chess.Board, str], tally: Tally) -> None:
    """A text is the move that python-chess reads, or refused for the same reason."""
    board, text = sample
    setup = to_setup(board)
    positions = ox88.Positions([setup])
    expected = parse_san(board, text)
    try:
        found: int | str = int(positions.parse_san([text])[0])
    except ox88.RowError as error:
        found = error.reason
    try:
        alone: int | str = ox88.parse_san(text, setup)
    except Ox88Error as error:
        alone = str(error)
    same("alone", alone, found)
    if isinstance(expected, str):
        if not (isinstance(found, str) and ERRORS[expected] in found):
            raise FailureError(f"{found!r}, expected {expected}")
        tally.counts["moves that were refused"] += 1
    else:
        same("the move", found, expected)
        if expected:
            check_legal_move(board, positions, expected)
        tally.counts["moves that were read"] += 1
    check_other_readers(board, positions, text)


def check_legal_move(board: chess.Board, positions: ox88.Positions, number: int) -> None:
    """A move is written and played as python-chess does."""
    chosen = next(one for one in board.legal_moves if from_chess_move(one, board) == number)
    same("SAN", positions.san([number]), [board.san(chosen)])
    same("UCI", positions.to_uci([number]), [board.uci(chosen)])
    after = board.copy(stack=False)
    after.push(chosen)
    same("the position after it", positions.push([number])[0], to_setup(after))


def check_other_readers(board: chess.Board, positions: ox88.Positions, text: str) -> None:
    """UCI's notation is read alike alone, in bulk and by python-chess; what a person types is legal, or refused."""
    try:
        expected: int | str = from_uci(text, positions[0])
    except Ox88Error as error:
        expected = str(error)
    try:
        found: int | str = int(positions.from_uci([text])[0])
    except ox88.RowError as error:
        found = error.reason
    same("UCI in bulk", found, expected)
    check_uci(board, positions, text, found)
    try:
        typed = parse_move(text, board)
    except MoveError:
        return
    if typed not in board.legal_moves:
        raise FailureError(f"{typed} was read, which is not legal")


def check_uci(board: chess.Board, positions: ox88.Positions, text: str, found: int | str) -> None:
    """What is read is UCI for python-chess, and the same move if it is legal there; else it is legal nowhere."""
    expected = _uci_of(text)
    same("it is UCI", isinstance(found, int), expected is not None)
    if not isinstance(found, int) or not expected:
        same("the null move", found == 0, expected is not None)
        return
    try:
        same("the move of UCI", found, from_chess_move(board.parse_uci(text), board))
    except chess.IllegalMoveError:  # Castling written as b1g1 is read too, which python-chess knows from e1 only.
        legal = found in positions.legal_moves()[0] and not is_castling(found)
        same("a legal move of UCI", legal, False)


def _uci_of(text: str) -> chess.Move | None:
    """What python-chess reads; None if it cannot, or if variants alone have the move: P@e4, promotion to a king."""
    try:
        read = chess.Move.from_uci(text)
    except chess.InvalidMoveError:
        return None
    return None if read.drop or read.promotion in (chess.PAWN, chess.KING) else read


KINDS: Final = (
    Kind("FEN or EPD", epd, check_epd, 190),
    Kind("file of FENs", epd_lines, check_epd_lines, 60),
    Kind("test suite", suite, check_suite, 60),
    Kind("move", move, check_move, 210),
)
