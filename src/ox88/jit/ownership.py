"""Whether a folder is the user's own. Cached code is run, so nobody else may be able to put some there.

On Windows permissions are lists of their own kind. So on Windows the user's own folder and all that lies in it counts
as closed to others, and nothing else does.
"""

import os
import stat
from pathlib import Path
from typing import Final

_ROOT: Final = 0  # The user id of root, who can do all that this user can.
_SEARCH_BITS: Final = stat.S_IXGRP | stat.S_IXOTH


def make_folder(folder: Path) -> None:
    """Make a folder, and missing folders around it, for this user alone. Raises OSError."""
    for path in (*reversed(folder.parents), folder):
        path.mkdir(mode=0o700, exist_ok=True)


def others_access(folder: Path) -> str | None:
    """How others could put something into a folder; None if they cannot. Raises OSError.

    Args:
        folder: its path, without symbolic links. Folders around it count too: who can write to one of them can put
            another folder in the place of this one. But in a folder with the sticky bit, such as /tmp, nobody can
            replace what belongs to another user.
    """
    if not hasattr(os, "getuid"):
        own = Path.home().resolve()
        return None if folder.is_relative_to(own) else f"it is not in your own folder, {own}"
    if folder.stat().st_uid != os.getuid():
        return f"{folder} belongs to another user"
    if _others_can_write(folder.stat()):
        return f"others can write to {folder}, which `chmod go-w` ends"
    for parent in folder.parents:
        status = parent.stat()
        if status.st_uid not in (_ROOT, os.getuid()):
            return f"{parent} belongs to another user"
        if _others_can_write(status) and not status.st_mode & stat.S_ISVTX:
            return f"others can replace what is in {parent}, which `chmod go-w` ends, and `chmod +t` too"
    return None


def is_own(folder: Path) -> bool:
    """True if a folder and all that is in it come from this user. Raises OSError.

    Others may once have been able to write to the folder, and the files that they left belong to them. A file that
    others may write to does no harm in a folder that they cannot enter.
    """
    return not hasattr(os, "getuid") or _is_own(folder, is_closed=False)


def _is_own(path: Path, is_closed: bool) -> bool:
    """`is_own` for a folder or a file. is_closed: nobody else can enter a folder around it."""
    try:
        status = path.stat(follow_symlinks=False)
    except FileNotFoundError:  # Another process of this user has just deleted or renamed it.
        return True
    if status.st_uid != os.getuid() or (not is_closed and _others_can_write(status)):
        return False
    if stat.S_ISDIR(status.st_mode):
        is_closed |= not status.st_mode & _SEARCH_BITS
        return all(_is_own(entry, is_closed) for entry in path.iterdir())
    return stat.S_ISREG(status.st_mode)


def _others_can_write(status: os.stat_result) -> bool:
    if status.st_mode & stat.S_IWOTH:
        return True
    return bool(status.st_mode & stat.S_IWGRP) and not _is_private(status.st_gid)


def _is_private(group: int) -> bool:
    """True if a group is this user's alone. Many systems give each user such a group, which may write by default."""
    import grp
    import pwd

    try:
        user, members = pwd.getpwuid(os.getuid()), grp.getgrgid(group).gr_mem
    except KeyError:  # The system does not know the user or the group.
        return False
    others = [other for other in pwd.getpwall() if other.pw_gid == group and other.pw_uid != user.pw_uid]
    return user.pw_gid == group and not others and set(members) <= {user.pw_name}
