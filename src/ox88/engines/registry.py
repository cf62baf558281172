"""The engines by name, the first being the default. Nothing is loaded before an engine is made."""

from typing import Final

from ox88.engines.base import Engine, EngineEntry, Limit
from ox88.engines.micromax import options as micromax
from ox88.engines.modern import options as modern


def _make_micromax() -> Engine:
    from ox88.engines.micromax.driver import MicroMax

    return _compiled(MicroMax())


def _compiled(engine: Engine) -> Engine:
    """The engine after the least of searches and a move: all of it is compiled, or loaded, before the clock runs."""
    *_, last = engine.search(Limit(nodes=1))
    engine.push(last.best_move)
    engine.pop()
    engine.new_game()
    return engine


def _make_modern() -> Engine:
    from ox88.engines.modern.driver import Modern

    return _compiled(Modern())


MODERN: Final = EngineEntry("Ox88", modern.OPTIONS, _make_modern)
MICROMAX: Final = EngineEntry("micro-Max", micromax.OPTIONS, _make_micromax)

ENGINES: Final = (MODERN, MICROMAX)
