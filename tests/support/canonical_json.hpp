// A canonical request as JSON, in the form of the vectors of tests/providers, both ways.
#pragma once

#include <string>
#include <string_view>

#include "model/canonical.hpp"

namespace logwood {

[[nodiscard]] std::string canonical_json(const canonical::Request& request);

/// The request looks into `json`, which is valid and must outlive it.
[[nodiscard]] canonical::Request read_canonical_json(std::string_view json);

}  // namespace logwood
