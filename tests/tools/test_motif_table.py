"""The table of precision and recall."""

from pathlib import Path

import pyarrow
import pyarrow.parquet
from click.testing import CliRunner

from tools.motif_table import is_unseen, main

FORK = ("4k3/r7/8/3N4/8/8/8/4K3 b - - 0 1", "a7a8 d5c7 e8d7 c7a8")
QUIET = ("4k3/r7/8/3N4/8/8/8/4K3 b - - 0 1", "a7a8 e1e2 e8d7 e2e1")


def test_precision_and_recall_are_those_of_one_half(tmp_path: Path) -> None:
    seen = [name for name in map(str, range(20)) if not is_unseen(name)][:4]
    unseen = next(name for name in map(str, range(20)) if is_unseen(name))
    kinds = [(*FORK, "fork"), (*FORK, "fork"), (*FORK, "pin"), (*QUIET, "fork"), (*QUIET, "fork fork")]
    rows = [
        {"id": name, "fen": fen, "moves": moves, "themes": themes}
        for name, (fen, moves, themes) in zip([*seen, unseen], kinds, strict=True)
    ]
    file = tmp_path / "puzzles.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    shown = CliRunner().invoke(main, [str(file), "--show", "fork"]).output
    assert "| fork | 3 | 3 | 0.667 | 0.667 |\n| pin | 1 | 0 | - | 0.000 |" in shown
    assert f"only ours   {seen[2]} r3k3/8/8/3N4/8/8/8/4K3 w - - 1 2 d5c7 e8d7 c7a8\n" in shown
    assert f"only theirs {seen[3]} " in shown
    assert "\n4 puzzles, " in shown
    assert "| fork | 1 | 0 | - | 0.000 |" in CliRunner().invoke(main, [str(file), "--unseen"]).output
    assert "\n2 puzzles, " in CliRunner().invoke(main, [str(file), "--limit", "2"]).output
