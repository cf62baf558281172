"""The list of engines, the default one first. An engine's code is loaded only when the engine is made."""

from typing import Final

from ox88.engines import micromax
from ox88.engines.base import Engine, EngineEntry
from ox88.engines.modern import options as modern


def _make_micromax() -> Engine:
    from ox88.engines.micromax.driver import MicroMax

    return MicroMax()


def _make_modern() -> Engine:
    from ox88.engines.modern.driver import Modern

    return Modern()


MODERN: Final = EngineEntry("Ox88", modern.OPTIONS, _make_modern)
MICROMAX: Final = EngineEntry("micro-Max", micromax.OPTIONS, _make_micromax)

ENGINES: Final = (MODERN, MICROMAX)
