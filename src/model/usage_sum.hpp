#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "base/timestamp.hpp"
#include "logwood/turn.hpp"

namespace logwood {

struct Message;

/// What a message used: as the provider said in it, or where that is nothing, as the caller said in
/// the entry's meta.
[[nodiscard]] Usage usage_of(const Message& message, std::string_view meta);

/// Whether it is more of the message before it, whose id that is: some agents store each block of
/// an answer by itself, and with each what the whole answer used.
[[nodiscard]] bool goes_on(const Message& message, std::string_view before);

/// Adds what is known; a sum of nothing known is not known.
void add_usage(Usage& sum, const Usage& more);

/// Sums what the entries of a session say they used, one after the other.
class UsageSum {
 public:
  /// The text of a committed entry.
  void take(std::string_view entry_text);

  [[nodiscard]] SessionUsage total() const;

 private:
  struct Run {
    TimestampTime first;
    TimestampTime last;
  };

  SessionUsage usage_;
  std::string last_message_;  // its id
  std::unordered_map<std::string, Run> runs_;
};

}  // namespace logwood
