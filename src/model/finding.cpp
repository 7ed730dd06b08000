#include "logwood/finding.hpp"

#include <cstddef>

namespace logwood {
namespace {

// In the order of Finding::Kind.
constexpr std::string_view names[] = {"store",      "disk",    "permissions", "odd",     "damage",
                                      "unreadable", "orphans", "unfinished",  "secrets", "catalog"};

}  // namespace

std::string_view name_of(Finding::Kind kind) { return names[static_cast<std::size_t>(kind)]; }

}  // namespace logwood
