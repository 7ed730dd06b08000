#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <span>
#include <type_traits>

namespace logwood {

/// Values that a process shares with the children it starts afterwards. What a
/// child wrote is there even if the next instruction was its last.
///
/// Starts as zero bytes; memory that is never touched costs nothing. Whoever lets
/// several processes write the same value makes it a std::atomic.
template <class T>
class SharedMemory {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  explicit SharedMemory(std::size_t count = 1) : count_(count) {
    void* mapped = ::mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) std::abort();
    values_ = static_cast<T*>(mapped);
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { ::munmap(values_, count_ * sizeof(T)); }

  [[nodiscard]] std::span<T> all() const { return {values_, count_}; }
  T& operator*() const { return *values_; }
  T* operator->() const { return values_; }
  T& operator[](std::size_t index) const { return values_[index]; }

 private:
  std::size_t count_;
  T* values_;
};

}  // namespace logwood
