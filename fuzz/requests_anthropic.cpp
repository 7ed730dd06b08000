// Any text as a request for Anthropic Messages.
#include "any_request.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return logwood::fuzz::try_request(logwood::canonical::Api::anthropic_messages, data, size);
}
