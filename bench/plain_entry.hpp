#pragma once

#include <sys/stat.h>

#include <string>

#include "logwood/entry.hpp"
#include "logwood/store.hpp"
#include "measure.hpp"

namespace logwood::bench {

/// A message of `size_bytes` bytes of JSON, the same every time.
inline Draft plain_draft(std::size_t size_bytes) {
  const std::string front = R"({"type":"message","payload":{"role":"assistant","content":")";
  const std::string back = R"("}})";
  std::string text = front;
  const std::string words = "the parser reads one line at a time and keeps what it has seen, ";
  while (text.size() + back.size() < size_bytes) text += words[text.size() % words.size()];
  return {text + back};
}

inline std::string session_path(const std::string& store, const SessionId& session) {
  return store + "/sessions/" + session.text + ".jsonl";
}
inline std::string index_path(const std::string& store, const SessionId& session) {
  return store + "/index/" + session.text;
}

inline std::size_t file_size(const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0) give_up("there is no " + path);
  return static_cast<std::size_t>(found.st_size);
}

/// How many bytes one append of `draft` adds to the session's file.
inline std::size_t stored_size(Store& store, const std::string& folder, const SessionId& session,
                               const Draft& draft) {
  must(store.append(session, draft));
  const std::size_t before = file_size(session_path(folder, session));
  must(store.append(session, draft));
  return file_size(session_path(folder, session)) - before;
}

}  // namespace logwood::bench
