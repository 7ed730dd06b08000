// A request of each API with one of everything it can say: what becomes of it on another one is
// what any session may lose there.
#pragma once

#include <string_view>

#include "providers/canonical_names.hpp"

namespace logwood::providers {

[[nodiscard]] std::string_view specimen_of(Api api);

}  // namespace logwood::providers
