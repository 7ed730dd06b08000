#include "support/scripted_machine.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "io/real_files.hpp"
#include "storage/jsonl/backend.hpp"
#include "support/faulty_files.hpp"

namespace logwood {
namespace {

constexpr std::array<std::pair<std::string_view, Verb>, 29> verbs{{
    {"open", Verb::open},           {"create", Verb::create},   {"key", Verb::key},
    {"append", Verb::append},       {"buffer", Verb::buffer},   {"long", Verb::long_string},
    {"head", Verb::head},           {"fork", Verb::fork},       {"expect", Verb::expect},
    {"again", Verb::again},         {"stale", Verb::stale},     {"flush", Verb::flush},
    {"reopen", Verb::reopen},       {"kill", Verb::kill},       {"migrate", Verb::migrate},
    {"remove", Verb::remove},       {"restore", Verb::restore}, {"archive", Verb::archive},
    {"unarchive", Verb::unarchive}, {"erase", Verb::erase},     {"load", Verb::load},
    {"last", Verb::last},           {"find", Verb::find},       {"status", Verb::status},
    {"verify", Verb::verify},       {"list", Verb::list},       {"syncfails", Verb::syncfails},
    {"short", Verb::short_write},   {"dies", Verb::dies},
}};

[[noreturn]] void no_such_step(std::string_view text) {
  std::fprintf(stderr, "there is no step %.*s\n", static_cast<int>(text.size()), text.data());
  std::abort();
}

Step parse_step(std::string_view text) {
  if (text.size() < 3 || text[1] != '.') no_such_step(text);
  const std::string_view rest = text.substr(2);
  const std::size_t digits = std::min(rest.find_first_of("0123456789"), rest.size());
  Step step;
  step.actor = text[0];
  std::from_chars(rest.data() + digits, rest.data() + rest.size(), step.number);
  for (const auto& [name, verb] : verbs) {
    if (name != rest.substr(0, digits)) continue;
    step.verb = verb;
    return step;
  }
  no_such_step(text);
}

bool is_plan(Verb verb) {
  return verb == Verb::syncfails || verb == Verb::short_write || verb == Verb::dies;
}

// What a call may answer when the system under it fails: not that the caller or we
// did something wrong, and not that stored bytes are bad.
bool may_follow_a_fault(ErrorCode code) {
  switch (code) {
    case ErrorCode::permission_denied:
    case ErrorCode::busy:
    case ErrorCode::no_space:
    case ErrorCode::unavailable:
    case ErrorCode::durability_unknown:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<Step> parse_script(std::string_view script) {
  std::vector<Step> steps;
  while (true) {
    const std::size_t begin = script.find_first_not_of(' ');
    if (begin == std::string_view::npos) return steps;
    const std::size_t end = std::min(script.find(' ', begin), script.size());
    steps.push_back(parse_step(script.substr(begin, end - begin)));
    script.remove_prefix(end);
  }
}

ScriptedMachine::ScriptedMachine() {
  disk_.put("logwood.json", "{\"format\":\"logwood\",\"version\":1,\"requires\":[]}\n");
  for (const std::string_view folder : {"sessions", "index", "quarantine", "trash"}) {
    // There is no way to put an empty folder in place; a process makes it.
    (void)disk_.start_process()->make_folder(std::string(folder));
  }
  disk_.sync_everything();
}

ScriptedMachine::ScriptedMachine(io::SimulatedDisk disk, Promises promises)
    : disk_(std::move(disk)), promises_(std::move(promises)) {}

ScriptedMachine::ScriptedMachine(std::string real_folder)
    : real_folder_(std::move(real_folder)), real_faults_(std::make_shared<io::FaultPlan>()) {
  run("A.open A.reopen");
}

// The processes end as if killed: what they would still do when closed in order is
// no part of the script.
ScriptedMachine::~ScriptedMachine() {
  disk_.on_change({});
  for (const auto& [name, actor] : actors_) disk_.kill_process(actor.process);
}

std::unique_ptr<ScriptedMachine> ScriptedMachine::at(Beginning beginning) {
  const std::string file = "sessions/" + promised_session().text + ".jsonl";
  if (beginning == Beginning::nothing) {
    Promises promises;
    promises.store = Standing::none;
    return std::make_unique<ScriptedMachine>(io::SimulatedDisk(), promises);
  }
  auto machine = std::make_unique<ScriptedMachine>();
  if (beginning == Beginning::unsealed) {
    machine->disk_.put(file, unsealed_session(machine->promises_, 3));
  }
  if (beginning == Beginning::session) machine->run("A.create");
  if (beginning == Beginning::damaged) {
    machine->run("A.create A.append1 A.append2 A.append1 A.append1 A.kill");
    std::string bytes = *machine->disk_.content(file);
    bytes[bytes.find("b1e0")] ^= 1;
    machine->disk_.put(file, bytes);
    machine->promises_.give_up(1);
    machine->promises_.is_damaged = true;
  }
  return machine;
}

void ScriptedMachine::observe(Observer observer) {
  observer_ = std::move(observer);
  disk_.on_change([this](std::string_view operation, std::string_view name) {
    // From here on the process cuts what it could not sync, and says so at the end.
    if (operation == "sync" && was_struck()) promises_.give_up_buffered(acting_);
    observer_(operation, name);
  });
}

void ScriptedMachine::run(std::string_view script) {
  for (const Step& step : parse_script(script)) run(step);
}

void ScriptedMachine::run(const Step& step) {
  if (is_plan(step.verb)) return plan(step);
  acting_ = step.actor;
  perform(step);
  if (fault_kills_ && was_struck()) kill(step.actor);
  faults().clear();
  faults_before_ = faults().faults();
  fault_kills_ = false;
  if (observer_) observer_("answered", "");
}

void ScriptedMachine::plan(const std::vector<io::Fault>& planned) {
  faults_before_ = faults().faults();
  faults().clear();
  for (const io::Fault& fault : planned) faults().plan_also(fault);
}

void ScriptedMachine::plan(const Step& step) {
  io::Fault fault;
  fault.operation = step.verb == Verb::syncfails ? io::Operation::sync : io::Operation::append;
  if (step.verb == Verb::syncfails) {
    fault.at_call = std::max<std::uint64_t>(step.number, 1);
  } else {
    fault.short_bytes = step.number;
  }
  fault.kills = fault_kills_ = step.verb == Verb::dies;
  plan({fault});
}

void ScriptedMachine::perform(const Step& step) {
  const auto judged = [&](const auto& result) {
    if (!result) judge(step, result.error());
  };
  switch (step.verb) {
    case Verb::open:
      promises_.store = Standing::attempted;
      if (const auto opened = store(step.actor)) {
        promises_.store = Standing::durable;
      } else {
        judge(step, opened.error());
      }
      return;
    case Verb::create:
      return judged(create(step.actor));
    case Verb::key:
      return open_by_key(step.actor);
    case Verb::append:
    case Verb::buffer:
    case Verb::long_string:
    case Verb::head:
    case Verb::expect:
      return append_new(step);
    case Verb::again: {
      if (step.number >= promises_.batches().size()) return;
      const std::size_t batch = promises_.batches().size() - 1 - step.number;
      return judged(append(step.actor, batch));
    }
    case Verb::stale:
      return append_stale(step.actor);
    case Verb::flush: {
      const auto opened = store(step.actor);
      if (!opened) return judge(step, opened.error());
      close_if_needed(actors_[step.actor], step.actor);
      const auto flushed = (*opened)->flush(promised_session());
      if (flushed) return promises_.make_durable(step.actor);
      promises_.give_up_buffered(step.actor);
      actors_[step.actor].must_close = true;
      return judge(step, flushed.error());
    }
    case Verb::reopen:
      return reopen(step.actor);
    case Verb::kill:
      return kill(step.actor);
    case Verb::migrate:
      return judged(migrate(step.actor));
    case Verb::remove:
      return remove(step.actor);
    case Verb::restore:
      return restore(step.actor);
    case Verb::archive:
    case Verb::unarchive:
      return archive(step);
    case Verb::erase:
      return erase(step.actor);
    case Verb::fork:
      return fork(step.actor);
    default:
      return look(step);
  }
}

// Without a fault every step succeeds, and no fault is an excuse for every answer.
void ScriptedMachine::judge(const Step& step, const Error& error) {
  if (was_struck() && (fault_kills_ || may_follow_a_fault(error.code))) return;
  if (error.code == ErrorCode::unsupported && promises_.archived != Standing::none) return;
  complain(fmt::format("{}.{} answers {}: {}", step.actor,
                       verbs[static_cast<std::size_t>(step.verb)].first, name_of(error.code),
                       error.message));
}

Result<std::unique_ptr<io::FileSystem>> ScriptedMachine::start(Actor& actor) {
  if (real_faults_) {
    LOGWOOD_TRY(auto files, io::open_folder(real_folder_, {.create = true, .allow_remote = true}));
    return io::with_faults(std::move(files), real_faults_);
  }
  auto process = disk_.start_process();
  actor.process = process->id();
  return std::unique_ptr<io::FileSystem>(std::move(process));
}

IdsAndTime ScriptedMachine::stamps() {
  return {[this] { return EntryId{fmt::format("drawn{}", ++ids_drawn_)}; },
          [this] {
            return std::chrono::system_clock::time_point(std::chrono::milliseconds(++clock_ms_));
          }};
}

Result<storage::StorageBackend*> ScriptedMachine::store(char name) {
  Actor& actor = actors_[name];
  if (actor.store) return actor.store.get();
  LOGWOOD_TRY(auto process, start(actor));
  storage::jsonl::Options options;
  options.create = storage::jsonl::CreateStore::if_missing;
  options.writer.patience = std::chrono::milliseconds(0);
  // Long enough that only the script decides when something is synced.
  options.writer.sync_interval = std::chrono::hours(1);
  options.writer.new_id = stamps().new_id;
  options.writer.now = stamps().now;
  LOGWOOD_TRY(actor.store, storage::jsonl::open(std::move(process), options));
  return actor.store.get();
}

void ScriptedMachine::close_if_needed(Actor& actor, char name) {
  if (!actor.must_close) return;
  actor.must_close = false;
  const auto closed = actor.store->close(promised_session());
  if (closed) {
    promises_.make_durable(name);
  } else {
    promises_.give_up_buffered(name);
  }
}

Result<AppendResult> ScriptedMachine::append(char name, std::size_t batch,
                                             const AppendOptions& options) {
  LOGWOOD_TRY(storage::StorageBackend * opened, store(name));
  Actor& actor = actors_[name];
  close_if_needed(actor, name);
  promises_.attempt(batch, name);
  auto appended = opened->append(promised_session(), promises_.drafts(batch), options);
  if (fault_kills_ && was_struck()) return appended;  // nobody is left to be told
  if (!appended) {
    const ErrorCode code = appended.error().code;
    actor.must_close = code == ErrorCode::durability_unknown || code == ErrorCode::unavailable;
    if (code == ErrorCode::durability_unknown) {
      promises_.give_up_buffered(name);
    } else {
      promises_.refuse(batch);
    }
    return appended;
  }
  const std::size_t count = appended->replayed ? 0 : promises_.drafts(batch).size();
  if (appended->appended_count != count) complain("an append counts wrongly");
  const bool synced = options.durability == Durability::synced;
  promises_.acknowledge(batch, synced ? Standing::durable : Standing::buffered, appended->replayed);
  if (synced) promises_.make_durable();
  if (synced && promises_.removed == Standing::attempted) promises_.removed = Standing::none;
  return appended;
}

void ScriptedMachine::append_new(const Step& step) {
  AppendOptions options;
  if (step.verb == Verb::buffer) options.durability = Durability::buffered;
  if (step.verb == Verb::expect) {
    const auto opened = store(step.actor);
    if (!opened) return judge(step, opened.error());
    const auto status = (*opened)->status(promised_session());
    if (!status) return judge(step, status.error());
    options.expected_tail = ExpectedTail{status->tail};
  }
  const std::size_t entries = std::max<std::size_t>(step.number, 1);
  std::size_t batch = 0;
  if (step.verb == Verb::head) {
    const auto target = first_in_tree(step.actor);
    if (!target) return judge(step, target.error());
    if (!*target) return;
    batch = promises_.add_head(**target);
  } else {
    batch = step.verb == Verb::long_string ? promises_.add_long_batch(entries)
                                           : promises_.add_batch(entries);
  }
  const auto appended = append(step.actor, batch, options);
  if (!appended) return judge(step, appended.error());
  if (appended->replayed) complain("a batch that is new is said to be there already");
}

void ScriptedMachine::append_stale(char actor) {
  const std::size_t batch = promises_.add_batch(1);
  AppendOptions options;
  options.expected_tail = ExpectedTail{EntryId{"nobody"}};
  const auto appended = append(actor, batch, options);
  if (appended) return complain("an append behind a tail that is not there succeeds");
  if (appended.error().code != ErrorCode::conflict) {
    return judge({actor, Verb::stale, 0}, appended.error());
  }
  if (!appended.error().actual_tail) complain("a conflict does not name the actual tail");
}

Result<> ScriptedMachine::create(char actor) {
  LOGWOOD_TRY(storage::StorageBackend * opened, store(actor));
  if (promises_.created != Standing::durable) promises_.created = Standing::attempted;
  NewSession session;
  session.id = promised_session();
  LOGWOOD_CHECK(opened->create(session));
  promises_.created = Standing::durable;
  return {};
}

void ScriptedMachine::open_by_key(char actor) {
  const Step step{actor, Verb::key, 0};
  const auto opened = store(actor);
  if (!opened) return judge(step, opened.error());
  const bool was_there = promises_.created == Standing::durable;
  if (!was_there) promises_.created = Standing::attempted;
  NewSession session;
  session.id = was_there ? SessionId{"another"} : promised_session();
  session.key = "k";
  const auto found = (*opened)->open_by_key(session);
  if (!found) return judge(step, found.error());
  if (found->header.id != promised_session()) complain("a key opens another session");
  if (was_there && found->created) complain("a session of the key is there and another is made");
  promises_.created = Standing::durable;
}

Result<> ScriptedMachine::migrate(char actor) {
  LOGWOOD_TRY(storage::StorageBackend * opened, store(actor));
  if (promises_.migrated != Standing::durable) promises_.migrated = Standing::attempted;
  LOGWOOD_CHECK(opened->migrate(promised_session()));
  promises_.migrated = Standing::durable;
  return {};
}

void ScriptedMachine::remove(char name) {
  const Step step{name, Verb::remove, 0};
  const auto opened = store(name);
  if (!opened) return judge(step, opened.error());
  promises_.removed = Standing::attempted;
  const auto removed = (*opened)->remove(promised_session());
  if (removed) {
    promises_.removed = Standing::durable;
    promises_.make_durable();
    return;
  }
  promises_.give_up_buffered(name);
  judge(step, removed.error());
}

void ScriptedMachine::restore(char name) {
  const Step step{name, Verb::restore, 0};
  const auto opened = store(name);
  if (!opened) return judge(step, opened.error());
  if (promises_.removed == Standing::none) return;  // what was removed is back already
  promises_.removed = Standing::attempted;
  const auto restored = (*opened)->restore(promised_session());
  if (!restored) return judge(step, restored.error());
  promises_.removed = Standing::none;
}

void ScriptedMachine::archive(const Step& step) {
  const auto opened = store(step.actor);
  if (!opened) return judge(step, opened.error());
  close_if_needed(actors_[step.actor], step.actor);
  const bool back = step.verb == Verb::unarchive;
  promises_.archived = Standing::attempted;
  const auto moved =
      back ? (*opened)->unarchive(promised_session()) : (*opened)->archive(promised_session());
  if (moved) {
    promises_.archived = back ? Standing::none : Standing::durable;
    if (!back) promises_.make_durable();
    return;
  }
  promises_.give_up_buffered(step.actor);
  actors_[step.actor].must_close = true;
  judge(step, moved.error());
}

void ScriptedMachine::erase(char name) {
  const Step step{name, Verb::erase, 0};
  const auto opened = store(name);
  if (!opened) return judge(step, opened.error());
  close_if_needed(actors_[name], name);
  const auto& batches = promises_.batches();
  std::size_t newest = batches.size();
  while (newest > 0 && batches[newest - 1].standing < Standing::buffered) --newest;
  if (newest == 0) return;
  promises_.erase(newest - 1, Standing::attempted);
  // It is brought back for it, and where it cannot be archived again it stays so.
  const Standing archived = promises_.archived;
  if (archived != Standing::none) promises_.archived = Standing::attempted;
  const EntryId id{fmt::format("b{}e0", newest - 1)};
  const auto erased = (*opened)->erase(promised_session(), {&id, 1}, "");
  if (erased) {
    promises_.erase(newest - 1, Standing::durable);
    promises_.make_durable();  // all of the file was written anew and synced
    if (!was_struck()) promises_.archived = archived;
    return;
  }
  promises_.give_up_buffered(name);
  actors_[name].must_close = true;
  judge(step, erased.error());
}

// Of those that are durable: others could be gone when the mark is appended again.
Result<std::optional<EntryId>> ScriptedMachine::first_in_tree(char actor) {
  LOGWOOD_TRY(const EntryPage page, load(actor));
  for (const Entry& entry : page.entries) {
    if (entry.flagged || kind_of(entry.type) != EntryKind::tree) continue;
    const auto& batches = promises_.batches();
    for (std::size_t number = 0; number < batches.size(); ++number) {
      if (batches[number].standing == Standing::durable &&
          entry.id.text.starts_with(fmt::format("b{}e", number))) {
        return std::optional(entry.id);
      }
    }
  }
  return std::optional<EntryId>();
}

void ScriptedMachine::fork(char name) {
  const Step step{name, Verb::fork, 0};
  const auto opened = store(name);
  if (!opened) return judge(step, opened.error());
  const auto path = (*opened)->read_last(promised_session(), SIZE_MAX, Along::path);
  if (!path) return judge(step, path.error());
  if (path->entries.empty()) return;
  const std::size_t number = promises_.attempt_fork({path->entries.rbegin(), path->entries.rend()});
  ForkOptions options;
  options.id = promises_.forks()[number].id;
  const auto forked =
      fork_session(**opened, promised_session(), path->entries.front().id, options, stamps());
  if (!forked) return judge(step, forked.error());
  promises_.fork_made(number);
}

void ScriptedMachine::reopen(char name) {
  Actor& actor = actors_[name];
  if (!actor.store) return;
  const auto closed = actor.store->close();
  if (closed) {
    promises_.make_durable(name);
  } else {
    promises_.give_up_buffered(name);
    if (!actor.must_close) judge({name, Verb::reopen, 0}, closed.error());
  }
  actors_.erase(name);
}

void ScriptedMachine::kill(char name) {
  const auto found = actors_.find(name);
  if (found == actors_.end()) return;
  disk_.kill_process(found->second.process);
  actors_.erase(found);
  promises_.leave_buffered(name);
}

Result<EntryPage> ScriptedMachine::load(char actor) {
  LOGWOOD_TRY(storage::StorageBackend * opened, store(actor));
  LOGWOOD_TRY(storage::PageFrom all, opened->read(promised_session(), {}, SIZE_MAX));
  return std::move(all.page);
}

void ScriptedMachine::look(const Step& step) {
  const auto opened = store(step.actor);
  if (!opened) return judge(step, opened.error());
  const auto judged = [&](const auto& result) {
    if (!result) judge(step, result.error());
    return result.has_value();
  };
  storage::StorageBackend& looked = **opened;
  switch (step.verb) {
    case Verb::load: {
      const auto page = load(step.actor);
      if (!judged(page)) return;
      const auto broken = promises_.broken_by(page->entries, After::process_end);
      if (broken) complain(*broken);
      return;
    }
    case Verb::last: {
      const std::size_t limit = std::max<std::size_t>(step.number, 1);
      const auto last = looked.read_last(promised_session(), limit, Along::append_order);
      if (judged(last) && last->entries.size() < limit && last->has_more) {
        complain("the last entries are fewer than asked for");
      }
      return;
    }
    case Verb::find: {
      const EntryId id{fmt::format("b{}e0", step.number)};
      const auto found = looked.find(promised_session(), id);
      if (judged(found) && found->id != id) complain("another entry is found");
      return;
    }
    case Verb::status:
      judged(looked.status(promised_session()));
      return;
    case Verb::verify: {
      const auto report = looked.verify(promised_session());
      if (judged(report) && !report->is_sound() && !promises_.is_damaged) {
        complain("verify finds damage where there is none: " + describe(report->problems.front()));
      }
      return;
    }
    case Verb::list: {
      const auto page = looked.list({});
      if (judged(page) &&
          page->sessions.size() + page->unreadable.size() != 1 + promises_.forks().size()) {
        complain("a list leaves out the session");
      }
      return;
    }
    default:
      complain("a verb that nobody performs");
  }
}

}  // namespace logwood
