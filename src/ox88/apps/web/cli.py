"""`ox88 serve`: find chessground, open the store, bind the address, serve until Ctrl-C."""

import contextlib
import logging
import os
import socket
import threading
import time
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ox88.apps.files import explained
from ox88.apps.options import FILE, Whole
from ox88.apps.store import STORE, Store, data_folder
from ox88.apps.train.cli import NEEDED, check_installed
from ox88.apps.web import chessground
from ox88.cores import cores
from ox88.errors import Ox88Error

if TYPE_CHECKING:
    import uvicorn

BOARD: Final = "chessground"  # The folder of the board within the data folder.
LEAST_SEARCHES: Final = 2  # One is always left for games.
_GRACE: Final = 2  # Seconds that connections have to close.


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 is all.")
@click.option("--port", type=Whole(0, 65535), default=8088, show_default=True, help="The port; 0 takes a free one.")
@click.option("--open", "opens", is_flag=True, help="Open the page in a browser.")
@click.option("--data", type=FILE, metavar="FOLDER", help="Keep the games in this folder.")
@click.option("--searches", type=Whole(LEAST_SEARCHES, 256), help="Searches at a time. Default: one a core.")
@click.option("--allow-host", "names", multiple=True, metavar="NAME", help="Another name of this server; repeatable.")
@click.option(
    "--explore",
    "explored",
    multiple=True,
    type=FILE,
    metavar="FILE",
    help="Explore the games of this PGN file; repeatable. They are remembered.",
)
@click.option("--no-explore", "forgets", is_flag=True, help="Forget the files of --explore.")
@click.option("--fetch-board", is_flag=True, help="Fetch the board and its pieces from the npm registry, and exit.")
def serve(
    host: str,
    port: int,
    opens: bool,
    data: Path | None,
    searches: int | None,
    names: tuple[str, ...],
    explored: tuple[Path, ...],
    forgets: bool,
    fetch_board: bool,
) -> None:
    """Play and analyse in the browser.

    Everybody who can reach the address can use the engines.
    """
    folder = data or data_folder()
    if not fetch_board:
        run_server(host, port, opens, folder, searches, names, library_files(folder, explored, forgets))
        return
    board = folder / BOARD
    try:
        chessground.fetch(board)
    except (chessground.FetchError, OSError) as error:
        raise Ox88Error(f"the board cannot be fetched: {error}") from None
    click.echo(f"The board is in {board}.")


def library_files(folder: Path, named: Sequence[Path], forgets: bool) -> list[Path]:
    """The files of the library. Named files are remembered in a folder; without any, the remembered ones are used."""
    kept = folder / "explored"
    for path in named:
        if not path.is_file():
            raise Ox88Error(f"{path} cannot be explored: there is no such file")
    with explained(kept):
        if named or forgets:
            folder.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(b"\0".join(os.fsencode(os.path.realpath(path)) for path in named))
        found = kept.read_bytes().split(b"\0") if kept.exists() else []
        return [Path(os.fsdecode(path)) for path in filter(None, found)]


def run_server(
    host: str,
    port: int,
    opens: bool,
    folder: Path,
    searches: int | None,
    names: Sequence[str],
    explored: Sequence[Path] = (),
) -> None:
    """Serve until interrupted. Raises Ox88Error if something is missing or the address cannot be had."""
    board = find_board(folder)
    check_installed("serve", ("starlette", "uvicorn", "websockets", *NEEDED), "web")
    import uvicorn

    from ox88.apps.web.app import make_app
    from ox88.apps.web.messages import LONGEST_MESSAGE

    with contextlib.closing(_bind(host, port)) as listening, Store(folder / STORE) as store:
        name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104 - The name is shown, not bound.
        url = f"http://{name}:{listening.getsockname()[1]}/"
        searches = searches or max(cores(), LEAST_SEARCHES)
        app = make_app(store, board, {"localhost", host, *names}, searches, explored)
        config = uvicorn.Config(
            app,
            log_level=logging.WARNING,
            ws="websockets-sansio",
            ws_max_size=2 * LONGEST_MESSAGE,
            ws_per_message_deflate=False,  # On the local machine it costs more than it saves.
            server_header=False,
            timeout_graceful_shutdown=_GRACE,
        )
        server = uvicorn.Server(config)
        threading.Thread(target=_announce, args=(server, url, opens), daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):  # The usual end of a server; everything is closed by then.
            server.run([listening])


def find_board(folder: Path) -> Path:
    """The folder of chessground: from the wheel, or fetched. Raises Ox88Error if there is none."""
    found = chessground.find((chessground.PACKAGED, folder / BOARD, data_folder() / BOARD))
    if found is None:
        raise Ox88Error("the board is not installed: `ox88 serve --fetch-board` fetches it, once, by npm")
    return found


def _bind(host: str, port: int) -> socket.socket:
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind)
        if os.name != "nt":  # On Windows two servers could then listen at one port.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(address)
        except OSError:
            listening.close()
            raise
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Ox88Error(f"cannot listen at {host} port {port}: {reason}; --host and --port choose another") from None
    return listening


def _announce(server: "uvicorn.Server", url: str, opens: bool) -> None:
    """Print the address as soon as the page can be opened."""
    while not server.started:
        if server.should_exit:
            return
        time.sleep(0.01)
    click.echo(f"Ox88 is at {url} (Ctrl-C ends it)")
    if opens:
        webbrowser.open(url)
