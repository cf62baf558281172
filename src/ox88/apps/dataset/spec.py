"""What a data set contains."""

from dataclasses import asdict, dataclass, field
from typing import Any, Final

from ox88.apps.dataset.columns import POSITION, SCORED
from ox88.apps.dataset.rows import Filters
from ox88.apps.dataset.scoring import Search

COMPRESSIONS: Final = ("lz4", "zstd", "snappy")


@dataclass(frozen=True, slots=True)
class DatasetSpec:
    """columns: their names. unique: keep only the first row of each position. search: for scores; None for none."""

    columns: tuple[str, ...]
    filters: Filters = field(default_factory=Filters)
    unique: bool = False
    search: Search | None = None
    compression: str = COMPRESSIONS[0]

    @property
    def game_columns(self) -> tuple[str, ...]:
        """The columns that need no search, and the positions if there is one."""
        columns = tuple(name for name in self.columns if name not in SCORED)
        return columns if self.search is None or POSITION in columns else (*columns, POSITION)

    @property
    def settings(self) -> dict[str, Any]:
        """The options that are set, by their names."""
        search = {} if self.search is None else self.search._asdict()
        named = {"columns": ",".join(self.columns), **asdict(self.filters), "unique": self.unique, **search}
        chosen = {
            name.replace("_", " "): value
            for name, value in named.items()
            if value not in (None, ()) and value is not False
        }
        return {**chosen, "compression": self.compression}
