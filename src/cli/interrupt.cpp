#include "cli/interrupt.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>

namespace logwood::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;
volatile int descriptor = -1;

void note_interrupt(int) {
  const int error_number = errno;
  const std::uint64_t one = 1;
  interrupted = 1;
  if (::write(descriptor, &one, sizeof one) < 0) errno = error_number;
}

}  // namespace

void heed_interrupts() {
  struct sigaction before{};
  if (::sigaction(SIGINT, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) return;
  descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct sigaction action{};
  action.sa_handler = note_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // and calls that wait are not begun again
  (void)::sigaction(SIGINT, &action, nullptr);
}

bool was_interrupted() { return interrupted != 0; }

int interrupt_descriptor() { return descriptor; }

}  // namespace logwood::cli
