// Making a session in the database: all of it is there when its transaction is committed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/seal.hpp"
#include "storage/backend.hpp"
#include "storage/postgres/database.hpp"

namespace logwood::storage::postgres {

/// Within a transaction on `connection`. `header` is the text of the header's entry.
class SessionMaker {
 public:
  SessionMaker(Database& database, PgConnection& connection, const SessionHeader& header,
               Deadline deadline)
      : database_(database), connection_(connection), header_(header), deadline_(deadline) {}

  /// `already_exists` where the id is taken.
  Result<> begin(std::string_view header_text);
  Result<> add(std::string_view entry_text);
  Result<> finish();

 private:
  Result<> seal(std::string_view body, std::string_view id, bool is_redaction);
  Result<> write_out();

  Database& database_;
  PgConnection& connection_;
  const SessionHeader& header_;
  Deadline deadline_;

  std::int64_t session_ = 0;
  std::uint64_t seq_ = 0;
  std::uint64_t size_bytes_ = 0;
  format::Link link_ = format::first_link();
  std::optional<EntryId> tail_;
  std::optional<EntryId> head_;

  // Not written yet.
  std::vector<std::string> lines_;
  std::vector<std::string> ids_;
  std::vector<bool> are_redactions_;
  std::size_t pending_bytes_ = 0;
};

}  // namespace logwood::storage::postgres
