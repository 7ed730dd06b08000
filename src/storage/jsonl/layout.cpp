#include "storage/jsonl/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace logwood::storage::jsonl {
namespace {

constexpr std::string_view extension = ".jsonl";
constexpr std::string_view archive_extension = ".jsonl.zst";
constexpr std::string_view unfinished_extension = ".new";

// 2026-11-14T09:30:00.125Z as a part of a file name: 20261114T093000.125Z
std::string compact(std::string_view timestamp) {
  std::string text(timestamp);
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

std::string suffix(int attempt) { return attempt == 0 ? "" : fmt::format("-{}", attempt + 1); }

std::string id_before(std::string_view ending, std::string_view file_name) {
  if (!file_name.ends_with(ending)) return {};
  file_name.remove_suffix(ending.size());
  return check_id(file_name) ? std::string(file_name) : std::string();
}

}  // namespace

Result<SessionNames> names_of(const SessionId& session) {
  if (auto valid = check_id(session.text); !valid)
    return std::move(valid).error().within("session id");
  SessionNames names;
  names.folder = sessions_folder;
  names.file = fmt::format("{}/{}{}", sessions_folder, session.text, extension);
  names.new_file = names.file + std::string(unfinished_extension);
  names.index = fmt::format("{}/{}", index_folder, session.text);
  names.blobs = fmt::format("{}/{}", blobs_folder, session.text);
  names.archive_folder = archive_folder;
  names.archive = fmt::format("{}/{}{}", archive_folder, session.text, archive_extension);
  names.new_archive = names.archive + std::string(unfinished_extension);
  return names;
}

std::string session_of(std::string_view file_name) { return id_before(extension, file_name); }

std::string archived_session_of(std::string_view file_name) {
  return id_before(archive_extension, file_name);
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
  SessionNames names;
  names.folder = names.archive_folder = trash_folder;
  names.file = name + std::string(extension);
  names.new_file = names.file + std::string(unfinished_extension);
  names.index = name + ".index";
  names.blobs = name + ".blobs";
  names.archive = name + std::string(archive_extension);
  names.new_archive = names.archive + std::string(unfinished_extension);
  return names;
}

std::string trash_name_of(std::string_view file_name) {
  for (const std::string_view ending : {archive_extension, extension}) {
    if (!file_name.ends_with(ending)) continue;
    return fmt::format("{}/{}", trash_folder,
                       file_name.substr(0, file_name.size() - ending.size()));
  }
  return {};
}

}  // namespace logwood::storage::jsonl
