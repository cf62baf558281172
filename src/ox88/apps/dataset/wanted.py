"""What a table shall hold."""

from dataclasses import dataclass
from typing import Final

from ox88.apps.dataset.columns import POSITION, SCORED
from ox88.apps.dataset.filters import Filters
from ox88.apps.dataset.worker import Search

GROUP_ROWS: Final = 1 << 17
SCORED_GROUP_ROWS: Final = 1 << 12  # Workers wait for a group to be read before they begin with it.
COMPRESSIONS: Final = ("lz4", "zstd", "snappy")


@dataclass(frozen=True, slots=True)
class Wanted:
    """columns: by name. unique: a position only where it comes first. nodes, depth: of a search of each."""

    columns: tuple[str, ...]
    filters: Filters
    unique: bool = False
    nodes: int | None = None
    depth: int | None = None
    compression: str = COMPRESSIONS[0]

    @property
    def search(self) -> Search | None:
        return None if self.nodes is None and self.depth is None else Search(self.nodes, self.depth)

    @property
    def columns_of_games(self) -> tuple[str, ...]:
        """Those that need no search, and the positions where there is one."""
        columns = tuple(name for name in self.columns if name not in SCORED)
        return columns if self.search is None or POSITION in columns else (*columns, POSITION)

    @property
    def group_rows(self) -> int:
        return GROUP_ROWS if self.search is None else SCORED_GROUP_ROWS
