#include "model/search_query.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/json_text.hpp"
#include "base/timestamp.hpp"
#include "base/utf8.hpp"

namespace logwood {
namespace {

constexpr std::size_t query_size_max = 4096;
constexpr std::size_t terms_max = 64;

// One piece of a query as it is typed: -name:"text"*
struct Piece {
  bool is_unwanted = false;
  std::string name;  // of a filter
  std::string text;
  bool is_quoted = false;
  bool is_prefix = false;
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_filter(std::string_view name) {
  return name == "type" || name == "role" || name == "tool" || name == "key" || name == "since";
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<std::optional<Piece>> next() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    if (at_ == text_.size()) return std::optional<Piece>();
    Piece piece;
    // Of `--flag` the first dash is part of the word.
    if (text_[at_] == '-' && at_ + 1 < text_.size() && !is_space(text_[at_ + 1]) &&
        text_[at_ + 1] != '-') {
      piece.is_unwanted = true;
      ++at_;
    }
    const std::size_t colon = text_.find_first_of(": \"\t", at_);
    if (colon != std::string_view::npos && text_[colon] == ':' &&
        is_filter(text_.substr(at_, colon - at_))) {
      piece.name = text_.substr(at_, colon - at_);
      at_ = colon + 1;
    }
    if (at_ < text_.size() && text_[at_] == '"') {
      LOGWOOD_CHECK(read_quoted(piece));
    } else {
      const std::size_t begin = at_;
      while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '"') ++at_;
      piece.text = text_.substr(begin, at_ - begin);
      if (piece.text.size() > 1 && piece.text.ends_with('*')) {
        piece.is_prefix = true;
        piece.text.pop_back();
      }
    }
    return std::optional(std::move(piece));
  }

 private:
  Result<> read_quoted(Piece& piece) {
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) {
      return Error{ErrorCode::invalid_argument,
                   fmt::format("the quote before {} does not end", text_.substr(at_ + 1, 40))};
    }
    piece.is_quoted = true;
    piece.text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    if (at_ < text_.size() && text_[at_] == '*') {
      piece.is_prefix = true;
      ++at_;
    }
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<std::chrono::seconds> span_of(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (problem != std::errc() || count < 0 || count > 1'000'000) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit == "min") return std::chrono::minutes(count);
  if (unit == "h") return std::chrono::hours(count);
  if (unit == "d") return std::chrono::hours(24 * count);
  if (unit == "w") return std::chrono::hours(24 * 7 * count);
  return std::nullopt;
}

}  // namespace

Result<std::string> time_named(std::string_view text, std::chrono::system_clock::time_point now,
                               Direction direction) {
  if (is_timestamp(text)) return std::string(text);
  if (const std::string day = std::string(text) + "T00:00:00.000Z"; is_timestamp(day)) return day;
  const std::string today = format_timestamp(now).substr(0, 10) + "T00:00:00.000Z";
  if (text == "today") return today;
  if (text == "yesterday") {
    return format_timestamp(now - std::chrono::hours(24)).substr(0, 10) + "T00:00:00.000Z";
  }
  if (const auto span = span_of(text)) {
    return format_timestamp(direction == Direction::before ? now - *span : now + *span);
  }
  return Error{ErrorCode::invalid_argument,
               fmt::format("{} is no time; say 2026-11-14, today, yesterday, 90min, 36h, 7d or 2w",
                           json_quoted(text))};
}

Result<SearchQuery> parse_search_query(std::string_view text,
                                       std::chrono::system_clock::time_point now) {
  if (text.size() > query_size_max || !is_utf8(text)) {
    return Error{ErrorCode::invalid_argument,
                 text.size() > query_size_max
                     ? fmt::format("the query is longer than {} bytes", query_size_max)
                     : "the query is not valid UTF-8"};
  }
  SearchQuery query;
  Reader reader(text);
  while (true) {
    LOGWOOD_TRY(auto piece, reader.next());
    if (!piece) break;
    if (!piece->name.empty()) {
      if (piece->is_unwanted || piece->text.empty()) {
        return Error{ErrorCode::invalid_argument,
                     fmt::format("{0}: needs one value, as in {0}:{1}, and cannot be excluded",
                                 piece->name, piece->name == "since" ? "7d" : "NAME")};
      }
      if (piece->name == "type") query.type = piece->text;
      if (piece->name == "role") query.role = piece->text;
      if (piece->name == "tool") query.tool = piece->text;
      if (piece->name == "key") query.key = piece->text;
      if (piece->name == "since") {
        LOGWOOD_TRY(query.since, time_named(piece->text, now));
      }
      continue;
    }
    auto& terms = piece->is_unwanted ? query.unwanted : query.wanted;
    terms.push_back({std::move(piece->text), piece->is_prefix});
    if (terms.size() > terms_max) {
      return Error{ErrorCode::invalid_argument,
                   fmt::format("the query has more than {} words", terms_max)};
    }
  }
  return query;
}

}  // namespace logwood
