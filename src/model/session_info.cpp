#include "model/session_info.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.hpp"
#include "base/timestamp.hpp"
#include "base/utf8.hpp"

namespace logwood {
namespace {

constexpr std::size_t text_size_max = 4096;  // of a title, a folder
constexpr std::size_t tag_size_max = 200;
constexpr std::size_t tags_max = 100;

Result<> check_text(std::string_view what, std::string_view text, std::size_t size_max) {
  if (text.size() <= size_max && is_utf8(text)) return {};
  return Error{ErrorCode::invalid_argument,
               fmt::format("a {} is UTF-8 text of at most {} bytes", what, size_max)};
}

}  // namespace

Result<std::string> session_info_payload(const SessionInfo& info) {
  std::string members;
  const auto add = [&](std::string_view name, const std::string& value) {
    members += fmt::format("{}\"{}\":{}", members.empty() ? "" : ",", name, value);
  };
  if (info.title) {
    LOGWOOD_CHECK(check_text("title", *info.title, text_size_max));
    add("title", json_quoted(*info.title));
  }
  if (info.tags) {
    if (info.tags->size() > tags_max) {
      return Error{ErrorCode::invalid_argument,
                   fmt::format("a session has at most {} tags", tags_max)};
    }
    std::string list;
    for (const std::string& tag : *info.tags) {
      LOGWOOD_CHECK(check_text("tag", tag, tag_size_max));
      list += (list.empty() ? "" : ",") + json_quoted(tag);
    }
    add("tags", "[" + list + "]");
  }
  if (info.cwd) {
    LOGWOOD_CHECK(check_text("folder", *info.cwd, text_size_max));
    add("cwd", json_quoted(*info.cwd));
  }
  if (info.expires_at) {
    if (!info.expires_at->empty() && !is_timestamp(*info.expires_at)) {
      return Error{ErrorCode::invalid_argument,
                   fmt::format("{} is no timestamp", json_quoted(*info.expires_at))};
    }
    add("expiresAt", info.expires_at->empty() ? "null" : json_quoted(*info.expires_at));
  }
  if (members.empty()) {
    return Error{ErrorCode::invalid_argument, "say what to set: title, tags, folder or expiry"};
  }
  return "{" + members + "}";
}

SessionInfo read_session_info(std::string_view payload) {
  const auto [title, tags, cwd, expires] =
      json_members(payload, {"title", "tags", "cwd", "expiresAt"});
  SessionInfo info;
  info.title = json_string_value(title);
  info.cwd = json_string_value(cwd);
  if (tags.starts_with('[')) {
    info.tags.emplace();
    for_each_json_element(tags, [&](std::string_view element) {
      if (const auto tag = json_string_value(element)) info.tags->push_back(*tag);
    });
    std::sort(info.tags->begin(), info.tags->end());
    info.tags->erase(std::unique(info.tags->begin(), info.tags->end()), info.tags->end());
  }
  if (expires == "null") info.expires_at = "";
  if (const auto time = json_string_value(expires); time && is_timestamp(*time)) {
    info.expires_at = *time;
  }
  return info;
}

}  // namespace logwood
