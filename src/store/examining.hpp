#pragma once

#include "logwood/finding.hpp"
#include "logwood/progress.hpp"
#include "logwood/result.hpp"
#include "storage/backend.hpp"

namespace logwood {

/// Tells what there is to know about the store as a whole.
Result<> examine_store(storage::StorageBackend& backend, const FindingVisitor& tell,
                       const ExamineOptions& options, const Progress& progress);

}  // namespace logwood
