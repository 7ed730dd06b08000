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
#include "logwood/store.hpp"
#include "model/message.hpp"
#include "model/preview.hpp"
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
  for (const char* const agent : {"pi", "claude", "codex", "openclaw"}) {
    for (const auto& one : fs::recursive_directory_iterator(samples / agent)) {
      const std::string name = one.path().filename().string();
      const bool is_session = name.ends_with(".jsonl") || name.ends_with(".jsonl.zst");
      if (is_session && name != "session_index.jsonl")
        found.push_back(fs::relative(one.path(), samples).string());
    }
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
  const auto bytes = api::original_file(*own, header_.id, header_.origin->agent);
  ASSERT_TRUE(bytes) << bytes.error().message;
  ASSERT_TRUE(bytes->has_value());
  std::string original = bytes_of(path_);
  // What is cut off at the end is not taken, since the agent may be writing it.
  const bool is_cut_off =
      !report->problems.empty() && report->problems.back().kind == ProblemKind::cut_off;
  if (is_cut_off) original.resize(original.rfind('\n') + 1);
  if (path_.ends_with(".zst")) original = bytes_of(path_.substr(0, path_.size() - 4));
  EXPECT_EQ(**bytes, original);
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
  if (path_.ends_with(".zst")) return;
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

INSTANTIATE_TEST_SUITE_P(Agents, Sample, ::testing::ValuesIn(session_files()), test_name);

}  // namespace
}  // namespace logwood
