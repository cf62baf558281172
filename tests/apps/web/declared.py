"""Whether a message of the server is one that is declared."""

from collections.abc import Mapping
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from ox88.apps.web.connection import Alive, Error, Welcome
from ox88.apps.web.messages import HANDLERS

ABOUT: Final = ("about", "id")
_SAID: Final = (Welcome, Alive, Error, *(answer for handler in HANDLERS.values() for answer in handler.answers))
ANSWERS: Final = {get_args(get_type_hints(answer)["type"])[0]: answer for answer in _SAID}


def is_declared(message: Mapping[str, Any]) -> bool:
    said = {name: value for name, value in message.items() if name not in ABOUT}
    return message["type"] in ANSWERS and fits(said, ANSWERS[message["type"]])


def fits(value: object, hint: Any) -> bool:
    """True if a value of JSON is of a type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin in (Union, UnionType):
        return any(fits(value, argument) for argument in arguments)
    if origin is Literal:
        return value in arguments
    if is_typeddict(hint):
        hints = get_type_hints(hint)
        return (
            isinstance(value, dict)
            and hint.__required_keys__ <= value.keys() <= hints.keys()
            and all(fits(item, hints[name]) for name, item in value.items())
        )
    if origin is dict:
        return isinstance(value, dict) and all(fits(item, arguments[1]) for item in value.values())
    if origin is not None:  # A tuple, a list or another sequence.
        if not isinstance(value, list) or (origin is tuple and len(value) != len(arguments)):
            return False
        if set(arguments) == {int}:  # A shorter way, since windows of events are long.
            return set(map(type, value)) <= {int}
        return all(map(fits, value, arguments if origin is tuple else len(value) * arguments))
    if isinstance(value, bool) or value is None:
        return hint in (type(value), None)
    return isinstance(value, int | float if hint is float else hint)
