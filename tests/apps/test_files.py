"""Files that commands write: at once, never over another of their own files, and to pipes as they are."""

import gzip
import os
from pathlib import Path
from typing import NoReturn

import pytest

from ox88.apps.files import check_distinct, check_is_text, check_writable, is_special, read_lines, written_at_once
from ox88.errors import Ox88Error


@pytest.mark.posix("named pipes")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with written_at_once(pipe) as file:
        file.write(b"text")
    assert pipe.is_fifo()
    assert os.read(reader, 9) == b"text"
    os.close(reader)
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.posix("named pipes")
def test_a_pipe_is_not_opened_to_try_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its reader would take the end of the trial for the end of the text."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def fail(*_: object) -> NoReturn:
        raise OSError("it is opened")

    monkeypatch.setattr(Path, "open", fail)
    check_writable(pipe)


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


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 5000)
    assert not is_special(path)
    check_is_text(path)  # Who reads it reports it.
    with pytest.raises(Ox88Error, match="cannot be written: "):
        check_writable(path)
    with pytest.raises(Ox88Error, match="cannot be written: "), written_at_once(path):
        pass


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (gzip.compress(b"k7/8", mtime=0), " but gzip"),
        (bytes(range(32)) * 9, ""),
        ("k7/8".encode("utf-16"), " but UTF-16"),
        ("k7/8".encode("utf-32"), " but UTF-32"),
    ],
)
def test_lines_of_what_is_no_text(data: bytes, found: str, tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    path.write_bytes(data)
    with pytest.raises(Ox88Error, match=f"suite.epd is not text{found}: plain text is expected"):
        read_lines(path)
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\xff")
    assert read_lines(path) == ["one", "two", "\ufffd"]


def test_files_of_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    one, same, other = Path("one"), tmp_path / "one", Path("other")
    check_distinct([one, same], [other])
    with pytest.raises(Ox88Error, match="one is both read and written: name another output"):
        check_distinct([one], [other, same])
    with pytest.raises(Ox88Error, match="one is written twice: each output needs a file of its own"):
        check_distinct([], [one, same])
    for inputs, outputs in (([one], [other]), ([other], [one])):
        with pytest.raises(Ox88Error, match="one cannot be named: Ox88 keeps unfinished work of its own there"):
            check_distinct(inputs, outputs, [same])
