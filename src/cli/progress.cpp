#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/quantity.hpp"
#include "cli/terminal_text.hpp"

namespace logwood::cli {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

constexpr milliseconds quiet_at_first{1000};
constexpr milliseconds between_two{100};
constexpr std::string_view clear_line = "\r\x1b[K";

std::string time_left(double seconds) {
  if (seconds < 1) return "1 s";
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

}  // namespace

ProgressLine::ProgressLine(std::function<void(std::string_view)> err, Clock now,
                           std::size_t columns, std::string what, std::string unit)
    : err_(std::move(err)),
      now_(std::move(now)),
      columns_(columns),
      what_(std::move(what)),
      unit_(std::move(unit)),
      start_(now_()) {}

ProgressLine::~ProgressLine() {
  if (is_shown_) err_(clear_line);
}

void ProgressLine::show(std::uint64_t done, std::uint64_t total) {
  const auto now = now_();
  if (now - start_ < quiet_at_first || (is_shown_ && now - shown_at_ < between_two)) return;
  const auto amount = [&](std::uint64_t count) {
    return unit_.empty() ? short_size(count) : fmt::format("{}", count);
  };
  const double rate = static_cast<double>(done) / duration<double>(now - start_).count();
  std::string text = what_;
  if (total > 0) {
    const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    text += fmt::format("  {:.0f} %  {} of {}", part * 100, amount(done), amount(total));
  } else {
    text += "  " + amount(done);
  }
  if (!unit_.empty()) text += " " + unit_;
  text += fmt::format("  {}/s", amount(static_cast<std::uint64_t>(rate)));
  if (total > done && rate > 0)
    text += fmt::format("  {} left", time_left(static_cast<double>(total - done) / rate));
  // One column less: a full row would make the terminal go to the next.
  err_(std::string(clear_line) + fitted(text, columns_ > 1 ? columns_ - 1 : 1));
  is_shown_ = true;
  shown_at_ = now;
}

}  // namespace logwood::cli
