#include "base/timestamp.hpp"

#include <array>

namespace logwood {
namespace {

// Writes `value` in `width` decimal digits. Hand-made because every append
// stamps a time, and a general formatter costs more than the checksum does.
void put_digits(char* at, unsigned value, int width) {
  for (int i = width - 1; i >= 0; --i) {
    at[i] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
}

constexpr std::string_view shape = "0000-00-00T00:00:00.000Z";

}  // namespace

std::string format_timestamp(Clock::time_point time) {
  using namespace std::chrono;
  const auto ms = floor<milliseconds>(time);
  const auto day = floor<days>(ms);
  const year_month_day date(day);
  const hh_mm_ss<milliseconds> clock(ms - day);

  std::string text(shape);
  put_digits(&text[0], static_cast<unsigned>(static_cast<int>(date.year())), 4);
  put_digits(&text[5], static_cast<unsigned>(date.month()), 2);
  put_digits(&text[8], static_cast<unsigned>(date.day()), 2);
  put_digits(&text[11], static_cast<unsigned>(clock.hours().count()), 2);
  put_digits(&text[14], static_cast<unsigned>(clock.minutes().count()), 2);
  put_digits(&text[17], static_cast<unsigned>(clock.seconds().count()), 2);
  put_digits(&text[20], static_cast<unsigned>(clock.subseconds().count()), 3);
  return text;
}

std::optional<TimestampTime> parse_timestamp(std::string_view text) {
  if (text.size() != shape.size()) return std::nullopt;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (shape[i] == '0' ? !digit : text[i] != shape[i]) return std::nullopt;
  }
  const auto number = [&](std::size_t at, std::size_t width) {
    unsigned value = 0;
    for (const char c : text.substr(at, width)) value = value * 10 + static_cast<unsigned>(c - '0');
    return value;
  };
  using namespace std::chrono;
  const year_month_day date(year(static_cast<int>(number(0, 4))), month(number(5, 2)),
                            day(number(8, 2)));
  if (!date.ok() || number(11, 2) > 23 || number(14, 2) > 59 || number(17, 2) > 59)
    return std::nullopt;
  return sys_days(date) + hours(number(11, 2)) + minutes(number(14, 2)) + seconds(number(17, 2)) +
         milliseconds(number(20, 3));
}

bool is_timestamp(std::string_view text) { return parse_timestamp(text).has_value(); }

}  // namespace logwood
