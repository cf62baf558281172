"""Compiled code is run, so its folder must be one that nobody else can write to."""

import os
from pathlib import Path

import pytest

from ox88.jit.folders import _is_private, is_own, make_folder, others_access

pytestmark = pytest.mark.posix("owners and permissions")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "outer" / "inner"
    make_folder(folder)
    return folder


def test_a_new_folder_is_for_its_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "outer" / "inner"
    before = os.umask(0)
    try:
        make_folder(folder)
        make_folder(folder)
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o777 for path in (folder, folder.parent)] == [0o700, 0o700]
    assert others_access(folder.resolve()) is None


# Whether others may own or write to the folder, and what it or a folder around it is called then.
@pytest.mark.parametrize(
    ("mode", "outer", "expected"),
    [
        (0o755, 0o755, None),
        (0o702, 0o700, "others can write to {inner}, which"),
        (0o1777, 0o700, "others can write to {inner}, which"),  # They could put something beside what is there.
        (0o700, 0o702, "others can replace what is in {outer}, which"),
        (0o700, 0o1777, None),
    ],
)
def test_who_can_write(mode: int, outer: int, expected: str | None, folder: Path) -> None:
    folder.chmod(mode)
    folder.parent.chmod(outer)
    access = others_access(folder)
    if expected is None:
        assert access is None
    else:
        assert str(access).startswith(expected.format(inner=folder, outer=folder.parent))


@pytest.mark.parametrize("mode", [0o770, 0o730])
def test_a_group_may_write_if_it_is_the_users_alone(mode: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.chmod(mode)
    monkeypatch.setattr("ox88.jit.folders._is_private", lambda group: group == folder.stat().st_gid)
    assert others_access(folder) is None
    assert is_own(folder)
    monkeypatch.setattr("ox88.jit.folders._is_private", lambda _: False)
    assert str(others_access(folder)).startswith(f"others can write to {folder}")
    assert not is_own(folder)


class User:
    """An entry of /etc/passwd, or of /etc/group."""

    def __init__(self, number: int, group: int, *members: str) -> None:
        self.pw_name, self.pw_uid, self.pw_gid, self.gr_mem = f"user{number}", number, group, list(members)


@pytest.mark.parametrize(
    ("group", "members", "others", "expected"),
    [
        (7, (), (), True),
        (7, ("user1",), (), True),
        (7, ("user1", "user2"), (), False),
        (7, (), (User(2, 7),), False),
        (7, (), (User(2, 8),), True),
        (8, (), (), False),
    ],
)
def test_whose_group_it_is(
    group: int, members: tuple[str, ...], others: tuple[User, ...], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pwd.getpwuid", lambda _: User(1, 7))
    monkeypatch.setattr("pwd.getpwall", lambda: [User(1, 7), *others])
    monkeypatch.setattr("grp.getgrgid", lambda _: User(0, 0, *members))
    assert _is_private(group) == expected


def test_a_group_that_the_system_does_not_know() -> None:
    assert not _is_private(4_000_000_000)


def test_a_folder_of_another_user(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    assert others_access(folder) == f"{folder} belongs to another user"
    assert not is_own(folder)


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_in_one_of_another_user(folder: Path) -> None:
    os.chown(folder.parent, 12345, -1)
    assert others_access(folder) == f"{folder.parent} belongs to another user"


def test_what_is_in_a_folder_comes_from_its_user(folder: Path) -> None:
    file = folder / "deeper" / "file"
    make_folder(file.parent)
    file.write_text("")
    assert is_own(folder)
    file.chmod(0o666)
    assert is_own(folder)  # Nobody can enter.
    file.parent.chmod(0o711)
    assert is_own(folder)
    folder.chmod(0o711)
    assert not is_own(folder)
    file.chmod(0o644)
    assert is_own(folder)
    file.parent.chmod(0o733)
    assert not is_own(folder)


def test_a_link_is_not_followed(folder: Path) -> None:
    (folder / "link").symlink_to(folder / "nothing")
    assert not is_own(folder)
    (folder / "link").unlink()
    (folder.parent / "link").symlink_to(folder)
    assert not is_own(folder.parent / "link")


def test_a_file_that_goes_while_the_folder_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "iterdir", lambda path: iter([path / "gone"]))
    assert is_own(folder)
