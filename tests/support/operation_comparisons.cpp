// The half of OperationRunner that compares what a store says with what the model says.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "support/disagreement.hpp"
#include "support/naive_comparison.hpp"
#include "support/operation_runner.hpp"
#include "support/session_file_changes.hpp"

namespace logwood {

using naive::NaiveEntry;
using naive::NaiveSession;

// A torn end is gone from the file, and then it lies in quarantine.
void OperationRunner::expect_cut(NaiveSession& session) {
  const std::uint64_t torn = session.torn_bytes();
  if (torn == 0) return;
  const auto kept = contents_in(*place_ + "/quarantine", session.id + ".");
  const bool found = std::any_of(kept.begin(), kept.end(), [&](const std::string& bytes) {
    return bytes.size() == torn && bytes.ends_with(session.unended);
  });
  require(found, "the quarantine does not hold the torn end of ", session.id);
  session.cut_torn_end();
}

// The file has exactly the bytes that the model counts, except that somebody who is
// no reader may have cut a torn end.
void OperationRunner::compare_file(const std::string& id) {
  NaiveSession* session = model_.find(id);
  if (!has_files() || session == nullptr) return;
  const std::uint64_t size = std::filesystem::file_size(session_file(id));
  if (size != session->size_bytes()) expect_cut(*session);
  require(size == session->size_bytes(), "the file of ", id, " has ", size, " bytes, should have ",
          session->size_bytes());
}

void OperationRunner::compare_load(Store& store, const std::string& id) {
  const auto loaded = store.load({id});
  const NaiveSession* session = model_.find(id);
  if (session == nullptr) {
    require_error(loaded, ErrorCode::not_found, "load");
    return;
  }
  require_success(loaded, "load");
  require(!loaded->has_more, "load leaves something out");
  require_same(loaded->entries, session->entries);
  require(in_order(loaded->problems) == in_order(session->problems()), "load reports",
          spelled(loaded->problems), "\n  instead of", spelled(session->problems()));
}

void OperationRunner::compare_last(Store& store, const std::string& id, std::size_t limit,
                                   Along along) {
  const auto last = store.load_last({id}, limit, along);
  const NaiveSession* session = model_.find(id);
  if (session == nullptr) {
    require_error(last, ErrorCode::not_found, "load_last");
    return;
  }
  require_success(last, "load_last");
  std::vector<NaiveEntry> expected = session->newest(along == Along::path);
  require(last->has_more == (expected.size() > limit), "has_more of load_last is ", last->has_more);
  expected.resize(std::min(expected.size(), limit));
  require_same(last->entries, expected);
}

void OperationRunner::compare_status(Store& store, const std::string& id) {
  const auto status = store.status({id});
  const NaiveSession* session = model_.find(id);
  if (session == nullptr) {
    require_error(status, ErrorCode::not_found, "status");
    return;
  }
  require_success(status, "status");
  require(status->header.id.text == id && status->header.key == session->key &&
              status->header.created == session->created &&
              status->header.version == (session->sealed ? 1U : 0U),
          "the header differs");
  require(spelled(status->tail) == spelled(session->tail()), "the tail is ", spelled(status->tail),
          ", should be ", spelled(session->tail()));
  require(spelled(status->head) == spelled(session->head()), "the head is ", spelled(status->head),
          ", should be ", spelled(session->head()));
  require(status->read_only.empty() == session->sealed, "read_only is \"", status->read_only, '"');
}

void OperationRunner::compare_verify(Store& store, const std::string& id) {
  const auto report = store.verify({id});
  const NaiveSession* session = model_.find(id);
  if (session == nullptr) {
    require_error(report, ErrorCode::not_found, "verify");
    return;
  }
  require_success(report, "verify");
  const std::vector<Problem> expected = session->problems();
  require(
      report->entries == session->entries.size() && report->flagged == 0 && report->tombstones == 0,
      "verify counts ", report->entries, " entries");
  require(
      in_order(report->problems) == in_order(expected) && report->problem_count == expected.size(),
      "verify reports", spelled(report->problems), "\n  instead of", spelled(expected));
  const bool lost = std::any_of(expected.begin(), expected.end(),
                                [](const Problem& problem) { return is_loss(problem.kind); });
  require(report->is_sound() == !lost, "is_sound is ", report->is_sound());
  if (is_shared()) {
    require(report->size_bytes == session->size_bytes(), "verify looked at ", report->size_bytes,
            " bytes of ", session->size_bytes());
  }
}

void OperationRunner::compare_all() {
  const auto compare = [&](Store& store) {
    for (const NaiveSession& session : model_.sessions()) {
      compare_load(store, session.id);
      compare_status(store, session.id);
      compare_verify(store, session.id);
      for (const std::size_t limit : {1U, 3U, 1000U}) {
        compare_last(store, session.id, limit, Along::append_order);
        compare_last(store, session.id, limit, Along::path);
      }
      for (const NaiveEntry& entry : session.entries) {
        const auto found = store.find({session.id}, {entry.id});
        require_success(found, "find");
        require_same(*found, entry);
      }
    }
  };
  for (Handle& handle : handles_) compare(*handle.store);
  if (!is_shared()) return;
  for (Handle& handle : handles_) open(handle);
  for (const NaiveSession& session : model_.sessions()) compare_file(session.id);
  for (Handle& handle : handles_) compare(*handle.store);
}

}  // namespace logwood
