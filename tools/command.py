"""A command whose errors are one line and exit code 2."""

from typing import Any

import click

from ox88.types import Ox88Error


class Command(click.Command):
    """Tells an Ox88Error as click tells its own."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except Ox88Error as error:
            raise click.UsageError(str(error)) from None
