// What others do to the files of a store, and what that means to the naive model.
#pragma once

#include <string>
#include <vector>

#include "support/naive_store.hpp"
#include "support/operation.hpp"

namespace logwood {

[[nodiscard]] std::string content_of(const std::string& path);

/// Of every file in the folder whose name begins with `prefix`.
[[nodiscard]] std::vector<std::string> contents_in(const std::string& folder,
                                                   const std::string& prefix);

/// Carries out an operation on the session file of a sealed session, if it can be done now.
void change_session_file(const Operation& operation, const std::string& path,
                         naive::NaiveSession& session);

/// Deletes, cuts or spoils an index, if there is one.
void change_index_file(const Operation& operation, const std::string& path);

/// Writes the file of a session of version 0.
[[nodiscard]] naive::NaiveSession put_unsealed_session(const std::string& path,
                                                       const std::string& id,
                                                       const std::string& key,
                                                       const std::string& created,
                                                       std::size_t entries);

}  // namespace logwood
