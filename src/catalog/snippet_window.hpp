// Which piece of a text shows best where words that were looked for stand in it: the same piece
// that FTS5 shows of a text in a catalog, for texts that lie elsewhere.
//
// A piece is so many words. It is the one with the most different terms in it, and of those the one
// with the most hits, which then stand in its middle; unless one that begins a sentence has as
// many.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "logwood/catalog.hpp"
#include "model/search_query.hpp"

namespace logwood::catalog {

inline constexpr std::size_t snippet_words = 16;
inline constexpr std::string_view ellipsis = "…";

/// Terms as they are compared with the words of texts.
class SnippetTerms {
 public:
  explicit SnippetTerms(const std::vector<SearchTerm>& terms);

  /// Puts the piece into before, found and after. Nothing where none of the terms stands in it.
  void show(std::string_view text, SearchHit& hit) const;

 private:
  // A word of a term; all words of all terms are numbered through.
  struct Word {
    std::string text;
    bool is_beginning = false;
  };
  struct Term {
    std::size_t first_word = 0;
    std::size_t words = 0;
  };
  struct Reading;
  struct Hit;

  [[nodiscard]] Reading read(std::string_view text) const;
  [[nodiscard]] std::vector<Hit> hits_in(const Reading& reading) const;

  std::vector<Word> words_;
  std::vector<Term> terms_;
};

}  // namespace logwood::catalog
