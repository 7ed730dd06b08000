// copy and tenant: stores that are more than one person's folder.
#include <fmt/format.h>

#include <vector>

#include "api/names.hpp"
#include "base/counted.hpp"
#include "cli/command.hpp"
#include "cli/json_line.hpp"
#include "cli/quantity.hpp"
#include "cli/terminal_text.hpp"
#include "cli/verbs/verbs.hpp"
#include "logwood/tenants.hpp"

namespace logwood::cli {
namespace {

std::string_view name_of(CopiedSession::What what) {
  switch (what) {
    case CopiedSession::What::copied:
      return "copied";
    case CopiedSession::What::extended:
      return "extended";
    case CopiedSession::What::already_there:
      break;
  }
  return "already there";
}

Result<std::vector<SessionId>> sessions_of(const Command& command, Store& store) {
  std::vector<SessionId> sessions;
  const auto named = command.arguments().operands.find("SESSION");
  if (named != command.arguments().operands.end()) {
    for (const std::string& name : named->second) {
      LOGWOOD_TRY(SessionId session, api::session_named(store, name));
      sessions.push_back(std::move(session));
    }
    if (!sessions.empty()) return sessions;
  }
  ListOptions options;
  options.limit = 1000;
  SessionPage page;
  do {
    LOGWOOD_TRY(page, store.list(options));
    for (const UnreadableSession& one : page.unreadable) sessions.push_back(one.id);
    for (const SessionHeader& header : page.sessions) {
      options.after = header.id;
      sessions.push_back(header.id);
    }
  } while (page.has_more);
  return sessions;
}

struct Tally {
  std::uint64_t copied = 0;
  std::uint64_t extended = 0;
  std::uint64_t already_there = 0;
  std::uint64_t size_bytes = 0;
  std::optional<Error> first_failure;
  std::uint64_t failed = 0;
};

void tell(const Command& command, const SessionId& session, const Result<CopiedSession>& copied,
          Tally& tally) {
  if (!copied) {
    ++tally.failed;
    if (!tally.first_failure) tally.first_failure = copied.error();
    command.around().err(fmt::format("logwood: {}\n", printable(copied.error().message)));
    return;
  }
  if (copied->what == CopiedSession::What::copied) ++tally.copied;
  if (copied->what == CopiedSession::What::extended) ++tally.extended;
  if (copied->what == CopiedSession::What::already_there) {
    ++tally.already_there;
  } else {
    tally.size_bytes += copied->size_bytes;
  }
  if (command.as_json()) {
    command.print(JsonLine()
                      .add("sessionId", session.text)
                      .add("what", name_of(copied->what))
                      .add("entries", copied->entries)
                      .add("sizeBytes", copied->size_bytes)
                      .add("link", copied->link)
                      .text());
  }
}

Result<> add(Command& command, const std::string& url, const std::string& name) {
  const std::string role = command.arguments().value("--role").value_or("");
  LOGWOOD_TRY(const bool made, add_tenant(url, name, role));
  if (command.as_json()) {
    command.print(JsonLine().add("tenant", name).add("made", made).add("role", role).text());
  } else {
    command.print(fmt::format("{}{}{}\n", made ? "made tenant " : "there is a tenant ", name,
                              role.empty() ? "" : "; " + printable(role) + " works for it"));
  }
  return {};
}

Result<> list(Command& command, const std::string& url) {
  LOGWOOD_TRY(const std::vector<Tenant> all, tenants(url));
  for (const Tenant& tenant : all) {
    std::string roles;
    for (const std::string& role : tenant.roles) roles += (roles.empty() ? "" : ", ") + role;
    if (command.as_json()) {
      command.print(JsonLine()
                        .add("tenant", tenant.name)
                        .add("created", tenant.created)
                        .add("sessions", tenant.sessions)
                        .add("sizeBytes", tenant.size_bytes)
                        .add("roles", roles)
                        .text());
    } else {
      command.print(fmt::format("{}  {}, {}   {}\n", printable(tenant.name),
                                counted(tenant.sessions, "session", "sessions"),
                                short_size(tenant.size_bytes), printable(roles)));
    }
  }
  if (all.empty() && !command.as_json())
    command.print("no tenants yet; logwood tenant add makes one\n");
  return {};
}

Result<> remove(Command& command, const std::string& url, const std::string& name) {
  if (!command.arguments().has("--yes")) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("every session of tenant {} will be gone for good; add --yes to do it",
                             printable(name))};
  }
  LOGWOOD_CHECK(remove_tenant(url, name, command.progress("removing sessions", "sessions")));
  command.print(command.as_json() ? JsonLine().add("tenant", name).add("removed", true).text()
                                  : fmt::format("tenant {} is gone\n", printable(name)));
  return {};
}

}  // namespace

Result<> run_copy(Command& command) {
  LOGWOOD_TRY(Store from,
              command.open_store_at(*command.arguments().operand("FROM"), Needs::store));
  LOGWOOD_TRY(Store to,
              command.open_store_at(*command.arguments().operand("TO"), Needs::store_or_new_one));
  LOGWOOD_TRY(const std::vector<SessionId> sessions, sessions_of(command, from));
  const Progress progress = command.progress("copying", "sessions");
  Tally tally;
  std::uint64_t done = 0;
  for (const SessionId& session : sessions) {
    if (!command.goes_on() || (progress && !progress(done++, sessions.size()))) {
      return command.stopped("what was copied is there; the same command goes on with the rest");
    }
    tell(command, session, from.copy_to(to, session), tally);
  }
  if (!command.as_json()) {
    command.print(fmt::format(
        "copied {}, {}; brought up to date {}, already there {}{}\n",
        counted(tally.copied, "session", "sessions"), short_size(tally.size_bytes), tally.extended,
        tally.already_there, tally.failed > 0 ? fmt::format("; not copied {}", tally.failed) : ""));
  }
  LOGWOOD_CHECK(to.close());
  // Each was told already.
  if (tally.first_failure) return Error{tally.first_failure->code, ""};
  return from.close();
}

Result<> run_tenant(Command& command) {
  const std::string what = *command.arguments().operand("WHAT");
  const std::string url = command.store_folder();
  if (what == "ls") return list(command, url);
  const auto name = command.arguments().operand("NAME");
  if (!name) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("say which tenant: logwood tenant {} NAME", what)};
  }
  return what == "add" ? add(command, url, *name) : remove(command, url, *name);
}

}  // namespace logwood::cli
