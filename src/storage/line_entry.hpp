// From a sealed line to the entry in it, wherever its long strings are kept.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/fold.hpp"
#include "logwood/entry.hpp"
#include "logwood/report.hpp"
#include "logwood/result.hpp"
#include "model/long_strings.hpp"

namespace logwood::storage {

/// The text of a line's entry with its long strings where they belong.
struct RestoredText {
  std::string text;      ///< the entry's object
  bool complete = true;  ///< false: a blob is missing or altered, and long strings are empty
};

/// The bytes of a blob; nothing when it is not there, or not what it was.
using ReadBlob = std::function<Result<std::optional<std::string>>(const BlobRef&)>;

/// `body` is the body of a line.
Result<RestoredText> restore_text(std::string_view body, const ReadBlob& read);

/// Whether what a line's body names is all there and unaltered; how many that is goes to `count`.
Result<bool> verify_blobs(std::string_view body, const ReadBlob& read, std::uint64_t& count);

using RestoreText = std::function<Result<RestoredText>(std::string_view body)>;

/// The entry in a line; nothing when its text is not one. The memory of `text` is kept. Without
/// `restore` long strings stay empty.
Result<std::optional<Entry>> entry_in_line(const format::PlacedLine& line, std::string text,
                                           const RestoreText& restore,
                                           std::vector<Problem>& problems);

}  // namespace logwood::storage
