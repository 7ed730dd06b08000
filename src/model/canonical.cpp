#include "model/canonical.hpp"

#include <array>

namespace logwood::canonical {

std::string_view name_of(PartKind kind) {
  constexpr std::array<std::string_view, 12> names = {
      "text",      "image",       "audio",   "video",      "document",    "reasoning",
      "tool_call", "tool_result", "refusal", "compaction", "tool_change", "opaque"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace logwood::canonical
