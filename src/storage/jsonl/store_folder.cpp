#include "storage/jsonl/store_folder.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "base/json_text.hpp"
#include "base/seeded_bugs.hpp"
#include "io/append_all.hpp"
#include "storage/jsonl/file_copy.hpp"
#include "storage/jsonl/layout.hpp"

namespace logwood::storage::jsonl {
namespace {

constexpr std::size_t store_file_size_max = 64U << 10U;

Error bad_store_file(std::string why) {
  return {ErrorCode::damaged,
          fmt::format("{} {}; restore it, or write {{\"format\":\"logwood\",\"version\":1,"
                      "\"requires\":[]}} if this is a store of version 1",
                      store_file, why)};
}

}  // namespace

Result<std::string> read_store_file(io::FileSystem& files) {
  auto opened = files.open(std::string(store_file), io::Access::read);
  if (!opened) {
    if (opened.error().code != ErrorCode::not_found) return std::move(opened).error();
    return Error{ErrorCode::not_found, "there is no store here (no logwood.json)"};
  }
  std::string text(store_file_size_max, '\0');
  LOGWOOD_TRY(const std::size_t got, (*opened)->read_at(0, std::span(text.data(), text.size())));
  text.resize(got);
  if (!check_json(text) || json_string_value(json_member(text, "format")) != "logwood") {
    return bad_store_file("is not the file of a logwood store");
  }
  const std::string_view spelled = json_member(text, "version");
  unsigned version = 0;
  const auto [end, status] =
      std::from_chars(spelled.data(), spelled.data() + spelled.size(), version);
  if (spelled.empty() || status != std::errc() || end != spelled.data() + spelled.size()) {
    return bad_store_file("has no version number");
  }
  if (version > store_version) {
    return fmt::format(
        "the store has version {}, this program writes {}; use a newer logwood to write", version,
        store_version);
  }
  std::string required;
  for_each_json_element(json_member(text, "requires"), [&](std::string_view name) {
    if (required.empty()) required = json_string_value(name).value_or(std::string(name));
  });
  if (required.empty()) return std::string();
  return fmt::format(
      "the store requires \"{}\", which this program does not know; use a newer logwood to write",
      required);
}

Result<> make_store(io::FileSystem& files, std::chrono::milliseconds patience) {
  for (const std::string_view folder :
       {sessions_folder, index_folder, quarantine_folder, trash_folder}) {
    LOGWOOD_CHECK(files.make_folder(std::string(folder)));
  }
  // The store file comes last and appears whole: a folder without it is no store,
  // and one with it has all the others.
  if (!LOGWOOD_SEEDED(root_not_synced)) LOGWOOD_CHECK(files.sync_folder(""));
  const std::string fresh_name = std::string(store_file) + ".new";
  auto fresh = create_locked(files, fresh_name);
  if (!fresh && fresh.error().code == ErrorCode::busy) {
    // Somebody else is making it; wait for them and use theirs.
    const auto theirs = files.open(fresh_name, io::Access::write);
    if (theirs) LOGWOOD_CHECK((*theirs)->lock(io::LockKind::shared, patience));
    if (read_store_file(files)) return {};
  }
  if (!fresh) return std::move(fresh).error();
  LOGWOOD_CHECK(
      io::append_all(**fresh, "{\"format\":\"logwood\",\"version\":1,\"requires\":[]}\n"));
  LOGWOOD_CHECK((*fresh)->sync());
  auto renamed = files.rename(fresh_name, std::string(store_file), io::Replace::never);
  if (!renamed && renamed.error().code != ErrorCode::already_exists)
    return std::move(renamed).error();
  if (!renamed) LOGWOOD_CHECK(files.remove(fresh_name));
  return files.sync_folder("");
}

}  // namespace logwood::storage::jsonl
