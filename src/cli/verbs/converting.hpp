// What the verbs that speak to models share.
#pragma once

#include <optional>
#include <string_view>

#include "cli/command.hpp"
#include "logwood/request.hpp"

namespace logwood::cli {

/// The model that an option names, `anthropic:claude-opus-5-5`; nothing when it was not given.
Result<std::optional<ModelRef>> model_named(const Command& command, std::string_view option);

/// A request for the model that --for names, of what --from says without an origin.
Result<RequestOptions> request_options(const Command& command);

/// Says on standard error what is added and lost; of the rest how much there is.
void tell(const Command& command, const Compatibility& report);

}  // namespace logwood::cli
