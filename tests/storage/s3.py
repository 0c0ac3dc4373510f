"""A small S3 on loopback: what a run folder there needs. The tests that use it passed with moto's server, too."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

NAMESPACE = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'


class Store(ThreadingHTTPServer):
    """Objects by name, `bucket/key`."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects: dict[str, bytes] = {"bucket/": b""}
        self.parts: dict[str, dict[int, bytes]] = {}


class Handler(BaseHTTPRequestHandler):
    """Put, get, head, delete, list, copy, and uploads in parts."""

    protocol_version = "HTTP/1.1"
    server: Store

    def log_message(self, *given: object) -> None:
        """Says nothing."""

    @property
    def _asked(self) -> tuple[str, dict[str, str]]:
        parts = urlsplit(self.path)
        query = parse_qs(parts.query, keep_blank_values=True)
        return unquote(parts.path).strip("/"), {name: values[0] for name, values in query.items()}

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "") == "chunked":
            data = self._chunks()
        else:
            data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if "aws-chunked" not in self.headers.get("Content-Encoding", ""):
            return data
        whole = b""  # size;signature CRLF bytes CRLF …, once more inside
        while data:
            head, _, data = data.partition(b"\r\n")
            size = int(head.split(b";")[0], 16)
            if not size:
                break
            whole, data = whole + data[:size], data[size + 2 :]
        return whole

    def _chunks(self) -> bytes:
        whole = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            whole += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return whole

    def _answer(self, status: int, data: bytes = b"", size: int | None = None, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(data) if size is None else size))
        for name, value in {"ETag": '"0"', "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _missing(self) -> None:
        self._answer(404, b"<Error><Code>NoSuchKey</Code><Message>gone</Message></Error>")

    def _key(self, name: str) -> str:
        return f"{name}/" if "/" not in name or urlsplit(self.path).path.endswith("/") else name

    def do_PUT(self) -> None:
        name, query = self._asked
        data = self._body()
        if "uploadId" in query:
            self.server.parts[query["uploadId"]][int(query["partNumber"])] = data
        else:
            self.server.objects[self._key(name)] = data
        self._answer(200)

    def do_POST(self) -> None:
        name, query = self._asked
        data = self._body()
        if "uploads" in query:
            self.server.parts[name] = {}
            said = f"<InitiateMultipartUploadResult><UploadId>{escape(name)}</UploadId></InitiateMultipartUploadResult>"
        elif "uploadId" in query:
            found = self.server.parts.pop(query["uploadId"])
            self.server.objects[name] = b"".join(found[number] for number in sorted(found))
            said = f"<CompleteMultipartUploadResult {NAMESPACE}><ETag>0</ETag></CompleteMultipartUploadResult>"
        else:
            for key in re.findall(r"<Key>(.*?)</Key>", data.decode()):
                self.server.objects.pop(f"{name}/{key}", None)
            said = f"<DeleteResult {NAMESPACE}></DeleteResult>"
        self._answer(200, said.encode())

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        name, query = self._asked
        if "/" not in name and self.command == "GET":
            self._answer(200, self._listed(name, query).encode(), Content_Type="application/xml")
            return
        data = self.server.objects.get(self._key(name))
        if data is None:
            self._missing()
            return
        asked = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if asked is None:
            self._answer(200, data, len(data))
        else:
            start, end = int(asked[1]), min(int(asked[2] or len(data)), len(data) - 1)
            told = f"bytes {start}-{end}/{len(data)}"
            self._answer(206, data[start : end + 1], Content_Range=told)

    def do_DELETE(self) -> None:
        self.server.objects.pop(self._key(self._asked[0]), None)
        self._answer(204)

    def _listed(self, bucket: str, query: dict[str, str]) -> str:
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter")
        found, folders = list[str](), set[str]()
        for name in sorted(self.server.objects):
            key = name.removeprefix(f"{bucket}/")
            if key and key.startswith(prefix):
                inner, cut, _ = key[len(prefix) :].partition(delimiter) if delimiter else (key, "", "")
                if cut:
                    folders.add(prefix + inner + cut)
                else:
                    found.append(key)
        most = int(query.get("max-keys", 1000))
        keys = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{len(self.server.objects[f'{bucket}/{key}'])}</Size>"
            "<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>"
            for key in found[:most]
        )
        more = "".join(f"<CommonPrefixes><Prefix>{escape(name)}</Prefix></CommonPrefixes>" for name in sorted(folders))
        count = f"<KeyCount>{len(found[:most]) + len(folders)}</KeyCount><IsTruncated>false</IsTruncated>"
        return f"<ListBucketResult {NAMESPACE}>{count}{keys}{more}</ListBucketResult>"


@contextmanager
def serving() -> Iterator[str]:
    """The address of a store with one bucket, `bucket`."""
    store = Store()
    thread = threading.Thread(target=store.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{store.server_address[1]}"
    finally:
        store.shutdown()
        store.server_close()
        thread.join()
