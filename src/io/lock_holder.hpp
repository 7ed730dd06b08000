#pragma once

#include <cstdint>
#include <string>

namespace logwood::io {

/// Who holds the byte `lock_byte` of an open file, for a message: "process 4711
/// (agent)". The kernel does not tell it of the locks we use, so /proc is searched,
/// as far as it is readable and for a few milliseconds at most. Only ever for
/// people to read: by the time it is known, it may be somebody else.
[[nodiscard]] std::string describe_lock_holder(int descriptor, std::uint64_t lock_byte);

}  // namespace logwood::io
