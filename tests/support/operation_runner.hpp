// Carries out operations on a store and on the naive model of one, and compares
// the two after every step. A difference is thrown as a
// Disagreement (support/disagreement.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "logwood/store.hpp"
#include "support/naive_store.hpp"
#include "support/operation.hpp"
#include "support/test_database.hpp"

namespace logwood {

class OperationRunner {
 public:
  /// A store in this new folder, used through two handles as by two processes; or,
  /// with no folder, one in memory, whose files nobody can touch.
  explicit OperationRunner(std::optional<std::string> place);

  void run(const Operation& operation);

  /// Everything, through every handle and through a fresh one.
  void compare_all();

 private:
  struct Reader {
    EntryReader reader;
    std::size_t page_size;
    std::size_t position = 0;
  };
  struct Handle {
    std::optional<Store> store;
    std::chrono::milliseconds sync_interval{0};
    std::map<std::string, Reader> readers;
  };
  struct PastAppend {
    std::string session;
    std::vector<naive::NaiveDraft> drafts;
    AppendOptions options;
  };

  void open(Handle& handle);
  void tick();
  [[nodiscard]] bool is_shared() const { return place_.has_value(); }
  [[nodiscard]] bool has_files() const { return is_shared() && !is_in_database(*place_); }

  void create(const Operation& operation, Store& store, const std::string& id);
  void open_by_key(const Operation& operation, Store& store);
  void append(const Operation& operation, Store& store, const std::string& id);
  void append_again(const Operation& operation, Store& store);
  void append_drafts(Store& store, const std::string& id,
                     const std::vector<naive::NaiveDraft>& drafts, const AppendOptions& options);
  void read_page(const Operation& operation, Handle& handle, const std::string& id);
  void find(const Operation& operation, Store& store, const std::string& id);
  void list(const Operation& operation, Store& store);
  void remove(Store& store, const std::string& id);
  void migrate(Store& store, const std::string& id);
  void put_unsealed(const Operation& operation, const std::string& id);
  void change_file(const Operation& operation, const std::string& id);

  void compare_load(Store& store, const std::string& id);
  void compare_last(Store& store, const std::string& id, std::size_t limit, Along along);
  void compare_status(Store& store, const std::string& id);
  void compare_verify(Store& store, const std::string& id);
  void compare_file(const std::string& id);
  void expect_cut(naive::NaiveSession& session);
  void forget_readers(const std::string& id);

  [[nodiscard]] std::string session_file(const std::string& id) const;

  std::optional<std::string> place_;
  std::vector<Handle> handles_;
  naive::NaiveStore model_;
  std::vector<PastAppend> past_;
  std::vector<std::string> drawn_;  // ids that the stores asked for
  std::int64_t now_ms_ = 1'794'648'600'000;
  std::string now_text_;
};

}  // namespace logwood
