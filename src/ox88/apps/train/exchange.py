"""All of the training as one JSON file, and back. A file is merged with what is kept already."""

import json
from dataclasses import asdict, replace
from typing import Any, Final, TypeVar

import chess

from ox88.apps.fields import FieldError, read_fields, shown
from ox88.apps.train.records import Answer, Card, Records
from ox88.convert import to_chess_board
from ox88.errors import Ox88Error
from ox88.rules import parse_move
from ox88.setup import parse_fen

LONGEST_FILE: Final = 64 << 20  # Bytes.
_FORMAT: Final = "ox88 training 1"
_Kept = TypeVar("_Kept", Card, Answer)


def write_training(records: Records) -> str:
    cards, answers = map(asdict, records.cards()), map(asdict, records.answers())
    return json.dumps({"format": _FORMAT, "cards": list(cards), "answers": list(answers)}, indent=1)


def read_training(text: str | bytes, records: Records) -> tuple[int, int]:
    """Add what a file has. Returns how many puzzles and answers are new. Raises Ox88Error, and then adds nothing."""
    data = _read_object(text)
    cards, answers = _read(Card, data, "cards"), _read(Answer, data, "answers")
    cards = [_checked(card, f"cards[{number}]") for number, card in enumerate(cards)]
    with records.store.transaction():
        known = {answer.id for answer in records.answers()}
        new = {answer.id: answer for answer in answers if answer.id not in known}
        added = records.add(cards)
        for answer in new.values():
            records.put(answer)
        for key in {card.id for card in cards} | {answer.key for answer in new.values()}:
            records.schedule(key)
    return added, len(new)


def _read_object(text: str | bytes) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Ox88Error(f"this is no training that was exported: {error}") from None
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise Ox88Error(f"this is no training that was exported: a JSON object of the format {_FORMAT!r} is expected")
    return data


def _read(kind: type[_Kept], data: dict[str, Any], name: str) -> list[_Kept]:
    items, found = data.get(name), []
    if not isinstance(items, list):
        raise Ox88Error(f"{name} is {shown(items)}: a list is expected")
    for number, item in enumerate(items):
        if not isinstance(item, dict):
            raise Ox88Error(f"{name}[{number}] is {shown(item)}: an object is expected")
        try:
            found.append(kind(**read_fields(kind, item, "it")))
        except FieldError as error:
            raise Ox88Error(f"{name}[{number}]: {error}") from None
    return found


def _checked(card: Card, where: str) -> Card:
    """The card, if its position and all moves are legal. Raises Ox88Error."""
    try:
        card = replace(card, fen=to_chess_board(parse_fen(card.fen).check()).fen())
        board = chess.Board(card.fen)
        if len(card.moves) < 2:
            raise Ox88Error(f"moves is {shown(card.moves)}: a move of the opponent and its answer are expected")
        for number, text in enumerate(card.moves):
            if number == 1 and card.played:
                _read_move(card.played, board)
            board.push(_read_move(text, board))
    except Ox88Error as error:
        raise Ox88Error(f"{where}: {error}") from None
    return card


def _read_move(text: str, board: chess.Board) -> chess.Move:
    move = parse_move(text, board)
    if move.uci() != text:
        raise Ox88Error(f"{shown(text)} is not in UCI: {move.uci()} is expected")
    return move
