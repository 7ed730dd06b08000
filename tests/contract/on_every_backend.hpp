// The fixture of the contract suite: a store on each backend.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "logwood/store.hpp"
#include "support/backends.hpp"
#include "support/temporary_folder.hpp"

namespace logwood {

inline Draft message(const std::string& text) {
  return Draft::of({.type = "message", .payload = R"({"role":"user","content":")" + text + "\"}"});
}

inline Draft message(const std::string& id, const std::string& text) {
  return Draft::of({.type = "message",
                    .payload = R"({"role":"user","content":")" + text + "\"}",
                    .id = EntryId{id}});
}

inline std::vector<std::string> ids(const std::vector<Entry>& entries) {
  std::vector<std::string> found;
  for (const Entry& entry : entries) {
    if (kind_of(entry.type) != EntryKind::header) found.push_back(entry.id.text);
  }
  return found;
}

ErrorCode code_of(const auto& result) { return result ? ErrorCode::internal : result.error().code; }

class OnEveryBackend : public ::testing::TestWithParam<BackendKind> {
 protected:
  void SetUp() override { open(); }

  void open(StoreOptions options = {}) {
    if (place_.empty()) place_ = new_place(GetParam(), folder_.path());
    if (!is_in_database(place_)) options.create = StoreOptions::Create::if_missing;
    auto opened = GetParam() == BackendKind::memory ? Store::in_memory(options)
                                                    : Store::open(place_, options);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::make_unique<Store>(*std::move(opened));
  }

  [[nodiscard]] bool has_files() const { return GetParam() == BackendKind::folder; }

  // What another process would see: memory has no other processes.
  void reopen() {
    if (GetParam() == BackendKind::memory) return;
    store_.reset();
    open();
  }

  SessionId make_session(const std::string& key = "") {
    auto header = store_->create({.key = key});
    EXPECT_TRUE(header) << header.error().message;
    return header->id;
  }

  std::vector<std::string> loaded(const SessionId& session) {
    auto page = store_->load(session);
    EXPECT_TRUE(page) << page.error().message;
    EXPECT_THAT(page->problems, ::testing::IsEmpty());
    return ids(page->entries);
  }

  TemporaryFolder folder_;
  std::string place_;  // of the store
  std::unique_ptr<Store> store_;
};

#define LOGWOOD_ON_EVERY_BACKEND(Suite)                                          \
  INSTANTIATE_TEST_SUITE_P(EveryBackend, Suite, ::testing::ValuesIn(backends()), \
                           [](const auto& kind) { return name_of_backend(kind.param); })

}  // namespace logwood
