// Random sessions of several providers, each made into a request for every target we know. No
// request may break a rule, by our linter and by the validators in tests/providers (node), and
// every part of a session is in the request or in the report.
//
//   random_requests [--seed N] [--only NUMBER]
//
// With --only one session is made, and everything about it is shown.
#include <cstdio>
#include <random>
#include <string>

#include "base/json_text.hpp"
#include "base/json_writer.hpp"
#include "providers/api.hpp"
#include "providers/conversion.hpp"
#include "providers/lint.hpp"
#include "providers/request.hpp"
#include "support/numbered_campaign.hpp"
#include "support/random_session.hpp"
#include "support/thousands.hpp"

namespace logwood {
namespace {

using canonical::Message;
using canonical::Part;

constexpr std::uint64_t sessions_in_campaign = 200'000;

struct Counts {
  std::uint64_t sessions = 0;
  std::uint64_t requests = 0;
  std::uint64_t parts = 0;
  std::uint64_t lost_and_said = 0;
  std::uint64_t failures = 0;
};

class Campaign {
 public:
  Campaign(std::FILE* validators, bool shows) : validators_(validators), shows_(shows) {}

  void run(std::uint64_t number, std::uint64_t seed) {
    std::mt19937_64 random(seed * 1'000'003 + number);
    const RandomSession session = random_session(random);
    canonical::Request request = session.read();
    break_some(request, random);
    if (shows_) {
      for (const auto& message : session.messages) {
        std::printf("%s %s\n", std::string(message.entry).c_str(),
                    std::string(message.payload).c_str());
      }
    }
    ++counts_.sessions;
    for (const providers::Target& target : known_targets()) check(number, request, target);
  }

  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  void check(std::uint64_t number, const canonical::Request& request,
             const providers::Target& target) {
    const providers::Written written = providers::write_request(request, target);
    ++counts_.requests;
    where_ = "session " + std::to_string(number) + " for " + target.model;
    if (shows_) std::printf("%s\n%s\n", where_.c_str(), written.body.c_str());
    if (shows_) std::printf("%s\n", providers::told(written.report).to_json().c_str());
    const auto faults = providers::lint(
        providers::name_of(target.api), written.body,
        {target.model, target.dialect == providers::Dialect::deepseek ? "deepseek" : ""});
    if (!faults) return fail(faults.error().message);
    for (const providers::Fault& fault : *faults) {
      if (fault.rule->level == providers::Level::error) {
        fail(std::string(fault.rule->name) + " at " + fault.path + " " + fault.detail);
      }
    }
    for (const Message& message : request.messages) {
      for (const Part& part : message.parts) account_for(part, part, written);
    }
    validate(written.body, target);
  }

  void account_for(const Part& part, const Part& place, const providers::Written& written) {
    for (const Part& inner : part.content) account_for(inner, place, written);
    const std::string_view needle = needle_of(part);
    if (needle.empty()) return;
    ++counts_.parts;
    if (written.body.find(needle) != std::string::npos) return;
    for (const auto& warning : written.report.warnings) {
      if (warning.at == place.entry && warning.part == place.place && says_lost(warning)) {
        ++counts_.lost_and_said;
        return;
      }
    }
    fail("a part is neither sent nor reported: " + std::string(name_of(part.kind)) + " " +
         std::string(needle) + " of " + std::string(place.entry));
  }

  void validate(const std::string& body, const providers::Target& target) {
    if (validators_ == nullptr) return;
    JsonWriter json;
    json.begin_object().key("where").text(where_).key("api").text(providers::name_of(target.api));
    json.key("model").text(target.model);
    if (target.dialect == providers::Dialect::deepseek) json.key("flavor").text("deepseek");
    json.key("request").json(body).end_object();
    const std::string line = json.take() + "\n";
    std::fwrite(line.data(), 1, line.size(), validators_);
  }

  void fail(const std::string& what) {
    if (++counts_.failures <= 20) std::printf("%s: %s\n", where_.c_str(), what.c_str());
  }

  std::FILE* validators_;
  bool shows_;
  Counts counts_;
  std::string where_;
};

}  // namespace
}  // namespace logwood

int main(int argc, char** argv) {
  const logwood::NumberedCampaign numbers(argc, argv);
  const std::string command =
      std::string("node '") + LOGWOOD_SOURCE_FOLDER + "/tests/providers/validate_lines.mjs'";
  std::FILE* const validators = popen(command.c_str(), "w");
  logwood::Campaign campaign(validators, numbers.is_one());
  numbers.for_each(logwood::sessions_in_campaign,
                   [&](std::uint64_t number, std::uint64_t seed) { campaign.run(number, seed); });
  const bool is_valid = validators != nullptr && pclose(validators) == 0;
  const logwood::Counts& counts = campaign.counts();
  if (!is_valid) std::printf("the validators refuse some of it\n");
  std::printf(
      "random requests: %s sessions, %s requests, %s parts (%s not sent, and reported), %s "
      "failures, "
      "seed %llu\n",
      logwood::thousands(counts.sessions).c_str(), logwood::thousands(counts.requests).c_str(),
      logwood::thousands(counts.parts).c_str(), logwood::thousands(counts.lost_and_said).c_str(),
      logwood::thousands(counts.failures).c_str(), static_cast<unsigned long long>(numbers.seed()));
  return counts.failures == 0 && is_valid && counts.sessions > 0 ? 0 : 1;
}
