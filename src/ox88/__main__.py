"""python -m ox88."""

from ox88.cli import main

main()
