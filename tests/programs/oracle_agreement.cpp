// Thousands of randomly damaged session files, read by this library and by the
// Python oracle (tests/oracle), which was written from docs/format.md alone. They
// must agree on every entry, every problem and every byte count; where long strings
// lie beside the session, also on the text of every entry.
//
//   oracle_agreement [--seed N]      runs the oracle itself, 50,000 files
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/json_text.hpp"
#include "support/budget.hpp"
#include "support/hex.hpp"
#include "support/oracle_text.hpp"
#include "support/scanned.hpp"

namespace logwood {
namespace {

// Whether both sides say the same of one file; prints the difference if not.
bool agrees(std::string_view line, std::uint64_t& with_blobs) {
  const std::string session_id = json_string_value(json_member(line, "sid")).value_or("");
  const std::string hex = json_string_value(json_member(line, "hex")).value_or("");
  const bool at_rest = json_member(line, "at_rest") == "true";
  const std::string bytes = bytes_in_hex(hex);
  std::string difference =
      oracle_difference(bytes, session_id, at_rest ? format::AtRest::yes : format::AtRest::no,
                        json_member(line, "scan"), json_member(line, "tail"));
  const std::string_view blobs = json_member(line, "blobs");
  if (!blobs.empty()) {
    ++with_blobs;
    difference += load_difference(bytes, session_id, blobs, json_member(line, "loaded"));
  }
  if (difference.empty()) return true;
  std::cout << difference << "the file, in hex: " << hex << "\n";
  if (!blobs.empty()) std::cout << "its blobs: " << blobs << "\n";
  return false;
}

int run(int argc, char** argv) {
  const std::uint64_t seed = seed_argument(argc, argv, 1);
  const Budget budget;
  constexpr std::uint64_t campaign = 50'000;
  constexpr std::uint64_t at_once = 500;
  std::uint64_t files = 0;
  std::uint64_t with_blobs = 0;
  std::uint64_t differences = 0;
  for (std::uint64_t round = 0; files < campaign && !budget.is_spent() && differences < 5;
       ++round) {
    const std::string command =
        std::string("python3 ") + LOGWOOD_SOURCE_FOLDER + "/tests/oracle/oracle.py random --seed " +
        std::to_string(seed + round) + " --count " + std::to_string(at_once) + " --out -";
    const std::unique_ptr<FILE, int (*)(FILE*)> oracle(popen(command.c_str(), "r"), pclose);
    if (!oracle) return 1;
    char* line = nullptr;
    std::size_t capacity = 0;
    std::uint64_t answered = 0;
    while (true) {
      const ssize_t size = getline(&line, &capacity, oracle.get());
      if (size <= 0) break;
      ++answered;
      ++files;
      if (agrees({line, static_cast<std::size_t>(size - 1)}, with_blobs)) continue;
      ++differences;
      std::cout << "replay: --seed " << seed + round << ", file " << answered << "\n";
    }
    std::free(line);
    if (answered != at_once) {
      std::cout << "the oracle stopped after " << answered << " files of seed " << seed + round
                << "\n";
      return 1;
    }
  }
  std::cout << "oracle agreement: " << files << " random files, " << with_blobs << " with blobs, "
            << differences << " differences, seed " << seed << "\n";
  return differences == 0 ? 0 : 1;
}

}  // namespace
}  // namespace logwood

int main(int argc, char** argv) { return logwood::run(argc, argv); }
