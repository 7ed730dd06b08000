#include "storage/postgres/word_vectors.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "catalog/words.hpp"

namespace logwood::storage::postgres {
namespace {

constexpr std::size_t places_max = 16'000;
constexpr std::size_t places_of_word_max = 255;
constexpr std::size_t vector_size_max = 900'000;  // with what is added when it is stored

void append_big_endian(std::string& bytes, std::uint16_t number) {
  bytes += static_cast<char>(number >> 8U);
  bytes += static_cast<char>(number & 0xFFU);
}

// The words of one part, until it is full.
class Words {
 public:
  // False: it is full.
  bool begin_place() {
    if (is_full_ || last_ == places_max) return false;
    ++last_;
    return true;
  }

  void add(std::string_view word) {
    auto& places = places_[std::string(word)];
    if (places.empty()) size_bytes_ += word.size() + 8;
    if (!places.empty() && places.back() == last_) return;
    places.push_back(last_);
    size_bytes_ += 2;
    if (places.size() == places_of_word_max || size_bytes_ >= vector_size_max) is_full_ = true;
  }

  [[nodiscard]] std::string vector(std::string_view own) const {
    std::string bytes;
    bytes.reserve(size_bytes_ + own.size() + 8);
    const auto count = static_cast<std::uint32_t>(places_.size() + 1);
    append_big_endian(bytes, static_cast<std::uint16_t>(count >> 16U));
    append_big_endian(bytes, static_cast<std::uint16_t>(count & 0xFFFFU));
    append(bytes, own, {});
    for (const auto& [word, places] : places_) append(bytes, word, places);
    return bytes;
  }

 private:
  static void append(std::string& bytes, std::string_view word,
                     const std::vector<std::uint16_t>& places) {
    bytes.append(word) += '\0';
    append_big_endian(bytes, static_cast<std::uint16_t>(places.size()));
    for (const std::uint16_t place : places) append_big_endian(bytes, place);
  }

  std::unordered_map<std::string, std::vector<std::uint16_t>> places_;
  std::uint16_t last_ = 0;
  std::size_t size_bytes_ = 0;
  bool is_full_ = false;
};

}  // namespace

std::vector<TextPart> parts_of(std::string_view text, std::int32_t tenant) {
  std::vector<TextPart> parts;
  const std::string own = fmt::format("={}", tenant);
  for (std::size_t begin = 0, next = 0;; begin = next) {
    const std::string_view rest = text.substr(begin);
    Words words;
    std::vector<std::size_t> begins;  // of the words in it
    std::size_t end = rest.size();
    catalog::for_each_word(rest, false, [&](const SqlToken& word) {
      if (!word.same_place) {
        if (!words.begin_place()) {
          end = word.begin;
          return false;
        }
        begins.push_back(word.begin);
      }
      words.add(word.text);
      return true;
    });
    const bool is_last = end == rest.size();
    const bool is_whole = is_last && begin == 0;
    parts.push_back({rest.substr(0, end), words.vector(is_whole ? own : own + '+')});
    if (is_last) return parts;
    next = begin + begins[begins.size() - words_shared];
  }
}

}  // namespace logwood::storage::postgres
