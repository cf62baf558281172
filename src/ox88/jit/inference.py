"""A cache for type inference: Numba tries a dozen candidates for each `+`, `==` or `bool` of each kernel."""

import contextlib
from collections.abc import Iterator
from typing import Any, Final

from numba.core import types

_numba: Final[Any] = types.BaseFunction
_resolve: Final = _numba.get_call_type
_resolved: Final[dict[Any, Any]] = {}


def _remembered(function: Any, context: Any, arguments: Any, keywords: Any) -> Any:
    if keywords:
        return _resolve(function, context, arguments, keywords)
    key = (function, context, tuple(arguments))
    if key not in _resolved:
        _resolved[key] = _resolve(function, context, arguments, keywords)
    return _resolved[key]


@contextlib.contextmanager
def remembering() -> Iterator[None]:
    """Use the cache. The caller holds Numba's compiler lock, so no other thread is affected."""
    _numba.get_call_type = _remembered
    try:
        yield
    finally:
        _numba.get_call_type = _resolve
