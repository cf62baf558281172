"""All of the training as one JSON file, and back. A file is merged with what is kept already."""

import json
from collections.abc import Collection, Iterable
from dataclasses import asdict, replace
from typing import Any, Final, TypeVar

import chess

from ox88.apps.fields import FieldError, fields_of, read_fields, shown
from ox88.apps.train.records import Answer, Card, Records, Rush
from ox88.convert import to_chess_board
from ox88.errors import Ox88Error
from ox88.rules import parse_move
from ox88.setup import parse_fen

LONGEST_FILE: Final = 64 << 20  # Bytes.
_FORMAT: Final = "ox88 training 1"
_Kept = TypeVar("_Kept", Card, Answer, Rush)
_Named = TypeVar("_Named", Card, Answer)


def write_training(records: Records) -> str:
    items = ("cards", records.cards()), ("answers", records.answers()), ("rushes", records.rushes())
    return json.dumps({"format": _FORMAT} | {name: [asdict(item) for item in kept] for name, kept in items}, indent=1)


def read_training(text: str | bytes, records: Records) -> tuple[int, int]:
    """Add what a file has. Returns how many puzzles and answers are new. Raises Ox88Error, and then adds nothing."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Ox88Error(f"this is no training that was exported: {error}") from None
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise Ox88Error(f"this is no training that was exported: a JSON object of the format {_FORMAT!r} is expected")
    cards, answers = _read(Card, data, "cards"), _read(Answer, data, "answers")
    cards = [_checked(card, f"cards[{number}]") for number, card in enumerate(cards)]
    rushes = _read(Rush, data, "rushes")
    with records.store.transaction():
        new_cards, new_answers = _new(cards, records.cards()), _new(answers, records.answers())
        records.keep(new_cards)
        for answer in new_answers:
            records.put(answer)
        for rush in rushes:
            records.put_rush(rush.ends, rush.solved)
        for key in {card.id for card in new_cards} | {answer.key for answer in new_answers}:
            records.schedule(key)
    return len(new_cards), len(new_answers)


def _new(items: list[_Named], kept: Iterable[_Named]) -> Collection[_Named]:
    """The items whose ids are not among those kept."""
    known = {item.id for item in kept}
    return {item.id: item for item in items if item.id not in known}.values()


def _read(kind: type[_Kept], data: dict[str, Any], name: str) -> list[_Kept]:
    items, found = data.get(name), []
    if not isinstance(items, list):
        raise Ox88Error(f"{name} is {shown(items)}: a list is expected")
    for number, item in enumerate(items):
        if not isinstance(item, dict):
            raise Ox88Error(f"{name}[{number}] is {shown(item)}: an object is expected")
        try:
            found.append(kind(**read_fields(fields_of(kind), item, "it")))
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
            if number == 1:
                is_own = card.kind == "mistake"  # Nobody has played another move in a puzzle of the open set.
                for other in (card.played, *card.also) if is_own or card.played else card.also:
                    _read_move(other, board)
            board.push(_read_move(text, board))
    except Ox88Error as error:
        raise Ox88Error(f"{where}: {error}") from None
    return card


def _read_move(text: str, board: chess.Board) -> chess.Move:
    move = parse_move(text, board)
    if move.uci() != text:
        raise Ox88Error(f"{shown(text)} is not in UCI: {move.uci()} is expected")
    return move
