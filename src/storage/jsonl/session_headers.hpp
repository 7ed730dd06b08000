// The sessions of a store by what their first lines say, each of which is read.
#pragma once

#include <optional>
#include <string>

#include "io/file_system.hpp"
#include "logwood/pages.hpp"
#include "logwood/result.hpp"
#include "logwood/session.hpp"

namespace logwood::storage::jsonl {

Result<SessionPage> list_headers(io::FileSystem& files, const ListOptions& options);

/// The newest by creation time; equal times, as they come from one millisecond, are told apart
/// by id. Nothing when the key has no session.
Result<std::optional<SessionHeader>> newest_of_key(io::FileSystem& files, const std::string& key);

}  // namespace logwood::storage::jsonl
