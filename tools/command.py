"""A command that reports errors in one line and ends with exit code 2."""

from typing import Any

import click

from ox88.errors import Ox88Error


class Command(click.Command):
    """Reports an Ox88Error as click reports its own errors."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except Ox88Error as error:
            raise click.UsageError(str(error)) from None
