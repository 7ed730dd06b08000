#include "storage/jsonl/handles.hpp"

#include <algorithm>
#include <utility>

namespace logwood::storage::jsonl {

std::shared_ptr<Handle> Handles::of(const SessionId& session) {
  std::shared_ptr<Handle> wanted;
  std::vector<std::shared_ptr<Handle>> idle;
  std::shared_ptr<Handle> unsynced;
  {
    const std::lock_guard guard(mutex_);
    auto& handle = handles_[session.text];
    if (!handle) handle = std::make_shared<Handle>();
    handle->last_used = ++uses_;
    wanted = handle;
    if (handles_.size() > limit_) {
      idle = take_idle();
      if (idle.empty()) unsynced = oldest_unsynced();
    }
  }
  for (const auto& handle : idle) {
    if (handle->writer) (void)handle->writer->close();  // leaves its index behind
  }
  // Once it is synced it is idle, and the next call lets go of it. A failure stays
  // with the writer, which tells it to whoever uses it next.
  if (unsynced) {
    const std::lock_guard queue(unsynced->writers);
    if (unsynced->writer) (void)unsynced->writer->flush();
  }
  return wanted;
}

// Where only the table owns a handle nobody is at work on it, and nobody can begin
// while the table is locked. More than one is taken, as looking at all costs.
std::vector<std::shared_ptr<Handle>> Handles::take_idle() {
  using Place = decltype(handles_)::iterator;
  std::vector<Place> places;
  for (auto place = handles_.begin(); place != handles_.end(); ++place) {
    const auto& handle = place->second;
    if (handle.use_count() != 1) continue;
    const std::scoped_lock queues(handle->writers, handle->readers);  // free; sees what was done
    const auto& writer = handle->writer;
    const bool is_bound = writer && (writer->has_unsynced() || writer->is_poisoned());
    if (!is_bound) places.push_back(place);
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a->second->last_used < b->second->last_used;
  });
  places.resize(std::min(places.size(), 1 + limit_ / 8));
  std::vector<std::shared_ptr<Handle>> taken;
  for (const Place& place : places) {
    taken.push_back(std::move(place->second));
    handles_.erase(place);
  }
  return taken;
}

std::shared_ptr<Handle> Handles::oldest_unsynced() const {
  std::shared_ptr<Handle> oldest;
  for (const auto& [id, handle] : handles_) {
    if (handle.use_count() != 1 || (oldest && oldest->last_used < handle->last_used)) continue;
    const std::lock_guard queue(handle->writers);
    if (!handle->writer->is_poisoned()) oldest = handle;
  }
  return oldest;
}

void Handles::forget(const SessionId& session) {
  const std::lock_guard guard(mutex_);
  const auto found = handles_.find(session.text);
  if (found != handles_.end() && found->second.use_count() == 1) handles_.erase(found);
}

std::vector<std::shared_ptr<Handle>> Handles::take_all() {
  const std::lock_guard guard(mutex_);
  std::vector<std::shared_ptr<Handle>> all;
  for (auto& [id, handle] : handles_) all.push_back(std::move(handle));
  handles_.clear();
  return all;
}

std::size_t Handles::size() const {
  const std::lock_guard guard(mutex_);
  return handles_.size();
}

}  // namespace logwood::storage::jsonl
