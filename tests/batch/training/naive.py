"""A slow reader of .binpack, by python-chess: the next bits as text, and the moves of a piece as a list."""

from typing import NamedTuple

import chess


class Entry(NamedTuple):
    fen: str
    move: str
    score: int
    ply: int
    result: int


def read_binpack(data: bytes) -> list[Entry]:
    entries: list[Entry] = []
    while data:
        assert data[:4] == b"BINP"
        size = int.from_bytes(data[4:8], "little")
        chunk, data = data[8 : 8 + size], data[8 + size :]
        while chunk:
            chunk = _read_chain(chunk, entries)
    return entries


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _signed(number: int) -> int:
    return -(number + 1) // 2 if number % 2 else number // 2


def _read_chain(data: bytes, entries: list[Entry]) -> bytes:
    board = _read_board(data)
    board.halfmove_clock = _number(data[30:32])
    ply, result = _number(data[28:30]) % 2**14, _signed(_number(data[28:30]) >> 14)
    board.fullmove_number = ply // 2 + 1
    packed, score = _number(data[24:26]), _signed(_number(data[26:28]))
    move = chess.Move(packed >> 8 & 63, packed >> 2 & 63)
    if packed >> 14 == 1:
        move.promotion = chess.KNIGHT + packed % 4
    elif packed >> 14 == 2:
        move.to_square = move.from_square + (2 if move.to_square > move.from_square else -2)
    bits = "".join(f"{byte:08b}" for byte in data[34:])
    at = 0

    def take(choices: int) -> int:
        nonlocal at
        width = (choices - 1).bit_length() if choices > 1 else 0
        at += width
        return int(bits[at - width : at] or "0", 2)

    entries.append(Entry(board.fen(en_passant="legal"), move.uci(), score, ply, result))
    for _ in range(_number(data[32:34])):
        board.push(move)
        pieces = [square for square in range(64) if board.color_at(square) == board.turn]
        moves = _choices(board, pieces[take(len(pieces))])
        move = moves[take(len(moves))]
        change, shift, more = 0, 0, True
        while more:
            more = bits[at] == "1"
            change |= int(bits[at + 1 : at + 5], 2) << shift
            at, shift = at + 5, shift + 4
        score = (_signed(change) - score + 2**15) % 2**16 - 2**15
        ply, result = ply + 1, -result
        entries.append(Entry(board.fen(en_passant="legal"), move.uci(), score, ply, result))
    return data[34 + -(-at // 8) :]


def _read_board(data: bytes) -> chess.Board:
    board = chess.Board(None)
    occupied = _number(data[:8])
    nibbles = [half for byte in data[8:24] for half in (byte & 15, byte >> 4)]
    for number, square in enumerate(chess.SquareSet(occupied)):
        nibble = nibbles[number]
        if nibble < 12:
            board.set_piece_at(square, chess.Piece(nibble // 2 + 1, nibble % 2 == 0))
        elif nibble == 12:
            is_white = chess.square_rank(square) == 3
            board.set_piece_at(square, chess.Piece(chess.PAWN, is_white))
            board.ep_square = square - 8 if is_white else square + 8
        elif nibble == 15:
            board.set_piece_at(square, chess.Piece(chess.KING, chess.BLACK))
            board.turn = chess.BLACK
        else:
            board.set_piece_at(square, chess.Piece(chess.ROOK, nibble == 13))
            board.castling_rights |= chess.BB_SQUARES[square]
    return board


def _choices(board: chess.Board, square: int) -> list[chess.Move]:
    """The moves that a piece is taken to have, in their order; not all are legal."""
    own = board.occupied_co[board.turn]
    kind = board.piece_type_at(square)
    if kind != chess.PAWN:
        moves = [chess.Move(square, target) for target in chess.SquareSet(board.attacks_mask(square) & ~own)]
        if kind == chess.KING:
            rooks = chess.SquareSet(board.castling_rights & own)
            moves.extend(chess.Move(square, square + (2 if rook > square else -2)) for rook in rooks)
        return moves
    step = 8 if board.turn else -8
    targets = set(chess.SquareSet(board.attacks_mask(square) & board.occupied_co[not board.turn]))
    if board.has_legal_en_passant() and board.attacks_mask(square) >> (board.ep_square or 0) & 1:
        targets.add(board.ep_square or 0)
    if board.piece_at(square + step) is None:
        targets.add(square + step)
        is_home = chess.square_rank(square) == (1 if board.turn else 6)
        if is_home and board.piece_at(square + 2 * step) is None:
            targets.add(square + 2 * step)
    if chess.square_rank(square) == (6 if board.turn else 1):
        kinds = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
        return [chess.Move(square, target, kind) for target in sorted(targets) for kind in kinds]
    return [chess.Move(square, target) for target in sorted(targets)]
