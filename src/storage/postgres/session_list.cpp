#include "storage/postgres/session_list.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "model/header.hpp"
#include "storage/postgres/statements.hpp"

namespace logwood::storage::postgres {
namespace {

// Of a key: what an index holds of it.
constexpr std::size_t indexed_key_bytes = 256;

}  // namespace

// By the narrowest of what is asked for; the rest is looked at here.
Result<SessionPage> list_sessions(Database& database, const ListOptions& options) {
  const PgStatement* statement = &sql::list_sessions;
  std::optional<std::string_view> narrow;
  const auto by = [&](const PgStatement& one, std::string_view value) {
    statement = &one;
    narrow = value;
  };
  if (!options.cwd.empty()) by(sql::list_of_cwd, options.cwd);
  if (!options.key.empty()) by(sql::list_of_key, options.key);
  std::string last_key;
  if (options.key.empty() && !options.key_prefix.empty()) {
    by(sql::list_of_prefix, options.key_prefix);
    // Behind every key that begins so, as far as the index looks.
    last_key = options.key_prefix.substr(0, indexed_key_bytes);
    last_key.resize(indexed_key_bytes + 1, '\xff');
  }
  if (options.parent) by(sql::list_of_parent, options.parent->text);
  if (options.forked_from) by(sql::list_of_source, options.forked_from->text);

  SessionPage page;
  constexpr std::size_t at_once_max = 1000;
  std::string after = options.after ? options.after->text : "~";  // behind every id
  while (true) {
    const std::size_t at_once = std::min(options.limit - page.sessions.size(), at_once_max) + 1;
    PgValues values = database.values();
    values.text(after).int8(static_cast<std::uint64_t>(at_once));
    if (narrow) values.text(*narrow);
    if (statement == &sql::list_of_prefix) values.bytes(last_key);
    LOGWOOD_TRY(const PgRows rows, database.read(*statement, values));
    for (int row = 0; row < rows.count(); ++row) {
      LOGWOOD_TRY(SessionHeader header, parse_header(rows.view(row, 0)));
      after = header.id.text;
      if (!options.wants(header)) continue;
      if (page.sessions.size() == options.limit) {
        page.has_more = true;
        return page;
      }
      page.sessions.push_back(std::move(header));
    }
    if (static_cast<std::size_t>(rows.count()) < at_once) return page;
  }
}

}  // namespace logwood::storage::postgres
