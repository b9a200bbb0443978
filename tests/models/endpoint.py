"""An endpoint of models in this process, which answers as a test tells it to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Answer = tuple[int, dict[str, str], Any]


class Endpoint:
    """What was asked, and the answers to give: the queued ones first, then the usual one."""

    def __init__(self) -> None:
        self.url = ""
        self.asked: list[dict[str, Any]] = []
        self.queued: list[Answer] = []
        self.usual: Callable[[dict[str, Any]], Answer] = lambda body: (200, {}, vectors(body))


def vectors(body: dict[str, Any], dimension: int = 4) -> dict[str, Any]:
    """A regular answer, last text first: the index says which is which."""
    data = [
        {
            "object": "embedding",
            "index": place,
            "embedding": [float(len(text))] + [1.0] * (dimension - 1),
        }
        for place, text in enumerate(body["input"])
    ]
    return {
        "object": "list",
        "model": "m",
        "data": data[::-1],
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }


def completion(text: str | None, **message: Any) -> dict[str, Any]:
    """A regular answer of a chat model."""
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
    }


@contextmanager
def serve_chat(text: str = "{}") -> Iterator[Endpoint]:
    """Serve a chat model that usually answers with this text."""
    with serve_embeddings() as endpoint:
        endpoint.usual = lambda _body: (200, {}, completion(text))
        yield endpoint


@contextmanager
def serve_embeddings() -> Iterator[Endpoint]:
    """Serve on a free port of this machine until the block ends."""
    endpoint = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            endpoint.asked.append(
                {"path": self.path, "authorization": self.headers["Authorization"], **body}
            )
            status, headers, answer = (
                endpoint.queued.pop(0) if endpoint.queued else endpoint.usual(body)
            )
            payload = json.dumps(answer).encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Type": "application/json"}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: Any) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
