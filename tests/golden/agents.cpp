// Every sample of another agent's files, as it is read here: header, entries, what a model would
// see, and what is wrong with it. The texts are in tests/golden/expected/agents; with
// LOGWOOD_ACCEPT set they are written instead, to be read before they are believed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "api/continuing.hpp"
#include "exchange/format.hpp"
#include "exchange/spilled_file.hpp"
#include "logwood/store.hpp"
#include "model/header.hpp"
#include "model/message.hpp"
#include "model/preview.hpp"
#include "storage/agents/agent_files.hpp"
#include "storage/agents/agent_glance.hpp"
#include "storage/agents/agent_session.hpp"
#include "storage/agents/agent_tail.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {
namespace {

namespace fs = std::filesystem;

const fs::path samples = fs::path(LOGWOOD_SOURCE_FOLDER) / "tests/agents/samples";
const fs::path expected = fs::path(LOGWOOD_SOURCE_FOLDER) / "tests/golden/expected/agents";

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The files of sessions below a folder, by name.
std::vector<std::string> session_files() {
  std::vector<std::string> found;
  // Beside them, or in a folder with what belongs to one session.
  constexpr std::string_view others[] = {"session_index.jsonl", "sessions.json", "archived.json"};
  for (const auto& one : fs::recursive_directory_iterator(samples)) {
    const std::string name = one.path().filename().string();
    const bool is_file =
        name.ends_with(".jsonl") || name.ends_with(".zst") || name.ends_with(".json");
    const bool is_other =
        std::find(std::begin(others), std::end(others), name) != std::end(others) ||
        name.ends_with(".meta.json") || name.ends_with(".context.json") ||
        name.ends_with(".loaded.json") ||
        one.path().string().find("/storage/") != std::string::npos;
    if (is_file && !is_other) found.push_back(fs::relative(one.path(), samples).string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class Sample : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    path_ = (samples / GetParam()).string();
    // What says no time goes by that of its file, which is another one in each copy of the project.
    const bool has_times = GetParam().find("chat/") == std::string::npos &&
                           GetParam().find("checkpoint") == std::string::npos;
    if (!has_times) {
      for (const auto& one : fs::directory_iterator(fs::path(path_).parent_path())) {
        const fs::path copy = fs::path(folder_.path()) / one.path().filename();
        if (!one.is_regular_file()) continue;
        fs::copy_file(one.path(), copy);
        fs::last_write_time(copy, fs::file_time_type::clock::from_sys(std::chrono::sys_seconds(
                                      std::chrono::sys_days(std::chrono::year(2026) / 1 / 31))));
      }
      path_ = (fs::path(folder_.path()) / fs::path(path_).filename()).string();
    }
    auto opened = Store::of_agent_file(path_);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::make_unique<Store>(*std::move(opened));
    auto page = store_->list();
    ASSERT_TRUE(page) << page.error().message;
    ASSERT_EQ(page->sessions.size(), 1U);
    header_ = page->sessions.front();
  }

  [[nodiscard]] std::string described() const {
    std::string text = fmt::format("{}  {}  {}\n", header_.id.text, header_.created, header_.cwd);
    const Origin& origin = *header_.origin;
    text += fmt::format("of {} {}, version {}, branch {}\n", origin.agent, origin.session_id,
                        origin.version, origin.git_branch);
    if (header_.parent) text += "sub-agent of " + header_.parent->session_id.text + "\n";
    const auto all = store_->load(header_.id);
    EXPECT_TRUE(all) << all.error().message;
    text += "\nentries\n";
    for (const Entry& entry : all->entries) {
      if (kind_of(entry.type) == EntryKind::header) continue;
      const Message message = read_message(entry.payload());
      text += fmt::format("{} {} < {}", entry.type, entry.id.text,
                          entry.parent_id ? entry.parent_id->text : "-");
      if (entry.type == "message") text += fmt::format(" [{}]", message.role);
      for (const ToolCall& call : message.tool_calls) text += " call " + call.name;
      for (const ToolResult& result : message.tool_results) text += " result " + result.call_id;
      for (const exchange::SpilledFile& file : exchange::spilled_files(entry)) {
        text += fmt::format(" in {}: {} bytes{}", file.name, file.bytes.size(),
                            file.is_whole ? "" : ", not all of it");
      }
      if (entry.type == "message") {
        text += " " + preview(message.text, 60);
      } else if (entry.type != "agent_line" && entry.type != "agent_entry") {
        text += " " + std::string(entry.payload());
      }
      text += "\n";
    }
    text += "\nproblems\n";
    const auto report = store_->verify(header_.id);
    EXPECT_TRUE(report) << report.error().message;
    for (const Problem& problem : report->problems) text += describe(problem) + "\n";
    const auto context = store_->context(header_.id);
    EXPECT_TRUE(context) << context.error().message;
    text += "\ncontext\n";
    for (const ContextMessage& message : context->messages) {
      text += fmt::format("{} {} {}\n", message.entry_id.text, message.type,
                          preview(read_message(message.payload).text, 60));
    }
    return text;
  }

  TemporaryFolder folder_;
  std::string path_;
  std::unique_ptr<Store> store_;
  SessionHeader header_;
};

TEST_P(Sample, IsReadAsExpected) {
  const std::string text = described();
  std::string name = GetParam();
  std::replace(name.begin(), name.end(), '/', '.');
  const fs::path file = expected / (name + ".txt");
  if (std::getenv("LOGWOOD_ACCEPT") != nullptr) {
    fs::create_directories(expected);
    std::ofstream(file, std::ios::binary) << text;
    return;
  }
  EXPECT_EQ(text, bytes_of(file)) << "LOGWOOD_ACCEPT=1 writes what is expected anew";
}

TEST_P(Sample, ComesOutAsItWent) {
  const auto report = store_->verify(header_.id);
  ASSERT_TRUE(report);
  auto own = Store::in_memory();
  ASSERT_TRUE(own);
  const auto imported = own->import_from(*store_, header_.id);
  ASSERT_TRUE(imported) << imported.error().message;
  const auto file = api::original_file(*own, header_.id, header_.origin->agent);
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_TRUE(file->has_value());
  std::string original = bytes_of(path_);
  // What is cut off at the end is not taken, since the agent may be writing it.
  const std::string& agent = header_.origin->agent;
  const bool is_whole = agent == "gemini" || agent == "chat" || agent == "opencode";
  const bool is_cut_off = !is_whole && !report->problems.empty() &&
                          report->problems.back().kind == ProblemKind::cut_off;
  if (is_cut_off) original.resize(original.rfind('\n') + 1);
  if (path_.ends_with(".zst")) original = bytes_of(path_.substr(0, path_.size() - 4));
  EXPECT_EQ((*file)->bytes, original);
}

TEST_P(Sample, IsReadFromItsEndAlike) {
  using namespace storage::agents;
  const auto none = [](const std::string&) { return std::optional<std::string>(); };
  AgentSource source;
  source.path = path_;
  auto lines = AgentLines::open(source, none);
  ASSERT_TRUE(lines) << lines.error().message;
  if (lines->is_document() || lines->head().refers_to_lines || lines->head().base) return;
  std::vector<std::string> from_end;
  AgentTail tail(*lines);
  const auto end = tail.read([&](Entry&& entry) {
    from_end.push_back(entry.text);
    return true;
  });
  ASSERT_TRUE(end) << end.error().message;
  const auto report = store_->verify(header_.id);
  ASSERT_TRUE(report);
  if (*end == AgentTail::End::irregular) {
    // Turns that were undone, and labels, depend on what came long before.
    const std::string bytes = bytes_of(path_);
    const bool is_plain = report->problem_count == 0 &&
                          bytes.find("thread_rolled_back") == std::string::npos &&
                          bytes.find("\"type\":\"label\"") == std::string::npos;
    EXPECT_FALSE(is_plain) << "a sound file is read from its end";
    return;
  }
  ASSERT_EQ(*end, AgentTail::End::start);
  std::vector<std::string> from_start;
  auto session = AgentSession::open(header_.id, source, none);
  ASSERT_TRUE(session);
  ASSERT_TRUE((*session)->walk({}, exchange::Carry::lines, [&](const ScannedEntry& entry) {
    if (entry.place.kind == EntryKind::header) return true;
    std::string text(entry.text);
    const std::size_t usage = text.find(",\"meta\":{\"usage\":");
    if (entry.place.type == "agent_line" && usage != std::string::npos)
      text = text.substr(0, usage) + "}";
    from_start.push_back(std::move(text));
    return true;
  }));
  std::reverse(from_end.begin(), from_end.end());
  EXPECT_EQ(from_end, from_start);
}

// What a list goes by before it has read a file is what it goes by afterwards.
TEST_P(Sample, IsKnownByItsEnds) {
  const auto files = storage::agents::only_file(path_);
  ASSERT_TRUE(files) << files.error().message;
  const auto& file = files->files.all().at(0);
  const auto glance = storage::agents::glance_at(file.id, file.source);
  if (!glance) return;  // a document, or packed
  const auto page = store_->summaries();
  ASSERT_TRUE(page) << page.error().message;
  const SessionSummary& summary = page->sessions.at(0);
  EXPECT_EQ(header_body(glance->header), header_body(summary.header));
  EXPECT_EQ(glance->header.cwd, summary.cwd);
  EXPECT_EQ(glance->last_active, summary.last_active);
}

TEST_P(Sample, IsImportedOnce) {
  auto own = Store::in_memory();
  ASSERT_TRUE(own);
  const auto first = own->import_from(*store_, header_.id);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->added, first->entries);
  const auto again = own->import_from(*store_, header_.id);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->already_there);
  EXPECT_EQ(again->added, 0U);
}

TEST_P(Sample, IsImportedBitByBit) {
  const bool is_lines = path_.ends_with(".jsonl") && header_.origin->agent != "gemini" &&
                        header_.origin->agent != "chat";
  if (!is_lines) return;  // it is read as a whole
  TemporaryFolder folder;
  const std::string original = bytes_of(path_);
  const std::string copy = (fs::path(folder.path()) / fs::path(path_).filename()).string();
  auto own = Store::in_memory();
  ASSERT_TRUE(own);
  std::optional<SessionId> id;
  for (std::size_t end = original.find('\n'); end != std::string::npos;
       end = original.find('\n', end + 1)) {
    std::ofstream(copy, std::ios::binary) << original.substr(0, end + 1);
    auto part = Store::of_agent_file(copy);
    if (!part) continue;  // too little to say what it is
    const auto page = part->list();
    ASSERT_TRUE(page);
    id = page->sessions.front().id;
    const auto imported = own->import_from(*part, *id);
    ASSERT_TRUE(imported) << imported.error().message;
  }
  ASSERT_TRUE(id);
  const auto whole = Store::of_agent_file(copy);
  ASSERT_TRUE(whole);
  auto at_once = Store::in_memory();
  ASSERT_TRUE(at_once);
  ASSERT_TRUE(at_once->import_from(const_cast<Store&>(*whole), *id));
  const auto bit_by_bit = own->load(*id);
  const auto all = at_once->load(*id);
  ASSERT_TRUE(bit_by_bit);
  ASSERT_TRUE(all);
  ASSERT_EQ(bit_by_bit->entries.size(), all->entries.size());
  for (std::size_t i = 1; i < all->entries.size(); ++i) {
    EXPECT_EQ(bit_by_bit->entries[i].text, all->entries[i].text);
  }
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

// Stores that are not one file a session.
TEST(Opencode, IsReadFromItsFilesAndFromItsDatabase) {
  for (const auto& [sample, version] :
       {std::pair("json-storage-1.1.11", "1.1.11"), std::pair("sqlite-1.18.33", "1.18.33")}) {
    TemporaryFolder home;
    const fs::path data = fs::path(home.path()) / ".local/share/opencode";
    fs::create_directories(data);
    fs::copy(samples / "opencode" / sample, data, fs::copy_options::recursive);
    auto agents = Store::of_agents({[&](const char* name) {
      return std::string(name) == "HOME" ? home.path() : std::string();
    }});
    ASSERT_TRUE(agents);
    const auto page = agents->list();
    ASSERT_TRUE(page);
    ASSERT_EQ(page->sessions.size(), 1U) << sample;
    const SessionHeader& header = page->sessions.front();
    EXPECT_EQ(header.origin->version, version);
    EXPECT_EQ(header.cwd, "/home/dev/orchard");
    // As the agent itself exports it.
    const auto exported =
        Store::of_agent_file((samples / "opencode" / sample / "export.json").string());
    ASSERT_TRUE(exported);
    const auto theirs = const_cast<Store&>(*exported).context(header.id);
    const auto ours = agents->context(header.id);
    ASSERT_TRUE(theirs);
    ASSERT_TRUE(ours);
    ASSERT_EQ(ours->messages.size(), theirs->messages.size()) << sample;
    for (std::size_t i = 0; i < ours->messages.size(); ++i) {
      EXPECT_EQ(without_spaces(ours->messages[i].payload),
                without_spaces(theirs->messages[i].payload));
    }
  }
}

// What was too long for a line lies in a file of its own: it is found, and put back.
TEST(Claude, KeepsWhatItSpilled) {
  const fs::path sample = samples / "claude/spilled.jsonl";
  const std::string name = "tool-results/toolu_01spilled.txt";
  TemporaryFolder home;
  const fs::path project = fs::path(home.path()) / "projects/-home-dev-orchard";
  const std::string id = "a7a7a7a7-0000-4000-8000-0000000000a7";
  fs::create_directories(project);
  fs::copy(sample, project / (id + ".jsonl"));
  fs::copy(samples / "claude/spilled", project / id, fs::copy_options::recursive);
  const auto variable = [&](const char* wanted) {
    return std::string(wanted) == "CLAUDE_CONFIG_DIR" ? home.path() : std::string();
  };
  auto agents = Store::of_agents({variable});
  ASSERT_TRUE(agents);
  const SessionId session{"claude-" + id};
  auto own = Store::in_memory();
  ASSERT_TRUE(own);
  const auto imported = own->import_from(*agents, session);
  ASSERT_TRUE(imported) << imported.error().message;
  for (Store* const store : {&*agents, &*own}) {
    const auto hits = store->search({.query = "marzipan"});
    ASSERT_TRUE(hits) << hits.error().message;
    EXPECT_EQ(hits->count, 1U);
  }

  fs::remove_all(project);
  api::ContinueOptions options;
  options.agent = exchange::format_named("claude");
  options.variable = variable;
  const auto continued = api::continue_in(*own, session, options);
  ASSERT_TRUE(continued) << continued.error().message;
  EXPECT_TRUE(continued->is_same);
  EXPECT_EQ(bytes_of(continued->file), bytes_of(sample));
  EXPECT_EQ(bytes_of(project / id / name), bytes_of(samples / "claude/spilled" / name));
  std::size_t files = 0;
  for (const auto& one : fs::recursive_directory_iterator(home.path()))
    files += one.is_regular_file() ? 1U : 0U;
  EXPECT_EQ(files, 2U);
}

TEST(Claude, FollowsNoLinkFromWhatItSpilled) {
  TemporaryFolder home;
  const fs::path folder(home.path());
  fs::copy(samples / "claude/spilled.jsonl", folder / "spilled.jsonl");
  std::ofstream(folder / "secret") << "marzipan";
  fs::create_directories(folder / "spilled/tool-results");
  fs::create_symlink(folder / "secret", folder / "spilled/tool-results/toolu_01spilled.txt");
  auto store = Store::of_agent_file(folder / "spilled.jsonl");
  ASSERT_TRUE(store) << store.error().message;
  const auto hits = store->search({.query = "marzipan"});
  ASSERT_TRUE(hits) << hits.error().message;
  EXPECT_EQ(hits->count, 0U);
}

// Whatever a file calls itself: nothing is written but where the agent looks.
TEST(Continuing, DoesNotGoByAnIdThatIsAPath) {
  TemporaryFolder home;
  const fs::path folder(home.path());
  std::string text = bytes_of(samples / "claude/spilled.jsonl");
  const std::string id = "a7a7a7a7-0000-4000-8000-0000000000a7";
  for (std::size_t at = 0; (at = text.find(id, at)) != std::string::npos;)
    text.replace(at, id.size(), "../../../x");
  std::ofstream(folder / "session.jsonl") << text;
  auto file = Store::of_agent_file(folder / "session.jsonl");
  ASSERT_TRUE(file) << file.error().message;
  auto own = Store::in_memory();
  ASSERT_TRUE(own);
  const auto imported = own->import_from(*file, file->list()->sessions.at(0).id);
  ASSERT_TRUE(imported) << imported.error().message;
  api::ContinueOptions options;
  options.agent = exchange::format_named("claude");
  options.cwd = "/home/dev/orchard";
  options.now = "2026-01-31T00:00:00.000Z";
  options.variable = [&](const char* name) {
    return std::string(name) == "CLAUDE_CONFIG_DIR" ? home.path() + "/a/b/c/claude" : std::string();
  };
  const auto continued = api::continue_in(*own, imported->header.id, options);
  ASSERT_TRUE(continued) << continued.error().message;
  EXPECT_FALSE(continued->is_same);
  EXPECT_TRUE(
      continued->file.starts_with(home.path() + "/a/b/c/claude/projects/-home-dev-orchard/"))
      << continued->file;
  EXPECT_FALSE(fs::exists(folder / "a/b/c/x.jsonl"));
}

INSTANTIATE_TEST_SUITE_P(Agents, Sample, ::testing::ValuesIn(session_files()), test_name);

}  // namespace
}  // namespace logwood
