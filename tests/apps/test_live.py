"""Views that are drawn anew in a terminal as they grow."""

import io
import sys

import pytest
from rich.text import Text

from ox88.apps.live import LiveView, print_view
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
