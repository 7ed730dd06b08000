#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "io/file_system.hpp"
#include "logwood/result.hpp"

namespace logwood::storage::jsonl {

/// Told after each piece up to which byte it went; an error ends the whole.
using PieceVisitor = std::function<Result<>(std::uint64_t at)>;

/// Appends the bytes [from, to) of one file to another.
Result<> copy_bytes(const io::File& source, std::uint64_t from, std::uint64_t to, io::File& target,
                    const PieceVisitor& told = {});

/// A new empty file under the first of the names 0, 1, 2 … that is free; makes
/// the folder where it is missing.
Result<std::unique_ptr<io::File>> create_numbered(io::FileSystem& files, std::string_view folder,
                                                  const std::function<std::string(int)>& name);

/// The file that has the name, locked and for writing; never one that was just replaced.
Result<std::unique_ptr<io::File>> open_locked(io::FileSystem& files, const std::string& name,
                                              std::chrono::milliseconds patience);

/// `unavailable` unless both files have the same bytes.
Result<> compare_bytes(const io::File& one, const io::File& other, const PieceVisitor& told = {});

/// A new empty file, locked. One that an interrupted attempt left behind is emptied
/// and used, unless its maker still holds it: then `busy`. It is never gone in
/// between, since that it is there may tell something.
Result<std::unique_ptr<io::File>> create_locked(io::FileSystem& files, const std::string& name);

}  // namespace logwood::storage::jsonl
