// A request of one API as a request of another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "logwood/result.hpp"
#include "providers/canonical_names.hpp"
#include "providers/report.hpp"
#include "providers/target.hpp"

namespace logwood::providers {

/// Reads the body of a request. `origin` is who made the assistant's messages. The request looks
/// into `body`, which must outlive it.
[[nodiscard]] Result<canonical::Request> read_request(std::string_view body,
                                                      const canonical::Origin& origin);

struct Written {
  std::string body;
  Report report;
  /// Of an Anthropic request: of all that the answer will be bound to. It belongs into the origin
  /// of that answer.
  std::string prefix_hash;
  /// The entries that each message, item or content comes from; `system` for the system prompt.
  std::vector<std::vector<std::string>> sources;
};

/// Makes the body of a request for the target.
[[nodiscard]] Written write_request(canonical::Request request, const Target& target);

}  // namespace logwood::providers
