// What is searched: the text of entries, and the calls that results are told by.
#include "catalog/catalog.hpp"

namespace logwood::catalog {

Result<> Catalog::add_calls(std::int64_t row, const std::vector<NamedCall>& calls) {
  if (calls.empty()) return {};
  LOGWOOD_TRY(SqlStatement * put, statement("INSERT OR REPLACE INTO calls VALUES (?, ?, ?)"));
  for (const NamedCall& call : calls) {
    LOGWOOD_CHECK(put->bind(row).bind(call.id).bind(call.name).run());
  }
  return {};
}

// That it calls, or answers; the last one, where there are several.
Result<std::string> Catalog::tool_of(std::int64_t row, const IndexedText& text) {
  for (auto id = text.answered.rbegin(); id != text.answered.rend(); ++id) {
    LOGWOOD_TRY(SqlStatement * asked,
                statement("SELECT name FROM calls WHERE session = ? AND id = ?"));
    LOGWOOD_TRY(const bool is_known, asked->bind(row).bind(*id).step());
    if (!is_known) continue;
    std::string name = asked->string(0);
    asked->reset();
    return name;
  }
  return text.calls.empty() ? std::string() : text.calls.back().name;
}

Result<> Catalog::add_text(std::int64_t row, std::string_view entry_id, const IndexedText& text) {
  LOGWOOD_TRY(const std::string tool, tool_of(row, text));
  LOGWOOD_TRY(SqlStatement * put,
              statement("INSERT INTO texts (session, entry, type, role, tool, time) "
                        "VALUES (?, ?, ?, ?, ?, ?)"));
  LOGWOOD_CHECK(put->bind(row)
                    .bind(entry_id)
                    .bind(text.type)
                    .bind(text.role)
                    .bind(tool)
                    .bind(text.timestamp)
                    .run());
  const std::int64_t added = database_.last_row();
  LOGWOOD_TRY(SqlStatement * body, statement("INSERT INTO bodies (row, body) VALUES (?, ?)"));
  LOGWOOD_CHECK(body->bind(added).bind(text.text).run());
  LOGWOOD_TRY(SqlStatement * index, statement("INSERT INTO words (rowid, body) VALUES (?, ?)"));
  return index->bind(added).bind(text.text).run();
}

Result<> Catalog::set_text_position(std::int64_t row, const std::string& until, bool has_all) {
  LOGWOOD_TRY(SqlStatement * set, statement("UPDATE sessions SET text_position = ?, "
                                            "has_all_text = ? WHERE row = ?"));
  return set->bind(until).bind(has_all).bind(row).run();
}

Result<std::int64_t> Catalog::last_text(std::int64_t row) {
  LOGWOOD_TRY(SqlStatement * asked,
              statement("SELECT coalesce(max(row), 0) FROM texts WHERE session = ?"));
  LOGWOOD_CHECK(asked->bind(row).step());
  const std::int64_t last = asked->integer(0);
  asked->reset();
  return last;
}

Result<> Catalog::drop_text_after(std::int64_t row, std::int64_t last) {
  for (const std::string_view drop :
       // The index is told what it is to forget, in the words it was given.
       {"INSERT INTO words (words, rowid, body) SELECT 'delete', row, body FROM bodies WHERE row "
        "IN (SELECT row FROM texts WHERE session = ? AND row > ?)",
        "DELETE FROM bodies WHERE row IN (SELECT row FROM texts WHERE session = ? AND row > ?)",
        "DELETE FROM texts WHERE session = ? AND row > ?"}) {
    LOGWOOD_TRY(SqlStatement * dropped, statement(drop));
    LOGWOOD_CHECK(dropped->bind(row).bind(last).run());
  }
  return {};
}

Result<> Catalog::drop_text(std::int64_t row) {
  LOGWOOD_CHECK(drop_text_after(row, 0));
  LOGWOOD_TRY(SqlStatement * calls, statement("DELETE FROM calls WHERE session = ?"));
  return calls->bind(row).run();
}

}  // namespace logwood::catalog
