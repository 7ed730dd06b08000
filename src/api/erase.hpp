// Erasing with a receipt that somebody can keep.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "logwood/store.hpp"

namespace logwood::api {

struct Erased {
  Erasure erasure;
  std::string file;  ///< where the receipt lies; empty: nothing was left to erase, so there is none
  /// Why the receipt is not there although the entries are erased: whoever asked must be shown it,
  /// as it cannot be had again.
  Result<> kept;
};

/// Store::erase, with the receipt in a new file of mode 0600 that would survive a power cut.
/// Whether there can be such a file is known before anything is erased. Without a `path` its name
/// is erasure-….json, in `folder`.
Result<Erased> erase_with_receipt(Store& store, const SessionId& session,
                                  const std::vector<EntryId>& entries, const EraseOptions& options,
                                  const std::string& folder,
                                  const std::optional<std::string>& path);

}  // namespace logwood::api
