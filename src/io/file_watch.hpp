// Waiting for a name below a folder to mean something else: another file, one of another size,
// none. What wakes the wait is only a hint; what decides is a look at the name, so an event too
// many or one too few costs a moment and nothing else.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>

#include "io/file_system.hpp"
#include "logwood/result.hpp"

namespace logwood::io {

/// FileSystem::wait_for_change for names below the open folder `folder`. The kernel wakes it
/// (inotify), and it looks once a second in any case: a watch is blind to what another machine
/// writes. Where there is no watch to be had, it looks more often.
Result<bool> watch_for_change(const FileSystem& files, int folder, const std::string& name,
                              const FileStatus& known, std::chrono::milliseconds timeout,
                              const std::stop_token& stop);

}  // namespace logwood::io
