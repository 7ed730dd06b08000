// What a search is as FTS5 is asked for it, and the piece of a text that shows what was found.
#pragma once

#include <string>
#include <string_view>

#include "logwood/catalog.hpp"
#include "logwood/result.hpp"
#include "model/search_query.hpp"

namespace logwood::catalog {

/// `invalid_argument` where there is no word in a term, or nothing that is to be found. Empty: no
/// words are asked for.
Result<std::string> match_of(const SearchQuery& query);

/// Of a full-text table: a piece of its first column, with marks around what was found.
#define LOGWOOD_SNIPPET "snippet(words, 0, char(2), char(3), '…', 16)"

/// Puts such a piece into before, found and after.
void cut_snippet(std::string_view snippet, SearchHit& hit);

/// Without words the beginning of the text stands for it.
void show_beginning(std::string_view text, SearchHit& hit);

}  // namespace logwood::catalog
