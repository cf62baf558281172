"""Forced mates: what Ox88 finds, and whether what it claims is true. Stockfish and solved endings are the judges."""

import subprocess
from collections.abc import Callable
from random import Random
from typing import IO, Final, cast

import chess
import chess.engine
from chess.engine import Limit

import ox88
from ox88.errors import Ox88Error
from tests.bitboard import naive
from tools.proof.campaign import FailureError, Tally
from tools.proof.endings.three_men import three_men
from tools.proof.placing import either_colour, place_near

LONGEST: Final = 8  # Moves of a mate.
MUST_BE_FOUND: Final = 3  # Mates in so many moves.
NODES: Final = 1_000_000  # Of Ox88, to find a mate. One in MUST_BE_FOUND moves needs far less.
MATED_NODES: Final = (
    200_000  # To see that it will be mated. Nothing ends such a search early. If that is not enough, ...
)
MORE_MATED_NODES: Final = 1_000_000  # ... it has as many as for a mate that it gives.
MORE_NODES: Final = 100_000_000  # To find a mate in more than MUST_BE_FOUND moves that Ox88 has missed so.
PROOF_NODES: Final = 100_000  # Of Stockfish, to find a mate ...
DOUBT_NODES: Final = (1_000_000, 30_000_000)  # ... and to confirm one that only Ox88 claims.
REPLY_NODES: Final = 1_000_000  # Of Stockfish after each reply to Ox88's move, if it does not find the whole mate.
MOST_TRIED: Final = 2  # A mate in so many moves is confirmed by trying all moves ...
FEW_MEN: Final = 5  # ... or in twice as many, with so many men at most.
QUIET_NODES: Final = 100_000  # Of Ox88, where there is no mate that it should find.
FIFTY_MOVES: Final = 100  # Plies.
ENDINGS: Final = (
    "KBBk",
    "KBNk",
    "KQkr",
    "KQkb",
    "KRRk",
    "KQPkq",
    "KRPkr",
    "KQBkq",
    "KRNkn",
    "KPPk",
    "KQRkqr",
    "KPPkpp",
)
TRIES: Final = 3  # Positions of a case, until one has a mate.
STRONG_NODES: Final = 1_000
WEAK_DEPTH: Final = 1
PLIES: Final = 80  # Of a game that is played to get at mates.


class Stockfish:
    """Searches for mates, in a process that ends with `close`, or with this process.

    chess.engine.SimpleEngine would do, but its thread keeps a process alive that does not close it.
    """

    def __init__(self, command: str) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([command], stdin=pipe, stdout=pipe, text=True, bufsize=1)  # noqa: S603 - As found.
        self._commands, self._answers = cast(IO[str], self._process.stdin), cast(IO[str], self._process.stdout)
        self._commands.write("setoption name UCI_Chess960 value true\n")

    def mate(self, board: chess.Board, moves: int, nodes: int) -> int | None:
        """Moves to a mate that is found, negative if the side to move suffers it; None for no mate.

        moves: a mate in so many or less ends the search.
        """
        self._commands.write(f"ucinewgame\nposition fen {board.shredder_fen()}\ngo mate {moves} nodes {nodes}\n")
        found = None
        for line in self._answers:
            words = line.split()
            if words[:1] == ["bestmove"]:
                return found
            if "score" in words and "upperbound" not in words and "lowerbound" not in words:
                kind, number = words[words.index("score") + 1 :][:2]
                found = int(number) if kind == "mate" else None
        raise Ox88Error(f"Stockfish has ended while it searched {board.shredder_fen()}")

    def close(self) -> None:
        self._commands.write("quit\n")
        self._process.communicate()


# --- Mates that Stockfish proves --------------------------------------------------------------------------------------


def judge_some(make: Callable[[], chess.Board], engine: ox88.Engine, stockfish: Stockfish, tally: Tally) -> None:
    """Judge positions until one has a mate. Raises FailureError."""
    for _ in range(TRIES):
        if judge(make(), engine, stockfish, tally):
            return


def judge(board: chess.Board, engine: ox88.Engine, stockfish: Stockfish, tally: Tally) -> bool:
    """Search a position with both. Returns True if there is a mate to be found. Raises FailureError."""
    if not any(board.legal_moves):
        return False
    expected = stockfish.mate(board, LONGEST, PROOF_NODES)
    if expected is not None and not 0 < abs(expected) <= LONGEST:
        expected = None
    found, nodes = claim(board, engine, expected)
    if found is not None and (expected is None or is_better(found, expected)):
        confirm(board, found, engine, stockfish, tally)
    check_found(board, engine, found, expected, nodes, tally)
    return expected is not None


def claim(
    board: chess.Board, engine: ox88.Engine, expected: int | None, most_nodes: int | None = None
) -> tuple[int | None, int]:
    """The mate that Ox88 claims for the side to move, and the nodes that it took. most_nodes: if not the usual ones."""
    if expected is None:
        limit = Limit(nodes=most_nodes or QUIET_NODES)
    elif expected > 0:
        limit = Limit(nodes=most_nodes or NODES, mate=expected)
    else:
        limit = Limit(nodes=most_nodes or MATED_NODES)
    info = engine.analyse(board, limit, game=object())
    return info["score"].relative.mate(), info["nodes"]


def is_better(found: int, expected: int) -> bool:
    """True if a mate is claimed that is not known: another side's, or one in fewer moves."""
    return found * expected < 0 or abs(found) < abs(expected)


def confirm(board: chess.Board, found: int, engine: ox88.Engine, stockfish: Stockfish, tally: Tally) -> None:
    """Let Stockfish search for the mate that Ox88 claims, with more and more nodes, then step by step.

    Raises FailureError.
    """
    for nodes in DOUBT_NODES:
        seen = stockfish.mate(board, abs(found), nodes)
        if seen is not None and seen * found > 0 and abs(seen) <= abs(found):
            tally.counts["mates that Ox88 saw first, and Stockfish with more nodes"] += 1
            return
    if abs(found) > LONGEST and (seen is None or seen * found > 0):
        tally.counts[f"mates in more than {LONGEST}, claimed but not judged"] += 1
        return
    is_right = (
        gives_mate(board, found, engine, stockfish) if found > 0 else suffers_mate(board, -found, engine, stockfish)
    )
    if not is_right:
        raise FailureError(f"{board.shredder_fen()}: Ox88 claims mate in {found}, Stockfish finds {seen}")
    tally.counts["mates that Ox88 saw, confirmed step by step"] += 1


def gives_mate(board: chess.Board, moves: int, engine: ox88.Engine, stockfish: Stockfish) -> bool:
    """True if the side to move can mate in so many moves at most.

    Stockfish finds that, or trying all moves shows it, or it is so after each reply to the move of Ox88.
    """
    few_men = chess.popcount(board.occupied) <= FEW_MEN
    if moves <= (2 * MOST_TRIED if few_men else MOST_TRIED):
        return forces_mate(board, moves, {})
    seen = stockfish.mate(board, moves, REPLY_NODES)
    if seen is not None and 0 < seen <= moves:
        return True
    info = engine.analyse(board, Limit(nodes=NODES, mate=moves), game=object())
    after = board.copy(stack=False)
    after.push(info["pv"][0])
    return suffers_mate(after, moves - 1, engine, stockfish)


def suffers_mate(board: chess.Board, moves: int, engine: ox88.Engine, stockfish: Stockfish) -> bool:
    """True if the side to move is mated already, or in so many moves at most, whatever it plays."""
    if board.is_game_over():
        return board.is_checkmate()
    for reply in board.legal_moves:
        after = board.copy(stack=False)
        after.push(reply)
        if moves == 0 or not gives_mate(after, moves, engine, stockfish):
            return False
    return True


def forces_mate(board: chess.Board, moves: int, known: dict[tuple[str, int], bool]) -> bool:
    """True if the side to move can force mate in so many moves at most. All moves are tried.

    known: the answers so far, by position and moves.
    """
    key = (board.epd(), moves)
    if key not in known and moves > 0:
        known[key] = False
        for move in sorted(board.legal_moves, key=board.gives_check, reverse=True):
            board.push(move)
            known[key] = is_forced(board, moves - 1, known)
            board.pop()
            if known[key]:
                break
    return known.get(key, False)


def is_forced(board: chess.Board, moves: int, known: dict[tuple[str, int], bool]) -> bool:
    """True if the side to move is mated already, or if the other side mates it in so many moves at most."""
    replies = list(board.legal_moves)
    if not replies or moves == 0:
        return not replies and board.is_check()
    for reply in replies:
        board.push(reply)
        is_lost = forces_mate(board, moves, known)
        board.pop()
        if not is_lost:
            return False
    return True


def check_found(
    board: chess.Board, engine: ox88.Engine, found: int | None, expected: int | None, nodes: int, tally: Tally
) -> None:
    """Raise FailureError if Ox88 has missed a mate.

    A mate in MUST_BE_FOUND moves or less must be the shortest one. A longer one is searched again with MORE_NODES. One
    that it suffers is first searched again with MORE_MATED_NODES.
    """
    if expected is None:
        tally.counts["positions without a known mate"] += 1
        return
    what = f"mates in {expected}" if expected > 0 else f"being mated in {-expected}"
    tally.counts[f"{what}, tried"] += 1
    if 0 < expected == found:
        tally.measure(f"nodes to the shortest {what}", nodes)
    if is_found(found, expected):
        return
    tries = [MORE_MATED_NODES] if expected < 0 else []
    tries += [MORE_NODES] if abs(expected) > MUST_BE_FOUND else []
    for more in tries:
        found, _ = claim(board, engine, expected, more)
        if is_found(found, expected):
            tally.counts[f"{what}, found with more nodes"] += 1
            return
    raise FailureError(f"{board.shredder_fen()}: Ox88 says mate in {found}, Stockfish in {expected}")


def is_found(found: int | None, expected: int) -> bool:
    """True if a mate for the same side is claimed; a short one must not be longer than expected."""
    if found is None or found * expected < 0:
        return False
    return abs(expected) > MUST_BE_FOUND or abs(found) <= abs(expected)


# --- Mates of solved endings, some too late for the fifty-move rule ---------------------------------------------------


def judge_solved(board: chess.Board, engine: ox88.Engine, tally: Tally) -> None:
    """Claim no mate too short, none where it comes too late, and the shortest of short ones. Raises FailureError."""
    plies = three_men().plies(board)
    is_won = plies is not None and board.halfmove_clock + plies <= FIFTY_MOVES
    expected = (plies + 1) // 2 * (1 if plies % 2 else -1) if plies and is_won else None
    found, nodes = claim(board, engine, expected)
    if found is not None and (expected is None or is_better(found, expected)):
        known = f"it is mate in {expected}" if expected else "there is none, or not in time"
        raise FailureError(f"{board.shredder_fen()}: Ox88 claims mate in {found}; {known}")
    if plies and not is_won:
        tally.counts["mates that fifty moves prevent, not claimed"] += 1
    elif expected is not None:
        check_found(board, engine, found, expected, nodes, tally)


def solved_board(random: Random) -> chess.Board:
    """A mate within LONGEST moves; half of those by a queen or a rook come just in time, or just too late."""
    while True:
        board = three_men().random_board(random.choice(("queen", "rook", "pawn")), is_won=True, random=random)
        plies = three_men().plies(board) or 0
        if 0 < plies < 2 * LONGEST:
            break
    if not board.pawns and random.random() < 0.5:
        board.halfmove_clock = min(FIFTY_MOVES - plies + random.randint(-3, 4), FIFTY_MOVES - 1)
        board.fullmove_number = 90
    return board


# --- Where to look for mates ------------------------------------------------------------------------------------------


def ending(random: Random) -> chess.Board:
    """Few men, the weaker king on the edge."""
    return either_colour(place_near(random.choice(ENDINGS), random.choice((2, 2, 3)), random), random)


def middlegame(random: Random, engine: ox88.Engine) -> chess.Board:
    """A position some plies before the mate of a game in which one side looks deeper, the other hardly at all."""
    board = random.choice([board for board, _ in naive.random_game(random.randrange(1 << 40))])
    strong, game = board.turn, object()
    for _ in range(PLIES):
        if board.is_game_over():
            break
        board.push(_move(board, engine, game, board.turn == strong, random))
    for _ in range(random.randint(1, 2 * LONGEST - 2)):
        if len(board.move_stack) > 0:
            board.pop()
    return board.copy(stack=False) if any(board.legal_moves) else chess.Board()


def _move(board: chess.Board, engine: ox88.Engine, game: object, is_strong: bool, random: Random) -> chess.Move:
    if not is_strong and random.random() < 0.5:
        return random.choice(list(board.legal_moves))
    limit = Limit(nodes=STRONG_NODES) if is_strong else Limit(depth=WEAK_DEPTH)
    move = engine.play(board, limit, game=game).move
    assert move is not None  # noqa: S101 - The game goes on.
    return move
