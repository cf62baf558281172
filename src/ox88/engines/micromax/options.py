"""What can be set of micro-Max, known before it is loaded."""

from typing import Final

from ox88.engines.base import Option

NAME: Final = "micro-Max 3.2"
MOVE_OVERHEAD: Final = Option("Move Overhead", "spin", default=20, minimum=0, maximum=10_000)  # Milliseconds.
OPTIONS: Final = (MOVE_OVERHEAD,)
