// Says what an API would refuse in a request, before it is sent. Pure: what is known about each API
// was read in its types, its documentation and in what people report (docs/providers/).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "logwood/result.hpp"

namespace logwood::providers {

enum class Level : std::uint8_t {
  error,  ///< it answers 400, as far as is known
  note,   ///< it may be worse than it could be, or only one source says so
};

struct Rule {
  std::string_view name;  ///< AN-TOOLUSE-UNANSWERED
  Level level;
  std::string_view text;  ///< what the API wants
};

struct Fault {
  const Rule* rule;
  std::string path;    ///< messages.3.content.0
  std::string detail;  ///< the id, name or type that is wrong; perhaps empty
};

struct LintOptions {
  std::string_view model = {};    ///< where the body does not say: Gemini's does not
  std::string_view dialect = {};  ///< `deepseek`
};

/// Everything that is wrong. `api` is one of the four that are converted, `bedrock-converse` or
/// `mistral-chat`.
[[nodiscard]] Result<std::vector<Fault>> lint(std::string_view api, std::string_view body,
                                              const LintOptions& options = {});

/// All rules, for documentation.
[[nodiscard]] const std::vector<Rule>& lint_rules();

}  // namespace logwood::providers
