#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace logwood::io {

/// The name of a file system on which locks, appends or syncs are not what they
/// are on a local disk, by its statfs number; nothing for a local one.
[[nodiscard]] std::optional<std::string_view> remote_kind(std::uint32_t statfs_type);

}  // namespace logwood::io
