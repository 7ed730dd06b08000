// Any text as a request for OpenAI Chat Completions.
#include "any_request.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return logwood::fuzz::try_request(logwood::canonical::Api::openai_chat, data, size);
}
