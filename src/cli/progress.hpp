// How far something has come, on one line of standard error that goes when it is done. Only on a
// terminal, and only when it takes longer than a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace logwood::cli {

class ProgressLine {
 public:
  using Clock = std::function<std::chrono::system_clock::time_point()>;

  /// `what` is printable: "verifying demo". `unit` is what is counted, "sessions"; empty: bytes.
  ProgressLine(std::function<void(std::string_view)> err, Clock now, std::size_t columns,
               std::string what, std::string unit);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// A `total` of 0 is not known.
  void show(std::uint64_t done, std::uint64_t total);

 private:
  std::function<void(std::string_view)> err_;
  Clock now_;
  std::size_t columns_;
  std::string what_;
  std::string unit_;
  std::chrono::system_clock::time_point start_;
  std::chrono::system_clock::time_point shown_at_;
  bool is_shown_ = false;
};

}  // namespace logwood::cli
