#include "storage/jsonl/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace logwood::storage::jsonl {
namespace {

constexpr std::string_view extension = ".jsonl";

// 2026-11-14T09:30:00.125Z as a part of a file name: 20261114T093000.125Z
std::string compact(std::string_view timestamp) {
  std::string text(timestamp);
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

std::string suffix(int attempt) { return attempt == 0 ? "" : fmt::format("-{}", attempt + 1); }

}  // namespace

Result<SessionNames> names_of(const SessionId& session) {
  if (auto valid = check_id(session.text); !valid)
    return std::move(valid).error().within("session id");
  return SessionNames{std::string(sessions_folder),
                      fmt::format("{}/{}{}", sessions_folder, session.text, extension),
                      fmt::format("{}/{}{}.new", sessions_folder, session.text, extension),
                      fmt::format("{}/{}", index_folder, session.text),
                      fmt::format("{}/{}", blobs_folder, session.text)};
}

std::string session_of(std::string_view file_name) {
  if (!file_name.ends_with(extension)) return {};
  file_name.remove_suffix(extension.size());
  return check_id(file_name) ? std::string(file_name) : std::string();
}

std::string quarantine_name(const SessionId& session, std::uint64_t offset,
                            std::string_view timestamp, int attempt) {
  return fmt::format("{}/{}.{}.{}{}", quarantine_folder, session.text, offset, compact(timestamp),
                     suffix(attempt));
}

std::string trash_name(const SessionId& session, std::string_view timestamp, int attempt) {
  return fmt::format("{}/{}.{}{}", trash_folder, session.text, compact(timestamp), suffix(attempt));
}

SessionNames names_in_trash(std::string_view trash_name) {
  const std::string name(trash_name);
  return {std::string(trash_folder), name + std::string(extension),
          name + std::string(extension) + ".new", name + ".index", name + ".blobs"};
}

}  // namespace logwood::storage::jsonl
