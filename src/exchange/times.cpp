#include "exchange/times.hpp"

#include <charconv>
#include <chrono>

#include "base/json_text.hpp"
#include "base/timestamp.hpp"

namespace logwood::exchange {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t whole_size = 19;  // 2026-11-14T22:59:44

// Fewer milliseconds than this would be the year 1973, so they are seconds.
constexpr std::uint64_t milliseconds_min = 100'000'000'000;

std::optional<unsigned> two_digits(std::string_view text, std::size_t at) {
  if (text.size() < at + 2) return std::nullopt;
  unsigned value = 0;
  const auto [end, problem] = std::from_chars(text.data() + at, text.data() + at + 2, value);
  if (problem != std::errc() || end != text.data() + at + 2) return std::nullopt;
  return value;
}

std::string formatted(milliseconds since_1970) {
  return format_timestamp(
      Clock::time_point(std::chrono::duration_cast<Clock::duration>(since_1970)));
}

}  // namespace

std::optional<std::string> timestamp_in(std::string_view text) {
  if (is_timestamp(text)) return std::string(text);
  if (text.size() < whole_size) return std::nullopt;
  std::string whole(text.substr(0, whole_size));
  if (whole[10] == ' ' || whole[10] == 't') whole[10] = 'T';
  std::size_t at = whole_size;
  std::string fraction;
  if (at < text.size() && (text[at] == '.' || text[at] == ',')) {
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) fraction += text[at];
  }
  fraction.resize(3, '0');
  const auto time = parse_timestamp(whole + "." + fraction + "Z");
  if (!time) return std::nullopt;
  const std::string_view offset = text.substr(at);
  if (offset.empty() || offset == "Z" || offset == "z") return whole + "." + fraction + "Z";
  const bool is_east = offset.front() == '+';
  const auto hours = two_digits(offset, 1);
  const auto minutes = two_digits(offset, offset.size() > 3 && offset[3] == ':' ? 4 : 3);
  if ((!is_east && offset.front() != '-') || !hours || !minutes) return std::nullopt;
  const auto shift = std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
  const auto since_1970 = std::chrono::duration_cast<milliseconds>(time->time_since_epoch());
  return formatted(is_east ? since_1970 - shift : since_1970 + shift);
}

std::optional<std::string> timestamp_of_token(std::string_view token) {
  if (token.starts_with('"')) return timestamp_in(json_text_or_empty(token));
  const std::string_view whole = token.substr(0, token.find_first_of(".eE"));
  const auto number = json_unsigned(whole);
  constexpr std::uint64_t milliseconds_max = 8'000'000'000'000;  // the clock ends soon after that
  if (!number || *number == 0) return std::nullopt;
  const std::uint64_t ms = *number < milliseconds_min ? *number * 1000 : *number;
  if (ms > milliseconds_max) return std::nullopt;
  return formatted(milliseconds(static_cast<std::int64_t>(ms)));
}

}  // namespace logwood::exchange
