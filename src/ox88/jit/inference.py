"""Type inference that remembers: Numba tries a dozen candidates anew for every `+`, `==` or `bool` of every kernel."""

import contextlib
from collections.abc import Iterator
from typing import Any, Final

from numba.core import types

_numba: Final[Any] = types.BaseFunction
_resolve: Final = _numba.get_call_type
_resolved: Final[dict[Any, Any]] = {}


def _remembered(function: Any, context: Any, arguments: Any, keywords: Any) -> Any:
    """The signature of one of Numba's own functions for these types of arguments."""
    if keywords:
        return _resolve(function, context, arguments, keywords)
    key = (function, context, tuple(arguments))
    if key not in _resolved:
        _resolved[key] = _resolve(function, context, arguments, keywords)
    return _resolved[key]


@contextlib.contextmanager
def remembering() -> Iterator[None]:
    """Numba asks us; only under its compiler lock, so that no other thread sees this."""
    _numba.get_call_type = _remembered
    try:
        yield
    finally:
        _numba.get_call_type = _resolve
