// The store in a folder of files.
#pragma once

#include <cstdint>
#include <memory>

#include "io/file_system.hpp"
#include "storage/backend.hpp"
#include "storage/jsonl/log_writer.hpp"

namespace logwood::storage::jsonl {

enum class CreateStore : std::uint8_t { never, if_missing };

struct Options {
  CreateStore create = CreateStore::never;
  WriterOptions writer;
};

/// Opens the store in `files`, or makes one there.
Result<std::unique_ptr<StorageBackend>> open(std::unique_ptr<io::FileSystem> files,
                                             const Options& options);

}  // namespace logwood::storage::jsonl
