// The pieces of texts that a search shows, held against those of FTS5 itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/sqlite.hpp"
#include "catalog/snippet_window.hpp"
#include "catalog/snippets.hpp"
#include "catalog/words.hpp"

namespace logwood::catalog {
namespace {

// What FTS5 shows of one text.
SearchHit shown_by_fts5(const std::string& text, const SearchQuery& any_of) {
  auto database = SqlDatabase::open("", {});
  EXPECT_TRUE(database);
  EXPECT_TRUE(database->add_tokenizer("logwood", for_each_word));
  EXPECT_TRUE(
      database->execute("CREATE VIRTUAL TABLE words USING fts5 (body, tokenize = 'logwood')"));
  auto put = database->prepare("INSERT INTO words (body) VALUES (?)");
  EXPECT_TRUE(put->bind(text).run());
  std::string match;
  for (const SearchTerm& term : any_of.wanted) {
    SearchQuery one;
    one.wanted = {term};
    match += (match.empty() ? "" : " OR ") + *match_of(one);
  }
  auto found =
      database->prepare("SELECT " LOGWOOD_SNIPPET " FROM words WHERE words MATCH ? LIMIT 1");
  found->bind(match);
  SearchHit hit;
  if (*found->step()) cut_snippet(found->text(0), hit);
  return hit;
}

std::string in_brackets(const SearchHit& hit) {
  return hit.before + "[" + hit.found + "]" + hit.after;
}

std::string shown(const std::string& text, const std::vector<SearchTerm>& terms) {
  SearchHit hit;
  SnippetTerms(terms).show(text, hit);
  return in_brackets(hit);
}

TEST(SnippetWindow, ShowsWhatWasFoundInItsMiddle) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "w" + std::to_string(i) + " ";
  EXPECT_EQ(shown(text, {{.text = "w20"}}),
            "…w13 w14 w15 w16 w17 w18 w19 [w20] w21 w22 w23 w24 w25 w26 w27 w28…");
  EXPECT_EQ(shown("a short text", {{.text = "text"}}), "a short [text]");
  EXPECT_EQ(shown("a short text", {{.text = "long"}}), "[]");
}

TEST(SnippetWindow, IsTheOneOfFts5) {
  const std::vector<std::string> pieces{
      "alpha",     "beta",   "gamma",    "delta.", "eps:",     "zeta",    "Alpha",
      "betaGamma", "a_beta", "会话存储", "存",     "(eta)",    "theta,",  "don't",
      "x1y2",      "\n",     "ALPHA",    "--",     "ünïcode.", "alphabet"};
  const std::vector<SearchTerm> choices{{.text = "alpha"},      {.text = "beta"},
                                        {.text = "alpha beta"}, {.text = "alph", .is_prefix = true},
                                        {.text = "gamma"},      {.text = "存储"},
                                        {.text = "存"},         {.text = "beta gamma delta"},
                                        {.text = "ÜNÏCODE"},    {.text = "zeta eta"}};
  std::mt19937 random(1);  // NOLINT: the same texts each time
  const auto below = [&](std::size_t bound) { return random() % bound; };
  for (int round = 0; round < 1500; ++round) {
    std::string text;
    const std::size_t words = 1 + below(round % 3 == 0 ? 12 : 70);
    for (std::size_t i = 0; i < words; ++i) {
      // Mostly what nobody looks for, so that there is something to choose from.
      text += below(3) == 0 ? pieces[below(pieces.size())] : "other" + std::to_string(below(9));
      text += below(8) == 0 ? ". " : " ";
    }
    SearchQuery query;
    for (std::size_t i = 0; i <= below(3); ++i)
      query.wanted.push_back(choices[below(choices.size())]);
    SearchHit hit;
    SnippetTerms(query.wanted).show(text, hit);
    std::string asked;
    for (const SearchTerm& term : query.wanted) asked += " | " + term.text;
    ASSERT_EQ(in_brackets(hit), in_brackets(shown_by_fts5(text, query))) << text << asked;
  }
}

TEST(SnippetWindow, OneWordAMillionTimesIsNoBurden) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "again ";
  SearchHit hit;
  SnippetTerms({{.text = "again"}, {.text = "again again"}}).show(text, hit);
  EXPECT_EQ(hit.before, "");
}

}  // namespace
}  // namespace logwood::catalog
