#include "base/pattern.hpp"

#include <re2/re2.h>

#include <cstdint>

namespace logwood {
namespace {

re2::RE2::Options options() {
  re2::RE2::Options chosen;
  chosen.set_encoding(re2::RE2::Options::EncodingLatin1);  // bytes
  chosen.set_log_errors(false);                            // is_valid tells
  // Room for the states of all rules of a table at once; RE2 starts anew when it is full.
  chosen.set_max_mem(std::int64_t{64} << 20);
  return chosen;
}

std::optional<Pattern::Match> run(const re2::RE2& compiled, std::string_view text, std::size_t from,
                                  re2::RE2::Anchor anchor) {
  // Finding where a group lies costs more than finding where a match lies.
  re2::StringPiece found[2];
  const int wanted = compiled.NumberOfCapturingGroups() > 0 ? 2 : 1;
  const re2::StringPiece whole(text.data(), text.size());
  if (!compiled.Match(whole, from, text.size(), anchor, found, wanted)) return std::nullopt;
  const auto begin = static_cast<std::size_t>(found[0].data() - text.data());
  const re2::StringPiece& group = found[wanted - 1];
  return Pattern::Match{begin, begin + found[0].size(), {group.data(), group.size()}};
}

}  // namespace

Pattern::Pattern(const std::string& expression)
    : compiled_(std::make_unique<re2::RE2>(expression, options())) {}
Pattern::Pattern(std::unique_ptr<re2::RE2> compiled) : compiled_(std::move(compiled)) {}
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

Pattern Pattern::any_of(std::span<const std::string> expressions) {
  std::string any;
  for (const std::string& one : expressions) any += (any.empty() ? "(?:" : "|(?:") + one + ")";
  re2::RE2::Options chosen = options();
  chosen.set_never_capture(true);
  return Pattern(std::make_unique<re2::RE2>(any, chosen));
}

bool Pattern::is_valid() const { return compiled_->ok(); }

std::optional<Pattern::Match> Pattern::find(std::string_view text, std::size_t from) const {
  return run(*compiled_, text, from, re2::RE2::UNANCHORED);
}

std::optional<Pattern::Match> Pattern::match_at(std::string_view text, std::size_t at) const {
  return run(*compiled_, text, at, re2::RE2::ANCHOR_START);
}

}  // namespace logwood
