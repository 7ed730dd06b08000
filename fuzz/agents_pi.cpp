// Any bytes as a session file of pi, and OpenClaw.
#include "any_agent_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  logwood::fuzz::read_any(logwood::exchange::pi_format,
                          {reinterpret_cast<const char*>(data), size});
  return 0;
}
