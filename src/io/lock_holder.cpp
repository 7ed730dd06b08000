#include "io/lock_holder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "io/descriptor.hpp"

namespace logwood::io {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto search_time = std::chrono::milliseconds(50);

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The numbered names in a folder of /proc: processes, or descriptors of one.
std::vector<std::string> numbers_in(const std::string& folder) {
  std::vector<std::string> numbers;
  const std::unique_ptr<DIR, int (*)(DIR*)> open_folder(::opendir(folder.c_str()), ::closedir);
  if (!open_folder) return numbers;
  while (const dirent* found = ::readdir(open_folder.get())) {
    if (number_in(found->d_name)) numbers.emplace_back(found->d_name);
  }
  return numbers;
}

std::string text_of(const std::string& path) {
  const Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> text{};
  const ssize_t size = opened.is_open() ? ::read(opened.number(), text.data(), text.size()) : 0;
  return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : std::string();
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t", at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

// lock: 1: OFDLCK ADVISORY WRITE -1 fe:00:393218 4611686018427387904 4611686018427387904
//
// Only the inode is compared, since some file systems give stat and the lock table
// different device numbers; the odd byte of our lock makes up for it.
bool speaks_of(std::string_view line, std::uint64_t inode, std::uint64_t lock_byte) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.size() != 9 || words[0] != "lock:") return false;
  const std::string_view file = words[6];
  const std::uint64_t first = number_in(words[7]).value_or(lock_byte + 1);
  const std::uint64_t last = words[8] == "EOF" ? lock_byte : number_in(words[8]).value_or(0);
  return number_in(file.substr(file.rfind(':') + 1)) == inode && first <= lock_byte &&
         lock_byte <= last;
}

bool holds(const std::string& fdinfo, std::uint64_t inode, std::uint64_t lock_byte) {
  for (std::size_t begin = 0; begin < fdinfo.size();) {
    const std::size_t end = std::min(fdinfo.find('\n', begin), fdinfo.size());
    if (speaks_of(std::string_view(fdinfo).substr(begin, end - begin), inode, lock_byte)) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

bool process_holds(const std::string& process, std::uint64_t inode, std::uint64_t lock_byte,
                   Clock::time_point deadline) {
  const std::string folder = fmt::format("/proc/{}/fdinfo", process);
  for (const std::string& number : numbers_in(folder)) {
    if (Clock::now() > deadline) return false;
    if (holds(text_of(fmt::format("{}/{}", folder, number)), inode, lock_byte)) return true;
  }
  return false;
}

std::string describe(const std::string& process) {
  if (process == std::to_string(::getpid())) return "this process, through another open file";
  std::string program = text_of(fmt::format("/proc/{}/comm", process));
  while (!program.empty() && program.back() == '\n') program.pop_back();
  return program.empty() ? fmt::format("process {}", process)
                         : fmt::format("process {} ({})", process, program);
}

}  // namespace

std::string describe_lock_holder(int descriptor, std::uint64_t lock_byte) {
  struct flock asked{};
  asked.l_type = F_WRLCK;
  asked.l_whence = SEEK_SET;
  asked.l_start = static_cast<off_t>(lock_byte);
  asked.l_len = 1;
  // A program that locks the old way is named at once; of ours the kernel says -1.
  if (::fcntl(descriptor, F_OFD_GETLK, &asked) == 0 && asked.l_type != F_UNLCK && asked.l_pid > 0) {
    return describe(std::to_string(asked.l_pid));
  }
  struct stat file{};
  if (::fstat(descriptor, &file) == 0) {
    const Clock::time_point deadline = Clock::now() + search_time;
    for (const std::string& process : numbers_in("/proc")) {
      if (process_holds(process, file.st_ino, lock_byte, deadline)) return describe(process);
    }
  }
  return "a process that this user cannot see";
}

}  // namespace logwood::io
