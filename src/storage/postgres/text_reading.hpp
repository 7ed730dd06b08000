// Reads the text of one session into the catalog, piece by piece as it comes. Each piece is a short
// transaction, by the rules of catalog_writing.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "catalog/indexed_text.hpp"
#include "storage/backend.hpp"
#include "storage/postgres/catalog_writing.hpp"
#include "storage/postgres/database.hpp"

namespace logwood::storage::postgres {

/// A session whose text was read up to `text_seq`, and its summary up to `seq`.
struct TextSource {
  std::int64_t session = 0;
  SessionId id;
  std::uint64_t seq = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t text_seq = 0;
};

class TextReading {
 public:
  TextReading(StorageBackend& sessions, Database& database, const TextSource& source)
      : sessions_(sessions), database_(database), source_(source), written_seq_(source.text_seq) {}

  /// False: another one has changed what is known of the session, so it is to be read again.
  Result<bool> run();

 private:
  struct Row {
    std::uint64_t seq = 0;
    std::uint64_t part = 0;
    std::string entry;
    std::string type;
    std::string role;
    std::string tool;
    std::string time;
    std::string vector;
    std::string body;
  };

  Result<> take(const WalkedEntry& entry);
  Result<> add(std::uint64_t seq, std::string_view text, const EntryPlace& place);
  Result<std::string> tool_of(const catalog::IndexedText& text);
  Result<> write(std::uint64_t until);
  Result<> write_rows(CatalogWriting& writing, std::span<const Row> rows);
  Result<> write_calls(CatalogWriting& writing);

  StorageBackend& sessions_;
  Database& database_;
  const TextSource& source_;
  std::shared_ptr<const Redactions> redactions_;
  std::uint64_t written_seq_;
  bool is_overtaken_ = false;
  std::map<std::string, std::string> calls_;      // of this reading: names by digest
  std::map<std::string, std::string> new_calls_;  // not written yet
  std::vector<Row> rows_;
  std::uint64_t waiting_bytes_ = 0;
};

}  // namespace logwood::storage::postgres
