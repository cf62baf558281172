"""The listing once more, in plain Python, printing what it does into a list: the slow twin of the recorder.

It shares nothing with `search.py` but the numbers: steps, piece values and key words. An event is a tuple of its kind's
name, the ply and the values.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from ox88.engines.micromax.machine import key_words
from ox88.engines.micromax.search import FIRST_STEP, PIECE_VALUES, STEPS

WORDS = [int(word) for word in key_words()]
Event = tuple[str | int, ...]


class Node(NamedTuple):
    """What a call of `search` is given."""

    side: int
    alpha: int
    beta: int
    evaluation: int
    key: int
    lock: int
    en_passant: int
    last_to: int
    wanted: int


@dataclass
class Entry:
    lock: int
    score: int
    best_from: int
    best_to: int
    depth: int


@dataclass
class Naive:
    """A search from a board of 129 bytes. After `think`, `events` has all that happened, and `log` the iterations."""

    board: list[int]
    nodes_wanted: int
    depth_wanted: int
    without: tuple[str, ...] = ()
    table: dict[int, Entry] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    log: list[tuple[int, ...]] = field(default_factory=list)
    nodes: int = 0
    ply: int = -1
    root_from: int = 0

    def think(self, side: int, evaluation: int, en_passant: int) -> int:
        return self.search(Node(side, -8000, 8000, evaluation, 1, 1, en_passant, 8, 0))

    def say(self, kind: str, *values: int) -> None:
        self.events.append((kind, self.ply, *values))

    def find(self, place: int, lock: int) -> int:
        """Index of the entry for a position, 0 for none."""
        if "hash" in self.without:
            return 0
        for number in range(1, 10):
            index = place + number
            entry = self.table.get(index)
            self.say("PROBE", index, number, 0 if entry is None else 2 if entry.lock == lock else 1)
            if entry is None or entry.lock == lock:
                return index
        return 0

    def search(self, node: Node) -> int:
        self.ply += 1
        lock = node.lock % (1 << 32)
        side, alpha, beta, last_to, wanted = node.side, node.alpha, node.beta, node.last_to, node.wanted
        place = ((side * node.en_passant) ^ node.key) % (1 << 24)
        self.say("ENTER", alpha, beta, wanted, node.evaluation, side, last_to)
        self.say("KEYS", signed(node.key), signed(lock), node.en_passant % 256, place)
        index = self.find(place, lock)

        depth = best_from = best_to = best_score = 0
        entry = self.table.get(index)
        if entry is None:
            self.say("ENTRY", 0, 0, 0, 0, 0, 0)
        else:
            lower, upper = bool(entry.best_from & 0x08), bool(entry.best_from & 0x80)
            bound = lower + 2 * upper
            fits = (entry.score >= beta or upper) and (entry.score <= alpha or lower)
            if entry.depth >= wanted and fits:
                self.say("ENTRY", 1, entry.score, entry.depth, bound, 0, 0)
                return self.come_back(entry.score, "answer", 0, 0)
            best_score = entry.score
            depth = min(entry.depth, wanted - 1)
            best_from = entry.best_from & 0x77
            best_to = entry.best_to if depth else 0
            self.say("ENTRY", 2, best_score, depth, bound, best_from, best_to)
        self.nodes += 1
        self.say("NODE", self.nodes)

        reason = ""
        while depth < wanted or (last_to == 8 and self.nodes < self.nodes_wanted and depth + 1 < self.depth_wanted + 2):
            depth += 1
            if best_to & 0x80 and "best move first" not in self.without:
                best_to |= 8
            best_score = node.evaluation if depth == 1 else -8000
            self.say("ITERATION", depth, best_score, best_from, best_to)
            reason, best_score, best_from, best_to = self.scan(node, depth, best_score, best_from, best_to)
            if abs(best_score) > 2000:
                depth = 99
            if best_score == -8000:
                self.say("MATE_PROBE", side)
                reply = -self.search(Node(24 - side, -8000, 8000, 0, node.key, self.root_from, 128, last_to, 1))
                best_score = (reply + (reply < 0)) // 2
                reason = "checkmate" if best_score == -4000 else "stalemate"
                self.say("MATE", best_score)
            self.put(index, lock, best_score, depth, best_from, best_to, alpha, beta)
            if last_to == 8:
                self.log.append((self.nodes, depth - 1, best_score, best_from, best_to & 0x77))
                self.say("LOG", *self.log[-1])
        if last_to == 8:
            self.root_from = best_from
        if not reason:
            reason = "beta" if best_score >= beta else "alpha" if best_score <= alpha else "exact"
        return self.come_back(best_score, reason, best_from, best_to)

    def come_back(self, score: int, reason: str, best_from: int, best_to: int) -> int:
        reasons = ("answer", "king", "checkmate", "stalemate", "beta", "alpha", "exact")
        self.say("RETURN", score, reasons.index(reason), best_from, best_to)
        self.ply -= 1
        return score

    def put(
        self, index: int, lock: int, score: int, depth: int, best_from: int, best_to: int, alpha: int, beta: int
    ) -> None:
        entry = self.table.get(index)
        if index == 0:
            self.say("NOT_STORED", 0, 1)
        elif entry is not None and entry.best_from & 0x88 == 0x88 and entry.depth > depth:
            self.say("NOT_STORED", index, 2)
        else:
            lower, upper = score > alpha, score < beta
            self.say("STORE", index, score, depth, lower + 2 * upper, best_from, best_to)
            self.table[index] = Entry(lock, score, best_from | 8 * lower | 0x80 * upper, best_to, depth)

    def scan(self, node: Node, depth: int, best_score: int, best_from: int, best_to: int) -> tuple[str, int, int, int]:
        """One iteration: (reason if it is known, best score, best_from, best_to)."""
        board, side, en_passant = self.board, node.side, node.en_passant
        reason = ""
        start = 0 if "best move first" in self.without else best_from
        squares = [square for square in range(128) if not square & 0x88]
        order = squares[squares.index(start) :] + squares[: squares.index(start)]
        for from_square in order:
            piece = board[from_square]
            kind = piece & 7
            self.say("SQUARE", from_square, piece, int(bool(piece & side)), start)
            if not piece & side:
                continue
            for step, step_index in directions(kind):
                self.say("DIRECTION", step, step_index)
                if step == 0:
                    break
                to_square, passed, rook_from = from_square, 128, 128
                while True:
                    to_square += step
                    hinted = bool(best_to & 8)
                    if hinted:
                        to_square = best_to & 0x77
                    self.say("TARGET", from_square, to_square, step, int(hinted))
                    if to_square & 0x88:
                        self.say("REJECT", 0, to_square, 0)
                        break
                    victim_square = to_square ^ 16 if kind < 3 and to_square == en_passant else to_square
                    captured = board[victim_square]
                    if captured & side:
                        self.say("REJECT", 1, to_square, captured)
                        break
                    if kind < 3 and step % 8 == 0 and captured:
                        self.say("REJECT", 2, to_square, captured)
                        break
                    if kind < 3 and step % 8 and not captured:
                        self.say("REJECT", 3, to_square, 0)
                        break
                    self.say("MOVE", piece, to_square, captured, victim_square)

                    takes_king = captured & 7 == 4 or (abs(to_square - en_passant) < 2 and board[en_passant] != 0)
                    if takes_king and "king-capture legality" not in self.without:
                        self.say("KING_TAKEN", to_square, captured, en_passant % 256)
                        best_score, reason = 8000, "king"
                    if best_score >= node.beta:
                        self.say("CUT_OFF", best_score, node.beta, from_square, to_square)
                        return reason, best_score, best_from, best_to

                    takes_back = to_square == node.last_to and "recapture extension" not in self.without
                    reply_depth = depth if takes_back else depth - 1
                    self.say("DEPTH", reply_depth, depth, to_square, node.last_to)
                    if reply_depth:
                        move = from_square, to_square, victim_square, passed, rook_from
                        score = self.try_move(node, move, best_score, reply_depth)
                        if hinted:
                            best_score = score
                            best_to -= 8
                            self.say("RESUME", from_square, score)
                            to_square, passed, rook_from = from_square, 128, 128
                            continue
                        if score > best_score:
                            best_score, best_from, best_to = score, from_square, to_square | rook_from & 128
                            self.say("BEST", best_score, best_from, best_to, node.beta)

                    if kind >= 5:
                        if captured:
                            break
                        continue
                    # A piece that does not slide ends here, but for a pawn on its third rank and a king that castles.
                    if kind < 3:
                        again = to_square >> 4 == (2 if side == 16 else 5)
                        rook = rook_from
                    else:
                        to_right = step > 0
                        corner = (from_square & 0x70) + (7 if to_right else 0)
                        again = piece & 0x27 == 0x24 and abs(step) == 1 and rook_from == 128
                        beside = (corner - 1, corner - 2) if to_right else (corner + 1, corner + 2)
                        again = again and bool(board[corner] & 32) and not any(board[square] for square in beside)
                        rook = corner
                    if not again:
                        break
                    self.say("SECOND_STEP", piece, to_square, rook, captured)
                    if captured:
                        break
                    passed = to_square
                    rook_from = rook
        return reason, best_score, best_from, best_to

    def try_move(self, node: Node, move: tuple[int, ...], best_score: int, reply_depth: int) -> int:
        """Make a move, search the reply, take the move back: its score. move: see `scan`."""
        board = self.board
        from_square, to_square, victim_square, passed, rook_from = move
        piece, captured = board[from_square], board[victim_square]
        kind = piece & 7
        castles = rook_from < 128
        material = 99 * PIECE_VALUES[captured & 7]
        positional = 30 * castles
        if kind < 6:
            positional += board[from_square + 8] - board[to_square + 8]
        if kind < 3:
            beside = (square for square in (from_square - 2, from_square + 2) if not square & 0x88)
            positional += 9 * (sum(board[square] == piece for square in beside) - 1)
        placed = piece & 0x1F
        if kind < 3 and to_square >> 4 in (0, 7):
            placed |= 7
            material += 799
        self.say("GAIN", material, positional, node.evaluation, placed)
        self.say("DO", from_square, to_square, placed, victim_square, rook_from, passed)
        for square in (rook_from, victim_square, from_square):
            board[square] = 0
        board[to_square] = placed
        if castles:
            board[passed] = node.side + 6
        changes = [
            word(to_square + offset, placed)
            - word(from_square + offset, piece)
            - word(victim_square + offset, captured)
            for offset in (0, 8)
        ]
        changes[1] += rook_from - 128
        self.say("KEY_CHANGE", *map(signed, changes))
        window = -node.beta - (node.beta > node.evaluation), -max(best_score, node.alpha)
        value = -node.evaluation - positional - material
        keys = node.key + changes[0], node.lock + changes[1]
        score = -self.search(Node(24 - node.side, *window, value, *keys, passed, to_square, reply_depth))
        penalty = int(score > node.evaluation)
        self.say("SCORE", score - penalty, penalty)
        self.say("UNDO", from_square, to_square, piece, captured, victim_square, rook_from)
        board[rook_from] = node.side + 38
        board[passed] = 0
        board[to_square] = 0
        board[from_square] = piece
        board[victim_square] = captured
        return score - penalty


def directions(kind: int) -> list[tuple[int, int]]:
    """The steps of a type of piece, in the listing's order, each with its index; the last is 0."""
    found: list[tuple[int, int]] = []
    index = FIRST_STEP[kind] + 1
    while STEPS[index]:
        found.append((-STEPS[index], index))
        if kind > 2:
            found.append((STEPS[index], index))
        index += 1
    return [*found, (0, index)]


def word(square: int, piece: int) -> int:
    return WORDS[square + (piece & 8) + 128 * (piece & 7)]


def signed(number: int) -> int:
    """The low 32 bits, as a signed number."""
    number %= 1 << 32
    return number - (1 << 32) if number >> 31 else number
