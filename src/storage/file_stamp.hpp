// What a file looks like from outside, as the catalog keeps it.
#pragma once

#include "catalog/catalog.hpp"
#include "io/file_system.hpp"

namespace logwood::storage {

[[nodiscard]] inline catalog::Stamp stamp_of(const io::FileStamp& stamp) {
  return {stamp.identity.device, stamp.identity.inode, stamp.size_bytes, stamp.modified_ns,
          stamp.changed_ns};
}

}  // namespace logwood::storage
