// A store on a simulated disk with one session in it, made the same way every time.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "expect.hpp"
#include "logwood/append.hpp"
#include "logwood/entry.hpp"
#include "storage/backend.hpp"
#include "storage/jsonl/backend.hpp"
#include "support/simulated_disk.hpp"

namespace logwood::fuzz {

inline constexpr const char* session_name = "s";
inline constexpr const char* session_path = "sessions/s.jsonl";
inline constexpr const char* index_path = "index/s";

/// A process on that disk with the store open.
inline std::unique_ptr<storage::StorageBackend> open_store(io::SimulatedDisk& disk) {
  storage::jsonl::Options options;
  options.create = storage::jsonl::CreateStore::if_missing;
  options.writer.patience = std::chrono::milliseconds(0);
  options.writer.sync_interval = std::chrono::milliseconds(0);  // no thread
  options.writer.now = [] {
    return std::chrono::system_clock::time_point(std::chrono::seconds(1'794'648'600));
  };
  options.writer.new_id = [] { return new_entry_id(); };
  auto opened = storage::jsonl::open(disk.start_process(), options);
  expect(opened.has_value(), "a store opens");
  return *std::move(opened);
}

/// Entry `number` of the session: its id is e<number>.
inline Draft draft_of(std::size_t number) {
  DraftFields fields;
  fields.id = EntryId{"e" + std::to_string(number)};
  fields.type = number % 5 == 4 ? "tool_run" : "message";
  fields.payload = R"({"n":)" + std::to_string(number) + R"(,"text":")" +
                   std::string(number * 7 % 40, 'x') + "\"}";
  return Draft::of(fields);
}

/// Appends entries `first` … `first + count - 1` as one batch.
inline Result<AppendResult> append_batch(storage::StorageBackend& store, std::size_t first,
                                         std::size_t count,
                                         Durability durability = Durability::synced) {
  std::vector<Draft> drafts;
  for (std::size_t i = 0; i < count; ++i) drafts.push_back(draft_of(first + i));
  AppendOptions options;
  options.durability = durability;
  return store.append({session_name}, drafts, options);
}

inline Result<storage::PageFrom> load_all(storage::StorageBackend& store) {
  return store.read({session_name}, {}, SIZE_MAX);
}

}  // namespace logwood::fuzz
