// Values in the binary form that PostgreSQL takes and gives.
#include <bit>
#include <charconv>

#include "base/libpq.hpp"
#include "base/postgres.hpp"

namespace logwood {
namespace {

constexpr std::uint32_t bool_type = 16;
constexpr std::uint32_t bytea_type = 17;
constexpr std::uint32_t int8_type = 20;
constexpr std::uint32_t text_type = 25;
constexpr std::uint32_t tsvector_type = 3614;

template <class Number>
std::string big_endian(Number number) {
  std::string bytes(sizeof number, '\0');
  auto left = static_cast<std::make_unsigned_t<Number>>(number);
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) {
    *byte = static_cast<char>(left & 0xFFU);
    left = static_cast<std::make_unsigned_t<Number>>(left >> 8U);
  }
  return bytes;
}

}  // namespace

// --- values

PgValues& PgValues::own(std::string value) {
  values_.push_back({false, true, {}, std::move(value)});
  return *this;
}

PgValues& PgValues::int4(std::int32_t value) { return own(big_endian(value)); }
PgValues& PgValues::int8(std::int64_t value) { return own(big_endian(value)); }
PgValues& PgValues::boolean(bool value) { return own(std::string(1, value ? '\1' : '\0')); }

PgValues& PgValues::text(std::string_view value) {
  // A null pointer would be taken for NULL.
  values_.push_back({false, false, value.data() == nullptr ? std::string_view("") : value, {}});
  return *this;
}

PgValues& PgValues::text_or_null(const std::optional<std::string_view>& value) {
  if (value) return text(*value);
  values_.push_back({true, false, {}, {}});
  return *this;
}

PgValues& PgValues::array(std::uint32_t type, std::span<const std::string_view> values) {
  std::size_t size = 20;
  for (const std::string_view value : values) size += 4 + value.size();
  std::string bytes;
  bytes.reserve(size);
  const bool is_empty = values.empty();
  bytes += big_endian(std::int32_t{is_empty ? 0 : 1});  // dimensions
  bytes += big_endian(std::int32_t{0});                 // no NULL in it
  bytes += big_endian(type);
  if (!is_empty) {
    bytes += big_endian(static_cast<std::int32_t>(values.size()));
    bytes += big_endian(std::int32_t{1});  // the first index
  }
  for (const std::string_view value : values) {
    bytes += big_endian(static_cast<std::int32_t>(value.size()));
    bytes += value;
  }
  return own(std::move(bytes));
}

PgValues& PgValues::int8s(const std::vector<std::int64_t>& values) {
  std::vector<std::string> numbers;
  numbers.reserve(values.size());
  for (const std::int64_t value : values) numbers.push_back(big_endian(value));
  const std::vector<std::string_view> views(numbers.begin(), numbers.end());
  return array(int8_type, views);
}

PgValues& PgValues::booleans(const std::vector<bool>& values) {
  std::vector<std::string_view> views;
  views.reserve(values.size());
  for (const bool value : values) {
    views.push_back(value ? std::string_view("\1", 1) : std::string_view("\0", 1));
  }
  return array(bool_type, views);
}

PgValues& PgValues::texts(std::span<const std::string_view> values) {
  return array(text_type, values);
}

PgValues& PgValues::byte_strings(std::span<const std::string_view> values) {
  return array(bytea_type, values);
}

PgValues& PgValues::word_vectors(std::span<const std::string_view> values) {
  return array(tsvector_type, values);
}

// --- rows

void PgRows::Clear::operator()(pg_result* result) const { libpq->clear(result); }

int PgRows::count() const {
  return result_ ? result_.get_deleter().libpq->row_count(result_.get()) : 0;
}

std::uint64_t PgRows::changed() const {
  std::uint64_t number = 0;
  if (!result_) return number;
  const std::string_view text = result_.get_deleter().libpq->command_tuples(result_.get());
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool PgRows::is_null(int row, int column) const {
  return result_.get_deleter().libpq->is_null(result_.get(), row, column) != 0;
}

std::string_view PgRows::view(int row, int column) const {
  const Libpq& libpq = *result_.get_deleter().libpq;
  return {libpq.value(result_.get(), row, column),
          static_cast<std::size_t>(libpq.length(result_.get(), row, column))};
}

std::optional<std::string> PgRows::optional_text(int row, int column) const {
  if (is_null(row, column)) return std::nullopt;
  return text(row, column);
}

std::int64_t PgRows::integer(int row, int column) const {
  const std::string_view bytes = view(row, column);
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8U | static_cast<unsigned char>(byte);
  if (bytes.size() == 4) return std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(number));
  return std::bit_cast<std::int64_t>(number);
}

std::optional<std::uint64_t> PgRows::optional_number(int row, int column) const {
  if (is_null(row, column)) return std::nullopt;
  return number(row, column);
}

}  // namespace logwood
