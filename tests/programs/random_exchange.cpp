// Random sessions of several models, written for each agent that we write files of, read back, and
// written for each of them again; and random files of the other agents, read, and written for each
// of them. What is read gives the file byte for byte; what was said in the files of other agents is
// on the path that the agent goes on with, in order, and nothing else is; and of each part of a
// session either the next file has it, or the report of writing that file says that it is lost.
//
//   random_exchange [--seed N] [--only NUMBER]
//
// With --only one session and one file of each kind is made, and shown.
#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_text.hpp"
#include "base/timestamp.hpp"
#include "exchange/carried_line.hpp"
#include "exchange/format.hpp"
#include "exchange/reading.hpp"
#include "logwood/origin.hpp"
#include "providers/api.hpp"
#include "support/numbered_campaign.hpp"
#include "support/random_agent_file.hpp"
#include "support/random_session.hpp"
#include "support/thousands.hpp"

namespace logwood {
namespace {

constexpr std::uint64_t sessions_in_campaign = 10'000;

struct Counts {
  std::uint64_t sessions = 0;
  std::uint64_t files = 0;
  std::uint64_t parts = 0;
  std::uint64_t lost_and_said = 0;
  std::uint64_t failures = 0;
};

std::string time_of(std::size_t number) {
  return format_timestamp(std::chrono::sys_days(std::chrono::year(2026) / 1 / 31) +
                          std::chrono::seconds(number));
}

// The messages as a path, now and then with a compaction on it.
std::vector<Entry> path_of(const RandomSession& session, std::mt19937_64& random) {
  std::vector<Entry> path;
  const auto put = [&](const std::string& type, std::string payload, std::string meta) {
    DraftFields fields{.type = type, .payload = std::move(payload)};
    fields.id = EntryId{"e" + std::to_string(path.size())};
    fields.parent = path.empty() ? Parent::root() : Parent::of(path.back().id);
    fields.timestamp = time_of(path.size());
    fields.meta = std::move(meta);
    if (auto entry = parse_entry(Draft::of(fields).text)) path.push_back(*std::move(entry));
  };
  for (const providers::StoredMessage& message : session.messages) {
    std::string meta;
    if (message.origin) {
      const canonical::Origin& by = *message.origin;
      meta = MessageOrigin{{std::string(providers::name_of(by.api)), std::string(by.provider),
                            std::string(by.model), std::string(by.account)},
                           ""}
                 .to_meta();
    }
    put("message", std::string(message.payload), std::move(meta));
    if (random() % 40 == 0 && !path.empty()) {
      const bool keeps = random() % 2 == 0;
      put("compaction_summary",
          "{\"summary\":\"what was said until " + path.back().id.text + "\"" +
              (keeps ? ",\"firstKeptEntryId\":\"" + path[random() % path.size()].id.text + "\""
                     : "") +
              "}",
          "");
    }
  }
  return path;
}

// The messages of a path, as they are read for a request. It looks into the path.
canonical::Request request_of(const std::vector<Entry>& path) {
  std::vector<providers::StoredMessage> messages;
  static std::vector<MessageOrigin> origins;
  origins.clear();
  origins.reserve(path.size());
  for (const Entry& entry : path) {
    if (entry.type != "message") continue;
    providers::StoredMessage stored{entry.id.text, entry.payload()};
    if (auto origin = MessageOrigin::of_meta(entry.meta())) {
      origins.push_back(*std::move(origin));
      const ModelRef& by = origins.back().by;
      stored.origin =
          canonical::Origin{providers::api_named(by.api), by.provider, by.account, by.model, {}};
    }
    messages.push_back(stored);
  }
  providers::StoredSession session;
  session.messages = messages;
  return providers::read_session(session);
}

class Campaign {
 public:
  explicit Campaign(bool shows) : shows_(shows) {}

  void run(std::uint64_t number, std::uint64_t seed) {
    std::mt19937_64 random(seed * 1'000'003 + number);
    const RandomSession session = random_session(random);
    const std::vector<Entry> path = path_of(session, random);
    ++counts_.sessions;
    for (const exchange::Format& first : exchange::formats()) {
      if (first.write == nullptr) continue;
      where_ = "session " + std::to_string(number) + " in " + std::string(first.name);
      const std::vector<Entry> there = passed_through(path, first);
      pass_on(there);
    }
    for (const RandomAgentShape& shape : random_agent_shapes()) {
      where_ = "session " + std::to_string(number) + " of " + std::string(shape.agent) + " (" +
               std::string(shape.name) + ")";
      pass_on(path_of_file(shape, random));
    }
  }

  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  // Writes the path for every agent.
  void pass_on(const std::vector<Entry>& path) {
    const std::string from = where_;
    for (const exchange::Format& agent : exchange::formats()) {
      if (agent.write == nullptr || path.empty()) continue;
      where_ = from + " in " + std::string(agent.name);
      (void)passed_through(path, agent);
    }
  }

  std::vector<Entry> path_of_file(const RandomAgentShape& shape, std::mt19937_64& random) {
    const RandomAgentFile file = shape.make(random);
    ++counts_.files;
    if (shows_) std::printf("%s\n%s\n", where_.c_str(), file.bytes.c_str());
    const exchange::Format* const agent = exchange::format_of({file.path, file.bytes});
    if (agent == nullptr || agent->name != shape.agent) {
      fail("the file is not known");
      return {};
    }
    const std::vector<Entry> entries = entries_in(file.path, file.bytes, *agent);
    std::vector<Entry> path = path_in(entries);
    if (marks_in(path) != file.said) fail("what was said is not what is read");
    const std::vector<std::string> all = marks_in(entries);
    const auto has = [&](const std::string& mark) {
      return std::find(all.begin(), all.end(), mark) != all.end();
    };
    if (!std::all_of(file.taken_back.begin(), file.taken_back.end(), has))
      fail("what was taken back is not on a branch");
    if (std::any_of(file.unsaid.begin(), file.unsaid.end(), has))
      fail("what nobody said is part of a message");
    if (first_kept_in(path) != file.first_kept) fail("compactions keep something else");
    counts_.parts += all.size();
    return path;
  }

  // Of what was said, in order.
  static std::vector<std::string> marks_in(const std::vector<Entry>& entries) {
    std::vector<std::string> marks;
    for (const Entry& entry : entries) {
      if (entry.type != "message" && entry.type != "compaction_summary") continue;
      std::string_view rest = entry.payload();
      for (auto mark = mark_in(rest); !mark.empty(); mark = mark_in(rest)) {
        marks.emplace_back(mark);
        rest.remove_prefix(static_cast<std::size_t>(mark.data() - rest.data()) + mark.size());
      }
    }
    return marks;
  }

  static std::vector<std::string> first_kept_in(const std::vector<Entry>& path) {
    std::vector<std::string> kept;
    for (const Entry& entry : path) {
      if (entry.type == "compaction_summary")
        kept.push_back(json_text_or_empty(json_member(entry.payload(), "firstKeptEntryId")));
    }
    return kept;
  }

  // The path as it is read from the file that was written of it.
  std::vector<Entry> passed_through(const std::vector<Entry>& path, const exchange::Format& agent) {
    const exchange::WriteOptions options{"019a0000-0000-7000-8000-000000000001", "/project",
                                         time_of(0)};
    SessionHeader header;
    header.id = {"s"};
    header.created = time_of(0);
    const exchange::WrittenSession written = agent.write({header, "", path}, options);
    ++counts_.files;
    if (shows_) {
      for (const Entry& entry : path) std::printf("%s\n", entry.text.c_str());
      std::printf("%s\n%s", where_.c_str(), written.bytes.c_str());
    }
    const std::vector<Entry> read = entries_in("session.jsonl", written.bytes, agent);
    if (!agent.detects({"session.jsonl", written.bytes}) &&
        written.bytes.find("\"content\"") != std::string::npos)
      fail("the file is not known again");
    std::string said;
    for (const Entry& entry : read) {
      if (entry.type == "message" || entry.type == "compaction_summary") said += entry.payload();
    }
    const canonical::Request before = request_of(path);
    for (const canonical::Message& message : before.messages) {
      // What a system prompt said is in the file, and never taken for a message again.
      if (message.role == canonical::Role::system) continue;
      for (const canonical::Part& part : message.parts)
        account_for(part, part.entry, said, written.report);
    }
    for (const Entry& entry : path) {
      if (entry.type == "compaction_summary")
        account_for(mark_in(entry.payload()), "summary", entry.id.text, said, written.report);
    }
    return path_in(read);
  }

  void account_for(const canonical::Part& part, std::string_view entry, const std::string& said,
                   const providers::Report& report) {
    for (const canonical::Part& inner : part.content) account_for(inner, entry, said, report);
    account_for(needle_of(part), name_of(part.kind), entry, said, report);
  }

  void account_for(std::string_view needle, std::string_view kind, std::string_view entry,
                   const std::string& said, const providers::Report& report) {
    if (needle.empty()) return;
    ++counts_.parts;
    if (said.find(needle) != std::string::npos) return;
    if (is_reported(report, std::string(entry))) {
      ++counts_.lost_and_said;
    } else {
      fail(std::string(kind) + " " + std::string(needle) + " of " + std::string(entry) +
           " is neither in the file nor reported");
    }
  }

  static bool is_reported(const providers::Report& report, const std::string& entry) {
    return std::any_of(report.warnings.begin(), report.warnings.end(),
                       [&](const providers::Warning& warning) {
                         return says_lost(warning) && warning.at == entry;
                       });
  }

  std::vector<Entry> entries_in(const std::string& path, const std::string& bytes,
                                const exchange::Format& agent) {
    std::vector<Entry> entries;
    exchange::Reading reading(agent, agent.head({path, bytes}), exchange::Carry::lines);
    std::string again;
    exchange::Line line;
    const auto take = [&](std::string_view text) {
      auto entry = parse_entry(std::string(text));
      if (!entry) return fail("what is read is no entry: " + entry.error().message);
      again += exchange::carried_line(*entry, agent.name).value_or("");
      entries.push_back(*std::move(entry));
    };
    const bool is_document = agent.split != nullptr;
    (is_document ? agent.split : exchange::split_lines)(bytes, [&](const exchange::Piece& piece) {
      line.text = is_document ? piece.text : piece.json;
      line.json = is_document ? piece.json : std::string_view();
      line.has_end = !is_document;
      line.offset = static_cast<std::uint64_t>(piece.text.data() - bytes.data());
      ++line.number;
      if (piece.is_superseded || piece.json.empty()) {
        reading.take_aside(line, take);
      } else {
        reading.take(line, take);
      }
    });
    if (again != bytes) fail("the file does not come out as it went in");
    for (const Problem& problem : reading.problems()) fail(describe(problem));
    return entries;
  }

  // From the last entry of the tree back to its root.
  static std::vector<Entry> path_in(const std::vector<Entry>& entries) {
    std::vector<Entry> path;
    std::optional<EntryId> wanted;
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      if (kind_of(entry->type) != EntryKind::tree) continue;
      if (!path.empty() && (!wanted || entry->id != *wanted)) continue;
      wanted = entry->parent_id;
      path.insert(path.begin(), *entry);
      if (!wanted) break;
    }
    return path;
  }

  void fail(const std::string& what) {
    if (++counts_.failures <= 20) std::printf("%s: %s\n", where_.c_str(), what.c_str());
  }

  bool shows_;
  Counts counts_;
  std::string where_;
};

}  // namespace
}  // namespace logwood

int main(int argc, char** argv) {
  const logwood::NumberedCampaign numbers(argc, argv);
  logwood::Campaign campaign(numbers.is_one());
  numbers.for_each(logwood::sessions_in_campaign,
                   [&](std::uint64_t number, std::uint64_t seed) { campaign.run(number, seed); });
  const logwood::Counts& counts = campaign.counts();
  std::printf(
      "random exchange: %s sessions, %s files, %s parts (%s lost, and reported), %s failures, seed "
      "%llu\n",
      logwood::thousands(counts.sessions).c_str(), logwood::thousands(counts.files).c_str(),
      logwood::thousands(counts.parts).c_str(), logwood::thousands(counts.lost_and_said).c_str(),
      logwood::thousands(counts.failures).c_str(), static_cast<unsigned long long>(numbers.seed()));
  return counts.failures == 0 && counts.sessions > 0 ? 0 : 1;
}
