import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Lock, Thread

from verify import verify

# During a rotation: the new and the previous secret, separated by a comma.
SECRETS = os.environ.get("WEBHOOK_SECRET", "").split(",")
PORT = int(os.environ.get("PORT", "8080"))
MOST_BYTES = 1_000_000

# In production: a unique column in your database, written before you respond.
seen = set()
lock = Lock()
to_do = Queue()


class Receiver(BaseHTTPRequestHandler):
    timeout = 15

    def do_POST(self):
        self.send_response(self.receive())
        self.end_headers()

    def receive(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            return 413
        raw_body = self.rfile.read(int(length))
        if not verify(SECRETS, self.headers, raw_body):
            return 401
        with lock:
            if self.headers["webhook-id"] not in seen:
                to_do.put(raw_body)
            seen.add(self.headers["webhook-id"])
        return 204

    def log_message(self, *_):
        pass


def work():
    """Runs after the response, so that the sender never waits for it."""
    while True:
        say("received", json.loads(to_do.get()))


def say(what, value):
    print(what, json.dumps(value), flush=True)


if __name__ == "__main__":
    verify(SECRETS, {}, b"")  # Raises if there is no secret: better now than at the first delivery.
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
    Thread(target=work, daemon=True).start()
    say("listening on", {"address": server.server_name, "port": server.server_port})
    server.serve_forever()
