#!/usr/bin/env python3
"""A model on the loopback that speaks the Responses stream of OpenAI: says "answer N" to request N, and
keeps what it was sent.

    responses_server.py FILE      prints its port, and appends the body of each request to FILE, one a line

In Python:

    with ResponsesServer() as model: ... model.port ... model.requests ...
"""
import http.server
import json
import sys
import threading

_USAGE = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
          "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15}


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # an answer in 1.0 makes Codex try its WebSocket again
    timeout = 60

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.split("?")[0] != self.server.endpoint:
            self.send_error(404)
            return
        request = json.loads(body)
        number = self.server.keep(request)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")  # which ends the stream
        self.end_headers()
        for event in self.server.answer(number, request):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    def do_GET(self):
        # Codex asks for a WebSocket first, and goes on asking for 6 s unless it is told that there is none.
        self.send_error(426 if self.headers.get("Upgrade") else 404)

    def log_message(self, *_):
        pass


class ResponsesServer(http.server.ThreadingHTTPServer):
    """Listens from the start, on a port of its own; answers inside `with`. `kept` is told each body."""
    daemon_threads = True
    endpoint = "/v1/responses"

    def __init__(self, kept=lambda body: None):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.port = self.server_address[1]
        self.requests = []
        self._kept = kept
        self._lock = threading.Lock()

    def keep(self, body):
        with self._lock:
            self.requests.append(body)
            self._kept(body)
            return len(self.requests)

    def answer(self, number, _):
        """The events of the stream that answers a request."""
        response = {"id": f"resp_{number}", "object": "response", "status": "in_progress", "output": []}
        item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": f"answer {number}", "annotations": []}]}
        yield {"type": "response.created", "response": response}
        yield {"type": "response.output_item.done", "output_index": 0, "item": item}
        yield {"type": "response.completed",
               "response": {**response, "status": "completed", "output": [item], "usage": _USAGE}}

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


def main():
    with open(sys.argv[1], "a", encoding="utf-8", buffering=1) as file:
        server = ResponsesServer(lambda body: file.write(json.dumps(body) + "\n"))
        print(server.port, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
