// What walking a long session costs against what the machine can do with as many bytes: a scan that
// checks every CRC against memcpy, and verify, which checks the whole chain, against reading and
// hashing.
#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "bare_file.hpp"
#include "io/real_files.hpp"
#include "logwood/store.hpp"
#include "measure.hpp"
#include "place.hpp"
#include "plain_entry.hpp"
#include "session_of_work.hpp"
#include "storage/jsonl/forward_walk.hpp"
#include "support/temporary_folder.hpp"

using namespace logwood;
using namespace logwood::bench;

namespace {

constexpr std::size_t entries = 100'000;

std::string content_of(const std::string& path) {
  std::string content(file_size(path), ' ');
  std::ifstream(path, std::ios::binary)
      .read(content.data(), static_cast<std::streamsize>(content.size()));
  return content;
}

void read_and_hash(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string chunk(256U << 10U, ' ');
  BareHash hash;
  hash.begin();
  for (ssize_t got = 0; (got = ::read(file, chunk.data(), chunk.size())) > 0;) {
    hash.add(std::string_view(chunk).substr(0, static_cast<std::size_t>(got)));
  }
  if (hash.end()[0] == 0) fmt::print(" ");  // so that it is not optimised away
  ::close(file);
}

}  // namespace

int main() {
  using namespace logwood::storage::jsonl;
  const TemporaryFolder folder(disk_folder());
  const std::string store_folder = folder / "store";
  Workshop workshop(store_folder, 1);
  const SessionId session = workshop.make_session(entries);
  workshop.close();
  const std::string path = session_path(store_folder, session);

  const std::string from = content_of(path);
  std::string into = from;
  const auto files = must(io::open_folder(store_folder, {}));
  const auto file = must(files->open("sessions/" + session.text + ".jsonl", io::Access::read));
  WalkOptions trusting;
  trusting.trusted_until = from.size();

  Contest scan;
  scan.add("memcpy", [&] {
    return cpu_seconds_of([&] { std::memcpy(into.data(), from.data(), from.size()); });
  });
  scan.add("scan of every CRC", [&] {
    return cpu_seconds_of([&] {
      std::size_t lines = 0;
      const Walked walked =
          must(walk_forward(*file, session.text, {}, trusting,
                            [&](const format::PlacedLine&, std::string_view) -> Result<Going> {
                              ++lines;
                              return Going::on;
                            }));
      if (lines != entries + 1 || walked.end != from.size()) give_up("the scan missed lines");
    });
  });

  Store store = must(Store::open(store_folder));
  Contest verify;
  verify.add("read and SHA-256", [&] { return cpu_seconds_of([&] { read_and_hash(path); }); });
  verify.add("verify", [&] {
    return cpu_seconds_of([&] {
      const VerifyReport report = must(store.verify(session));
      if (!report.is_sound() || report.entries != entries + 1) give_up("verify found problems");
    });
  });

  for (Rounds rounds(60, 5, 0.3); rounds.next();) scan.run_round();
  for (Rounds rounds(60, 5, 0.4); rounds.next();) verify.run_round();
  fmt::print("{} entries, {:.0f} MB:\n", entries, static_cast<double>(from.size()) / 1e6);
  scan.print("ms", 1e3);
  verify.print("ms", 1e3);

  Verdict verdict("scan and verify");
  verdict.at_most("CRC scan against memcpy", scan.ratio(1), 6);
  verdict.at_most("verify against read and SHA-256", verify.ratio(1), 1.6);
  return verdict.finish();
}
