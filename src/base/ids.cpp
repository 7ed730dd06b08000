#include "logwood/ids.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdint>

#include "base/base64url.hpp"
#include "base/random_bytes.hpp"
#include "base/uuid.hpp"

namespace logwood {
namespace {

constexpr std::size_t longest_id = 99;

bool starts_id(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

std::string new_uuid() {
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  std::array<std::uint8_t, 10> random{};
  fill_random(random);
  return uuid_v7(static_cast<std::uint64_t>(now.count()), random);
}

}  // namespace

SessionId new_session_id() { return {new_uuid()}; }
EntryId new_entry_id() { return {new_uuid()}; }

Result<> check_id(std::string_view text) {
  if (text.empty() || text.size() > longest_id) {
    return Error{
        ErrorCode::invalid_argument,
        fmt::format("an id has 1 to {} characters, this one has {}", longest_id, text.size())};
  }
  // The alphabet of ids is that of base64url; only the first character is special.
  if (is_base64url(text) && starts_id(text[0])) return {};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (starts_id(c) || (i > 0 && is_base64url({&c, 1}))) continue;
    return Error{
        ErrorCode::invalid_argument,
        fmt::format("an id starts with a letter or digit and goes on with letters, digits, "
                    "'-' and '_'; character {} has code 0x{:02x}",
                    i + 1, static_cast<unsigned char>(c))};
  }
  return {};
}

}  // namespace logwood
