// The ledger of erasures: a file that outlives backups, with a line for each person whose sessions
// were erased. After a backup was restored, what it tells of is erased again.
#pragma once

#include <string>
#include <vector>

#include "logwood/store.hpp"

namespace logwood::api {

/// Store::erase_subject, with a line in the ledger that would survive a power cut. Whether there
/// can be one is known before anything is erased.
Result<SubjectErasure> erase_subject(Store& store, const std::string& key_prefix,
                                     const std::string& ledger, const Progress& progress = {});

/// Everything that the ledger tells of once more; sessions that were made later stay. An erasure
/// for each of its lines. A line that is none is an error before anything is erased.
Result<std::vector<SubjectErasure>> erase_again(Store& store, const std::string& ledger_text,
                                                const Progress& progress = {});

}  // namespace logwood::api
