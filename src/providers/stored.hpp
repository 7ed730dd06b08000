// The messages of a session, each in the shape its provider gave it, as one canonical request.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "providers/canonical_names.hpp"
#include "providers/reading.hpp"

namespace logwood::providers {

/// Which API a payload has the shape of. Where several take it as it is, `recorded` decides; `none`
/// when nothing is recorded either.
[[nodiscard]] Api shape_of(std::string_view payload, Api recorded);

struct StoredMessage {
  std::string_view entry;
  std::string_view payload;  ///< valid JSON
  std::optional<canonical::Origin> origin = {};
  /// Of a message that is no payload of a provider: a summary. It is told as the user's.
  std::string_view summary = {};
};

struct StoredSession {
  std::optional<std::string_view> system_prompt = {};
  std::string_view tools = {};  ///< JSON array in the way of any API
  std::span<const StoredMessage> messages = {};
  StoredAttachments attachments = {};  ///< by the entries they are in
};

/// The request looks into the session, which must outlive it. Messages without an origin are those
/// of `assumed`; where that says nothing either, their bytes are nobody's and are not sent again.
[[nodiscard]] canonical::Request read_session(const StoredSession& session,
                                              const canonical::Origin& assumed = {});

}  // namespace logwood::providers
