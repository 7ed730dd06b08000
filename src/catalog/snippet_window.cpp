#include "catalog/snippet_window.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "catalog/words.hpp"

namespace logwood::catalog {
namespace {

constexpr int score_of_term = 1000;
constexpr int score_of_sentence = 100;
constexpr int score_of_first_sentence = 120;

// Whether what stands before `at` ends a sentence.
bool begins_sentence(std::string_view text, std::size_t at) {
  const std::size_t last = text.substr(0, at).find_last_not_of(" \t\n\r");
  if (last == std::string_view::npos || last + 1 == at) return false;
  return text[last] == '.' || text[last] == ':';
}

}  // namespace

// A text in its words. A place is the number of a word, and the parts of a word are at its place.
struct SnippetTerms::Reading {
  struct Span {
    std::size_t begin;
    std::size_t end;
  };
  std::vector<Span> spans;                          // of the word at each place
  std::vector<std::size_t> sentences;               // places where one begins
  std::vector<std::vector<std::size_t>> places_of;  // of each word that is looked for
};

struct SnippetTerms::Hit {
  std::size_t place;
  std::size_t term;
  std::size_t end;  // behind its last word
};

SnippetTerms::SnippetTerms(const std::vector<SearchTerm>& terms) {
  for (const SearchTerm& term : terms) {
    const std::size_t first = words_.size();
    for_each_word(term.text, true, [&](const SqlToken& word) {
      words_.push_back({std::string(word.text), false});
      return true;
    });
    if (words_.size() == first) continue;
    words_.back().is_beginning = term.is_prefix || ends_with_lone_character(term.text);
    terms_.push_back({first, words_.size() - first});
  }
}

SnippetTerms::Reading SnippetTerms::read(std::string_view text) const {
  Reading reading;
  reading.places_of.resize(words_.size());
  for_each_word(text, false, [&](const SqlToken& token) {
    if (!token.same_place) {
      const bool is_first = reading.spans.empty();
      if (is_first || begins_sentence(text, token.begin)) {
        reading.sentences.push_back(reading.spans.size());
      }
      reading.spans.push_back({token.begin, token.end});
    }
    const std::size_t place = reading.spans.size() - 1;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const bool fits = words_[i].is_beginning ? token.text.starts_with(words_[i].text)
                                               : token.text == words_[i].text;
      auto& places = reading.places_of[i];
      if (fits && (places.empty() || places.back() != place)) places.push_back(place);
    }
    return true;
  });
  return reading;
}

std::vector<SnippetTerms::Hit> SnippetTerms::hits_in(const Reading& reading) const {
  std::vector<Hit> hits;
  for (std::size_t term = 0; term < terms_.size(); ++term) {
    const Term& wanted = terms_[term];
    for (const std::size_t place : reading.places_of[wanted.first_word]) {
      bool stand_together = true;
      for (std::size_t next = 1; next < wanted.words && stand_together; ++next) {
        const auto& places = reading.places_of[wanted.first_word + next];
        stand_together = std::binary_search(places.begin(), places.end(), place + next);
      }
      if (stand_together) hits.push_back({place, term, place + wanted.words});
    }
  }
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
    return std::tie(a.place, a.term) < std::tie(b.place, b.term);
  });
  return hits;
}

void SnippetTerms::show(std::string_view text, SearchHit& shown) const {
  const Reading reading = read(text);
  const std::vector<Hit> hits = hits_in(reading);
  if (hits.empty()) return;
  const std::size_t words = reading.spans.size();

  // What is in the piece that begins at a place.
  struct Content {
    int score = 0;
    std::size_t first = 0;  // hit in it
    std::size_t end = 0;    // of the last one
  };
  std::vector<std::size_t> seen_at(terms_.size(), 0);
  std::size_t looks = 0;
  const auto content_at = [&](std::size_t begin) {
    Content content;
    ++looks;
    auto hit = std::lower_bound(hits.begin(), hits.end(), begin,
                                [](const Hit& h, std::size_t place) { return h.place < place; });
    if (hit != hits.end()) content.first = hit->place;
    for (; hit != hits.end() && hit->place < begin + snippet_words; ++hit) {
      content.score += seen_at[hit->term] == looks ? 1 : score_of_term;
      seen_at[hit->term] = looks;
      content.end = hit->end;
    }
    return content;
  };
  // Such that what is in it stands in its middle.
  const auto centred = [&](const Content& content) {
    const auto width = static_cast<std::ptrdiff_t>(content.end - content.first);
    constexpr auto size = static_cast<std::ptrdiff_t>(snippet_words);
    std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(content.first) - (size - width) / 2;
    begin = std::min(begin, static_cast<std::ptrdiff_t>(words) - size);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(begin, 0));
  };

  int best = 0;
  std::size_t begin = 0;
  for (const Hit& hit : hits) {
    const Content content = content_at(hit.place);
    if (content.score > best) {
      best = content.score;
      begin = centred(content);
    }
    if (words <= snippet_words) continue;
    const std::size_t sentence =
        *(std::upper_bound(reading.sentences.begin(), reading.sentences.end(), hit.place) - 1);
    if (sentence == hit.place) continue;
    const int score =
        content_at(sentence).score + (sentence == 0 ? score_of_first_sentence : score_of_sentence);
    if (score > best) {
      best = score;
      begin = sentence;
    }
  }

  const std::size_t last = std::min(begin + snippet_words, words) - 1;
  const std::size_t from = begin == 0 ? 0 : reading.spans[begin].begin;
  const bool is_to_end = begin + snippet_words >= words;
  const std::size_t to = is_to_end ? text.size() : reading.spans[last].end;
  // Hits that overlap are one; it is shown if it begins in the piece.
  std::optional<Hit> first;
  for (std::size_t i = 0; i < hits.size();) {
    Hit joined = hits[i++];
    while (i < hits.size() && hits[i].place < joined.end) {
      joined.end = std::max(joined.end, hits[i++].end);
    }
    if (joined.place < begin) continue;
    if (joined.place <= last) first = joined;
    break;
  }
  const std::size_t found_begin = first ? reading.spans[first->place].begin : to;
  const std::size_t found_end = first ? reading.spans[std::min(first->end - 1, last)].end : to;
  shown.before.assign(begin == 0 ? "" : ellipsis).append(text.substr(from, found_begin - from));
  shown.found = text.substr(found_begin, found_end - found_begin);
  shown.after = text.substr(found_end, to - found_end);
  if (!is_to_end) (first ? shown.after : shown.before).append(ellipsis);
}

}  // namespace logwood::catalog
