// The tables of the catalog. Whoever changes them, or what is put into them, raises the version: an
// older catalog is then made again.
#pragma once

namespace logwood::catalog {

inline constexpr int schema_version = 6;

inline constexpr const char* schema = R"sql(
CREATE TABLE sessions (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,

  place TEXT NOT NULL,
  device INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  is_racy INTEGER NOT NULL,
  is_brief INTEGER NOT NULL DEFAULT 0,
  position TEXT NOT NULL,
  text_position TEXT NOT NULL DEFAULT '',
  has_all_text INTEGER NOT NULL DEFAULT 0,

  header TEXT NOT NULL,
  key TEXT NOT NULL,
  agent TEXT NOT NULL,
  channel TEXT NOT NULL,
  peer_kind TEXT NOT NULL,
  source TEXT NOT NULL,
  cwd TEXT NOT NULL,
  title TEXT NOT NULL,
  set_title TEXT NOT NULL,
  first_message TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  last_active TEXT NOT NULL,
  entries INTEGER NOT NULL,
  user_messages INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  messages_uncounted INTEGER NOT NULL,
  input INTEGER,
  output INTEGER,
  cache_read INTEGER,
  cache_creation INTEGER,
  tool_calls INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  duration_ms INTEGER,
  branches INTEGER NOT NULL,
  state INTEGER NOT NULL,

  last_entry TEXT NOT NULL,
  awaits_answer INTEGER NOT NULL,
  is_copying INTEGER NOT NULL,
  is_damaged INTEGER NOT NULL,
  has_redactions INTEGER NOT NULL,
  model TEXT NOT NULL,
  last_message TEXT NOT NULL,
  run TEXT NOT NULL,
  run_first TEXT NOT NULL,
  run_last TEXT NOT NULL,
  run_duration_ms INTEGER NOT NULL
);
CREATE INDEX sessions_by_time ON sessions (last_active DESC, id DESC);
CREATE INDEX sessions_by_cwd ON sessions (cwd, last_active DESC, id DESC);
CREATE INDEX sessions_by_key ON sessions (key, last_active DESC, id DESC) WHERE key <> '';

CREATE TABLE last_look (at INTEGER NOT NULL, places TEXT NOT NULL);
CREATE TABLE watched (
  place INTEGER PRIMARY KEY, path TEXT NOT NULL, device INTEGER NOT NULL, inode INTEGER NOT NULL,
  size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL
);

CREATE TABLE tags (
  session INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (session, tag)
) WITHOUT ROWID;
CREATE TABLE tools (
  session INTEGER NOT NULL, name TEXT NOT NULL, calls INTEGER NOT NULL, PRIMARY KEY (session, name)
) WITHOUT ROWID;
CREATE TABLE pending (
  session INTEGER NOT NULL, place INTEGER NOT NULL, call TEXT NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (session, place)
) WITHOUT ROWID;
-- entry: of a message that a fork copied; else empty, and the row a sum.
CREATE TABLE activity (
  session INTEGER NOT NULL, entry TEXT NOT NULL, day TEXT NOT NULL, model TEXT NOT NULL,
  tool TEXT NOT NULL, user_messages INTEGER NOT NULL, messages INTEGER NOT NULL, input INTEGER, output INTEGER,
  cache_read INTEGER, cache_creation INTEGER,
  PRIMARY KEY (session, entry, day, model, tool)
) WITHOUT ROWID;

-- What is searched, apart from what is said about it: those who count hits need only the latter.
CREATE TABLE texts (
  row INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  entry TEXT NOT NULL,
  type TEXT NOT NULL,
  role TEXT NOT NULL,
  tool TEXT NOT NULL,
  time TEXT NOT NULL
);
CREATE INDEX texts_by_session ON texts (session);
-- All calls of the text so far, so that a result that is read later has the name of its tool.
CREATE TABLE calls (
  session INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (session, id)
) WITHOUT ROWID;
CREATE TABLE bodies (row INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE VIRTUAL TABLE words USING fts5 (
  body, content = 'bodies', content_rowid = 'row', tokenize = 'logwood'
);
)sql";

}  // namespace logwood::catalog
