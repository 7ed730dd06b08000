// A session file by itself, away from its store: what import is given. Nobody else writes it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/file_system.hpp"
#include "logwood/entry.hpp"
#include "logwood/report.hpp"
#include "logwood/result.hpp"
#include "storage/jsonl/first_line.hpp"

namespace logwood::storage::jsonl {

/// Reads the first line: the session is called what is said there. `invalid_argument` when it is
/// no header, `unsupported` when it is one that a newer logwood wrote.
Result<FirstLine> read_single_file(const io::File& file);

/// Told every entry, the header first, and the physical line it lies on. Of an entry whose long
/// strings lay in blobs they are empty, and it is `incomplete`.
using SingleFileVisitor = std::function<Result<>(const Entry& entry, std::uint64_t line)>;

/// Returns everything unusual. Lines that are superseded (F7.4) are told all the same.
Result<std::vector<Problem>> walk_single_file(io::File& file, const FirstLine& first,
                                              const SingleFileVisitor& visit);

}  // namespace logwood::storage::jsonl
