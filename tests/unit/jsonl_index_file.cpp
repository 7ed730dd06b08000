// The index may be anything: old, cut, of another session, or wrong with a right checksum.
// What a session says must not depend on it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/crc32c.hpp"
#include "format/pieces.hpp"
#include "storage/jsonl/index_file.hpp"
#include "support/stored_disk.hpp"

namespace logwood::storage::jsonl {
namespace {

using ::testing::SizeIs;

constexpr std::size_t header_at = 8;  // behind the magic number
constexpr std::size_t records_at = sizeof(IndexHeader) + 16;

IndexHeader header_in(const std::string& index) {
  IndexHeader header;
  std::memcpy(&header, index.data() + header_at, sizeof header);
  return header;
}

void put_header(std::string& index, const IndexHeader& header) {
  const std::uint64_t crc =
      Crc32c().add({reinterpret_cast<const char*>(&header), sizeof header}).value();
  std::memcpy(index.data() + header_at, &header, sizeof header);
  std::memcpy(index.data() + header_at + sizeof header, &crc, sizeof crc);
}

class IndexOfASession : public ::testing::Test {
 protected:
  void SetUp() override {
    auto store = *stored_.open();
    ASSERT_TRUE(store->create({.id = session_}));
    for (const char* id : {"a", "b"}) append(*store, id);
    ASSERT_TRUE(store->close());
    index_ = *stored_.disk().content("index/s");
    ASSERT_EQ(header_in(index_).record_count, 3U);
  }

  void append(StorageBackend& store, const std::string& id) {
    const Draft draft = Draft::of({.type = "message", .id = EntryId{id}});
    const auto appended = store.append(session_, {&draft, 1}, {});
    ASSERT_TRUE(appended) << appended.error().message;
  }

  void spoil_records() {
    std::string bytes = *stored_.disk().content("index/s");
    ASSERT_GT(bytes.size(), records_at);
    for (char& byte : std::span(bytes).subspan(records_at)) byte ^= 1;
    stored_.disk().put("index/s", bytes);
  }

  StoredDisk stored_;
  SessionId session_{"s"};
  std::string index_;
};

TEST_F(IndexOfASession, IsNotBelievedAboutTheEndsWhenItPointsAtNoLine) {
  const IndexHeader good = header_in(index_);
  const std::string bytes = *stored_.disk().content("sessions/s.jsonl");
  const LineRef first_line{0, bytes.find('\n')};
  const std::vector<std::function<void(IndexHeader&)>> lies{
      [](IndexHeader& header) { header.tail.size = format::line_size_max + 1; },
      [](IndexHeader& header) { ++header.tail.offset; },
      [](IndexHeader& header) { header.tail.offset = 1U << 30U; },
      [](IndexHeader& header) { ++header.head.offset; },
      [&](IndexHeader& header) { header.head = first_line; },
  };
  for (std::size_t lie = 0; lie < lies.size(); ++lie) {
    IndexHeader header = good;
    lies[lie](header);
    put_header(index_, header);
    stored_.disk().put("index/s", index_);

    const auto status = (*stored_.open())->status(session_);

    ASSERT_TRUE(status) << "lie " << lie;
    EXPECT_EQ(status->tail, EntryId{"b"}) << "lie " << lie;
    EXPECT_EQ(status->head, EntryId{"b"}) << "lie " << lie;
  }
}

// The reader has begun from the index and gone on from there, when its records turn out
// to be spoiled.
TEST_F(IndexOfASession, IsReplacedByAWalkWhenItsRecordsAreSpoiled) {
  auto reader = *stored_.open();
  auto writer = *stored_.open();
  append(*writer, "c");
  ASSERT_EQ(reader->status(session_)->tail, EntryId{"c"});
  append(*writer, "d");
  ASSERT_EQ(reader->status(session_)->tail, EntryId{"d"});
  spoil_records();
  std::string bytes = *stored_.disk().content("sessions/s.jsonl");
  bytes[bytes.find(R"("id":"c")") + 1] = 'x';
  stored_.disk().put("sessions/s.jsonl", bytes);

  for (const char* id : {"a", "b", "d"}) EXPECT_TRUE(reader->find(session_, {id})) << id;
  EXPECT_EQ(reader->find(session_, {"c"}).error().code, ErrorCode::not_found) << "damaged";
}

TEST_F(IndexOfASession, ThatCannotBeReplacedIsAnErrorAndNotAMissingEntry) {
  spoil_records();
  for (std::uint64_t call = 1;; ++call) {
    ASSERT_LT(call, 100U);
    auto reader = *stored_.open();
    auto writer = *stored_.open();
    ASSERT_TRUE(reader->status(session_));
    append(*writer, "c" + std::to_string(call));
    ASSERT_TRUE(reader->status(session_));
    spoil_records();
    const std::uint64_t faults_before = stored_.disk().faults().faults();
    stored_.disk().faults().plan({.operation = io::Operation::read_at, .at_call = call});
    const auto found = reader->find(session_, {"a"});
    const bool failed = stored_.disk().faults().faults() > faults_before;
    stored_.disk().faults().clear();
    if (!found) {
      EXPECT_EQ(found.error().code, ErrorCode::unavailable) << "call " << call;
    }
    EXPECT_TRUE(reader->find(session_, {"a"})) << "call " << call;
    stored_.disk().put("index/s", index_);
    if (!failed) break;
  }
}

TEST_F(IndexOfASession, ThatCanOnlyBeReadInPartHasNoRecords) {
  const auto files = stored_.disk().start_process();
  const auto header = read_index_header(*files, "index/s");
  ASSERT_TRUE(header);
  stored_.disk().faults().plan({.operation = io::Operation::read_at, .short_bytes = 40});
  EXPECT_FALSE(read_index_records(*files, "index/s", *header));
  const auto records = read_index_records(*files, "index/s", *header);
  ASSERT_TRUE(records);
  EXPECT_THAT(*records, SizeIs(3));
}

class WrittenIndex : public ::testing::Test {
 protected:
  static IdIndex ids_of(const SipKey& key, int count) {
    IdIndex ids(key);
    for (int i = 0; i < count; ++i) ids.add({"e" + std::to_string(i)}, "", {});
    return ids;
  }

  // What is in the file afterwards is what was to be written, however it got there.
  void write_and_check(const IdIndex& ids, const std::optional<IndexHeader>& known) {
    const auto written = write_index(*files_, "index/s", {}, ids, known);
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_EQ(written->record_count, ids.size());
    EXPECT_EQ(read_index_header(*files_, "index/s"), *written);
    const auto records = read_index_records(*files_, "index/s", *written);
    ASSERT_TRUE(records);
    ASSERT_EQ(records->size(), ids.size());
    EXPECT_EQ(std::memcmp(records->data(), ids.from(0).data(), ids.from(0).size_bytes()), 0);
  }

  io::SimulatedDisk disk_;
  std::unique_ptr<io::FileSystem> files_ = disk_.start_process();
  SipKey key_{1, 2};
};

TEST_F(WrittenIndex, GrowsWhereItIsTheOneThatIsKnown) {
  const auto known = write_index(*files_, "index/s", {}, ids_of(key_, 3), std::nullopt);
  ASSERT_TRUE(known);
  write_and_check(ids_of(key_, 5), *known);
}

TEST_F(WrittenIndex, IsWrittenAnewWhenItsRecordsHaveAnotherKeyOrAreMoreThanWeHave) {
  const auto known = write_index(*files_, "index/s", {}, ids_of(key_, 3), std::nullopt);
  ASSERT_TRUE(known);
  write_and_check(ids_of({3, 4}, 5), *known);
  const auto larger = read_index_header(*files_, "index/s");
  write_and_check(ids_of({3, 4}, 2), larger);
}

TEST_F(WrittenIndex, IsLeftAloneByWhoLacksRecordsThatItDoesNotHold) {
  const auto known = write_index(*files_, "index/s", {}, ids_of(key_, 3), std::nullopt);
  ASSERT_TRUE(known);
  const auto before = disk_.content("index/s");
  const IdIndex lacking(key_, 4);
  EXPECT_EQ(write_index(*files_, "index/s", {}, lacking, *known).error().code,
            ErrorCode::unavailable);
  EXPECT_EQ(disk_.content("index/s"), before);
}

}  // namespace
}  // namespace logwood::storage::jsonl
