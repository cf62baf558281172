"""Views that grow, and files that will be written."""

import io
import sys
from pathlib import Path

import pytest
from rich.text import Text

from ox88.apps.files import check_writable
from ox88.apps.live import LiveView, print_view
from ox88.errors import Ox88Error
from tests.processes import wait_until


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_the_view_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is wiped at the end, also after an error."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    drawn = iter(range(1000))
    with pytest.raises(RuntimeError), LiveView(lambda: Text(f"view {next(drawn)}")):  # noqa: PT012
        wait_until(lambda: "view 1" in screen.getvalue())
        raise RuntimeError
    assert screen.getvalue().endswith("\x1b[2K")


def test_a_pipe_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    with LiveView(lambda: Text("view")):
        print("in between", file=sys.stderr)  # noqa: T201
    assert pipe.getvalue() == "in between\n"


def test_views_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    print_view(Text("x" * 110))
    print_view(Text("[red]y"), to_stderr=True)
    assert capsys.readouterr() == ("x" * 110 + "\n", "[red]y\n")


def test_what_an_encoding_has_not(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii", write_through=True))
    print_view(Text("1½ Größe"))
    assert raw.getvalue() == b"1? Gr??e\n"


def test_a_file_that_can_be_written_is_left_as_it_is(tmp_path: Path) -> None:
    check_writable(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "old").write_text("content")
    check_writable(tmp_path / "old")
    assert (tmp_path / "old").read_text() == "content"


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(Ox88Error, match=r"missing.file cannot be written: No such file or directory"):
        check_writable(tmp_path / "missing" / "file")
    with pytest.raises(Ox88Error, match="cannot be written: "):
        check_writable(tmp_path)
