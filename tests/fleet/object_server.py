"""A server of object storage on this machine, with the four requests of the S3 protocol that a scan makes."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

MODIFIED, MODIFIED_ISO = "Mon, 02 Mar 2026 09:14:05 GMT", "2026-03-02T09:14:05.000Z"
PAGE = 5
"""Keys in an answer to a listing, so that a test with a dozen needs several."""


class ObjectServer(ThreadingHTTPServer):
    """The ``objects`` by bucket/key. Those of ``lost`` are listed, but cannot be read."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.objects: dict[str, bytes] = {}
        self.lost: set[str] = set()
        self.downloads = 0

    def address(self, path: str) -> str:
        """The address of a bucket, a folder in it or an object, by which pyarrow finds this server."""
        return f"s3://{path}?endpoint_override=127.0.0.1:{self.server_address[1]}&scheme=http&region=us-east-1"


@contextmanager
def serve_objects() -> Generator[ObjectServer]:
    """Serve until the context ends."""
    with ObjectServer() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: ObjectServer

    def do_HEAD(self) -> None:
        path = unquote(urlsplit(self.path).path).strip("/")
        if "/" not in path and any(name.startswith(f"{path}/") for name in self.server.objects):
            self._answer(200, b"")
        else:
            self._answer_object(path)

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        path, query = unquote(parts.path).strip("/"), parse_qs(parts.query)
        if "list-type" in query:
            self._answer(200, self._list(path, query).encode())
        else:
            self._answer_object(path)

    def _answer_object(self, path: str) -> None:
        data = self.server.objects.get(path)
        if data is None or (path in self.server.lost and self.command == "GET"):
            self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
            return
        self.server.downloads += self.command == "GET"
        begin, end, status = 0, len(data), 200
        if (requested := self.headers.get("Range")) is not None:
            first, _, last = requested.removeprefix("bytes=").partition("-")
            begin, end, status = int(first), min(len(data), int(last or len(data)) + 1), 206
        self._answer(status, data[begin:end])

    def _list(self, bucket: str, query: dict[str, list[str]]) -> str:
        prefix, begin = (query.get(name, [""])[0] for name in ("prefix", "continuation-token"))
        keys = sorted(name.partition("/")[2] for name in self.server.objects if name.startswith(f"{bucket}/"))
        keys = [key for key in keys if key.startswith(prefix) and key >= begin]
        page, rest = keys[:PAGE], keys[PAGE:]
        contents = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{len(self.server.objects[f'{bucket}/{key}'])}</Size>"
            f"<LastModified>{MODIFIED_ISO}</LastModified></Contents>"
            for key in page
        )
        following = f"<NextContinuationToken>{escape(rest[0])}</NextContinuationToken>" if rest else ""
        return (
            f'<?xml version="1.0"?><ListBucketResult><IsTruncated>{str(bool(rest)).lower()}</IsTruncated>'
            f"<KeyCount>{len(page)}</KeyCount>{following}{contents}</ListBucketResult>"
        )

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified", MODIFIED)
        self.send_header("ETag", '"1"')
        self.send_header("Content-Type", "application/octet-stream")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the base class calls it so
        """Do not print requests."""
