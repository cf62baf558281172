"""micro-Max 3.2, exact to the node: `search.py` is the listing, `machine.py` its state, `driver.py` the engine.

The name and the options are here, so that they are known before the engine and its compiler are loaded.
"""

from typing import Final

from ox88.engines.base import Option

NAME: Final = "micro-Max 3.2"
MOVE_OVERHEAD: Final = Option("Move Overhead", "spin", default=20, minimum=0, maximum=10_000)  # Milliseconds.
OPTIONS: Final = (MOVE_OVERHEAD,)
