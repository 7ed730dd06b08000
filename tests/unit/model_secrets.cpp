// Samples of secrets are put together from two pieces, so that no scanner takes this file for a
// leak.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/json_text.hpp"
#include "model/secret_rules.hpp"
#include "model/secrets.hpp"

namespace logwood {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Case {
  std::string rule;
  std::string before;  // beside the secret
  std::string secret;
  std::string after;
};

// Letters and digits as a key has them.
std::string filled(std::size_t size) {
  static const std::string alphabet = "q7RtZ2mK9xWvB4nLc8YpJ5dHs3GfT6aNoQe1UiVkXyMwDzPr";
  std::string text;
  while (text.size() < size)
    text += alphabet[(text.size() * 7 + text.size() / 5) % alphabet.size()];
  return text;
}

std::string hex(std::size_t size) {
  std::string text;
  while (text.size() < size) text += "0123456789abcdef"[(text.size() * 11 + text.size() / 3) % 16];
  return text;
}

std::string capitals(std::size_t size) {
  std::string text;
  while (text.size() < size)
    text += "QRTZ2MK7XWVB4NLC5YPJ3DHSGF6A"[(text.size() * 5 + text.size() / 4) % 28];
  return text;
}

const std::vector<Case>& cases() {
  static const std::string block = "MIIEow" + filled(58) + "\n" + filled(64) + "\n" + filled(20);
  static const std::vector<Case> all = {
      {"anthropic key", "key: ", "sk-ant-" + ("api03-" + filled(95)), " end"},
      {"openai key", "", "sk-proj-" + filled(120), ""},
      {"openai key", "(",
       "sk-" + filled(20) +
           ("T3Blbk"
            "FJ") +
           filled(20),
       ")"},
      {"openrouter key", "", "sk-or-" + ("v1-" + hex(64)), ""},
      {"google key", "?key=", "AIza" + filled(35), "&x"},
      {"groq key", "", "gsk_" + filled(52), ""},
      {"xai key", "", "xai-" + filled(80), ""},
      {"perplexity key", "", "pplx-" + filled(48), ""},
      {"replicate token", "", "r8_" + filled(37), ""},
      {"huggingface token", "HF=", "hf_" + filled(34), ""},
      {"aws access key id", "", "AKIA" + capitals(16), "\n"},
      {"aws access key id", "", "ASIA" + capitals(16), ","},
      {"aws secret key", "aws_secret_access_key = ", filled(30) + ("/+" + filled(8)), "\n"},
      {"aws secret key", "\"SecretAccessKey\": \"", filled(40), "\""},
      {"github token", "", "ghp_" + filled(36), ""},
      {"github token", "https://x-access-token@", "ghs_" + filled(36), "@github.com"},
      {"github token", "", "github_" + ("pat_" + filled(22)) + "_" + filled(59), ""},
      {"gitlab token", "", "glpat-" + filled(20), ""},
      {"slack token", "", "xoxb-" + ("273846152930-918273645546-" + filled(24)), ""},
      {"slack token", "", "xapp-" + ("1-A0B1C2D3E4-273846152930-" + hex(64)), ""},
      {"slack webhook", "https://hooks.slack.com/services/",
       "T0AB12CD3/" + ("B0AB12CD3/" + filled(24)), ""},
      {"stripe key", "", "sk_live_" + filled(24), ""},
      {"stripe key", "", "rk_live_" + filled(99), ""},
      {"npm token", "_authToken=", "npm_" + filled(36), ""},
      {"pypi token", "", "pypi-" + ("AgEIcHlwaS5vcmc" + filled(150)), ""},
      {"docker token", "", "dckr_" + ("pat_" + filled(27)), ""},
      {"digitalocean token", "", "dop_" + ("v1_" + hex(64)), ""},
      {"databricks token", "", "dapi" + hex(32), ""},
      {"vault token", "", "hvs." + filled(95), ""},
      {"sendgrid key", "", "SG." + filled(22) + "." + filled(43), ""},
      {"twilio key", "", "SK" + hex(32), ""},
      {"azure storage key", "AccountName=a;AccountKey=", filled(86) + "==", ";"},
      {"age key", "", "AGE-SECRET-" + ("KEY-1" + capitals(58)), ""},
      {"logwood token", "Authorization: Bearer ", "lwt_" + filled(43), ""},
      {"json web token", "Bearer ", "eyJ" + filled(30) + (".eyJ" + filled(60)) + "." + filled(43),
       ""},
      {"private key", "cat key.pem\n",
       "-----BEGIN RSA " + ("PRIVATE KEY-----\n" + block) + "\n-----END RSA " + "PRIVATE KEY-----",
       "\n$"},
      {"private key", "",
       "-----BEGIN " + ("PRIVATE KEY-----\\n" + filled(64)) + "\\n" + filled(64) + "\\n-----END " +
           "PRIVATE KEY-----",
       "\""},
      {"password in a url", "DATABASE_URL=postgres://app:", "Tr0ub4" + std::string("dor&3"),
       "@db.internal:5432/app"},
      {"password in a url", "git clone https://bob:", "correct-" + std::string("horse"),
       "@git.host/x.git"},
      {"password in a url", "postgresql+psycopg2://u:", "p%40ss" + std::string("w0rt"), "@h/d"},
      {"password in a url", "redis://:", "hunter" + std::string("2hunter"), "@cache:6379"},
  };
  return all;
}

TEST(Secrets, AreFoundByEachRuleAndAreWhatStandsThere) {
  std::set<std::string_view> tried;
  for (const Case& one : cases()) {
    const std::string text = one.before + one.secret + one.after;
    const auto found = find_secrets(text);
    ASSERT_EQ(found.size(), 1U) << text;
    EXPECT_EQ(found[0].rule, one.rule) << text;
    EXPECT_EQ(text.substr(found[0].begin, found[0].end - found[0].begin), one.secret) << one.rule;
    tried.insert(found[0].rule);
  }
  for (const SecretRule& rule : secret_rules) EXPECT_TRUE(tried.contains(rule.name)) << rule.name;
}

TEST(Secrets, OfTheWrongLengthOrInsideAWordAreNone) {
  for (const Case& one : cases()) {
    if (one.rule == "password in a url" || one.rule == "private key") continue;
    EXPECT_THAT(find_secrets(one.before + one.secret.substr(0, 14) + one.after), IsEmpty())
        << one.rule << " cut short";
    if (one.rule == "aws secret key" || one.rule == "azure storage key") continue;
    if (one.rule == "slack webhook") continue;
    EXPECT_THAT(find_secrets("some" + one.secret), IsEmpty()) << one.rule << " inside a word";
  }
  EXPECT_THAT(find_secrets("AIza" + filled(36)), IsEmpty());
  EXPECT_THAT(find_secrets("AKIA" + capitals(17)), IsEmpty());
  EXPECT_THAT(find_secrets(filled(40)), IsEmpty()) << "a secret key of aws without its name";
}

TEST(Secrets, ThatArePlaceholdersAreNone) {
  const std::string texts[] = {
      "sk-ant-api03-" + std::string(95, 'x'),
      "sk-ant-api03-your-key-goes-here-" + filled(60),
      "export OPENAI_API_KEY=sk-proj-" + std::string(64, '0'),
      "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      "<your key>",
      "AKIAIOSFODNN7" + std::string("EXAMPLE"),
      "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/" + std::string("bPxRfiCYEXAMPLEKEY"),
      "ghp_" + std::string(36, 'a'),
      "ghp_abcdefghijklmnopqrstuvwxyz" + std::string("0123456789"),
      "glpat-EXAMPLE" + filled(20),
      "npm_0123456789" + filled(26),
      "SK00000000000000000000000000000000",
      "lwt_" + std::string(43, 'A'),
      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0." +
          filled(43),
      "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
      "it begins with -----BEGIN RSA PRIVATE KEY----- and then the key follows in base64",
      "postgres://user:password@localhost/db",
      "postgres://user:${DB_PASSWORD}@localhost/db",
      "mysql://root:****@h/d",
      "https://user:<token>@host",
      "redis://:%s@cache",
      "http://localhost:8080/@scope/name",
      "https://example.org/a:b@c",
      "https://user:pw@host",
  };
  for (const std::string& text : texts) EXPECT_THAT(find_secrets(text), IsEmpty()) << text;
}

TEST(Secrets, ThatStandOneAfterTheOtherAreAllFound) {
  std::string text;
  for (const Case& one : cases()) text += one.before + one.secret + one.after + " and\n";
  EXPECT_EQ(find_secrets(text).size(), cases().size());
}

TEST(Secrets, BehindAVariableOfAUrlAreFound) {
  const auto found = find_secrets("https://${USER}:x-${ghp_" + (filled(36) + "}@github.com"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "github token");
}

TEST(Secrets, LongerThanUsualAreTakenWhole) {
  const std::string text = "sk-ant-" + ("api03-" + filled(500));
  const auto found = find_secrets(text);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].end, text.size());
}

TEST(Secrets, OfAnEntryAreThoseOfItsStringsHoweverTheyAreSpelled) {
  const std::string token = "ghp_" + filled(36);
  const std::string escaped = "\\u0067hp_" + filled(36);
  const std::string entry = R"({"id":")" + token + R"(","type":"message","payload":{"a":"x )" +
                            token + R"( y","b":["\n)" + escaped + R"(\/"],")" + token + R"(":1}})";
  EXPECT_THAT(secrets_in_entry(entry), ElementsAre("github token", "github token", "github token"));

  const std::string kept = without_secrets(entry);
  EXPECT_EQ(
      kept,
      R"({"id":")" + token +
          R"(","type":"message","payload":{"a":"x [redacted] y","b":["\n[redacted]/"],"[redacted]":1}})");
}

TEST(Secrets, InAStringThatStandsForNoTextHideAllOfIt) {
  const std::string entry =
      R"({"id":"e","type":"t","payload":{"a":"\ud800\n)" + ("ghp_" + filled(36)) + R"( rest"}})";
  EXPECT_EQ(without_secrets(entry), R"({"id":"e","type":"t","payload":{"a":"[redacted]"}})");
}

TEST(Secrets, ThatAreNoneLeaveEveryByteOfAnEntry) {
  const std::string entry = R"({ "id":"e", "type":"t","payload":{"a":"\/\u0041", "b": 1e400} })";
  EXPECT_EQ(without_secrets(entry), entry);
}

TEST(Secrets, AreLookedForInProportionToTheText) {
  // Each of these begins a match that turns out to be none.
  std::string text;
  while (text.size() < (2U << 20U)) text += "-sk-ant-api03-example-" + filled(40);
  EXPECT_THAT(find_secrets(text), IsEmpty());
  std::string urls;
  while (urls.size() < (2U << 20U)) urls += "https://u:${x}@h https://u:";
  EXPECT_THAT(find_secrets(urls), IsEmpty());
}

}  // namespace
}  // namespace logwood
