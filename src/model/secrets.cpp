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

namespace logwood {
namespace {

/// How a match is told from a placeholder.
enum class Kind : unsigned char { token, password, block };

struct Rule {
  std::string_view name;
  std::string_view expression;  // the secret is the first group, or all of it
  Kind kind = Kind::token;
};

constexpr Rule rules[] = {
    {"anthropic key", R"(\bsk-ant-[a-z]{2,8}[0-9]{2}-[A-Za-z0-9_-]{40,})"},
    {"openai key", R"(\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,})"},
    {"openai key", R"(\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\b)"},
    {"openrouter key", R"(\bsk-or-v1-[0-9a-f]{64}\b)"},
    {"google key", R"(\b(AIza[A-Za-z0-9_-]{35})(?:[^A-Za-z0-9_-]|\z))"},
    {"groq key", R"(\bgsk_[A-Za-z0-9]{52}\b)"},
    {"xai key", R"(\bxai-[A-Za-z0-9]{80}\b)"},
    {"perplexity key", R"(\bpplx-[A-Za-z0-9]{48}\b)"},
    {"replicate token", R"(\br8_[A-Za-z0-9]{37}\b)"},
    {"huggingface token", R"(\bhf_[A-Za-z0-9]{34}\b)"},
    {"aws access key id", R"(\b(?:AKIA|ASIA)[A-Z2-7]{16}\b)"},
    {"aws secret key",
     R"re((?i:aws_?secret_?(?:access_?)?key|secret_?access_?key)[\\"']{0,3}\s{0,3}[:=>]{1,2}\s{0,3}[\\"']{0,3}([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|\z))re"},
    {"github token", R"(\bgh[pousr]_[A-Za-z0-9]{36,}\b)"},
    {"github token", R"(\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b)"},
    {"gitlab token", R"(\bgl(?:pat|dt|rt|cbt|ptt)-[A-Za-z0-9_-]{20,})"},
    {"slack token", R"(\bxox[abeoprs]-(?:[0-9]{1,14}-){1,3}[A-Za-z0-9]{16,}\b)"},
    {"slack token", R"(\bxapp-[0-9]-[A-Z0-9]{8,14}-[0-9]{8,14}-[0-9a-f]{64}\b)"},
    {"slack webhook",
     R"(\bhooks\.slack\.com/services/(T[A-Z0-9]{8,12}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{24})\b)"},
    {"stripe key", R"(\b[sr]k_live_[A-Za-z0-9]{24,}\b)"},
    {"npm token", R"(\bnpm_[A-Za-z0-9]{36}\b)"},
    {"pypi token", R"(\bpypi-AgE[A-Za-z0-9_-]{60,})"},
    {"docker token", R"(\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27,})"},
    {"digitalocean token", R"(\bdo[opr]_v1_[0-9a-f]{64}\b)"},
    {"databricks token", R"(\bdapi[0-9a-f]{32}(?:-[0-9])?\b)"},
    {"vault token", R"(\bhvs\.[A-Za-z0-9_-]{90,})"},
    {"sendgrid key", R"(\b(SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})(?:[^A-Za-z0-9_-]|\z))"},
    {"twilio key", R"(\bSK[0-9a-f]{32}\b)"},
    {"azure storage key", R"(\bAccountKey=([A-Za-z0-9/+]{86}==))"},
    {"age key", R"(\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b)"},
    {"logwood token", R"(\blwt_[A-Za-z0-9_-]{43,})"},
    {"json web token", R"(\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,})"},
    // Line breaks may be written out, where the block lies in a string of a file. Older keys have
    // lines such as `DEK-Info: …` in front.
    {"private key",
     R"re(-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[\s"',+]|\\[nr])*(?:[A-Za-z-]{1,20}: [^\n\\]{0,80}(?:\s|\\[nr])+){0,4}(?:[A-Za-z0-9/+=]{16,}(?:[\s"',+]|\\[nr])*){2,}[A-Za-z0-9/+=]{0,15}(?:[\s"',+]|\\[nr])*(?:-----END [A-Z0-9 ]{1,60}-----)?)re",
     Kind::block},
    {"password in a url",
     R"re(\b(?:postgres(?:ql)?|mysql|mariadb|mssql|sqlserver|clickhouse|mongodb(?:\+srv)?|rediss?|amqps?|nats|ldaps?|smtps?|s?ftp|ssh|https?)(?:\+[a-z0-9]{1,16})?://[^\s/?#:@"'<>`\\]{0,100}:([^\s/?#@"'<>`\\]{6,200})@[A-Za-z0-9\[])re",
     Kind::password},
};

struct Compiled {
  Pattern any;
  std::vector<Pattern> each;
};

const Compiled& compiled() {
  static const Compiled made = [] {
    std::vector<std::string> expressions;
    for (const Rule& rule : rules) expressions.emplace_back(rule.expression);
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

bool is_placeholder(Kind kind, std::string_view secret) {
  switch (kind) {
    case Kind::token:
      return is_placeholder_token(secret);
    case Kind::password:
      return is_placeholder_password(secret);
    case Kind::block:
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
  for (std::size_t i = 0; i < std::size(rules); ++i) {
    const auto match = compiled().each[i].match_at(text, at);
    if (!match) continue;
    const Kind kind = rules[i].kind;
    const auto begin = static_cast<std::size_t>(match->group.data() - text.data());
    const std::size_t end = begin + match->group.size();
    Candidate found{{rules[i].name, begin, end}, is_placeholder(kind, match->group), end};
    // A variable in a URL may be followed by a token: ${USER}:ghp_…
    if (found.is_placeholder && kind == Kind::password) found.go_on_at = begin;
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

const std::vector<std::string_view>& secret_rules() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const Rule& rule : rules) {
      if (all.empty() || all.back() != rule.name) all.push_back(rule.name);
    }
    return all;
  }();
  return names;
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
