#include "storage/postgres/followers.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "storage/postgres/session_writer.hpp"
#include "storage/postgres/statements.hpp"

namespace logwood::storage::postgres {
namespace {

constexpr std::chrono::milliseconds look_every{50};
constexpr std::chrono::hours timeout_max{24 * 365 * 100};

}  // namespace

class Followers::Place {
 public:
  Place(Followers& all, const SessionId& session, std::uint64_t known_seq)
      : all_(all),
        at_(all.waiting_.emplace(std::piecewise_construct, std::forward_as_tuple(session.text),
                                 std::forward_as_tuple(session, known_seq))) {}
  ~Place() {
    if (all_.on_duty_ == &at_->second) all_.on_duty_ = nullptr;
    all_.waiting_.erase(at_);
    // Also by one that had no duty: it may have been handed to it while it was leaving.
    if (all_.on_duty_ == nullptr && !all_.waiting_.empty()) {
      all_.waiting_.begin()->second.woken.notify_one();
    }
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  Waiting& operator*() { return at_->second; }

 private:
  Followers& all_;
  All::iterator at_;
};

Result<bool> Followers::wait(const SessionId& session, std::uint64_t known_seq,
                             std::chrono::milliseconds timeout) {
  if (auto valid = check_id(session.text); !valid)
    return std::move(valid).error().within("session id");
  const auto end = Clock::now() + std::min<std::chrono::milliseconds>(timeout, timeout_max);
  std::unique_lock guard(mutex_);
  Place place(*this, session, known_seq);
  Waiting& me = *place;
  while (true) {
    if (is_closed_) return false;
    if (me.has_grown) return true;
    const auto now = Clock::now();
    const bool is_over = now >= end;
    if (me.is_told || (is_over && !me.is_looked_at)) {
      LOGWOOD_CHECK(look_for_one(me, guard));
      continue;
    }
    if (is_over) return false;
    if (on_duty_ == nullptr) on_duty_ = &me;
    if (on_duty_ == &me && now >= next_look_) {
      LOGWOOD_CHECK(look_for_all(guard));
    } else {
      me.woken.wait_until(guard, on_duty_ == &me ? std::min(end, next_look_) : end);
    }
  }
}

// Whoever waits may come and go while the server is asked.
Result<> Followers::look_for_all(std::unique_lock<std::mutex>& guard) {
  std::unordered_map<std::string, std::optional<std::uint64_t>> seqs;
  for (const auto& [session, one] : waiting_) seqs.try_emplace(std::string(session));
  std::vector<std::string_view> ids;
  for (const auto& [id, seq] : seqs) ids.push_back(id);
  guard.unlock();
  PgValues values = database_.values();
  values.texts(ids);
  auto rows = database_.read(sql::ends_of, values);
  guard.lock();
  next_look_ = Clock::now() + look_every;
  if (!rows) return std::move(rows).error();
  for (int row = 0; row < rows->count(); ++row) seqs[rows->text(row, 0)] = rows->number(row, 1);
  for (auto& [session, one] : waiting_) {
    const auto found = seqs.find(one.session.text);
    if (found == seqs.end()) continue;  // came meanwhile
    one.is_looked_at = true;
    if (found->second && *found->second <= one.known_seq) continue;
    one.has_grown = true;
    one.woken.notify_one();
  }
  return {};
}

Result<> Followers::look_for_one(Waiting& one, std::unique_lock<std::mutex>& guard) {
  one.is_told = false;
  guard.unlock();
  const auto tail = find_tail(database_, one.session);
  guard.lock();
  if (!tail && tail.error().code != ErrorCode::not_found) return tail.error();
  one.is_looked_at = true;
  one.has_grown = !tail || tail->seq > one.known_seq;
  return {};
}

void Followers::tell(const SessionId& session) {
  const std::lock_guard guard(mutex_);
  const auto [begin, end] = waiting_.equal_range(session.text);
  for (auto one = begin; one != end; ++one) {
    one->second.is_told = true;
    one->second.woken.notify_one();
  }
}

void Followers::close() {
  const std::lock_guard guard(mutex_);
  is_closed_ = true;
  for (auto& [session, one] : waiting_) one.woken.notify_one();
}

}  // namespace logwood::storage::postgres
