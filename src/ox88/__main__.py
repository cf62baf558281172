"""python -m ox88, and the command ox88."""

import sys


def run() -> None:
    """Run the command line. Ctrl-C during its imports ends it as quietly as later: the exit code is 130."""
    try:
        from ox88.cli import main
    except KeyboardInterrupt:
        sys.exit(130)
    main()


if __name__ == "__main__":
    run()
