#include "catalog/catalog.hpp"

#include <fmt/format.h>

#include "catalog/schema.hpp"
#include "catalog/words.hpp"
#include "model/header.hpp"

namespace logwood::catalog {
namespace {

// Read by known() and find(), in this order.
#define KNOWN_COLUMNS \
  "row, id, place, device, inode, size, modified, changed, is_racy, has_all_text, is_brief"

Stamp stamp_in(const SqlStatement& row, int at) {
  return {row.number(at), row.number(at + 1), row.number(at + 2), row.integer(at + 3),
          row.integer(at + 4)};
}

Known known_in(const SqlStatement& row) {
  return {row.integer(0),      row.string(1),       row.string(2),       stamp_in(row, 3),
          row.integer(8) != 0, row.integer(9) != 0, row.integer(10) != 0};
}

Result<std::vector<Known>> all_known(SqlStatement& rows) {
  std::vector<Known> all;
  while (true) {
    LOGWOOD_TRY(const bool has_row, rows.step());
    if (!has_row) break;
    all.push_back(known_in(rows));
  }
  rows.reset();
  return all;
}

}  // namespace

Result<Catalog> Catalog::open(const std::string& path, std::chrono::milliseconds patience) {
  for (bool is_second_attempt : {false, true}) {
    LOGWOOD_TRY(SqlDatabase database, SqlDatabase::open(path, patience));
    Catalog catalog(std::move(database));
    auto prepared = catalog.prepare_database(path.empty());
    if (prepared) return catalog;
    // What is derived is made again rather than repaired.
    if (prepared.error().code != ErrorCode::damaged || is_second_attempt) {
      return std::move(prepared).error();
    }
    LOGWOOD_CHECK(catalog.database_.reset());
  }
  return Error{ErrorCode::internal, "a catalog cannot be made"};
}

Result<> Catalog::empty(const std::string& path, std::chrono::milliseconds patience) {
  LOGWOOD_TRY(SqlDatabase database, SqlDatabase::open(path, patience));
  Catalog catalog(std::move(database));
  LOGWOOD_CHECK(catalog.database_.reset());
  return catalog.free_from_log();
}

Result<std::int64_t> Catalog::version() {
  LOGWOOD_TRY(SqlStatement asked, database_.prepare("PRAGMA user_version"));
  LOGWOOD_CHECK(asked.step());
  return asked.integer(0);
}

bool Catalog::is_prepared() {
  const auto found = version();
  return found && *found == schema_version;
}

Result<> Catalog::prepare_database(bool in_memory) {
  LOGWOOD_CHECK(database_.add_tokenizer("logwood", for_each_word));
  if (!in_memory) {
    // Readers do not wait for a writer; a power cut may take the newest changes, which are
    // then read from the sessions again.
    LOGWOOD_CHECK(database_.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"));
  }
  // The log takes a first look at thousands of sessions whole: a page is written back once.
  LOGWOOD_CHECK(database_.execute(
      "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 4000"));
  LOGWOOD_TRY(std::int64_t found, version());
  if (found == schema_version) return {};
  if (found != 0) LOGWOOD_CHECK(database_.reset());
  LOGWOOD_TRY(SqlTransaction change, begin());
  LOGWOOD_TRY(found, version());
  if (found == schema_version) return {};  // another process made it meanwhile
  LOGWOOD_CHECK(database_.execute(schema));
  LOGWOOD_CHECK(database_.execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str()));
  return change.commit();
}

// Each text of a statement is a literal, so its address names it.
Result<SqlStatement*> Catalog::statement(std::string_view sql) {
  for (auto& [known, prepared] : statements_) {
    if (known.data() == sql.data()) {
      prepared.reset();
      return &prepared;
    }
  }
  LOGWOOD_TRY(SqlStatement prepared, database_.prepare(sql));
  statements_.emplace_back(sql, std::move(prepared));
  return &statements_.back().second;
}

Result<std::vector<Known>> Catalog::known() {
  LOGWOOD_TRY(SqlStatement * rows, statement("SELECT " KNOWN_COLUMNS " FROM sessions"));
  return all_known(*rows);
}

Result<std::vector<Known>> Catalog::known_of_newest(std::size_t count) {
  LOGWOOD_TRY(SqlStatement * rows,
              statement("SELECT " KNOWN_COLUMNS
                        " FROM sessions ORDER BY last_active DESC, id DESC LIMIT ?"));
  return all_known(rows->bind(std::uint64_t{count}));
}

Result<std::optional<Look>> Catalog::last_look() {
  LOGWOOD_TRY(SqlStatement * asked, statement("SELECT at, places FROM last_look"));
  LOGWOOD_TRY(const bool has_look, asked->step());
  if (!has_look) return std::optional<Look>();
  Look look;
  look.at_ns = asked->integer(0);
  look.places = asked->string(1);
  asked->reset();
  LOGWOOD_TRY(
      SqlStatement * rows,
      statement("SELECT path, device, inode, size, modified, changed FROM watched ORDER BY place"));
  while (true) {
    LOGWOOD_TRY(const bool has_row, rows->step());
    if (!has_row) break;
    look.watched.push_back({rows->string(0), stamp_in(*rows, 1)});
  }
  return std::optional(std::move(look));
}

Result<> Catalog::put_look(const Look& look) {
  LOGWOOD_TRY(const auto last, last_look());
  if (last && last->places == look.places && last->watched == look.watched) {
    LOGWOOD_TRY(SqlStatement * moved, statement("UPDATE last_look SET at = ?"));
    return moved->bind(look.at_ns).run();
  }
  LOGWOOD_CHECK(forget_look());
  LOGWOOD_TRY(SqlStatement * at, statement("INSERT INTO last_look (at, places) VALUES (?, ?)"));
  LOGWOOD_CHECK(at->bind(look.at_ns).bind(look.places).run());
  LOGWOOD_TRY(SqlStatement * put,
              statement("INSERT INTO watched (path, device, inode, size, modified, changed) "
                        "VALUES (?, ?, ?, ?, ?, ?)"));
  for (const Watched& one : look.watched) {
    LOGWOOD_CHECK(put->bind(one.path)
                      .bind(one.stamp.device)
                      .bind(one.stamp.inode)
                      .bind(one.stamp.size_bytes)
                      .bind(one.stamp.modified_ns)
                      .bind(one.stamp.changed_ns)
                      .run());
  }
  return {};
}

Result<> Catalog::forget_look() {
  return database_.execute("DELETE FROM last_look; DELETE FROM watched");
}

Result<std::optional<Catalog::Session>> Catalog::find(const std::string& id) {
  LOGWOOD_TRY(SqlStatement * row,
              statement("SELECT " KNOWN_COLUMNS
                        ", position, text_position, header, cwd, set_title, first_message, "
                        "expires_at, last_active, entries, user_messages, turns, messages, "
                        "messages_uncounted, input, output, cache_read, cache_creation, "
                        "tool_calls, runs, branches, last_entry, awaits_answer, is_copying, "
                        "is_damaged, has_redactions, model, last_message, run, run_first, "
                        "run_last, run_duration_ms "
                        "FROM sessions WHERE id = ?"));
  LOGWOOD_TRY(const bool found, row->bind(id).step());
  if (!found) return std::optional<Session>();
  Session session;
  session.known = known_in(*row);
  int at = 11;
  session.positions.summary = row->string(at++);
  session.positions.text = row->string(at++);
  SoFar& so_far = session.so_far;
  SessionSummary& summary = so_far.summary;
  so_far.header_text = row->string(at++);
  summary.cwd = row->string(at++);
  so_far.set_title = row->string(at++);
  so_far.first_message = row->string(at++);
  summary.expires_at = row->string(at++);
  summary.last_active = row->string(at++);
  summary.entries = row->number(at++);
  summary.user_messages = row->number(at++);
  summary.turns = row->number(at++);
  summary.usage.messages = row->number(at++);
  summary.usage.messages_uncounted = row->number(at++);
  summary.usage.tokens.input = row->optional_number(at++);
  summary.usage.tokens.output = row->optional_number(at++);
  summary.usage.tokens.cache_read = row->optional_number(at++);
  summary.usage.tokens.cache_creation = row->optional_number(at++);
  summary.usage.tool_calls = row->number(at++);
  summary.usage.runs = row->number(at++);
  summary.branches = row->number(at++);
  so_far.last_entry = row->string(at++);
  so_far.awaits_answer = row->integer(at++) != 0;
  so_far.is_copying = row->integer(at++) != 0;
  so_far.is_damaged = row->integer(at++) != 0;
  so_far.has_redactions = row->integer(at++) != 0;
  so_far.model = row->string(at++);
  so_far.last_message = row->string(at++);
  so_far.run_id = row->string(at++);
  so_far.run_first = row->string(at++);
  so_far.run_last = row->string(at++);
  so_far.run_duration_ms = row->number(at++);
  row->reset();
  if (auto header = parse_header(so_far.header_text)) summary.header = *std::move(header);

  LOGWOOD_CHECK(read_tags_and_tools(session.known.row, summary));
  LOGWOOD_TRY(SqlStatement * pending,
              statement("SELECT call, name FROM pending WHERE session = ? ORDER BY place"));
  pending->bind(session.known.row);
  while (true) {
    LOGWOOD_TRY(const bool has_row, pending->step());
    if (!has_row) break;
    so_far.pending.push_back({pending->string(0), pending->string(1)});
  }
  return std::optional(std::move(session));
}

Result<> Catalog::read_tags_and_tools(std::int64_t row, SessionSummary& summary) {
  LOGWOOD_TRY(SqlStatement * tags,
              statement("SELECT tag FROM tags WHERE session = ? ORDER BY tag"));
  tags->bind(row);
  while (true) {
    LOGWOOD_TRY(const bool has_row, tags->step());
    if (!has_row) break;
    summary.tags.push_back(tags->string(0));
  }
  LOGWOOD_TRY(SqlStatement * tools,
              statement("SELECT name, calls FROM tools WHERE session = ? ORDER BY name"));
  tools->bind(row);
  while (true) {
    LOGWOOD_TRY(const bool has_row, tools->step());
    if (!has_row) break;
    summary.tools.push_back({tools->string(0), tools->number(1)});
  }
  return {};
}

Result<> Catalog::drop_parts(std::int64_t row) {
  for (const std::string_view table :
       {"DELETE FROM tags WHERE session = ?", "DELETE FROM tools WHERE session = ?",
        "DELETE FROM pending WHERE session = ?"}) {
    LOGWOOD_TRY(SqlStatement * dropped, statement(table));
    LOGWOOD_CHECK(dropped->bind(row).run());
  }
  return {};
}

Result<> Catalog::put_parts(std::int64_t row, const Update& update) {
  LOGWOOD_TRY(SqlStatement * tag, statement("INSERT INTO tags VALUES (?, ?)"));
  for (const std::string& name : update.so_far.summary.tags) {
    LOGWOOD_CHECK(tag->bind(row).bind(name).run());
  }
  LOGWOOD_TRY(SqlStatement * tool, statement("INSERT INTO tools VALUES (?, ?, ?)"));
  for (const ToolUse& used : update.so_far.summary.tools) {
    LOGWOOD_CHECK(tool->bind(row).bind(used.name).bind(used.calls).run());
  }
  LOGWOOD_TRY(SqlStatement * pending, statement("INSERT INTO pending VALUES (?, ?, ?, ?)"));
  std::uint64_t place = 0;
  for (const PendingCall& call : update.so_far.pending) {
    LOGWOOD_CHECK(pending->bind(row).bind(place++).bind(call.id).bind(call.name).run());
  }
  LOGWOOD_TRY(
      SqlStatement * activity,
      statement("INSERT INTO activity VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET user_messages = user_messages + excluded.user_messages, "
                "messages = messages + excluded.messages, "
                "input = coalesce(input + excluded.input, input, excluded.input), "
                "output = coalesce(output + excluded.output, output, excluded.output), "
                "cache_read = coalesce(cache_read + excluded.cache_read, cache_read, "
                "excluded.cache_read), "
                "cache_creation = coalesce(cache_creation + excluded.cache_creation, "
                "cache_creation, excluded.cache_creation)"));
  for (const Activity& one : update.activity) {
    LOGWOOD_CHECK(activity->bind(row)
                      .bind(one.entry)
                      .bind(one.day)
                      .bind(one.model)
                      .bind(one.tool)
                      .bind(one.user_messages)
                      .bind(one.messages)
                      .bind(one.tokens.input)
                      .bind(one.tokens.output)
                      .bind(one.tokens.cache_read)
                      .bind(one.tokens.cache_creation)
                      .run());
  }
  return {};
}

Result<> Catalog::update(const Update& update) {
  const SessionSummary& summary = update.so_far.summary;
  const std::string& id = summary.header.id.text;
  if (update.from_start) LOGWOOD_CHECK(remove(id));
  LOGWOOD_TRY(SqlStatement * asked,
              statement("SELECT row, text_position FROM sessions WHERE id = ?"));
  LOGWOOD_TRY(const bool is_known, asked->bind(id).step());
  std::int64_t row = is_known ? asked->integer(0) : 0;
  const std::string text_position = is_known ? asked->string(1) : "";
  asked->reset();
  if (is_known) LOGWOOD_CHECK(drop_parts(row));

  LOGWOOD_TRY(
      SqlStatement * put,
      statement(
          "INSERT OR REPLACE INTO sessions (row, id, place, device, inode, size, modified, "
          "changed, is_racy, position, text_position, header, key, agent, channel, peer_kind, "
          "source, cwd, "
          "title, set_title, first_message, expires_at, last_active, entries, user_messages, "
          "turns, messages, messages_uncounted, input, output, cache_read, cache_creation, "
          "tool_calls, runs, duration_ms, branches, state, last_entry, awaits_answer, is_copying, "
          "is_damaged, has_redactions, model, last_message, run, run_first, run_last, "
          "run_duration_ms) VALUES "
          "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
          "?, "
          "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  const KeyParts key = parts_of_key(summary.header.key);
  const auto source = fork_source(summary.header);
  const std::string source_id = source ? source->text : "";
  const std::optional<std::uint64_t> duration =
      summary.usage.duration
          ? std::optional(static_cast<std::uint64_t>(summary.usage.duration->count()))
          : std::nullopt;
  put->bind(row == 0 ? std::optional<std::uint64_t>() : static_cast<std::uint64_t>(row))
      .bind(id)
      .bind(update.place)
      .bind(update.stamp.device)
      .bind(update.stamp.inode)
      .bind(update.stamp.size_bytes)
      .bind(update.stamp.modified_ns)
      .bind(update.stamp.changed_ns)
      .bind(update.is_racy)
      .bind(update.until)
      .bind(text_position)
      .bind(update.so_far.header_text)
      .bind(summary.header.key)
      .bind(key.agent)
      .bind(key.channel)
      .bind(key.peer_kind)
      .bind(source_id)
      .bind(summary.cwd)
      .bind(summary.title)
      .bind(update.so_far.set_title)
      .bind(update.so_far.first_message)
      .bind(summary.expires_at)
      .bind(summary.last_active)
      .bind(summary.entries)
      .bind(summary.user_messages)
      .bind(summary.turns)
      .bind(summary.usage.messages)
      .bind(summary.usage.messages_uncounted)
      .bind(summary.usage.tokens.input)
      .bind(summary.usage.tokens.output)
      .bind(summary.usage.tokens.cache_read)
      .bind(summary.usage.tokens.cache_creation)
      .bind(summary.usage.tool_calls)
      .bind(summary.usage.runs)
      .bind(duration)
      .bind(summary.branches)
      .bind(static_cast<std::uint64_t>(summary.state))
      .bind(update.so_far.last_entry)
      .bind(update.so_far.awaits_answer)
      .bind(update.so_far.is_copying)
      .bind(update.so_far.is_damaged)
      .bind(update.so_far.has_redactions)
      .bind(update.so_far.model)
      .bind(update.so_far.last_message)
      .bind(update.so_far.run_id)
      .bind(update.so_far.run_first)
      .bind(update.so_far.run_last)
      .bind(update.so_far.run_duration_ms);
  LOGWOOD_CHECK(put->run());
  if (row == 0) row = database_.last_row();
  return put_parts(row, update);
}

Result<> Catalog::put_brief(const Brief& brief) {
  LOGWOOD_TRY(
      SqlStatement * put,
      statement(
          "INSERT INTO sessions (id, place, device, inode, size, modified, changed, is_racy, "
          "is_brief, position, header, key, agent, channel, peer_kind, source, cwd, title, "
          "set_title, first_message, expires_at, last_active, entries, user_messages, turns, "
          "messages, messages_uncounted, tool_calls, runs, branches, state, last_entry, "
          "awaits_answer, is_copying, is_damaged, has_redactions, model, last_message, run, "
          "run_first, run_last, run_duration_ms) VALUES "
          "(?, ?, ?, ?, ?, ?, ?, ?, 1, '', ?, ?, ?, ?, ?, '', ?, ?, '', '', '', ?, 0, 0, 0, 0, "
          "0, 0, 0, 0, 0, '', 0, 0, 0, 0, '', '', '', '', '', 0) "
          "ON CONFLICT (id) DO UPDATE SET place = excluded.place, device = excluded.device, "
          "inode = excluded.inode, size = excluded.size, modified = excluded.modified, changed = "
          "excluded.changed, "
          "is_racy = excluded.is_racy, header = excluded.header, key = excluded.key, "
          "agent = excluded.agent, channel = excluded.channel, "
          "peer_kind = excluded.peer_kind, cwd = excluded.cwd, title = excluded.title, "
          "last_active = excluded.last_active WHERE is_brief"));
  const KeyParts key = parts_of_key(brief.header.key);
  return put->bind(brief.header.id.text)
      .bind(brief.place)
      .bind(brief.stamp.device)
      .bind(brief.stamp.inode)
      .bind(brief.stamp.size_bytes)
      .bind(brief.stamp.modified_ns)
      .bind(brief.stamp.changed_ns)
      .bind(brief.is_racy)
      .bind(brief.header_text)
      .bind(brief.header.key)
      .bind(key.agent)
      .bind(key.channel)
      .bind(key.peer_kind)
      .bind(brief.header.cwd)
      .bind(brief.title)
      .bind(brief.last_active)
      .run();
}

Result<> Catalog::restamp(const std::string& id, std::string_view place, const Stamp& stamp,
                          bool is_racy) {
  LOGWOOD_TRY(
      SqlStatement * changed,
      statement("UPDATE sessions SET place = ?, device = ?, inode = ?, size = ?, modified = ?, "
                "changed = ?, is_racy = ? WHERE id = ?"));
  return changed->bind(place)
      .bind(stamp.device)
      .bind(stamp.inode)
      .bind(stamp.size_bytes)
      .bind(stamp.modified_ns)
      .bind(stamp.changed_ns)
      .bind(is_racy)
      .bind(id)
      .run();
}

Result<> Catalog::remove(const std::string& id) {
  LOGWOOD_TRY(SqlStatement * asked, statement("SELECT row FROM sessions WHERE id = ?"));
  LOGWOOD_TRY(const bool is_known, asked->bind(id).step());
  if (!is_known) return {};
  const std::int64_t row = asked->integer(0);
  asked->reset();
  LOGWOOD_CHECK(drop_text(row));
  LOGWOOD_CHECK(drop_parts(row));
  for (const std::string_view from :
       {"DELETE FROM activity WHERE session = ?", "DELETE FROM sessions WHERE row = ?"}) {
    LOGWOOD_TRY(SqlStatement * dropped, statement(from));
    LOGWOOD_CHECK(dropped->bind(row).run());
  }
  return {};
}

Result<> Catalog::merge_words() {
  return database_.execute("INSERT INTO words (words) VALUES ('optimize')");
}

Result<> Catalog::write_anew() {
  LOGWOOD_CHECK(database_.execute("VACUUM"));
  return free_from_log();
}

// What was changed lies in the write-ahead log, and what it was before in the file, until this.
Result<> Catalog::free_from_log() {
  LOGWOOD_TRY(SqlStatement checkpoint, database_.prepare("PRAGMA wal_checkpoint(TRUNCATE)"));
  LOGWOOD_TRY(const bool told, checkpoint.step());
  if (told && checkpoint.integer(0) != 0) {
    return Error{ErrorCode::busy, "another process is using the catalog"};
  }
  return {};
}

}  // namespace logwood::catalog
