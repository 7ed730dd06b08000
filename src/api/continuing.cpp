#include "api/continuing.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "base/json_text.hpp"
#include "exchange/carried_line.hpp"
#include "io/outside_file.hpp"
#include "logwood/ids.hpp"
#include "logwood/replay.hpp"
#include "providers/request.hpp"

namespace logwood::api {
namespace {

constexpr std::size_t page_size = 256;

// Made by us beside a line, and carrying nothing itself: marks, and what tools answered.
bool is_made_of(const Entry& entry, const std::string& line_entry) {
  const bool is_mark = kind_of(entry.type) == EntryKind::mark;
  return entry.id.text.starts_with(line_entry + "-") &&
         (is_mark || entry.id.text == line_entry + "-results");
}

Result<std::string> title_of(Store& store, const SessionId& session) {
  LOGWOOD_TRY(EntryReader reader, store.read(session, page_size));
  std::string title;
  while (true) {
    LOGWOOD_TRY(const EntryPage page, reader.next());
    for (const Entry& entry : page.entries) {
      if (entry.type != "session_info") continue;
      const std::string_view token = json_member(entry.payload(), "title");
      if (token.starts_with('"')) title = json_text_or_empty(token);
    }
    if (!page.has_more) return title;
  }
}

Result<> make_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (!failed) return {};
  return Error{ErrorCode::permission_denied,
               fmt::format("the folder {} cannot be made: {}", path, failed.message())};
}

Result<std::vector<Entry>> path_of(Store& store, const SessionId& session,
                                   const std::optional<EntryId>& tip) {
  LOGWOOD_TRY(Replay replay, store.replay(session, tip));
  std::vector<Entry> path;
  while (true) {
    LOGWOOD_TRY(const bool more, replay.forward());
    if (!more) return path;
    path.push_back(*replay.current());
  }
}

// Whether the agent has this very file. Another one of that name is not touched.
Result<bool> is_there(const std::string& path, std::string_view bytes) {
  auto file = io::open_outside(path);
  if (!file && file.error().code == ErrorCode::not_found) return false;
  if (!file) return std::move(file).error();
  std::string found(bytes.size() + 1, '\0');
  LOGWOOD_TRY(const std::size_t got, (*file)->read_at(0, found));
  if (std::string_view(found).substr(0, got) == bytes) return true;
  return Error{ErrorCode::already_exists,
               fmt::format("{} is there, and differs from what the session was made of: the agent "
                           "went on with it",
                           path)};
}

Result<> write_file(const std::string& path, std::string_view bytes) {
  LOGWOOD_CHECK(make_folder(path.substr(0, path.rfind('/'))));
  LOGWOOD_TRY(io::WholeFile file, io::WholeFile::create(path));
  LOGWOOD_CHECK(file.write(bytes));
  return file.finish();
}

// What lay in files of its own, in the folder that is called as the session; never over one.
Result<> put_back(const std::vector<exchange::SpilledFile>& files,
                  const std::string& session_file) {
  const std::string folder = session_file.substr(0, session_file.rfind('.')) + "/";
  for (const exchange::SpilledFile& file : files) {
    const auto written = write_file(folder + file.name, file.bytes);
    if (!written && written.error().code != ErrorCode::already_exists) return written;
  }
  return {};
}

}  // namespace

Result<std::optional<OriginalFile>> original_file(Store& store, const SessionId& session,
                                                  std::string_view agent) {
  LOGWOOD_TRY(EntryReader reader, store.read(session, page_size));
  OriginalFile original;
  std::string& bytes = original.bytes;
  std::string last;
  while (true) {
    LOGWOOD_TRY(const EntryPage page, reader.next());
    for (const Entry& entry : page.entries) {
      if (kind_of(entry.type) == EntryKind::header) continue;
      if (auto line = exchange::carried_line(entry, agent)) {
        if (!exchange::is_of_other_file(entry)) bytes += *line;
        for (exchange::SpilledFile& file : exchange::spilled_files(entry))
          if (file.is_whole) original.spilled.push_back(std::move(file));
        last = entry.id.text;
      } else if (last.empty() ? entry.type != "session_info" : !is_made_of(entry, last)) {
        return std::optional<OriginalFile>();
      }
    }
    if (!page.has_more) break;
  }
  return bytes.empty() ? std::nullopt : std::optional(std::move(original));
}

Result<Continued> continue_in(Store& store, const SessionId& session,
                              const ContinueOptions& options) {
  const exchange::Format& agent = *options.agent;
  LOGWOOD_TRY(const SessionStatus status, store.status(session));
  const std::vector<exchange::Place> places = agent.places(options.variable);
  if (places.empty()) {
    return Error{
        ErrorCode::invalid_argument,
        fmt::format("where {} keeps its sessions is not known: HOME is not set", agent.title)};
  }
  const std::string folder = places.front().folder + "/";
  // What a file calls itself becomes the name of one only where nothing else can be meant by it.
  const bool is_own = status.header.origin && status.header.origin->agent == agent.name &&
                      check_id(status.header.origin->session_id);
  Continued continued;
  if (is_own && !options.tip) {
    continued.session_id = status.header.origin->session_id;
    continued.cwd = status.header.cwd;
    continued.command = agent.resume_words(continued.session_id);
    continued.is_same = true;
    if (!status.file.empty()) {
      continued.file = status.file;
      continued.already_there = true;
      return continued;
    }
    LOGWOOD_TRY(const auto original, original_file(store, session, agent.name));
    if (original) {
      continued.file = folder + agent.file_name({continued.session_id, status.header.cwd,
                                                 status.header.created});
      LOGWOOD_TRY(continued.already_there, is_there(continued.file, original->bytes));
      LOGWOOD_CHECK(put_back(original->spilled, continued.file));
      if (!continued.already_there) LOGWOOD_CHECK(write_file(continued.file, original->bytes));
      return continued;
    }
    continued.is_same = false;
  }
  LOGWOOD_TRY(const std::vector<Entry> path, path_of(store, session, options.tip));
  LOGWOOD_TRY(const std::string title, title_of(store, session));
  LOGWOOD_TRY(const std::vector<Branch> branches, store.branches(session));
  const exchange::WriteOptions how{new_session_id().text, options.cwd, options.now};
  const exchange::WrittenSession written = agent.write({status.header, title, path}, how);
  if (written.messages == 0) {
    return Error{
        ErrorCode::unsupported,
        fmt::format("nothing was said in session {} yet, so there is nothing to go on with",
                    session.text)};
  }
  continued.cwd = options.cwd;
  continued.session_id = how.session_id;
  continued.command = agent.resume_words(how.session_id);
  continued.file = folder + agent.file_name(how);
  continued.kept = written.kept;
  continued.report = providers::told(written.report);
  continued.branches_left = branches.empty() ? 0 : branches.size() - 1;
  LOGWOOD_CHECK(write_file(continued.file, written.bytes));
  return continued;
}

}  // namespace logwood::api
