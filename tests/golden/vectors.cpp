// The vectors of docs/format.md (tests/vectors): for each file, what the format
// layer, and then a store that holds the file, must say.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/json_text.hpp"
#include "storage/jsonl/backend.hpp"
#include "support/oracle_text.hpp"
#include "support/simulated_disk.hpp"

namespace logwood {
namespace {

const std::string folder = std::string(LOGWOOD_SOURCE_FOLDER) + "/tests/vectors/";

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string text_of(std::string_view object, std::string_view name) {
  return json_string_value(json_member(object, name)).value_or("");
}

// A case of the manifest. Files too long to keep are given in parts to repeat.
struct Vector {
  std::string json;
  std::string name;
  std::string session_id;
  std::string bytes;
};

std::string bytes_of(std::string_view json) {
  if (const std::string file = text_of(json, "file"); !file.empty())
    return read_file(folder + file);
  return bytes_of_parts(json_member(json, "parts"));
}

std::vector<Vector> all_vectors() {
  std::vector<Vector> vectors;
  const std::string manifest = read_file(folder + "manifest.json");
  for_each_json_element(json_member(manifest, "cases"), [&](std::string_view json) {
    vectors.push_back(
        {std::string(json), text_of(json, "name"), text_of(json, "sid"), bytes_of(json)});
  });
  return vectors;
}

class Vectors : public ::testing::TestWithParam<Vector> {
 protected:
  void SetUp() override {
    disk_.put("logwood.json", R"({"format":"logwood","version":1,"requires":[]})");
    disk_.put("sessions/" + GetParam().session_id + ".jsonl", GetParam().bytes);
    for_each_blob(
        json_member(json(), "blobs"),
        [&](const std::string& path, const std::string& bytes) { disk_.put(path, bytes); });
    storage::jsonl::Options options;
    options.writer.sync_interval = std::chrono::milliseconds(0);
    options.writer.new_id = [] { return new_entry_id(); };
    options.writer.now = [] { return std::chrono::system_clock::now(); };
    auto store = storage::jsonl::open(disk_.start_process(), options);
    ASSERT_TRUE(store) << store.error().message;
    store_ = *std::move(store);
  }

  [[nodiscard]] std::string_view json() const { return GetParam().json; }
  [[nodiscard]] SessionId session() const { return {GetParam().session_id}; }

  io::SimulatedDisk disk_;
  std::unique_ptr<storage::StorageBackend> store_;
};

TEST_P(Vectors, AreReadAsTheDocumentSays) {
  const Vector& vector = GetParam();
  ASSERT_EQ(std::to_string(vector.bytes.size()), json_member(json(), "size"));
  EXPECT_EQ("", oracle_difference(vector.bytes, vector.session_id, format::AtRest::yes, json(),
                                  json_member(json(), "tail")));
  if (const auto unlocked = json_member(json(), "not_at_rest"); !unlocked.empty()) {
    EXPECT_EQ(
        "", oracle_difference(vector.bytes, vector.session_id, format::AtRest::no, unlocked, "[]"));
  }
}

// What the store returns: as the file's own id, as the id inside it, or unsealed.
std::string_view what_is_returned(std::string_view json) {
  if (const auto unsealed = json_member(json, "version_0"); !unsealed.empty()) return unsealed;
  const auto read_as = json_member(json_member(json, "session"), "read_as");
  return read_as.empty() ? json : read_as;
}

TEST_P(Vectors, AStoreReturnsTheEntriesAndNamesEveryProblem) {
  std::vector<std::string> expected;
  for_each_json_element(
      json_member(what_is_returned(json()), "entries"), [&](std::string_view entry) {
        expected.push_back(std::string(json_member(entry, "seq")) + " " + text_of(entry, "id") +
                           (json_member(entry, "flagged") == "true" ? " flagged" : ""));
      });
  std::vector<std::string> problems;
  for_each_json_element(json_member(what_is_returned(json()), "problems"),
                        [&](std::string_view problem) {
                          problems.push_back(text_of(problem, "problem") + " at " +
                                             std::string(json_member(problem, "offset")));
                        });
  if (text_of(json_member(json(), "session"), "why") == "renamed")
    problems.push_back("renamed at 0");

  auto loaded = store_->read(session(), {}, 1'000'000);
  auto report = store_->verify(session());

  ASSERT_TRUE(loaded) << loaded.error().message;
  std::vector<std::string> found;
  for (const Entry& entry : loaded->page.entries) {
    found.push_back(std::to_string(entry.seq) + " " + entry.id.text +
                    (entry.flagged ? " flagged" : ""));
  }
  EXPECT_EQ(found, expected);
  ASSERT_TRUE(report) << report.error().message;
  std::vector<std::string> reported;
  for (const Problem& problem : report->problems) {
    // These the vectors tell apart, as what is incomplete.
    if (problem.kind == ProblemKind::blob) continue;
    reported.push_back(std::string(name_of(problem.kind)) + " at " +
                       std::to_string(problem.offset));
  }
  // Verifying looks at the front of an entry, loading at all of it (F7.5): what is
  // an entry only at its front is found by the second.
  if (GetParam().name == "not-an-entry" || GetParam().name == "blob-list-leading-zero") {
    reported.clear();
    for (const Problem& problem : loaded->page.problems) {
      reported.push_back(std::string(name_of(problem.kind)) + " at " +
                         std::to_string(problem.offset));
    }
    EXPECT_EQ(reported, problems);
    return;
  }
  EXPECT_EQ(reported, problems);
  EXPECT_EQ(report->entries, expected.size());
}

using VectorsWithBlobs = Vectors;

TEST_P(VectorsWithBlobs, AStoreReturnsEachTextAndMarksWhatIsIncomplete) {
  EXPECT_EQ("", load_difference(GetParam().bytes, GetParam().session_id,
                                json_member(json(), "blobs"), json()));
}

TEST_P(Vectors, AStoreAppendsOnlyWhereTheDocumentAllowsIt) {
  const std::string_view expected = json_member(json(), "session");
  const bool numbers_left = json_member(json_member(json(), "last"), "next").size() <= 15;
  const bool writable = text_of(expected, "state") == "ok" && numbers_left;

  auto status = store_->status(session());
  const Draft draft = Draft::of({.type = "message", .id = EntryId{"zz"}});
  auto appended = store_->append(session(), {&draft, 1}, {});

  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(status->read_only.empty(), writable || !numbers_left) << status->read_only;
  ASSERT_EQ(appended.has_value(), writable) << (appended ? "" : appended.error().message);
  if (!writable) {
    const bool no_session = text_of(expected, "why") == "no_header";
    EXPECT_EQ(appended.error().code, no_session ? ErrorCode::damaged : ErrorCode::unsupported);
    EXPECT_EQ(disk_.content("sessions/" + GetParam().session_id + ".jsonl"), GetParam().bytes);
    return;
  }
  EXPECT_EQ(status->tail ? status->tail->text : "", text_of(expected, "tail"));
  EXPECT_EQ(status->head ? status->head->text : "", text_of(expected, "head"));
  auto newest = store_->read_last(session(), 1, Along::append_order);
  ASSERT_TRUE(newest) << newest.error().message;
  ASSERT_EQ(newest->entries.size(), 1U);
  EXPECT_EQ(newest->entries[0].id.text, "zz");
  EXPECT_EQ(std::to_string(newest->entries[0].seq),
            json_member(json_member(json(), "last"), "next"));
}

// So that a failure names the vector and does not show its bytes.
void PrintTo(const Vector& vector, std::ostream* out) { *out << vector.name; }

std::string name_of_vector(const ::testing::TestParamInfo<Vector>& vector) {
  std::string name = vector.param.name;
  for (char& c : name) {
    if (c == '-' || c == '.') c = '_';
  }
  return name;
}

std::vector<Vector> vectors_with_blobs() {
  std::vector<Vector> vectors = all_vectors();
  std::erase_if(vectors,
                [](const Vector& vector) { return json_member(vector.json, "blobs").empty(); });
  return vectors;
}

INSTANTIATE_TEST_SUITE_P(Files, Vectors, ::testing::ValuesIn(all_vectors()), name_of_vector);
INSTANTIATE_TEST_SUITE_P(Files, VectorsWithBlobs, ::testing::ValuesIn(vectors_with_blobs()),
                         name_of_vector);

}  // namespace
}  // namespace logwood
