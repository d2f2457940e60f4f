# SPDX-License-Identifier: Apache-2.0
"""`perle provider metrics`: the status files of all processes, in Prometheus's format."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator
from pathlib import Path
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, generate_latest, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from perle.cli.io import console
from perle.cli.io.errors import Code, Fault, usage
from perle.host.provider import BoardStatus, ProcessStatus, statuses

OURS = b"# HELP perle_"
"""How metrics begin."""
WHERE = ("boards", "software", "failed", "declined")
EVENTS = {
    "wrong": "results of boards that were wrong, and not released",
    "queue_full": "operations that found the queue full",
    "no_board": "operations for which no board was left",
    "bad_keys": "keys whose results were wrong in software too",
}
COUNTS = {
    "operations": "private operations that boards did",
    "errors": "operations that boards did not finish",
    "wrong": "results that were wrong, and not released",
    "timeouts": "operations that took too long",
    "retired": "times that boards were retired",
    "recovered": "times that boards came back",
    "resets": "resets of boards",
    "cycles": "clock cycles of boards",
}


class Pages(Collector):
    """Reads the status files of a folder at every request."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics, each with a sample per process, or per board specification of a process."""
        pages = [page for page in statuses(self.folder) if page.running]
        yield GaugeMetricFamily("perle_processes", "processes that use the provider", len(pages))
        yield from _processes(pages)
        yield from _boards([(page, board) for page in pages for board in page.boards])


def _processes(pages: Iterable[ProcessStatus]) -> Iterator[Metric]:
    pages = list(pages)
    where = CounterMetricFamily(
        "perle_operations", "private operations by who did them", labels=("pid", "by")
    )
    for page in pages:
        for who in WHERE:
            where.add_metric((str(page.pid), who), page.counts[who])
    yield where
    for count, text in EVENTS.items():
        family = CounterMetricFamily(f"perle_{count}", text, labels=("pid",))
        for page in pages:
            family.add_metric((str(page.pid),), page.counts[count])
        yield family
    waiting = GaugeMetricFamily("perle_waiting", "operations that wait for a board", labels=("pid",))
    for page in pages:
        waiting.add_metric((str(page.pid),), page.counts["waiting"])
    yield waiting


def _boards(rows: Iterable[tuple[ProcessStatus, BoardStatus]]) -> Iterator[Metric]:
    rows = list(rows)
    labels = ("pid", "boards")
    up = GaugeMetricFamily("perle_board_up", "1 where the boards work, 0 closed or retired", labels=labels)
    busy = GaugeMetricFamily("perle_board_busy", "operations on these boards now", labels=labels)
    for page, board in rows:
        up.add_metric((str(page.pid), board.spec), board.state == "up")
        busy.add_metric((str(page.pid), board.spec), board.busy)
    yield from (up, busy)
    for count, text in COUNTS.items():
        family = CounterMetricFamily(f"perle_board_{count}", text, labels=labels)
        for page, board in rows:
            family.add_metric((str(page.pid), board.spec), getattr(board, count))
        yield family


def registry(folder: Path) -> CollectorRegistry:
    """Return a registry with the metrics of a folder, and none of this process itself."""
    found = CollectorRegistry()
    found.register(Pages(folder))
    return found


def replaceable(out: str) -> bool:
    """Whether an output is empty or metrics of earlier, which may be replaced; any other file may not."""
    path = Path(out)
    if not path.is_file():
        return True
    with path.open("rb") as file:
        return file.read(len(OURS)) in (b"", OURS)


def text(folder: Path) -> str:
    """Return the metrics as text."""
    return generate_latest(registry(folder)).decode()


def listen(folder: Path, address: str) -> tuple[WSGIServer, str]:
    """Serve the metrics under /metrics until the server is shut down; return the server and its address.

    `address` is HOST:PORT; port 0 selects a free one. Raises Fault.
    """
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > 65535:
        raise usage(f"--listen {address}: must be HOST:PORT, such as 127.0.0.1:9469")
    try:
        server, _ = start_http_server(int(port), host.strip("[]"), registry(folder))
    except OSError as error:
        raise Fault(Code.INPUT, f"--listen {address}: {error.strerror or error}") from None
    return server, f"{host}:{server.server_port}"


def serve(folder: Path, address: str) -> None:
    """Serve the metrics until a signal ends the program."""
    server, where = listen(folder, address)
    console.note(f"http://{where}/metrics, until interrupted")
    try:
        signal.pause()
    finally:
        server.shutdown()
        server.server_close()
