#include "store/examining.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/counted.hpp"
#include "base/telling.hpp"
#include "model/suspected_secrets.hpp"
#include "store/branching.hpp"
#include "store/importing.hpp"

namespace logwood {
namespace {

using storage::Inventory;
using storage::StorageBackend;
using Kind = Finding::Kind;

constexpr std::size_t page_size = 16;  // long strings come along
constexpr std::size_t problems_told_max = 100;

class Examination {
 public:
  Examination(StorageBackend& backend, const FindingVisitor& tell, const ExamineOptions& options,
              const Progress& progress)
      : backend_(backend), tell_(tell), options_(options), progress_(progress) {}

  Result<> run() {
    std::vector<SessionId> sessions;
    LOGWOOD_CHECK(for_each_session(
        backend_, {}, [&](const SessionHeader& header) { sessions.push_back(header.id); },
        [&](const UnreadableSession& one) {
          sessions.push_back(one.id);
          unreadable_.emplace(one.id, one.error);
        }));
    std::sort(sessions.begin(), sessions.end());
    sessions.erase(std::unique(sessions.begin(), sessions.end()), sessions.end());
    LOGWOOD_TRY(const Inventory inventory, backend_.inventory());
    tell_of_store(inventory, sessions.size());
    tell_of_place(inventory);
    for (std::size_t i = 0; i < sessions.size(); ++i) {
      // Also in the middle of a long one.
      const auto so_far = [&] { return logwood::tell(progress_, i, sessions.size()); };
      LOGWOOD_CHECK(so_far());
      LOGWOOD_CHECK(examine(sessions[i], so_far));
      LOGWOOD_CHECK(backend_.close(sessions[i]));  // so that many of them do not add up
    }
    tell_of_catalog(inventory);
    return {};
  }

 private:
  void tell_of_store(const Inventory& inventory, std::size_t sessions) {
    std::string what = counted(sessions, "session", "sessions");
    if (const std::string read_only = backend_.read_only(); !read_only.empty()) {
      what += "; nothing can be written: " + read_only;
    } else if (inventory.version > 0) {
      what += fmt::format(", version {} of the layout", inventory.version);
    }
    tell_({.kind = Kind::store, .name = ".", .what = std::move(what), .count = sessions});
  }

  void tell_of_place(const Inventory& inventory) {
    for (const std::string& promise : inventory.promises) {
      tell_({.kind = Kind::store, .name = "acknowledged", .what = promise});
    }
    for (const std::string& danger : inventory.dangers) {
      tell_({.kind = Kind::permissions,
             .name = "server",
             .what = danger,
             .todo = "docs/guides/postgresql.md says how it should be"});
    }
    for (const Inventory::Part& part : inventory.parts) {
      tell_({.kind = Kind::disk_use,
             .name = part.name,
             .what = fmt::format("{} bytes in {}", part.size_bytes,
                                 counted(part.files, part.one, part.many)),
             .count = part.files,
             .size_bytes = part.size_bytes});
    }
    for (const std::string& name : inventory.open_to_others) tell_of_mode(name);
    for (const std::string& name : inventory.odd) {
      tell_({.kind = Kind::odd_file,
             .name = name,
             .what = "is neither a file nor a folder",
             .todo = "move it out of the store"});
    }
    for (const Inventory::Orphans& orphans : inventory.orphans) {
      tell_({.kind = Kind::orphan_blobs,
             .name = orphans.folder,
             .what = fmt::format(
                 "{} that {}", counted(orphans.blobs, "blob", "blobs"),
                 orphans.has_session ? "no line of the session names" : "no session is there for"),
             .todo = orphans.has_session ? "the next erasure in that session removes them"
                                         : "delete the folder when nothing in it is missed",
             .count = orphans.blobs});
    }
    for (const std::string& name : inventory.unfinished) {
      tell_({.kind = Kind::unfinished,
             .name = name,
             .what = "somebody died while making this file",
             .todo = "leave it: whoever needs the name next replaces it"});
    }
  }

  // Whoever asks the catalog brings it up to date, and makes it again where it is wrong; so there
  // is nothing to tell unless that fails.
  void tell_of_catalog(const Inventory& inventory) {
    const auto known = backend_.catalog().summaries({.limit = 1}, {});
    if (known) return;
    tell_({.kind = Kind::catalog,
           .name = "catalog",
           .what = known.error().message,
           .todo = inventory.catalog_todo});
  }

  void tell_of_mode(const std::string& name) {
    Finding finding{.kind = Kind::permissions,
                    .name = name,
                    .what = "other users can read it",
                    .todo = "logwood doctor --repair, or chmod go= on it"};
    if (options_.repair) {
      auto narrowed = backend_.close_to_others(name == "." ? "" : name);
      finding.done = narrowed ? "now they cannot" : narrowed.error().message;
    }
    tell_(finding);
  }

  // An error says that it is to stop; what is wrong with the session is told.
  Result<> examine(const SessionId& session, const std::function<Result<>()>& so_far) {
    Result<> going;
    const auto report = backend_.verify(session, [&](std::uint64_t, std::uint64_t) {
      going = so_far();
      return static_cast<bool>(going);
    });
    LOGWOOD_CHECK(going);
    if (!report) {
      tell_of_failure(session, report.error());
      return {};
    }
    if (!report->is_sound()) {
      tell_of_damage(*report);
    } else if (const auto known = unreadable_.find(session); known != unreadable_.end()) {
      tell_of_failure(session, known->second);  // an empty file, for one, has nothing unsound
    }
    const auto secrets = look_for_secrets(session, [&] {
      going = so_far();
      return static_cast<bool>(going);
    });
    LOGWOOD_CHECK(going);
    if (!secrets) {
      tell_of_failure(session, secrets.error());
    } else if (secrets->count > 0) {
      tell_of_secrets(session, *secrets);
    }
    return {};
  }

  void tell_of_failure(const SessionId& session, const Error& error) {
    if (error.code == ErrorCode::not_found) return;  // removed meanwhile
    const bool is_damaged = error.code == ErrorCode::damaged;
    tell_({.kind = is_damaged ? Kind::damage : Kind::unreadable,
           .name = session.text,
           .what = error.message,
           .todo = is_damaged ? "logwood rm puts it into the trash" : "examine again later"});
  }

  void tell_of_damage(const VerifyReport& report) {
    std::vector<Problem> losses = report.problems;
    std::erase_if(losses, [](const Problem& problem) { return !is_loss(problem.kind); });
    Finding finding{.kind = Kind::damage,
                    .name = report.session_id.text,
                    .what = describe(losses.front()),
                    .todo = "logwood doctor --repair copies what is sound; logwood verify " +
                            report.session_id.text + " shows everything"};
    if (losses.size() > 1) finding.what += fmt::format(" (and {} more)", losses.size() - 1);
    finding.count = losses.size();
    losses.resize(std::min(losses.size(), problems_told_max));
    finding.problems = std::move(losses);
    if (options_.repair) finding.done = repair(report.session_id);
    tell_(finding);
  }

  std::string repair(const SessionId& session) {
    const auto repaired = repair_session(backend_, session);
    if (!repaired) return "it could not be repaired: " + repaired.error().message;
    std::string done = fmt::format(
        "{} in session {}{}", counted(repaired->entries, "sound entry", "sound entries"),
        repaired->header.id.text, repaired->already_there ? ", as before" : "");
    if (repaired->left_out_count > 0)
      done += fmt::format("; {} left out", repaired->left_out_count);
    return done;
  }

  Result<SuspectedSecrets> look_for_secrets(const SessionId& session,
                                            const std::function<bool()>& goes_on) {
    SuspectedSecrets found;
    storage::ReadPosition position;
    while (goes_on()) {
      LOGWOOD_TRY(storage::PageFrom read, backend_.read(session, position, page_size));
      for (const Entry& entry : read.page.entries) found.take(entry.id, entry.text);
      position = std::move(read.next);
      if (!read.page.has_more) break;
    }
    return found;
  }

  void tell_of_secrets(const SessionId& session, const SuspectedSecrets& found) {
    tell_({.kind = Kind::secrets,
           .name = session.text,
           .what = found.text(),
           .todo = "logwood erase removes an entry for good; then make the secret invalid where it "
                   "is used",
           .count = found.count});
  }

  StorageBackend& backend_;
  const FindingVisitor& tell_;
  const ExamineOptions& options_;
  const Progress& progress_;
  std::map<SessionId, Error> unreadable_;  // those whose header cannot be read
};

}  // namespace

Result<> examine_store(StorageBackend& backend, const FindingVisitor& tell,
                       const ExamineOptions& options, const Progress& progress) {
  return Examination(backend, tell, options, progress).run();
}

}  // namespace logwood
