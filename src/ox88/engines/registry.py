"""The engines by name, the first being the default. Nothing is loaded before an engine is made."""

from typing import Final

from ox88.engines.base import Engine, EngineEntry, EngineError, OptionValue


def _make_micromax() -> Engine:
    from ox88.engines.micromax.driver import MicroMax

    class Named(MicroMax):
        """TEMPORARY, until the driver itself has options."""

        def new_game(self) -> None:
            self._end_search()
            self._machine.clear_table()

        def set_option(self, name: str, value: OptionValue = None) -> str | None:  # noqa: ARG002
            raise EngineError(f"there is no option {name!r}; there are: none")

    return Named()  # type: ignore[return-value]


ENGINES: Final = (EngineEntry("micro-Max", (), _make_micromax),)
