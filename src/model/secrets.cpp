#include "model/secrets.hpp"

#include <algorithm>
#include <bitset>
#include <cassert>
#include <iterator>
#include <optional>
#include <span>

#include "base/json_text.hpp"
#include "base/pattern.hpp"
#include "model/entry_fields.hpp"
#include "model/redaction.hpp"
#include "model/secret_rules.hpp"

namespace logwood {
namespace {

struct Compiled {
  Pattern any;
  std::vector<Pattern> each;
};

const Compiled& compiled() {
  static const Compiled made = [] {
    std::vector<std::string> expressions;
    for (const SecretRule& rule : secret_rules) expressions.emplace_back(rule.expression);
    Compiled all{Pattern::any_of(expressions), {}};
    for (const std::string& one : expressions) all.each.emplace_back(one);
    assert(all.any.is_valid());
    return all;
  }();
  return made;
}

bool contains_any(std::string_view lower, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return lower.find(word) != std::string_view::npos;
  });
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool has_run_of(std::string_view text, std::size_t length) {
  std::size_t run = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    run = i > 0 && text[i] == text[i - 1] ? run + 1 : 1;
    if (run == length) return true;
  }
  return false;
}

std::size_t different_characters(std::string_view text) {
  std::bitset<256> seen;
  for (const char c : text) seen.set(static_cast<unsigned char>(c));
  return seen.count();
}

// Words that turn up in examples, and in a random key of 100 characters once in ten thousand.
bool is_placeholder_token(std::string_view secret) {
  static constexpr std::string_view words[] = {
      "example",
      "sample",
      "placeholder",
      "your",
      "dummy",
      "fake",
      "redacted",
      "changeme",
      "xxxx",
      "abcdefghij",
      "0123456789",
      "1234567890",
      "eyjzdwiioiixmjm0nty3odkwi",  // the subject of the token that every manual shows
  };
  constexpr std::size_t end_size = 16;
  const std::string_view end = secret.substr(secret.size() - std::min(secret.size(), end_size));
  return contains_any(lower_case(secret), words) || has_run_of(secret, 6) ||
         different_characters(end) < 5;
}

bool is_placeholder_password(std::string_view password) {
  static constexpr std::string_view words[] = {
      "password", "passwd",   "secret", "example", "changeme", "placeholder", "redacted", "xxxx",
      "your",     "postgres", "dummy",  "sample",  "123456",   "token",       "api_key",  "apikey",
  };
  // Variables and templates: ${DB_PASS}, %s, {password}, <pw>, ***, [PASSWORD].
  if (password.find_first_of("${}%*[]()") != std::string_view::npos) {
    const bool only_escapes = password.find_first_of("${}*[]()") == std::string_view::npos &&
                              password.find("%s") == std::string_view::npos;
    if (!only_escapes) return true;
  }
  return contains_any(lower_case(password), words) || different_characters(password) < 4;
}

bool is_placeholder(SecretKind kind, std::string_view secret) {
  switch (kind) {
    case SecretKind::token:
      return is_placeholder_token(secret);
    case SecretKind::password:
      return is_placeholder_password(secret);
    case SecretKind::block:
      return false;
  }
  return false;
}

struct Candidate {
  Secret secret;
  bool is_placeholder = false;
  std::size_t go_on_at = 0;
};

// What stands where one of the rules matches. No two rules begin alike, so the first decides.
std::optional<Candidate> candidate_at(std::string_view text, std::size_t at) {
  for (std::size_t i = 0; i < std::size(secret_rules); ++i) {
    const auto match = compiled().each[i].match_at(text, at);
    if (!match) continue;
    const SecretKind kind = secret_rules[i].kind;
    const auto begin = static_cast<std::size_t>(match->group.data() - text.data());
    const std::size_t end = begin + match->group.size();
    Candidate found{{secret_rules[i].name, begin, end}, is_placeholder(kind, match->group), end};
    // A variable in a URL may be followed by a token: ${USER}:ghp_…
    if (found.is_placeholder && kind == SecretKind::password) found.go_on_at = begin;
    return found;
  }
  return std::nullopt;
}

// The shortest that any rule takes is ftp://:123456@h
constexpr std::size_t secret_size_min = 15;

// A string that stands for no text (half a surrogate pair) with its escapes blanked out: whatever
// is found in it lies at the same place.
std::string blanked(std::string_view spelled) {
  std::string text(spelled);
  for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at)) {
    const std::size_t size = std::min<std::size_t>(text[at + 1] == 'u' ? 6 : 2, text.size() - at);
    text.replace(at, size, size, ' ');
  }
  return text;
}

struct FoundString {
  std::string_view spelled;  // in the entry's text, between the quotes
  std::string text;          // what it stands for
  bool has_text = true;      // else `text` is blanked
  std::vector<Secret> secrets;
};

std::vector<FoundString> strings_with_secrets(std::string_view text) {
  const EntryFields fields = find_fields(text);
  const std::string_view own[] = {fields.id, fields.parent_id, fields.type, fields.timestamp};
  std::vector<FoundString> found;
  for_each_json_string(text, [&](std::string_view spelled) {
    if (spelled.size() < secret_size_min) return;
    if (std::any_of(std::begin(own), std::end(own), [&](std::string_view token) {
          return !token.empty() && spelled.data() == token.data() + 1;
        })) {
      return;
    }
    if (spelled.find('\\') == std::string_view::npos) {
      auto secrets = find_secrets(spelled);
      if (!secrets.empty())
        found.push_back({spelled, std::string(spelled), true, std::move(secrets)});
      return;
    }
    // The token with its quotes, which stand around it.
    auto value = json_string_value({spelled.data() - 1, spelled.size() + 2});
    FoundString string{
        spelled, value ? *std::move(value) : blanked(spelled), value.has_value(), {}};
    string.secrets = find_secrets(string.text);
    if (!string.secrets.empty()) found.push_back(std::move(string));
  });
  return found;
}

// The string as a token, without its quotes.
std::string redacted(const FoundString& string) {
  if (!string.has_text) return std::string(redacted_text);
  std::string text;
  std::size_t copied = 0;
  for (const Secret& secret : string.secrets) {
    text.append(string.text, copied, secret.begin - copied).append(redacted_text);
    copied = secret.end;
  }
  text.append(string.text, copied);
  const std::string token = json_quoted(text);
  return token.substr(1, token.size() - 2);
}

}  // namespace

std::vector<Secret> find_secrets(std::string_view text) {
  std::vector<Secret> found;
  std::size_t from = 0;
  while (const auto match = compiled().any.find(text, from)) {
    const auto candidate = candidate_at(text, match->begin);
    if (candidate && !candidate->is_placeholder) found.push_back(candidate->secret);
    from = candidate ? candidate->go_on_at : match->begin + 1;
  }
  return found;
}

std::vector<std::string_view> secrets_in_entry(std::string_view text) {
  std::vector<std::string_view> found;
  for (const FoundString& string : strings_with_secrets(text)) {
    for (const Secret& secret : string.secrets) found.push_back(secret.rule);
  }
  return found;
}

std::string without_secrets(std::string text) {
  const std::vector<FoundString> found = strings_with_secrets(text);
  if (found.empty()) return text;
  std::string kept;
  std::size_t copied = 0;
  for (const FoundString& string : found) {
    const auto begin = static_cast<std::size_t>(string.spelled.data() - text.data());
    kept.append(text, copied, begin - copied).append(redacted(string));
    copied = begin + string.spelled.size();
  }
  return kept.append(text, copied);
}

}  // namespace logwood
