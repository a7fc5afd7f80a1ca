"""A client at an address where something else answers."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from hopline import Hopline
from hopline.errors import ServiceError


class Page(BaseHTTPRequestHandler):
    """Answers every request with a page of HTML."""

    status = 200

    def do_GET(self):
        self.send_page()

    def do_POST(self):
        self.send_page()

    def send_page(self):
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(b"<html>Welcome</html>")

    def log_message(self, *_):
        pass


@pytest.mark.parametrize("status", [200, 404])
def test_a_response_that_is_no_json_is_an_error_that_says_so(status):
    handler = type("StatusPage", (Page,), {"status": status})
    server = HTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with (
            Hopline.connect(f"http://127.0.0.1:{server.server_port}") as client,
            pytest.raises(ServiceError, match="is this a Hopline service"),
        ):
            client.collections()
    finally:
        server.shutdown()
        server.server_close()
