"""python -m ox88, and the command ox88."""

import contextlib
import os
import sys


def run() -> None:
    """Run the command line. Ctrl-C during its imports ends it as quietly as later: the exit code is 130."""
    try:
        from ox88.cli import main
    except KeyboardInterrupt:
        sys.exit(130)
    main()


def leave_out_working_folder() -> None:
    """Import nothing from the folder that `python -m ox88` runs in, where the user's files may bear any name.

    Worker processes get the path of this one. `-P` leaves the folder out before this module is found.
    """
    with contextlib.suppress(OSError):  # The folder is gone.
        if sys.path[0] == os.getcwd() != os.path.dirname(os.path.dirname(__file__)):  # noqa: PTH109, PTH120 - Quick.
            del sys.path[0]


if __name__ == "__main__":
    leave_out_working_folder()
    run()
