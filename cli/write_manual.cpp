// Writes the manual pages into a folder, at build time:
//
//   logwood_manual FOLDER VERSION DATE
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cli/manual.hpp"

namespace {

bool write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) std::fprintf(stderr, "cannot write %s\n", path.c_str());
  return static_cast<bool>(file);
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    std::fprintf(stderr, "usage: logwood_manual FOLDER VERSION DATE\n");
    return 2;
  }
  const std::filesystem::path folder = words[1];
  const logwood::cli::Edition edition{words[2], words[3]};
  bool written = write(folder / "logwood.1", logwood::cli::manual_of_program(edition));
  for (const logwood::cli::Verb& verb : logwood::cli::all_verbs()) {
    const std::string name = "logwood-" + std::string(verb.name) + ".1";
    written = write(folder / name, logwood::cli::manual_of(verb, edition)) && written;
  }
  return written ? 0 : 1;
}
