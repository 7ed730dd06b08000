#pragma once

#include <pthread.h>

#include <cstdlib>

#include "support/process_shared_memory.hpp"

namespace logwood {

/// Where processes wait for each other, so that all of them begin at the same moment.
class StartLine {
 public:
  explicit StartLine(unsigned count) {
    pthread_barrierattr_t shared;
    pthread_barrierattr_init(&shared);
    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    if (pthread_barrier_init(&*barrier_, &shared, count) != 0) std::abort();
    pthread_barrierattr_destroy(&shared);
  }

  /// Returns when as many as `count` have come here. Then it can be used again.
  void wait() { pthread_barrier_wait(&*barrier_); }

 private:
  SharedMemory<pthread_barrier_t> barrier_;
};

}  // namespace logwood
