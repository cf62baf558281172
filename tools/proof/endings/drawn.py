"""Games made by chance that end in a draw by rule, and all that Ox88 says of them.

Every judgement has a twin here that reads the rules plainly:

    rules.game_end      threefold repetition and fifty moves end a game when they are on the board, without a claim;
                        python-chess's can_claim_draw counts a move that is still to be played as well
    Positions.outcome   knows no history: fifty moves only with claim_draw, seventy-five always, no repetition
    Games.repetitions   how often each position of a game has occurred, this time included
    Engine              a move that ends the game in a draw scores 0 at any depth, but stalemate from depth 2 on, since
                        quiescence looks for none; a second occurrence is no draw
"""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import chess
import chess.engine
import chess.pgn

import ox88
from ox88.rules import game_end
from tests.bitboard import naive
from tools.proof.campaign import FailureError, Tally
from tools.proof.placing import either_colour, place, place_near

LONGEST: Final = 80  # Plies of a game.
DEEPEST: Final = 4  # Plies of a search.
REPETITION: Final = "threefold repetition"
FIFTY_MOVES: Final = "fifty-move rule"
MATERIAL: Final = "insufficient material"
DRAWS: Final = (REPETITION, FIFTY_MOVES, MATERIAL, "stalemate")
FEW_MEN: Final = ("KQk", "KRk", "KRkr", "KQkr", "KBNk", "KRPkr", "KPPkp", "KRBkr", "KNNkp", "KQRkqr", "KBPkbp")
MINOR_MEN: Final = ("KBkb", "KNkn", "KBkn", "KNPk", "KBPk", "KBBkb", "KBBBkbb", "KNk", "KBNk", "KRkb", "KQkn", "KPk")
STALEMATES: Final = ("KQk", "KPk", "KRPk", "KQkp", "KBPk", "KQNk", "KRRk")


def judge(game: chess.Board, engine: ox88.Engine, random: Random, tally: Tally) -> None:
    """Compare everything that is said of a game. Raises FailureError."""
    boards = list(positions(game))
    counts = occurrences(boards)
    ends = [end_of(board, count) for board, count in zip(boards, counts, strict=True)]
    same_ends(boards, ends, tally)
    same_outcomes(boards, tally)
    same_repetitions(game, counts, tally)
    if game.move_stack and ends[-1] is not None:
        same_score(game, ends[-1], engine, random.randint(1, DEEPEST), tally)
    for board, end, count in zip(boards, ends, counts, strict=True):
        if end is None and count == 2 and is_decided(board):
            no_draw(board, engine, tally)


# --- Twins ------------------------------------------------------------------------------------------------------------


def positions(game: chess.Board) -> Iterator[chess.Board]:
    """The position before each move and the last one, each with its past."""
    board = game.root()
    yield board.copy()
    for move in game.move_stack:
        board.push(move)
        yield board.copy()


def occurrences(boards: list[chess.Board]) -> list[int]:
    """How often each position has occurred up to its place: men, turn, castling and legal en passant are the same."""
    seen: Counter[str] = Counter()
    counts = []
    for board in boards:
        seen[board.epd()] += 1
        counts.append(seen[board.epd()])
    return counts


def end_of(board: chess.Board, count: int) -> str | None:
    """The reason why a game is over. count: how often its position has occurred."""
    if not any(board.legal_moves):
        return "checkmate" if board.is_check() else "stalemate"
    if cannot_mate(board):
        return MATERIAL
    if count >= 3:
        return REPETITION
    return FIFTY_MOVES if board.halfmove_clock >= 100 else None


def cannot_mate(board: chess.Board) -> bool:
    """True for bare kings, one knight, or bishops on squares of one colour alone."""
    men = [(piece.piece_type, square) for square, piece in board.piece_map().items() if piece.piece_type != chess.KING]
    kinds = {kind for kind, _ in men}
    colours = {(chess.square_file(square) + chess.square_rank(square)) % 2 for _, square in men}
    if kinds == {chess.BISHOP}:
        return len(colours) == 1
    return kinds <= {chess.KNIGHT} and len(men) <= 1


def is_decided(board: chess.Board) -> bool:
    """True if the side that has just moved has a rook or a queen more, and the other has no capture and no check."""
    values = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
    men = board.piece_map().values()
    lead = sum(values[piece.piece_type] * (-1 if piece.color == board.turn else 1) for piece in men)
    has_heavy = bool((board.rooks | board.queens) & board.occupied_co[not board.turn])
    return has_heavy and lead >= 5 and not board.is_check() and not any(map(board.is_capture, board.legal_moves))


# --- What Ox88 says ---------------------------------------------------------------------------------------------------


def same_ends(boards: list[chess.Board], ends: list[str | None], tally: Tally) -> None:
    for board, end in zip(boards, ends, strict=True):
        found = game_end(board)
        if (found.reason if found else None) != end:
            raise _different(board, "game_end", found, end)
        if end is not None:
            tally.counts[f"games that ended by {end}"] += 1
    tally.counts["positions of games with their past, judged by game_end"] += len(boards)


def same_outcomes(boards: list[chess.Board], tally: Tally) -> None:
    made = ox88.Positions.from_boards(boards)
    for claim in (False, True):
        found = made.outcome(claim_draw=claim, threads=1)
        for board, code in zip(boards, found, strict=True):
            if (name := ox88.Outcome(int(code)).name) != (expected := outcome_of(board, claim)):
                raise _different(board, f"outcome, claim_draw={claim}", name, expected)
    tally.counts["outcomes in bulk, by python-chess"] += 2 * len(boards)


def outcome_of(board: chess.Board, claim: bool) -> str:
    """The name of python-chess's outcome without a past."""
    outcome = board.copy(stack=False).outcome()
    if outcome is not None:
        return outcome.termination.name
    return "FIFTY_MOVES" if claim and board.is_fifty_moves() else "NONE"


def same_repetitions(game: chess.Board, counts: list[int], tally: Tally) -> None:
    text = str(chess.pgn.Game.from_board(game))
    games = ox88.read_pgn_text(text, threads=1)
    found = [int(count) for count in games.repetitions(threads=1)]
    if found != counts:
        raise _different(game, "repetitions", found, counts)
    tally.counts["repetitions in bulk, counted anew"] += len(counts)


def same_score(game: chess.Board, end: str, engine: ox88.Engine, depth: int, tally: Tally) -> None:
    """The last move scores a draw, or mate in one; so does the position before where all moves are such draws."""
    board, last = game.copy(), game.peek()
    board.pop()
    depth = max(depth, 2) if end == "stalemate" else depth
    expected = chess.engine.Mate(1) if end == "checkmate" else chess.engine.Cp(0)
    asked: list[list[chess.Move] | None] = [[last]]
    if end != "checkmate" and all(is_drawing(board, move) for move in board.legal_moves):
        asked.append(None)
    for moves in asked:
        score = score_of(engine, board, depth, moves)
        if score != expected:
            text = f"{last.uci()}, which ends the game by {end}, scored at depth {depth}"
            raise _different(board, text if moves else f"{text}, as all moves do", score, expected)
        tally.counts["scores of moves that end a game" if moves else "scores where every move draws"] += 1


def is_drawing(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    try:
        return end_of(board, occurrences(list(positions(board)))[-1]) in DRAWS
    finally:
        board.pop()


def no_draw(board: chess.Board, engine: ox88.Engine, tally: Tally) -> None:
    """A position that occurs for the second time is no draw: the move to it scores more than 0 at depth 1."""
    if board.halfmove_clock >= 99:
        return
    before, last = board.copy(), board.peek()
    before.pop()
    score = score_of(engine, before, 1, [last])
    if not score > chess.engine.Cp(0):
        raise _different(before, f"{last.uci()} to a position that has occurred twice, scored", score, "more than 0")
    tally.counts["scores of second occurrences, which are no draws"] += 1


def score_of(
    engine: ox88.Engine, board: chess.Board, depth: int, moves: list[chess.Move] | None = None
) -> chess.engine.Score:
    """The score for the side to move, by an engine that has forgotten all it had learnt before."""
    limit = chess.engine.Limit(depth=depth)
    return engine.analyse(board, limit, root_moves=moves, game=object())["score"].relative


def _different(board: chess.Board, what: str, found: object, expected: object) -> FailureError:
    moves = " ".join(move.uci() for move in board.move_stack)
    return FailureError(f"position fen {board.root().fen()} moves {moves}: {what}: {found}, expected {expected}")


# --- Games ------------------------------------------------------------------------------------------------------------


def repeating_game(random: Random) -> chess.Board:
    """Pieces go there and back; half of the games begin with many men, among them castling rights and en passant."""
    board = _many_men(random) if random.random() < 0.5 else either_colour(place(random.choice(FEW_MEN), random), random)

    def choose() -> chess.Move:
        quiet = _reversible(board)
        back = [move for move in quiet if _is_back(board, move)]
        if back and random.random() < 0.75:
            return back[0]
        return random.choice(quiet or list(board.legal_moves))

    return _play(board, choose)


def long_game(random: Random) -> chess.Board:
    """Quiet moves with a halfmove clock that is near its end already."""
    board = _many_men(random) if random.random() < 0.3 else either_colour(place(random.choice(FEW_MEN), random), random)
    board.halfmove_clock, board.ep_square = random.randint(80, 99), None
    board.fullmove_number = 90

    def choose() -> chess.Move:
        quiet = [move for move in _reversible(board) if not _is_back(board, move)]
        return random.choice(quiet if quiet and random.random() < 0.98 else list(board.legal_moves))

    return _play(board, choose)


def bare_game(random: Random) -> chess.Board:
    """Few minor pieces, which capture each other; some boards have many bishops of one colour."""
    board = _bishops(random) if random.random() < 0.3 else place(random.choice(MINOR_MEN), random)
    board = either_colour(board, random)

    def choose() -> chess.Move:
        moves = list(board.legal_moves)
        captures = [move for move in moves if board.is_capture(move)]
        return random.choice(captures if captures and random.random() < 0.8 else moves)

    return _play(board, choose)


def stalemating_game(random: Random) -> chess.Board:
    """One move that leaves the other side none."""
    while True:
        board = either_colour(place_near(random.choice(STALEMATES), 3, random), random)
        for move in board.legal_moves:
            board.push(move)
            if board.is_stalemate():
                return board
            board.pop()


GAMES: Final[tuple[Callable[[Random], chess.Board], ...]] = (repeating_game, long_game, bare_game, stalemating_game)


def _play(board: chess.Board, choose: Callable[[], chess.Move]) -> chess.Board:
    """Play until the game is over, or for LONGEST plies."""
    seen = Counter([board.epd()])
    for _ in range(LONGEST):
        if end_of(board, seen[board.epd()]) is not None:
            break
        board.push(choose())
        seen[board.epd()] += 1
    return board


def _reversible(board: chess.Board) -> list[chess.Move]:
    """The moves that are neither captures nor a pawn's."""
    return [move for move in board.legal_moves if not board.is_zeroing(move)]


def _is_back(board: chess.Board, move: chess.Move) -> bool:
    """True for a move that takes its side's last one back."""
    last = board.move_stack[-2] if len(board.move_stack) > 1 else None
    return last is not None and (last.from_square, last.to_square) == (move.to_square, move.from_square)


def _many_men(random: Random) -> chess.Board:
    """A position of a random game, in which a move is left."""
    game = [board for board, _ in naive.random_game(random.randrange(1 << 40))]
    return random.choice(game)


def _bishops(random: Random) -> chess.Board:
    """Kings and up to six bishops on squares of one colour; perhaps one other man, which may be captured."""
    while True:
        board = chess.Board(None)
        colour = random.choice((chess.BB_LIGHT_SQUARES, chess.BB_DARK_SQUARES))
        bishops = random.sample(list(chess.SquareSet(colour)), random.randint(2, 6))
        board.set_piece_map({square: chess.Piece(chess.BISHOP, random.random() < 0.5) for square in bishops})
        free = [square for square in chess.SQUARES if square not in bishops]
        for letter, square in zip("Kk" + random.choice("npr"), random.sample(free, 3), strict=True):
            if letter in "Kk" or random.random() < 0.7:
                board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = random.random() < 0.5
        if board.is_valid():
            return board
