"""The same model as in responses_server.py, speaking the Messages stream of Anthropic."""
from responses_server import ResponsesServer


class MessagesServer(ResponsesServer):
    endpoint = "/v1/messages"

    def answer(self, number, request):
        message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": request["model"],
                   "content": [], "stop_reason": None, "stop_sequence": None,
                   "usage": {"input_tokens": 10, "output_tokens": 1}}
        yield {"type": "message_start", "message": message}
        yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": f"answer {number}"}}
        yield {"type": "content_block_stop", "index": 0}
        yield {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None},
               "usage": {"output_tokens": 5}}
        yield {"type": "message_stop"}
