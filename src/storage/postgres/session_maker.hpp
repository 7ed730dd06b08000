// Making a session in the database: all of it is there when its transaction is committed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/seal.hpp"
#include "model/entry_fields.hpp"
#include "storage/backend.hpp"
#include "storage/postgres/database.hpp"

namespace logwood::storage::postgres {

/// Within a transaction on `connection`. `header` is the text of the header's entry.
class SessionMaker {
 public:
  SessionMaker(Database& database, PgConnection& connection, const SessionHeader& header)
      : database_(database), connection_(connection), header_(header) {}

  /// `already_exists` where the id is taken.
  Result<> begin(std::string_view header_text);
  Result<> add(std::string_view entry_text);

  /// The same with what is sealed already: the row of the session alone, its first line and the
  /// others, and blobs before the lines that name them.
  Result<> begin_sealed(std::string_view header_text);
  Result<> add_sealed(std::string_view line, const format::SealedLine& sealed);
  Result<> add_blob(std::string_view hash, std::string_view content);

  Result<> finish();

  [[nodiscard]] ChainEnd end() const { return {seq_, std::string(format::view(link_))}; }

  /// Instead of begin: in the place of the lines of a session that is there, and locked.
  void replace(std::int64_t session) {
    session_ = session;
    is_new_ = false;
  }

 private:
  Result<> seal(std::string_view body, std::string_view id, bool is_redaction);
  Result<> keep(std::string line, std::string_view id, bool is_redaction);
  void take_place(std::string_view entry_text, const EntryPlace& place);
  Result<> write_out();

  Database& database_;
  PgConnection& connection_;
  const SessionHeader& header_;

  std::int64_t session_ = 0;
  bool is_new_ = true;
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
