// Opening names below a folder without ever leaving it. Whoever can write into the
// store could put a symbolic link there; the kernel is told to refuse it, since a
// check before the open would leave a moment in between.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "io/descriptor.hpp"
#include "logwood/result.hpp"

namespace logwood::io {

/// Opens `name` below `folder`, never through a symbolic link, never to be inherited
/// by a program that this process starts, never waiting for the other end of a FIFO.
/// `attempt` is what the message says was being done.
Result<Descriptor> open_beneath(int folder, const std::string& name, int flags, mode_t mode,
                                std::string_view attempt);

/// The same for kernels before 5.6 and sandboxes without openat2: one part of the
/// name after the other. Returns no descriptor and leaves errno where it fails.
Descriptor open_part_by_part(int folder, const std::string& name, int flags, mode_t mode);

}  // namespace logwood::io
