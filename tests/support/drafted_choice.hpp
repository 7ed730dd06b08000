#pragma once

#include <string>
#include <vector>

#include "support/naive_store.hpp"
#include "support/operation.hpp"

namespace logwood {

inline constexpr const char* pooled_ids[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

/// One of a few things, by number.
template <std::size_t size>
std::string picked(const char* const (&from)[size], std::size_t number) {
  return from[number % size];
}

/// The draft that a choice means for a session as it is now (null: there is none), behind the
/// drafts that stand before it in the batch.
[[nodiscard]] naive::NaiveDraft drafted(const DraftChoice& choice, const std::string& session_id,
                                        const naive::NaiveSession* session,
                                        const std::vector<naive::NaiveDraft>& earlier);

}  // namespace logwood
