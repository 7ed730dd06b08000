// Who a request is made for.
#pragma once

#include <cstdint>
#include <string>

#include "providers/canonical_names.hpp"

namespace logwood::providers {

/// What a model can do, as far as it decides how a request for it looks.
struct Capabilities {
  bool vision = true;
  bool audio = true;  ///< where its API has any
  bool documents = true;
  bool tools = true;
  bool reasoning = true;
  bool prefill = false;       ///< may be asked to go on with its own last message
  bool mid_system = true;     ///< takes system messages among the others
  bool signed_calls = false;  ///< wants a signature on each first call of a step
  bool quiet_tools = false;   ///< takes tools in its API only while it does not reason
  std::uint64_t window = 0;   ///< tokens, asked and answered together; 0: not known
  std::uint64_t output = 0;   ///< tokens to be left for the answer
};

/// How an endpoint departs from the API it speaks.
enum class Dialect : std::uint8_t { none, deepseek };

struct Target {
  Api api = Api::none;
  std::string provider = {};
  std::string account = {};
  std::string model = {};
  Dialect dialect = Dialect::none;
  Capabilities can = {};
  /// The body is not sent but kept as a session: nothing is put at its ends, and calls that wait
  /// for their results go on waiting.
  bool is_kept = false;
};

}  // namespace logwood::providers
