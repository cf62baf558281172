"""The example notebook runs as it stands, and shows pictures."""

import os
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.processes import PATIENCE

NOTEBOOK = Path(__file__).parent.parent / "examples" / "notebook.ipynb"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Of what runs notebooks.
def test_the_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    import nbclient  # Slow to import, which every collection of the tests would wait for.
    import nbformat

    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    notebook: Any = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in cells)  # It is committed without them.
    nbclient.NotebookClient(
        notebook, timeout=PATIENCE, resources={"metadata": {"path": str(NOTEBOOK.parent)}}
    ).execute()
    outputs = [output for cell in cells for output in cell.outputs]
    said = "".join(output["text"] for output in outputs if output.output_type == "stream")
    shown = [output["data"] for output in outputs if output.output_type == "execute_result"]
    pictures = [data["image/svg+xml"] for data in shown if "image/svg+xml" in data]
    assert [ElementTree.fromstring(picture).tag[-3:] for picture in pictures] == ["svg"] * 6  # noqa: S314 - Our own.
    assert " is better" in said
    assert "positions: 198 games, 396 rows" in said
    assert "'move'" in shown[-1]["text/plain"]
