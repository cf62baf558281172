"""A Dask cluster of processes on this machine."""

import contextlib
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.processes import PATIENCE, wait_until


class Cluster(NamedTuple):
    """A Dask scheduler with two workers."""

    address: str
    workers: list["subprocess.Popen[bytes]"]
    scheduler: "subprocess.Popen[bytes]"


@contextlib.contextmanager
def start_cluster(folder: Path) -> Iterator[Cluster]:
    """Three processes that have found each other. folder: for what they write."""
    path = folder / "dask.log"
    processes: list[subprocess.Popen[bytes]] = []
    with path.open("wb") as log:

        def launch(*arguments: str) -> "subprocess.Popen[bytes]":
            command = [sys.executable, "-m", "dask", *arguments]
            processes.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=folder))
            return processes[-1]

        try:
            address = f"tcp://127.0.0.1:{_free_port()}"
            scheduler = launch("scheduler", "--host", "127.0.0.1", "--port", address.rsplit(":")[-1], "--no-dashboard")
            options = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
            workers = [launch("worker", address, *options) for _ in range(2)]
            wait_until(lambda: path.read_text().count("Registered to") >= len(workers), PATIENCE)
            yield Cluster(address, workers, scheduler)
        finally:
            for process in processes:
                process.kill()
            for process in processes:
                process.wait()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
