#include "api/ledger.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/json_text.hpp"
#include "base/timestamp.hpp"
#include "io/outside_file.hpp"

namespace logwood::api {
namespace {

struct Line {
  std::string key_prefix;
  std::string timestamp;
};

Result<std::vector<Line>> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty()) continue;
    Line read{json_text_or_empty(json_member(line, "keyPrefix")),
              json_text_or_empty(json_member(line, "timestamp"))};
    if (!check_json(line) || read.key_prefix.empty() || !is_timestamp(read.timestamp)) {
      return Error{
          ErrorCode::invalid_argument,
          fmt::format("line {} of the ledger tells of no erasure; nothing was erased", number)};
    }
    lines.push_back(std::move(read));
  }
  return lines;
}

}  // namespace

Result<SubjectErasure> erase_subject(Store& store, const std::string& key_prefix,
                                     const std::string& ledger, const Progress& progress) {
  auto file = io::GrowingFile::open(ledger);
  if (!file) {
    return std::move(file).error().within("nothing was erased, as the ledger cannot be written");
  }
  LOGWOOD_TRY(SubjectErasure erasure, store.erase_subject(key_prefix, {}, progress));
  if (auto kept = file->append(to_json(erasure) + '\n'); !kept) {
    return Error{
        ErrorCode::no_space,
        fmt::format("the sessions are erased, but the ledger does not say so: {}; repeat it, "
                    "and it will",
                    kept.error().message)};
  }
  return erasure;
}

Result<std::vector<SubjectErasure>> erase_again(Store& store, const std::string& ledger_text,
                                                const Progress& progress) {
  LOGWOOD_TRY(const std::vector<Line> lines, lines_of(ledger_text));
  std::vector<SubjectErasure> done;
  for (const Line& line : lines) {
    LOGWOOD_TRY(SubjectErasure erasure,
                store.erase_subject(line.key_prefix, {.until = line.timestamp}, progress));
    done.push_back(std::move(erasure));
  }
  return done;
}

}  // namespace logwood::api
