// Work on many things, shared by the cores there are.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace logwood {

/// Does `work(i)` for every i below `count`, on several threads at once, and `take(i)` on this one,
/// in order and after the work on it. Once `take` says false, no more is begun. A thread is handed
/// `piece_size` of them at a time: as many as make it worth while.
template <class Work, class Take>
void in_parallel(std::size_t count, std::size_t piece_size, const Work& work, const Take& take) {
  const std::size_t pieces = (count + piece_size - 1) / piece_size;
  std::atomic<std::size_t> next = 0;
  std::vector<std::atomic<bool>> is_done(pieces);
  const auto work_on_next = [&] {
    const std::size_t piece = next.fetch_add(1, std::memory_order_relaxed);
    if (piece >= pieces) return false;
    const std::size_t end = std::min(count, (piece + 1) * piece_size);
    for (std::size_t i = piece * piece_size; i < end; ++i) work(i);
    is_done[piece].store(true, std::memory_order_release);
    is_done[piece].notify_one();
    return true;
  };
  std::vector<std::jthread> threads;  // joined before the rest goes
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t i = 1; i < std::min(cores, pieces); ++i) {
    try {
      threads.emplace_back([&] {
        while (work_on_next()) {
        }
      });
    } catch (const std::system_error&) {
      break;  // as many as the machine allows
    }
  }
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    while (!is_done[piece].load(std::memory_order_acquire)) {
      if (!work_on_next()) is_done[piece].wait(false, std::memory_order_acquire);
    }
    const std::size_t end = std::min(count, (piece + 1) * piece_size);
    for (std::size_t i = piece * piece_size; i < end; ++i) {
      if (take(i)) continue;
      next = pieces;
      return;
    }
  }
}

}  // namespace logwood
