"""Messages of the page: JSON objects. Each type has a handler, a function whose annotations rule the fields."""

import contextlib
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeVar

from ox88.apps.fields import Field, FieldError, choice, fields_of, read_fields, several, shown, text, whole
from ox88.engines.registry import ENGINES
from ox88.errors import Ox88Error

LONGEST_MESSAGE: Final = 2 << 20  # Bytes; a PGN is the only one that comes near.
LARGEST: Final = 1 << 53  # The largest whole number of a page.
LONGEST_GAME: Final = 20_000  # Moves; no game of chess can be longer.

Tell = Callable[[Mapping[str, object]], None]  # Sends a message to a page.
Fen = Annotated[str, text(200)]
MoveText = Annotated[str, text(20)]
Moves = Annotated[Sequence[str], several(text(20), LONGEST_GAME)]
Pgn = Annotated[str, text(LONGEST_MESSAGE)]
Id = Annotated[str, text(40)]  # Of a game, an analysis or a puzzle.
Ids = Annotated[Sequence[str], several(text(40), 2000)]
Words = Annotated[str, text(100)]
EngineName = Annotated[str, choice([entry.name for entry in ENGINES])]

_ID: Final = Field("id", whole(0, LARGEST), None)
_Function = TypeVar("_Function", bound=Callable[..., Any])


class MessageError(Ox88Error):
    """A message that cannot be handled; the text says why."""


@dataclass(frozen=True, slots=True)
class Handler:
    """What handles the messages of a type.

    call: gets the page and the fields; returns the last answer. A plain function runs in a thread. task: see `message`.
    fields: by name, with that of the id. answers: what is said, as typed dictionaries; the last answer comes last.
    """

    call: Callable[..., Any]
    task: str
    fields: Mapping[str, Field]
    answers: tuple[Any, ...]


HANDLERS: Final[dict[str, Handler]] = {}
"""All handlers, by the types of their messages."""


def message(*answers: Any, task: str = "") -> Callable[[_Function], _Function]:
    """Declare the handler of the messages that have the function's name as their type.

    Args:
        answers: what is said besides the function's result, which is the answer with the id of the message.
        task: such a handler goes on while other messages come, until another one takes its name. It gets the function
            `tell` too, for answers on the way. The name may have fields in braces.
    """

    def declare(function: _Function) -> _Function:
        result = inspect.signature(function).return_annotation
        said = answers if result is None else (*answers, result)
        fields = {"id": _ID} | fields_of(function)
        HANDLERS[function.__name__.rstrip("_")] = Handler(function, task, fields, said)
        return function

    return declare


def read_object(said: str | bytes) -> dict[str, Any]:
    """Raises MessageError if the text is not a JSON object, or too long."""
    if len(said) > LONGEST_MESSAGE:
        raise MessageError(f"a message of {len(said)} bytes: at most {LONGEST_MESSAGE >> 20} MB are read")
    with contextlib.suppress(ValueError, RecursionError):  # No JSON, no UTF-8, or a number too long for an integer.
        found = json.loads(said)
        if isinstance(found, dict):
            return found
    raise MessageError(f"{shown(said)} is not a message: a JSON object is expected")


def about_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an answer that name the message: its type and its id, as far as it has them."""
    kind, number = given.get("type"), given.get("id")
    return ({"about": kind} if text(20).accepts(kind) else {}) | ({"id": number} if _ID.rule.accepts(number) else {})


def read_message(given: Mapping[str, Any]) -> tuple[Handler, dict[str, Any]]:
    """The handler of a message, and its arguments. Raises MessageError, which says what is expected."""
    kind = given.get("type")
    if not isinstance(kind, str) or kind not in HANDLERS:
        raise MessageError(f"type is {shown(kind)}: {choice(HANDLERS).expected} is expected")
    fields = {name: value for name, value in given.items() if name != "type"}
    try:
        arguments = read_fields(HANDLERS[kind].fields, fields, kind)
    except FieldError as error:
        raise MessageError(str(error)) from None
    del arguments["id"]
    return HANDLERS[kind], arguments
