#include "io/append_all.hpp"

namespace logwood::io {

Result<> append_all(File& target, std::string_view bytes) {
  while (!bytes.empty()) {
    LOGWOOD_TRY(const std::size_t written, target.append(bytes));
    if (written == 0) return Error{ErrorCode::no_space, "the disk took no more bytes"};
    bytes.remove_prefix(written);
  }
  return {};
}

}  // namespace logwood::io
