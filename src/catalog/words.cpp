#include "catalog/words.hpp"

#include <string>
#include <vector>

#include "base/unicode.hpp"

namespace logwood::catalog {
namespace {

// A word with more parts than this is a hash or a number in disguise.
constexpr std::size_t parts_max = 8;

struct Character {
  std::uint32_t value = 0;
  std::size_t size = 0;
  LetterKind kind = LetterKind::none;
  bool runs_together = false;  // written without spaces between words
};

bool is_written_together(std::uint32_t c) {
  return (c >= 0x3005 && c <= 0x3007) || (c >= 0x3040 && c <= 0x30ff) ||
         (c >= 0x3400 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7af) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3134f);
}

LetterKind ascii_kind(unsigned char c) {
  if (c >= 'a' && c <= 'z') return LetterKind::small;
  if (c >= 'A' && c <= 'Z') return LetterKind::capital;
  if (c >= '0' && c <= '9') return LetterKind::digit;
  return LetterKind::none;
}

// Separates words, whatever stands beside it.
bool is_ascii_gap(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x80 && byte != '_' && ascii_kind(byte) == LetterKind::none;
}

Character character_at(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) return {byte, 1, ascii_kind(byte), false};
  const CodePoint point = first_code_point(text.substr(at));
  if (!point.is_valid) return {point.value, point.size, LetterKind::none, false};
  if (is_written_together(point.value)) return {point.value, point.size, LetterKind::none, true};
  return {point.value, point.size, letter_kind(point.value), false};
}

bool is_in_word(const Character& c) { return c.kind != LetterKind::none || c.value == '_'; }

class Cutter {
 public:
  Cutter(std::string_view text, bool is_query, const std::function<bool(const SqlToken&)>& found)
      : text_(text), is_query_(is_query), found_(found) {}

  void cut() {
    for (std::size_t at = 0; at < text_.size() && goes_on_;) {
      if (is_ascii_gap(text_[at])) {
        ++at;
        continue;
      }
      if (const std::size_t end = end_of_plain_word(at); end > at) {
        tell(text_.substr(at, end - at), at, end);
        at = end;
        continue;
      }
      const Character c = character_at(text_, at);
      if (c.runs_together) {
        at = cut_run(at);
      } else if (is_in_word(c)) {
        at = cut_word(at);
      } else {
        at += c.size;
      }
    }
  }

 private:
  void tell(std::string_view word, std::size_t begin, std::size_t end, bool same_place = false) {
    if (goes_on_) goes_on_ = found_({word.substr(0, word_size_max), begin, end, same_place});
  }

  // Most words are small ASCII letters throughout. Such a word has no parts and stands in the text
  // as it is looked up, so it need not be put together. `at` where there is none.
  [[nodiscard]] std::size_t end_of_plain_word(std::size_t at) const {
    std::size_t end = at;
    while (end < text_.size() && text_[end] >= 'a' && text_[end] <= 'z') ++end;
    return end == text_.size() || is_ascii_gap(text_[end]) ? end : at;
  }

  // Pairs of neighbours; a run of one character is that character.
  std::size_t cut_run(std::size_t begin) {
    std::size_t before = begin;
    std::size_t at = begin + character_at(text_, begin).size;
    bool is_pair = false;
    while (at < text_.size() && goes_on_) {
      const Character c = character_at(text_, at);
      if (!c.runs_together) break;
      tell(text_.substr(before, at + c.size - before), before, at + c.size);
      is_pair = true;
      before = at;
      at += c.size;
    }
    if (!is_pair || !is_query_) tell(text_.substr(before, at - before), before, at, is_pair);
    return at;
  }

  // A word of letters, digits and _, and its parts: they begin after _, at a capital after a small
  // letter or before one in a row of capitals (HTTPServer), and between letters and digits.
  std::size_t cut_word(std::size_t begin) {
    lower_.clear();
    parts_.clear();
    std::size_t at = begin;
    LetterKind before = LetterKind::none;
    for (Character c = character_at(text_, at); is_in_word(c);) {
      const std::size_t next = at + c.size;
      const Character follows = next < text_.size() ? character_at(text_, next) : Character();
      if (begins_part(before, c.kind, follows.kind)) end_part_begin_another(at);
      if (c.kind == LetterKind::none) end_part(at);  // _
      if (c.value < 0x80) {
        lower_ += static_cast<char>(c.kind == LetterKind::capital ? c.value + 32 : c.value);
      } else {
        append_lower(lower_, c.value);
      }
      before = c.kind;
      at = next;
      c = follows;
      if (c.size == 0) break;
    }
    end_part(at);
    tell(lower_, begin, at);
    if (!is_query_ && parts_.size() <= parts_max) tell_parts();
    return at;
  }

  static bool begins_part(LetterKind before, LetterKind now, LetterKind follows) {
    if (now == LetterKind::none) return false;
    if (before == LetterKind::none) return true;
    if ((now == LetterKind::digit) != (before == LetterKind::digit)) return true;
    return now == LetterKind::capital &&
           (before != LetterKind::capital || follows == LetterKind::small);
  }

  void end_part_begin_another(std::size_t at) {
    end_part(at);
    parts_.push_back({lower_.size(), 0, at, 0, false});
  }

  void end_part(std::size_t at) {
    if (parts_.empty() || parts_.back().ended) return;
    parts_.back().lower_end = lower_.size();
    parts_.back().end = at;
    parts_.back().ended = true;
  }

  void tell_parts() {
    for (const Part& part : parts_) {
      const bool is_whole = part.lower_begin == 0 && part.lower_end == lower_.size();
      if (is_whole) continue;
      tell(std::string_view(lower_).substr(part.lower_begin, part.lower_end - part.lower_begin),
           part.begin, part.end, true);
    }
  }

  struct Part {
    std::size_t lower_begin = 0;  // in lower_
    std::size_t lower_end = 0;
    std::size_t begin = 0;  // in the text
    std::size_t end = 0;
    bool ended = false;
  };

  std::string_view text_;
  bool is_query_;
  const std::function<bool(const SqlToken&)>& found_;
  bool goes_on_ = true;
  std::string lower_;
  std::vector<Part> parts_;
};

}  // namespace

void for_each_word(std::string_view text, bool is_query,
                   const std::function<bool(const SqlToken&)>& found) {
  Cutter(text, is_query, found).cut();
}

bool ends_with_lone_character(std::string_view text) {
  std::string last;
  for_each_word(text, true, [&](const SqlToken& word) {
    last = word.text;
    return true;
  });
  if (last.empty()) return false;
  const Character c = character_at(last, 0);
  return c.runs_together && c.size == last.size();
}

}  // namespace logwood::catalog
