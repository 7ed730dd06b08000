// Lines of a session that come from elsewhere, each held against the one before it.
#pragma once

#include <string>
#include <string_view>

#include "format/seal.hpp"
#include "logwood/ids.hpp"
#include "logwood/result.hpp"
#include "storage/backend.hpp"

namespace logwood::storage {

class ChainCheck {
 public:
  explicit ChainCheck(SessionId session) : session_(std::move(session)) {}

  /// `damaged` unless the line is sound and continues the ones before it.
  Result<format::SealedLine> take(std::string_view line);

  [[nodiscard]] ChainEnd end() const { return {seq_, std::string(format::view(link_))}; }

 private:
  SessionId session_;
  std::uint64_t seq_ = 0;
  format::Link link_ = format::first_link();
};

}  // namespace logwood::storage
