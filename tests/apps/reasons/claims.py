"""What a reason claims, read from its sentence and checked by python-chess alone."""

import re
from collections import Counter
from collections.abc import Callable, Iterator

import chess

from ox88 import Reason

NUMBERS = {"a": 1, "the": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
TIMES = {"once": 1, "twice": 2, "three times": 3, "four times": 4, "five times": 5, "six times": 6}
VALUES = {"queen": 9, "rook": 5, "bishop": 3, "knight": 3, "exchange": 2, "pawn": 1}
NAMES = "pawn|knight|bishop|rook|queen|king"
LINE = r"(?P<line>\d+\.(?:\.\.)? .*?)"
FORMS = {
    "allows": rf"Allows {LINE}, which (?P<verb>.*)\.",
    "misses": rf"Misses {LINE}, which (?P<verb>.*)\.",
    "mate allowed": rf"Allows (?P<verb>mate|a [\w-]+ mate)(?: in (?P<count>\d+))?: {LINE}\.",
    "mate missed": rf"Misses (?P<verb>mate|a [\w-]+ mate)(?: in (?P<count>\d+))?: {LINE}\.",
    "leaves": rf"\S+ (?P<verb>leaves the \w+ on .. [^:]*): {LINE} (?P<wins>wins .*)\.",
    "mates": rf"{LINE} gives (?P<verb>mate|a [\w-]+ mate)(?: in (?P<count>\d+))?\.",
    "does": rf"{LINE} (?P<verb>(?:is|attacks|gives|uncovers|pins|traps|takes|draws|cuts|clears|comes|makes|wins) .*)\.",
}


class FalseClaimError(Exception):
    """A sentence says what the board does not show."""


def check(board: chess.Board, move: chess.Move, reason: Reason) -> None:
    """Raises FalseClaimError. board: the position before the move that is explained."""
    kind, said = next((kind, found) for kind, form in FORMS.items() if (found := re.fullmatch(form, reason.text)))
    words = said.groupdict()
    solver_begins = kind in ("misses", "mate missed", "does", "mates")
    claim(solver_begins or reason.line[0] == move, "the line begins with the move")
    root = board if solver_begins else after(board, [move])
    moves = reason.line if solver_begins else reason.line[1:]
    claim(reason.san == numbered(board, reason.line), "the SAN is the line's")
    shown = next((count for count in range(1, len(moves) + 1) if numbered(root, moves[:count]) == words["line"]), 0)
    claim(shown % 2 == 1, "the sentence shows the line as far as a move of the solver's")
    if "count" in words:
        claim(len(moves) == 2 * int(words["count"] or 1) - 1, "the mate takes so many moves")
        claim(after(root, moves).is_checkmate(), "the line ends in mate")
        return
    before = after(root, moves[: shown - 1])
    verb, _, wins = words["verb"].partition(" and wins ")
    verb, _, made = verb.partition(" and makes a new ")
    claim(not made or makes(root, list(moves), made), "a pawn promotes so")
    if kind == "leaves":
        exposed(root, moves[0], verb)
        verb, wins = words["wins"], ""
    told = [verb.removeprefix("wins ")] if verb.startswith("wins ") else [wins] if wins else []
    if not verb.startswith("wins ") and kind != "leaves":
        check_verb(before, list(moves[shown - 1 :]), verb)
    for gain in told:
        claim(gain in ("it", reason.gain), "the sentence tells the gain")
    start, is_retaken = board.copy(), bool(board.move_stack) and board.peek().to_square == moves[0].to_square
    if solver_begins and is_retaken:
        start.pop()
    won = balance(after(root, moves), root.turn) - balance(start, root.turn)
    claim(points(reason.gain) == won, "the gain counts so")


def claim(holds: bool, words: str) -> None:
    if not holds:
        raise FalseClaimError(words)


def after(board: chess.Board, moves: Iterator[chess.Move] | list[chess.Move] | tuple[chess.Move, ...]) -> chess.Board:
    ahead = board.copy()
    for move in moves:
        ahead.push(move)
    return ahead


def numbered(board: chess.Board, moves: tuple[chess.Move, ...]) -> str:
    return board.variation_san(moves).replace("...", "... ")


def balance(board: chess.Board, side: chess.Color) -> int:
    names = [(chess.piece_name(piece.piece_type), piece.color == side) for piece in board.piece_map().values()]
    return sum(VALUES.get(name, 0) * (1 if is_own else -1) for name, is_own in names)


def points(gain: str) -> int:
    """What the words of a gain are worth: a new queen is a queen less the pawn that it was."""
    total = 0
    for sign, part in zip((1, -1), gain.split(" for "), strict=False):
        for number, new, name in re.findall(r"(\w+) (new )?(queen|rook|bishop|knight|pawn|exchange)s?", part):
            total += sign * NUMBERS[number] * (VALUES[name] - bool(new))
    return total


def exposed(board: chess.Board, capture: chess.Move, verb: str) -> None:
    found = re.fullmatch(rf"leaves the ({NAMES}) on (..) (.*)", verb)
    claim(found is not None, "the sentence is known")
    assert found is not None
    name, square, how = found[1], chess.parse_square(found[2]), found[3]
    claim(
        capture.to_square == square and board.piece_at(square) == piece(name, not board.turn), "the piece stands there"
    )
    retakes = {move.from_square for move in after(board, [capture]).legal_moves if move.to_square == square}
    takes = {move.from_square for move in board.legal_moves if move.to_square == square}
    if how == "unprotected":
        claim(not retakes, "nothing can take back")
    elif how == "attacked by a pawn":
        claim(board.piece_type_at(capture.from_square) == chess.PAWN, "a pawn takes")
    else:
        attacked, protected = re.fullmatch(r"attacked (.*) and protected (.*)", how).groups()  # type: ignore[union-attr]
        claim(TIMES[attacked] == len(takes) == len(board.attackers(board.turn, square)), "it is attacked so often")
        claim(
            TIMES[protected] == len(retakes) == len(board.attackers(not board.turn, square)), "it is protected so often"
        )
        claim(len(takes) > len(retakes), "it is attacked more often than protected")


def piece(name: str, colour: chess.Color) -> chess.Piece:
    return chess.Piece(chess.PIECE_NAMES.index(name), colour)


def check_verb(board: chess.Board, moves: list[chess.Move], verb: str) -> None:
    """Check the part of a sentence that says what the first of the moves does."""
    pattern, is_true = next((one for one in VERBS.items() if re.fullmatch(one[0], verb)), (None, None))
    claim(is_true is not None, f"the sentence is known: {verb}")
    assert pattern is not None
    assert is_true is not None
    found = re.fullmatch(pattern, verb)
    assert found is not None
    claim(is_true(board, moves, *found.groups()), verb)


def attacks_several(board: chess.Board, moves: list[chess.Move], names: str) -> bool:
    ahead = after(board, moves[:1])
    attacked = Counter(
        chess.piece_name(ahead.piece_type_at(square) or 0)
        for square in ahead.attacks(moves[0].to_square)
        if ahead.color_at(square) == ahead.turn
    )
    said = Counter[str]()
    for name in re.split(", | and ", names):
        number, _, single = name.rpartition(" ")
        said[single.removesuffix("s") if number else single] += NUMBERS.get(number, 1)
    return said.total() > 1 and said <= attacked


def attacks_through(board: chess.Board, moves: list[chess.Move], front: str, behind: str) -> bool:
    ahead = after(board, moves[:1])
    ends = [square for square, one in ahead.piece_map().items() if one == piece(behind, ahead.turn)]
    for square in ahead.attacks(moves[0].to_square):
        if ahead.piece_at(square) == piece(front, ahead.turn):
            bare = ahead.copy()
            bare.remove_piece_at(square)
            seen = bare.attacks(moves[0].to_square) - ahead.attacks(moves[0].to_square)
            if any(end in seen for end in ends):
                return True
    return False


def pins(board: chess.Board, moves: list[chess.Move], name: str, square: str) -> bool:
    at, ahead = chess.parse_square(square), after(board, moves[:1])
    is_pinned = [each.is_pinned(ahead.turn, at) for each in (board, ahead)]
    return ahead.piece_at(at) == piece(name, ahead.turn) and is_pinned == [False, True]


def attacks_pinned(board: chess.Board, moves: list[chess.Move], name: str, square: str) -> bool:
    at, ahead = chess.parse_square(square), after(board, moves[:1])
    is_there = ahead.piece_at(at) == piece(name, ahead.turn) and at in ahead.attacks(moves[0].to_square)
    return is_there and ahead.is_pinned(ahead.turn, at)


def traps(board: chess.Board, moves: list[chess.Move], name: str, square: str) -> bool:
    at, ahead = chess.parse_square(square), after(board, moves[:1])
    ways = [move for move in ahead.legal_moves if move.from_square == at]
    lost = [any(reply.to_square == move.to_square for reply in after(ahead, [move]).legal_moves) for move in ways]
    return ahead.piece_at(at) == piece(name, ahead.turn) and ahead.is_attacked_by(board.turn, at) and all(lost)


def uncovers(board: chess.Board, moves: list[chess.Move], taker: str, target: str) -> bool:
    ahead = after(board, moves[:1])
    return any(
        chess.between(own, other) & chess.BB_SQUARES[moves[0].from_square]
        for own, one in ahead.piece_map().items()
        for other in ahead.attacks(own)
        if one == piece(taker, board.turn) and ahead.piece_at(other) == piece(target, not board.turn)
    )


def checks(board: chess.Board, moves: list[chess.Move], kind: str) -> bool:
    checkers = after(board, moves[:1]).checkers()
    return len(checkers) > 1 if kind == "double" else bool(checkers) and moves[0].to_square not in checkers


def takes(board: chess.Board, moves: list[chess.Move], name: str) -> bool:
    ahead = after(board, moves[:1])
    is_taken = board.piece_at(moves[0].to_square) == piece(name, not board.turn)
    return is_taken and not any(move.to_square == moves[0].to_square for move in ahead.legal_moves)


def takes_guard(board: chess.Board, moves: list[chess.Move], name: str, target: str, at: str | None) -> bool:
    is_meant = [square for square in board.attacks(moves[0].to_square) if at in (None, chess.square_name(square))]
    is_taken = board.piece_at(moves[0].to_square) == piece(name, not board.turn)
    return is_taken and piece(target, not board.turn) in map(board.piece_at, is_meant)


def draws_away(board: chess.Board, moves: list[chess.Move], name: str, square: str) -> bool:
    at, ahead, then = chess.parse_square(square[-2:]), after(board, moves[:1]), after(board, moves[:2])
    was, now = moves[1].from_square, moves[1].to_square
    return ahead.piece_at(was) == piece(name, ahead.turn) and at in ahead.attacks(was) and at not in then.attacks(now)


def draws_to(board: chess.Board, moves: list[chess.Move], name: str, square: str) -> bool:
    return moves[1].to_square == chess.parse_square(square) and after(board, moves[:1]).piece_at(
        moves[1].from_square
    ) == piece(name, not board.turn)


def cuts_off(board: chess.Board, moves: list[chess.Move], name: str, target: str, square: str) -> bool:
    at, ahead, by = chess.parse_square(square), after(board, moves[:1]), moves[0].to_square
    guards = [
        guard
        for guard in board.attackers(not board.turn, at)
        if board.piece_at(guard) == piece(name, ahead.turn) and by in chess.SquareSet(chess.between(guard, at))
    ]
    return ahead.piece_at(at) == piece(target, ahead.turn) and any(at not in ahead.attacks(one) for one in guards)


def clears(board: chess.Board, moves: list[chess.Move], name: str, square: str) -> bool:
    at, ahead, start = chess.parse_square(square), after(board, moves[:1]), moves[2].from_square
    is_cleared = moves[0].from_square in chess.SquareSet(chess.between(start, at)) | chess.SquareSet([at])
    return (
        is_cleared
        and moves[2].to_square == at in ahead.attacks(start)
        and board.piece_at(start) == piece(name, board.turn)
    )


def comes_between(board: chess.Board, moves: list[chess.Move], square: str) -> bool:
    at, before = chess.parse_square(square), board.copy()
    taken = before.pop()
    is_taken = taken.to_square == at and before.is_capture(taken)
    return is_taken and moves[2].to_square == at and moves[2] in board.legal_moves and moves[0].to_square != at


def protected_through(board: chess.Board, moves: list[chess.Move], name: str, square: str, front: str) -> bool:
    own, ahead, at = chess.parse_square(square), after(board, moves[:1]), moves[0].to_square
    between = [one for one in chess.SquareSet(chess.between(own, at)) if ahead.piece_at(one)]
    is_behind = [ahead.piece_at(one) for one in between] == [piece(front, ahead.turn)]
    return is_behind and ahead.piece_at(own) == piece(name, board.turn) and at in ahead.attacks(between[0])


def makes(board: chess.Board, moves: list[chess.Move], name: str) -> bool:
    del board
    return any(move.promotion == chess.PIECE_NAMES.index(name) for move in moves)


VERBS: dict[str, Callable[..., bool]] = {
    rf"attacks the ({NAMES}) and the ({NAMES}) behind it": attacks_through,
    rf"attacks the pinned ({NAMES}) on (..)": attacks_pinned,
    r"attacks (.* and .*|two \w+)": attacks_several,
    rf"pins the ({NAMES}) on (..)": pins,
    rf"traps the ({NAMES}) on (..)": traps,
    rf"uncovers the attack of the ({NAMES}) on the ({NAMES})": uncovers,
    r"gives a?\s?(double|discovered) check": checks,
    rf"takes the unprotected ({NAMES})": takes,
    rf"takes the ({NAMES}) that protects the ({NAMES})(?: on (..))?": takes_guard,
    rf"draws the ({NAMES}) away from (.*)": draws_away,
    rf"draws the ({NAMES}) to (..)": draws_to,
    rf"cuts the ({NAMES}) off from the ({NAMES}) on (..)": cuts_off,
    rf"clears the way of the ({NAMES}) to (..)": clears,
    r"comes before taking back on (..)": comes_between,
    rf"is protected by the ({NAMES}) on (..) through the ({NAMES})": protected_through,
    rf"makes a new ({NAMES})(?: for .*)?": makes,
}
