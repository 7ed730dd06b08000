// How text becomes words that can be searched for: in English, in Chinese, Japanese and Korean, and
// in code.
//
// Letters, digits and `_` make words; everything else separates them. A document has the parts of
// an identifier as well (`parseHttpRequest`: parse, http, request), at the place of the whole. What
// is written without spaces between words becomes pairs of characters, so that any that stand
// together can be found: 会话存储 is 会话, 话存, 存储. The last character of such a run stands
// beside its last pair, so that one character alone is the beginning of a word wherever it occurs.
#pragma once

#include <functional>
#include <string_view>

#include "base/sqlite.hpp"

namespace logwood::catalog {

/// Longer words are known by their first so many bytes.
inline constexpr std::size_t word_size_max = 128;

/// False from `found` ends it. A query has no parts, and no last character beside a pair.
void for_each_word(std::string_view text, bool is_query,
                   const std::function<bool(const SqlToken&)>& found);

/// Whether a query that ends like this text ends with one such character alone, which is then only
/// the beginning of what stands in the index.
[[nodiscard]] bool ends_with_lone_character(std::string_view text);

}  // namespace logwood::catalog
