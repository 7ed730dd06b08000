#include "catalog/snippets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.hpp"
#include "catalog/words.hpp"
#include "model/preview.hpp"

namespace logwood::catalog {
namespace {

constexpr std::size_t beginning_characters = 200;

// As in LOGWOOD_SNIPPET.
constexpr char hit_begin = '\x02';
constexpr char hit_end = '\x03';

// The term as FTS5 wants it: our own tokenizer takes it apart, and several words of it stand
// together.
Result<std::string> match_of(const SearchTerm& term) {
  bool has_word = false;
  for_each_word(term.text, true, [&](const SqlToken&) {
    has_word = true;
    return false;
  });
  if (!has_word) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("there is no word in {}: letters and digits are searched for",
                             json_quoted(term.text))};
  }
  std::string match = "\"";
  for (const char c : term.text) match += c == '"' ? ' ' : c;
  match += '"';
  if (term.is_prefix || ends_with_lone_character(term.text)) match += " *";
  return match;
}

Result<std::string> joined(const std::vector<SearchTerm>& terms, std::string_view word) {
  std::string match;
  for (const SearchTerm& term : terms) {
    LOGWOOD_TRY(const std::string one, match_of(term));
    if (!match.empty()) match += word;
    match += one;
  }
  return match;
}

}  // namespace

Result<std::string> match_of(const SearchQuery& query) {
  LOGWOOD_TRY(std::string match, joined(query.wanted, " AND "));
  LOGWOOD_TRY(const std::string without, joined(query.unwanted, " OR "));
  if (without.empty()) return match;
  if (match.empty()) {
    return Error{
        ErrorCode::invalid_argument,
        "say at least one word that is to be found; only what must not be there was given"};
  }
  return fmt::format("({}) NOT ({})", match, without);
}

void cut_snippet(std::string_view snippet, SearchHit& hit) {
  const std::size_t begin = snippet.find(hit_begin);
  if (begin == std::string_view::npos) {
    hit.before = snippet;
    return;
  }
  const std::size_t end = std::min(snippet.find(hit_end, begin), snippet.size() - 1);
  hit.before = snippet.substr(0, begin);
  hit.found = snippet.substr(begin + 1, end - begin - 1);
  for (const char c : snippet.substr(end + 1)) {
    if (c != hit_begin && c != hit_end) hit.after += c;
  }
}

void show_beginning(std::string_view text, SearchHit& hit) {
  hit.before = preview(text, beginning_characters);
}

}  // namespace logwood::catalog
