// Compares what this library and the oracle (tests/oracle) say of a session file.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "format/tail_walk.hpp"

namespace logwood {

/// Empty when both agree; else both sides, an item a line. `scan` and `tails` are
/// the oracle's answers, as JSON text.
[[nodiscard]] std::string oracle_difference(std::string_view bytes, std::string_view session_id,
                                            format::AtRest at_rest, std::string_view scan,
                                            std::string_view tails);

/// The same for the texts that a store returns of a session with long strings (F17). `blobs` is
/// an object, path below blobs/ -> parts; `loaded` has the oracle's `texts` and `incomplete`.
[[nodiscard]] std::string load_difference(std::string_view bytes, std::string_view session_id,
                                          std::string_view blobs, std::string_view loaded);

/// The bytes that the oracle tells as parts to repeat: [{"hex": …, "times": …}, …].
[[nodiscard]] std::string bytes_of_parts(std::string_view parts);

/// Calls `visit` with the path, from the store's folder on, and the bytes of each blob.
void for_each_blob(
    std::string_view blobs,
    const std::function<void(const std::string& path, const std::string& bytes)>& visit);

}  // namespace logwood
