// The words of a text as PostgreSQL takes them: vectors of words and places, in their binary form.
//
// A vector holds at most a megabyte, places up to 16,383 and 255 places of one word, and drops in
// silence what is beyond. So a long text becomes several parts; the last words of one are the first
// of the next, so that words which stand together are found together.
//
// Each vector holds one more word, which no text has: the tenant's own. A search asks for it too,
// and so what is common with one tenant costs no other one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace logwood::storage::postgres {

/// More words than this that stand together may be missed where a part ends.
inline constexpr std::size_t words_shared = 64;

struct TextPart {
  std::string_view body;
  std::string vector;
};

/// At least one; views into `text`.
[[nodiscard]] std::vector<TextPart> parts_of(std::string_view text, std::int32_t tenant);

}  // namespace logwood::storage::postgres
