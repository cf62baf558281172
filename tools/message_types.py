"""The messages of page and server as types of TypeScript, by which `scripts/check` checks the page's JavaScript.

python -m tools.message_types writes build/messages.d.ts.
"""

from collections.abc import Iterable, Iterator
from inspect import Parameter
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints, is_typeddict

import ox88.apps.web.app  # noqa: F401 - It has all handlers declared.
from ox88.apps.web.connection import Alive, Error, Welcome
from ox88.apps.web.messages import HANDLERS, Handler

FILE: Final = Path(__file__).parent.parent / "build" / "messages.d.ts"
_ANSWERS: Final[tuple[Any, ...]] = tuple(
    dict.fromkeys([Welcome, Alive, Error, *(answer for handler in HANDLERS.values() for answer in handler.answers)])
)
# What the page's socket offers.
_CALLS: Final = """\
  type On = <T extends keyof Heard>(type: T, listener: (message: Heard[T]) => unknown) => void
  type Say = <T extends keyof FromPage>(type: T, fields?: FromPage[T]) => number
  type Told = (news: Progress) => unknown
  type Ask = <T extends keyof Answers>(type: T, fields?: FromPage[T], progress?: Told) => Promise<Answers[T]>"""
_SIMPLE: Final[dict[object, str]] = {
    str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null", Any: "any"
}  # fmt: skip


def message_types() -> str:
    """The text of the file: what page and server say, and what a message of the page is answered by in the end."""
    return "\n".join(
        (
            "declare namespace Messages {",
            _interface("FromPage", ((name, _page_message(handler)) for name, handler in HANDLERS.items())),
            _interface("FromServer", ((_kind(answer), f"About & {answer.__name__}") for answer in _ANSWERS)),
            _interface("Connection", [("open", "{}"), ("lost", "{ reason: string }")]),
            _interface("Heard extends FromServer, Connection", []),
            _interface("Answers", ((name, _last_answer(said)) for name, said in HANDLERS.items() if said.answers)),
            _interface("About", [("about?", "string"), ("id?", "number")]),
            _CALLS,
            *(_interface(declared.__name__, _fields(declared)) for declared in _declared(_ANSWERS)),
            "}",
            "",
        )
    )


def _interface(name: str, fields: Iterable[tuple[str, str]]) -> str:
    return f"  interface {name} {{ {'; '.join(f'{field}: {kind}' for field, kind in fields)} }}"


def _page_message(handler: Handler) -> str:
    hints = get_type_hints(handler.call) | {"id": int | None}
    fields = (
        f"{name}{'?' * (field.default is not Parameter.empty)}: {_type(hints[field.attribute])}"
        for name, field in handler.fields.items()
    )
    return f"{{ {'; '.join(fields)} }}"


def _last_answer(handler: Handler) -> str:
    return f'FromServer["{_kind(handler.answers[-1])}"]'


def _kind(answer: Any) -> str:
    """The type that a message of the server has."""
    return str(get_args(get_type_hints(answer)["type"])[0])


def _fields(declared: Any) -> Iterator[tuple[str, str]]:
    for name, hint in get_type_hints(declared, include_extras=True).items():
        yield f"{name}{'' if name in declared.__required_keys__ else '?'}", _type(hint)


def _declared(kinds: Iterable[Any]) -> dict[Any, None]:
    """The typed dictionaries in some types, each once."""
    found: dict[Any, None] = {}
    for kind in kinds:
        inner = get_type_hints(kind).values() if is_typeddict(kind) else get_args(kind)
        found |= ({kind: None} if is_typeddict(kind) else {}) | _declared(inner)
    return found


def _type(hint: Any) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (NotRequired, Required):
        return _type(arguments[0])
    if origin in (Union, UnionType):
        return " | ".join(map(_type, arguments))
    if origin is Literal:
        return " | ".join(f'"{word}"' for word in arguments)
    if origin is tuple:
        return f"[{', '.join(map(_type, arguments))}]"
    if origin is dict:
        return f"Partial<Record<{_type(arguments[0])}, {_type(arguments[1])}>>"
    if origin is not None:  # A list or another sequence.
        return f"Array<{_type(arguments[0])}>"
    return str(hint.__name__) if is_typeddict(hint) else _SIMPLE[hint]


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(message_types(), encoding="utf-8")
